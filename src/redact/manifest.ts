import { MAX_DEPTH } from '../crd/depth.ts';
import { clientPassword } from './clients.ts';
import { maskImage } from './image.ts';
import { MASK, secrecyOf } from './keys.ts';
import { isHarmless, isSecretValue } from './values.ts';
import { maskText } from './text.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** Fields that name things; what they hold is needed to read a failure and is never a secret. */
const PLAIN = new Set(['imageID', 'containerID', 'uid', 'name', 'namespace', 'apiVersion', 'kind', 'resourceVersion']);

/**
 * A copy of a Kubernetes object with secret-looking values as `***`, without `managedFields` and kubectl's last-applied
 * annotation. Names of Secrets, ConfigMaps and keys stay, so that culprits stay readable; all data of a Secret goes, and so does
 * what nests deeper than any manifest may.
 */
export function maskManifest<T>(object: T): T {
  return maskValue(object, '', 0) as T;
}

function maskValue(value: unknown, key: string, depth: number): unknown {
  if (typeof value === 'string') return maskString(value, key);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return MASK;
  if (Array.isArray(value)) return maskList(value, key, depth);
  const fields = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([field]) => field !== 'managedFields' && field !== LAST_APPLIED)
      .map(([field, content]) => [
        field,
        isSecretData(fields, field) ? emptied(content) : maskValue(content, nameOf(fields, field), depth + 1),
      ]),
  );
}

function isSecretData({ kind, metadata }: Record<string, unknown>, field: string): boolean {
  return kind === 'Secret' && metadata !== undefined && (field === 'data' || field === 'stringData');
}

/** What a field's value is called: the variable or header whose `value` it is, else the field itself. */
function nameOf({ name, value }: Record<string, unknown>, field: string): string {
  return field === 'value' && typeof name === 'string' && typeof value === 'string' ? name : field;
}

function maskString(value: string, key: string): string {
  if (PLAIN.has(key)) return value;
  if (key === 'image') return maskImage(value);
  const secrecy = secrecyOf(key);
  if (secrecy && isSecretValue(value, secrecy)) return MASK;
  return secrecy === 'strong' ? value : maskText(value);
}

/** A list of arguments may hold a flag and, one further, its value. */
function maskList(list: unknown[], key: string, depth: number): unknown[] {
  return list.map((item, index) => {
    const before = list[index - 1];
    const flag = typeof before === 'string' ? /^--?([A-Za-z][\w.-]{1,63})$/.exec(before)?.[1] : undefined;
    const isValue = flag !== undefined && secrecyOf(flag) !== undefined && typeof item === 'string' && !item.startsWith('-');
    if (isValue) return maskString(item, flag);
    return clientPassword(list, index) ?? maskUser(item, before) ?? maskValue(item, key, depth + 1);
  });
}

/** `-u`, then `user:password`; undefined for anything else, such as the ids of a user and a group. */
function maskUser(item: unknown, before: unknown): string | undefined {
  if (typeof item !== 'string' || typeof before !== 'string' || !/^(?:-u|--user|--proxy-user)$/.test(before)) return undefined;
  const [, user, password = ''] = /^([^\s:"',]{1,128}):(.+)$/s.exec(item) ?? [];
  return user === undefined || /^\d+$/.test(password) || isHarmless(password) || password.startsWith('//') ? undefined : `${user}:${MASK}`;
}

function emptied(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.keys(data).map((key) => [key, MASK]));
}

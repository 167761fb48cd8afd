import { MAX_DEPTH } from '../crd/depth.ts';
import { dumpManifest, loadManifests } from '../crd/manifest.ts';
import { clientPassword } from './command-line-passwords.ts';
import { maskImage } from './image.ts';
import { MASK } from './keys.ts';
import { type NameMemory, secrecyAmong } from './scan-state.ts';
import { isHarmless, isSecretValue } from './harmless-values.ts';
import { maskText, maskTextWith } from './text.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** Fields that name things. A reader needs their values to understand a failure, and they are never secrets. */
const PLAIN = new Set(['imageID', 'containerID', 'uid', 'name', 'namespace', 'apiVersion', 'kind', 'resourceVersion']);

/**
 * Returns a Kubernetes object with secret-looking values as `***`, without `managedFields` and kubectl's last-applied annotation. Names of
 * Secrets, ConfigMaps and keys stay, so that culprits stay readable. All data of a Secret is masked, and so are parts that nest deeper than
 * any manifest may. The given object stays unchanged. Parts without secrets are not copied, and an object without secrets is returned
 * itself. `names` remembers names from one object to the next.
 */
export function maskManifest<T>(object: T, names: NameMemory = new Map()): T {
  return maskValue(object, '', 0, names) as T;
}

/** `key` names the value; `depth` counts the objects and lists around it. */
function maskValue(value: unknown, key: string, depth: number, names: NameMemory): unknown {
  if (typeof value === 'string') return maskString(value, key, names);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return MASK;
  if (Array.isArray(value)) return maskList(value, key, depth, names);
  return maskFields(value as Record<string, unknown>, depth, names);
}

function maskFields(fields: Record<string, unknown>, depth: number, names: NameMemory): Record<string, unknown> {
  let masked: Map<string, unknown> | undefined;
  const isSecret = fields['kind'] === 'Secret' && fields['metadata'] !== undefined;
  for (const field of Object.keys(fields)) {
    const content = fields[field];
    const shown = isSecret && isSecretData(field) ? emptied(content) : maskValue(content, nameOf(fields, field), depth + 1, names);
    if (shown === content && !isDropped(field)) continue;
    masked ??= new Map(Object.entries(fields));
    if (isDropped(field)) masked.delete(field);
    else masked.set(field, shown);
  }
  return masked ? Object.fromEntries(masked) : fields;
}

function isDropped(field: string): boolean {
  return field === 'managedFields' || field === LAST_APPLIED;
}

function isSecretData(field: string): boolean {
  return field === 'data' || field === 'stringData';
}

/** The name under which a value stands: for the field `value`, the name of its variable or header; for any other field, the field's own name. */
function nameOf(fields: Record<string, unknown>, field: string): string {
  if (field !== 'value') return field;
  const { name, value } = fields;
  return typeof name === 'string' && typeof value === 'string' ? name : field;
}

function maskString(value: string, key: string, names: NameMemory): string {
  if (PLAIN.has(key)) return value;
  if (key === 'image') return maskImage(value);
  const secrecy = secrecyAmong(names, key);
  if (secrecy && isSecretValue(value, secrecy)) return MASK;
  return secrecy === 'strong' ? value : maskTextWith(value, names);
}

/** Masks the items of a list. In a list of arguments, a flag may be one item and its value the next. */
function maskList(list: unknown[], key: string, depth: number, names: NameMemory): unknown[] {
  const masked = list.map((item, index) => {
    const before = list[index - 1];
    const flag = typeof before === 'string' ? /^--?([A-Za-z][\w.-]{1,63})$/.exec(before)?.[1] : undefined;
    const isValue = flag !== undefined && secrecyAmong(names, flag) !== undefined && typeof item === 'string' && !item.startsWith('-');
    if (isValue) return maskString(item, flag, names);
    return clientPassword(list, index) ?? maskUser(item, before) ?? maskValue(item, key, depth + 1, names);
  });
  return masked.every((item, index) => item === list[index]) ? list : masked;
}

/** The item after `-u`, if it is `user:password`; undefined for anything else, such as the ids of a user and a group. */
function maskUser(item: unknown, before: unknown): string | undefined {
  if (typeof item !== 'string' || typeof before !== 'string' || !/^(?:-u|--user|--proxy-user)$/.test(before)) return undefined;
  const [, user, password = ''] = /^([^\s:"',]{1,128}):(.+)$/s.exec(item) ?? [];
  return user === undefined || /^\d+$/.test(password) || isHarmless(password) || password.startsWith('//') ? undefined : `${user}:${MASK}`;
}

function emptied(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.keys(data).map((key) => [key, MASK]));
}

/** The documents of a manifest without secrets. Text that is not YAML is masked like any other text. */
export function maskManifestText(text: string, names: NameMemory, parsed: object | undefined): string {
  const documents = parsed ? [parsed] : documentsOf(text);
  if (!documents) return maskText(text);
  const masked = documents.map((document) => maskManifest(document, names));
  const isSame = masked.every((document, index) => document === documents[index]);
  if (!isSame) return masked.map(dumpManifest).join('---\n');
  return text.includes('#') ? text.replace(COMMENT, (comment) => maskText(comment)) : text;
}

function documentsOf(text: string): unknown[] | undefined {
  try {
    return loadManifests(text);
  } catch {
    return undefined;
  }
}

/** YAML comments. A part of a value that only looks like a comment does no harm. */
const COMMENT = /(?:^|[ \t])#[^\n]*/gm;

import { MAX_DEPTH } from '../crd/depth.ts';
import { clientPassword } from './command-line-passwords.ts';
import { maskImage } from './image.ts';
import { MASK } from './keys.ts';
import { type Pass, secrecyIn } from './scan-state.ts';
import { isHarmless, isSecretValue } from './values.ts';
import { maskText } from './text.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** Fields that name things. A reader needs their values to understand a failure, and they are never secrets. */
const PLAIN = new Set(['imageID', 'containerID', 'uid', 'name', 'namespace', 'apiVersion', 'kind', 'resourceVersion']);

/**
 * A Kubernetes object with secret-looking values as `***`, without `managedFields` and kubectl's last-applied annotation. Names of Secrets,
 * ConfigMaps and keys stay, so that culprits stay readable; all data of a Secret goes, and so does what nests deeper than any manifest may.
 * The given object stays unchanged. The parts in which nothing is masked are the same objects in the result: without a secret, all of it.
 */
export function maskManifest<T>(object: T, memory: MaskMemory = { secrecies: new Map(), text: maskText }): T {
  return maskValue(object, { key: '', depth: 0, memory }) as T;
}

/** What a mask may keep from one object to the next: how secret the values of a name are, and the mask of a text. */
export interface MaskMemory extends Pick<Pass, 'secrecies'> {
  text(text: string): string;
}

/** Where a value stands. */
interface Place {
  key: string;
  depth: number;
  memory: MaskMemory;
}

function maskValue(value: unknown, place: Place): unknown {
  if (typeof value === 'string') return maskString(value, place);
  if (typeof value !== 'object' || value === null) return value;
  if (place.depth >= MAX_DEPTH) return MASK;
  if (Array.isArray(value)) return maskList(value, place);
  return maskFields(value as Record<string, unknown>, place);
}

function maskFields(fields: Record<string, unknown>, { depth, memory }: Place): Record<string, unknown> {
  let masked: Map<string, unknown> | undefined;
  for (const field of Object.keys(fields)) {
    const content = fields[field];
    const key = nameOf(fields, field);
    const shown = isSecretData(fields, field) ? emptied(content) : maskValue(content, { key, depth: depth + 1, memory });
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

function isSecretData({ kind, metadata }: Record<string, unknown>, field: string): boolean {
  return kind === 'Secret' && metadata !== undefined && (field === 'data' || field === 'stringData');
}

/** The name that belongs to a field's value: that of the variable or header if the field is its `value`, otherwise the field's own. */
function nameOf({ name, value }: Record<string, unknown>, field: string): string {
  return field === 'value' && typeof name === 'string' && typeof value === 'string' ? name : field;
}

function maskString(value: string, { key, memory }: Place): string {
  if (PLAIN.has(key)) return value;
  if (key === 'image') return maskImage(value);
  const secrecy = secrecyIn(memory, key);
  if (secrecy && isSecretValue(value, secrecy)) return MASK;
  return secrecy === 'strong' ? value : memory.text(value);
}

/** In a list of arguments, a flag may be one item and its value the next. */
function maskList(list: unknown[], { key, depth, memory }: Place): unknown[] {
  const masked = list.map((item, index) => {
    const before = list[index - 1];
    const flag = typeof before === 'string' ? /^--?([A-Za-z][\w.-]{1,63})$/.exec(before)?.[1] : undefined;
    const isValue = flag !== undefined && secrecyIn(memory, flag) !== undefined && typeof item === 'string' && !item.startsWith('-');
    if (isValue) return maskString(item, { key: flag, depth, memory });
    return clientPassword(list, index) ?? maskUser(item, before) ?? maskValue(item, { key, depth: depth + 1, memory });
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

/** PostgreSQL stores no NUL in text: it is removed. */
const NUL = /\0/g;
/** The forms in which JSON.stringify writes a NUL or half a surrogate pair; a quoted backslash before them only costs a second look. */
const SUSPECT = /\\u(?:0000|d[89a-f])/;

/** Text that any PostgreSQL stores: without NUL, halves of surrogate pairs replaced by U+FFFD. */
export function storableText(text: string): string {
  return text.toWellFormed().replace(NUL, '');
}

/** The same value with every text in it (keys too) storable. */
export function storable<T>(value: T): T;
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map((entry: unknown) => storable(entry));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [storableText(key), storable(entry)]));
}

/** A value as the text of a jsonb parameter (drivers turn a bare array into something else). Cleaned only where it needs to be. */
export function json(value: unknown): string {
  const text = JSON.stringify(value);
  return SUSPECT.test(text) ? JSON.stringify(storable(value)) : text;
}

/**
 * Whether `text`, made by JSON.stringify, may hold characters that PostgreSQL refuses. It may be wrong about a text that holds none, but
 * never about one that does.
 */
export function isSuspect(text: string): boolean {
  return SUSPECT.test(text);
}

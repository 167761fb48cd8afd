/** PostgreSQL cannot store NUL in text, so it is removed. */
const NUL = /\0/g;
/** How JSON.stringify writes a NUL or an unpaired surrogate. An escaped backslash before them only causes a needless check. */
const SUSPECT = /\\u(?:0000|d[89a-f])/;

/** Text that any PostgreSQL stores: without NUL, halves of surrogate pairs replaced by U+FFFD. */
export function storableText(text: string): string {
  return text.toWellFormed().replace(NUL, '');
}

/** The same value with all its texts (keys too) made storable. */
export function storable<T>(value: T): T;
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map((entry: unknown) => storable(entry));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [storableText(key), storable(entry)]));
}

/** A value as the text of a jsonb parameter (drivers would convert a bare array to something else). It is cleaned only if necessary. */
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

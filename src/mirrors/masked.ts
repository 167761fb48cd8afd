const MARK = '***';

/**
 * A value sent back by somebody who was shown `masked`, with the masked texts replaced by the source's own: where the same path
 * holds the same masked text, or nothing but `***`. Entries of lists are found by their name, texts in lists by what they say,
 * else by position. What stands nowhere in the source stays as it is.
 */
export function restoreMasked<T>(value: T, masked: unknown, source: unknown): T {
  if (typeof value === 'string') return restoreText(value, masked, source) as T;
  if (Array.isArray(value)) return value.map((entry, index) => restoreEntry(entry as unknown, index, masked, source)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, restoreMasked(field as unknown, fieldOf(masked, key), fieldOf(source, key))]),
  ) as T;
}

function restoreText(value: string, masked: unknown, source: unknown): string {
  const isMasked = value.includes(MARK) && typeof source === 'string' && (value === masked || value === MARK);
  return isMasked ? source : value;
}

function restoreEntry(entry: unknown, index: number, masked: unknown, source: unknown): unknown {
  const [shown, own] = [Array.isArray(masked) ? (masked as unknown[]) : [], Array.isArray(source) ? (source as unknown[]) : []];
  const name = fieldOf(entry, 'name');
  let at = index;
  if (typeof name === 'string') at = own.findIndex((other) => fieldOf(other, 'name') === name);
  else if (typeof entry === 'string' && shown[index] !== entry && shown.includes(entry)) at = shown.indexOf(entry);
  return restoreMasked(entry, shown[at], own[at]);
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

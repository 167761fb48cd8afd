import { maskManifest } from './manifest.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import { maskShapes } from './shapes.ts';
import { maskText } from './text.ts';

/**
 * A copy of data as it may leave for somebody else's machine (a model): the one function between us and them. Secrets are masked for
 * good, wherever they stand; names and addresses get the pseudonyms that are asked for.
 */
export function redactOutbound<T>(data: T, { hide }: Pick<Pseudonyms, 'hide'>): T {
  // The mask for manifests leaves fields that name things alone. The mask for shapes does not, because no name has the shape of a secret.
  return everyText(maskManifest(data), (text) => hide(maskText(maskShapes(text)))) as T;
}

function everyText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((entry: unknown) => everyText(entry, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [maskShapes(key), everyText(field, change)]));
}

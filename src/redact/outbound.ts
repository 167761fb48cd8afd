import { maskManifest } from './manifest.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import { maskShapes } from './shapes.ts';
import { maskText } from './text.ts';

/**
 * Copies data for somebody else's machine (a language model). Everything that is sent there passes this function. Secrets are masked for
 * good, wherever they stand. Names and addresses are replaced by pseudonyms, as far as the settings ask for it.
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

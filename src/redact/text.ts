import { maskPairs } from './pairs.ts';
import { maskShapes } from './shapes.ts';

/**
 * A text (log, event message, explanation) with its secrets as `***`: what is secret by its shape, and the values of names that
 * look secret. Digests, uids, image names and the names of Secrets and their keys stay. Masking twice changes nothing.
 */
export function maskText(text: string): string {
  return maskPairs(maskShapes(text));
}

import { maskClients } from './clients.ts';
import { maskPairs } from './pairs.ts';
import { maskShapes } from './shapes.ts';

/**
 * A text (log, event message, explanation) with its secrets as `***`: what is secret by its shape or by the program it is
 * given to, and the values of names that
 * look secret. Digests, uids, image names and the names of Secrets and their keys stay. Masking twice changes nothing.
 */
export function maskText(text: string): string {
  return maskPairs(maskClients(maskShapes(text)));
}

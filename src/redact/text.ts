import { maskPem } from './pem.ts';
import { maskWideProse } from './prose.ts';
import { scan } from './scan.ts';

/**
 * A text (log, event message, explanation) with its secrets as `***`: what is secret by its shape or by the program it is given to, the
 * values of names that look secret, and what sentences call a password. Digests, uids, image names and the names of Secrets and their keys
 * stay. Masking twice changes nothing.
 */
export function maskText(text: string): string {
  const masked = scan(maskPem(text), 'everything');
  return hasWide(masked) ? maskWideProse(masked) : masked;
}

const WIDE = /[\u0400-\u04ff\u0590-\u06ff\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7ff]/;

function hasWide(text: string): boolean {
  return WIDE.test(text);
}

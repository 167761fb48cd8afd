import { FORMATS } from './formats/list.ts';
import { maskPem } from './pem.ts';
import { maskWideProse } from './prose.ts';
import { scan } from './scan.ts';
import { isLetter, type NameMemory } from './scan-state.ts';

/**
 * A text (log, event message, explanation) with its secrets as `***`: what is secret by its shape or by the program it is given to, the
 * values of names that look secret, and what sentences call a password. Digests, uids, image names and the names of Secrets and their keys
 * stay. Masking twice changes nothing.
 */
export function maskText(text: string): string {
  return maskTextWith(text, undefined);
}

/** The same for one of many texts that share a memory of names. */
export function maskTextWith(text: string, names: NameMemory | undefined): string {
  if (isShortWord(text)) return text;
  const masked = scan(maskPem(text), 'everything', names);
  return hasWide(text) ? maskWideProse(masked) : masked;
}

/** The shortest secret that is known without a name or a sign before it. The others are longer. */
const SHORTEST = Math.min(15, ...FORMATS.map(({ prefix, least }) => prefix.length + least));

/** Whether the text is one word, too short for a secret: most values of a manifest are. */
function isShortWord(text: string): boolean {
  if (text.length >= SHORTEST) return false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (!(isLetter(code) || (code > 44 && code < 58) || code === UNDERSCORE)) return false;
  }
  return true;
}

const UNDERSCORE = 95;

const WIDE = /[\u0400-\u04ff\u0590-\u06ff\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7ff]/;

function hasWide(text: string): boolean {
  return WIDE.test(text);
}

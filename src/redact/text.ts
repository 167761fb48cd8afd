import { FORMATS } from './formats/list.ts';
import { maskPem } from './pem.ts';
import { maskWideProse } from './prose.ts';
import { scan } from './scan.ts';
import { isLetter, type NameMemory } from './scan-state.ts';

/**
 * Masks the secrets of a text (log, event message, explanation) as `***`: values with the shape of a secret, passwords in arguments of
 * known programs, values of names that look secret, and passwords in sentences. Digests, uids, image names and the names of Secrets and
 * their keys stay. Masking twice changes nothing.
 */
export function maskText(text: string): string {
  return maskTextWith(text, undefined);
}

/** Like `maskText`, for one of many texts that share a memory of names. */
export function maskTextWith(text: string, names: NameMemory | undefined): string {
  if (isShortWord(text)) return text;
  const masked = scan(maskPem(text), 'everything', names);
  return hasWide(text) ? maskWideProse(masked) : masked;
}

/** The shortest secret that is known without a name or a sign before it. The others are longer. */
const SHORTEST = Math.min(15, ...FORMATS.map(({ prefix, least }) => prefix.length + least));

/** Whether the text is a single word that is too short for a secret, as most values of a manifest are. */
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

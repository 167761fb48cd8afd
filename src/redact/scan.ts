import { address, bareAddress, pgpass, userFlag } from './addresses.ts';
import { CLIENT_STEMS, CLIENT_WORDS, clientFlag, noteClient } from './command-line-passwords.ts';
import { element, encodedPair, flag, spacedPair } from './pair-forms.ts';
import { pair } from './pairs.ts';
import { COLOUR, hide, leads, type NameMemory, type Pass, passOver } from './scan-state.ts';
import { NOUN_WORDS, nounAt, prose } from './prose.ts';
import { azureSecret, hashEnd, secretBehind, shapeEnd, tokenAt } from './tokens.ts';

/** What to look for: only secrets with a known shape, or also values whose names look secret. */
export type Wanted = 'shapes' | 'everything';

const NOTHING = 0;
const WORD = 1;
const SIGN = 2;
/** The kind of each character: part of a word, a sign that may stand beside a secret, or neither. */
const KIND = ((): Uint8Array => {
  const kinds = new Uint8Array(128);
  for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-') kinds[character.charCodeAt(0)] = WORD;
  for (const character of '=:@<$~\\%{\u001b') kinds[character.charCodeAt(0)] = SIGN;
  return kinds;
})();
const DASH = 45;
const DOT = 46;
const SPACE = 32;

function isCapital(code: number): boolean {
  return code > 64 && code < 91;
}

/** Reads a text once from its beginning to its end, and hides its secrets. `names` remembers names from one text to the next. */
export function scan(text: string, wanted: Wanted, names?: NameMemory): string {
  const pass = passOver(text, names);
  const everything = wanted === 'everything';
  const length = text.length;
  let at = 0;
  while (at < length) {
    const kind = kindOf(text.charCodeAt(at));
    if (kind === NOTHING) at++;
    else if (kind === WORD) at = word(pass, at, everything);
    else at = sign(pass, at, everything);
  }
  return pass.at === 0 ? text : pass.masked + text.slice(pass.at);
}

function kindOf(code: number): number {
  return code < 128 ? (KIND[code] ?? NOTHING) : isWide(code) ? WORD : NOTHING;
}

/** Whether the code is a letter outside ASCII. Quotes, dashes, arrows and full-width signs are not letters. */
function isWide(code: number): boolean {
  return (code >= 0xc0 && code < 0x2000 && code !== 0xd7 && code !== 0xf7) || (code >= 0x3041 && code < 0xd800);
}

function word(pass: Pass, start: number, everything: boolean): number {
  const { text } = pass;
  let end = start + 1;
  while (end < text.length && kindOf(text.charCodeAt(end)) === WORD) end++;
  if (pass.nameTo !== start - 1 || text.charCodeAt(start - 1) !== DOT) pass.nameFrom = start;
  pass.nameTo = end;
  const token = tokenAt(pass, start);
  if (token) {
    const behind = secretBehind(text, token);
    const to = hide(pass, token.from, token.to);
    return behind ? hide(pass, behind.from, behind.to) : to;
  }
  const shape = shapeEnd(text, start, end);
  if (shape > 0) return hide(pass, start, shape);
  return isNamed(text, start, end) && (everything || isScheme(text, start)) ? named(pass, start, end) : end;
}

const isKnown = leads([...NOUN_WORDS, ...CLIENT_WORDS], CLIENT_STEMS);

/** Whether the word may be a flag, a noun, a program or a name in capitals. Most words are none of these. */
function isNamed(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start);
  if (first === DASH || isKnown(text, start, end)) return true;
  return text.charCodeAt(end) === SPACE && isCapital(first) && isCapital(text.charCodeAt(start + 1));
}

/** Whether the word is `Bearer`, `Basic` or `Token`. The value after one of these is hidden even when only shapes are wanted. */
function isScheme(text: string, start: number): boolean {
  const first = text.charCodeAt(start) | 32;
  return first === 98 || first === 116;
}

function named(pass: Pass, start: number, end: number): number {
  const { text } = pass;
  if (text.charCodeAt(start) === DASH) return end - start > 1 ? flagged(pass, start, end) : end;
  const noun = nounAt(text, start, end);
  if (noun) return prose(pass, noun, start, end);
  if (text.charCodeAt(end) === SPACE && isCapital(text.charCodeAt(start)) && isCapital(text.charCodeAt(start + 1)))
    return spacedPair(pass, start, end);
  noteClient(pass, start, end);
  return end;
}

function flagged(pass: Pass, start: number, end: number): number {
  const { text } = pass;
  const before = text.charCodeAt(start - 1);
  if (start > 0 && before > 32 && !`"'[,(`.includes(text.charAt(start - 1))) return end;
  const name = text.slice(start, Math.min(end, start + 8));
  if (name === '-u' || name === '--user') return Math.max(end, userFlag(pass, end));
  const after = clientFlag(pass, start, end);
  return after > end ? after : flag(pass, start, end);
}

function sign(pass: Pass, at: number, everything: boolean): number {
  const { text } = pass;
  switch (text[at]) {
    case ':':
      return colon(pass, at, everything);
    case '=':
      return everything ? pair(pass, at) : at + 1;
    case '@':
      return bareAddress(pass, at);
    case '<':
      return everything ? element(pass, at) : at + 1;
    case '$':
    case '{':
      return hashed(pass, at);
    case '%':
      return everything ? encoded(pass, at) : escaped(text, at);
    case '~':
      return tilde(pass, at);
    default:
      return escaped(text, at);
  }
}

function colon(pass: Pass, at: number, everything: boolean): number {
  const { text } = pass;
  const next = text.charCodeAt(at + 1);
  if (next === 47 && text.charCodeAt(at + 2) === 47) return address(pass, at);
  if (!everything) return at + 1;
  if ((next === 42 || (next > 48 && next < 58)) && (pass.nameTo === at || text[at - 1] === '*')) {
    const secret = pgpass(text, at);
    if (secret) return hide(pass, secret.from, secret.to);
  }
  return pair(pass, at);
}

function encoded(pass: Pass, at: number): number {
  const next = pass.text.charCodeAt(at + 2) | 32;
  return pass.text[at + 1] === '3' && next === 100 ? encodedPair(pass, at) : escaped(pass.text, at);
}

function hashed(pass: Pass, at: number): number {
  const end = hashEnd(pass.text, at);
  return end > 0 ? hide(pass, at, end) : at + 1;
}

function tilde(pass: Pass, at: number): number {
  const secret = azureSecret(pass.text, at);
  return secret && secret.from >= pass.at ? hide(pass, secret.from, secret.to) : at + 1;
}

const COLOURED = new RegExp(COLOUR, 'y');
const ESCAPE = /\\(?:[nrtbf]|u[0-9a-fA-F]{4}(?:\[[0-9;]{0,12}m)?|x[0-9a-fA-F]{2}(?:\[[0-9;]{0,12}m)?)|%[0-9A-Fa-f]{2}/y;

/** Where the text continues after an escape. The letters of an escape do not belong to the next word. */
function escaped(text: string, at: number): number {
  const pattern = text.charCodeAt(at) === 27 ? COLOURED : ESCAPE;
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at + 1;
}

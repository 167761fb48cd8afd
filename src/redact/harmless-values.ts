import { MASK, type Secrecy } from './keys.ts';

/** Whether a value is no secret whatever its name: a switch, a reference, a placeholder, or masked already. */
export function isHarmless(value: string): boolean {
  const first = value.charCodeAt(0);
  if ((first === STAR && value.startsWith(MASK)) || (!(first > SPACE && first < 127) && value.trim() === '')) return true;
  switch (first) {
    case 36:
      return /^\$(?:\([\w.-]{1,128}\)|\{[\w.:-]{1,128}\}|[A-Za-z_]\w{0,128})$/.test(value);
    case 37:
    case 64:
    case 123:
      return /^(?:%[A-Za-z_]\w{0,63}%|%[sdvq]|\{\{.{1,128}\}\}|@[A-Z_]{2,64}@|\{[a-z_]{0,32}\}?)$/.test(value);
    default:
      return isPlaceholder(value);
  }
}

function isPlaceholder(value: string): boolean {
  const first = value.charCodeAt(0);
  if (BEGINS_WORD[first] === 1 && value.length < 67 && WORDS.test(value)) return true;
  if (value.length < 4) return false;
  return (isCapital(value.charCodeAt(value.length - 1)) && PLACEHOLDER.test(value)) || (BEGINS_PLACE[first] === 1 && ELSEWHERE.test(value));
}

const STAR = 42;
const SPACE = 32;

function isCapital(code: number): boolean {
  return code > 64 && code < 91;
}

// Checking one character first saves running most of the patterns below.

const WORDS =
  /^(?:true|false|null|nil|none|yes|no|undefined|on|off|<[^<>]{1,64}>|\[?redacted\]?|\[\]|[|>][-+]?|[[(]|\*{1,64}|[x.•-]{3,64}|n\/a)$/i;
const PLACEHOLDER = /^(?:YOUR[-_ ]?|MY[-_ ]?|SOME[-_ ]?|THE[-_ ]?)?(?:[A-Z]{2,12}[-_ ])?(?:USER|PASSWORD|TOKEN|SECRET|KEY)$/;
const ELSEWHERE = /^(?:arn:|op:\/\/|vault:[a-z]|secretref:|env:|ref\+|projects\/[\w-]+\/secrets\/)/;
const BEGINS_WORD = beginnings('tfnyuoTFNYUO<[r(RX|>*x.•-');
const BEGINS_PLACE = beginnings('aovserp');

/** A table by character code: 1 for each of these characters, 0 for all others. */
function beginnings(characters: string): Uint8Array {
  const found = new Uint8Array(0x2100);
  for (const character of characters) found[character.charCodeAt(0)] = 1;
  return found;
}

/** Whether a value is the path of a file or folder. The file may be secret, the path is not. */
export function isPath(value: string): boolean {
  const first = value.charCodeAt(0);
  const second = value.charCodeAt(1);
  // A slash, a full stop or a tilde; else a letter and a colon, or `file`.
  if (first !== 47 && first !== 46 && first !== 126 && second !== 58 && (first !== 102 || second !== 105)) return false;
  if (!/^(?:\/|\.{1,2}\/|~\/|[A-Za-z]:[\\/]|file:\/\/)[\w@~.:\\/ -]{1,255}$/.test(value)) return false;
  return (
    /^\/(?:var|etc|run|home|root|tmp|opt|usr|mnt|data|app|srv|secrets?|proc|dev|workspace|config|certs?|vault|kube|keys?)(?:\/|$)/.test(
      value,
    ) ||
    (/\.[a-z]{2,5}$/.test(value) && !isRandom(value, 0, value.length)) ||
    /^(?:file:|\.|~)/.test(value)
  );
}

/** Whether a value is made of words: sentences, names of objects, settings. */
function isOrdinary(value: string): boolean {
  return /^[\p{L}][\p{L}'’]*(?:[ ._/:-]{1,2}[\p{L}'’]+){0,12}[.!?,:;]?$/u.test(value) && !isMixed(value);
}

function isMixed(value: string): boolean {
  return value.length > 11 && countKinds(value, 0, Math.min(value.length, LONGEST_WINDOW)).turns * 8 >= value.length * 3;
}

const NUMBER = /^[-+]?\d{1,12}(?:[.,]\d{1,6})?(?:ms|s|m|h|d|%|[KMGT]i?B?)?$/;

/** Whether a value under a name of this secrecy is a secret. */
export function isSecretValue(value: string, secrecy: Secrecy): boolean {
  if (secrecy === 'soft') return looksSecret(value);
  // The condition that excludes most values comes first.
  if (secrecy === 'random') return isVeryRandom(value, 0, value.length) && /^[\w+/=-]{20,512}$/.test(value) && !isHarmless(value);
  if (isHarmless(value)) return false;
  if (secrecy === 'strong') return !isPath(value);
  if (secrecy === 'digits' && /^\d{4,12}$/.test(value)) return true;
  return looksSecret(value);
}

/** Whether a value mixes letters with digits or signs, or is long and random. Values of settings are neither. */
export function looksSecret(value: string): boolean {
  if (value.length < 6 || !(hasDigitOrSign(value) || isMixed(value))) return false;
  if (NUMBER.test(value) || isOrdinary(value) || isPath(value) || isHarmless(value) || /[(\\]|\$\{|^\/\^/.test(value)) return false;
  return !/^(?:v?\d{1,6}(?:[.:/-]\d{1,6}){1,6}|\d{4}-\d\d-\d\d[T ].*|https?:\/\/.*|sha\d{1,3}[:-].*|[a-z]{1,12}(?:[-_.:][a-z]{1,16}){0,5}[-_.]?v?\d{1,3}|[a-z]{1,16}(?:[-_.:/][a-z]{1,16}|[:/]\d{1,9}){1,8}|[a-z]{1,16}(?:[.:/][a-z#*]{1,16}){1,6})$/i.test(
    value,
  );
}

/** Words have no digits, and none of the signs that passwords are made of. */
function hasDigitOrSign(value: string): boolean {
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index);
    if (code < 128 && DIGIT_OR_SIGN[code] === 1) return true;
  }
  return false;
}

const DIGIT_OR_SIGN = ((): Uint8Array => {
  const found = new Uint8Array(128);
  for (const character of '0123456789!#$%^&*+=?@~') found[character.charCodeAt(0)] = 1;
  return found;
})();

/** At most this many characters of a run are read, which is enough to tell whether it is random. */
export const LONGEST_WINDOW = 80;

/**
 * Whether a run of characters is random: words, versions and names of objects are not. Reads only the first `LONGEST_WINDOW`
 * characters, so that a long run costs no more than a short one.
 */
export function isRandom(text: string, from: number, to: number): boolean {
  const end = Math.min(to, from + LONGEST_WINDOW);
  return areRandom(countKinds(text, from, end), end - from);
}

/** Like `isRandom`, for a run whose characters have been counted already. */
export function areRandom({ digits, uppers, lowers, signs, turns }: Counts, length: number): boolean {
  if (signs * 7 > length) return false;
  const isMixedCase = uppers > 0 && lowers > 0;
  if (digits > 1) return uppers + lowers > 0 || length > 15;
  if (digits === 1) return isMixedCase || length < 16;
  return isMixedCase && turns * 6 >= length;
}

/** Whether a run mixes small letters, capitals and digits without order. Names and words do not. */
export function isVeryRandom(text: string, from: number, to: number): boolean {
  const end = Math.min(to, from + LONGEST_WINDOW);
  if (!hasCapitals(text, from, end)) return false;
  const length = end - from;
  const { digits, uppers, lowers, signs, turns } = countKinds(text, from, end);
  return digits > 1 && uppers > 2 && lowers > 2 && signs * 10 <= length && turns * 6 >= length;
}

/** Whether there are more than two capitals. Most texts have fewer. */
function hasCapitals(text: string, from: number, to: number): boolean {
  let capitals = 0;
  for (let index = from; index < to && capitals < 3; index++) if (isCapital(text.charCodeAt(index))) capitals++;
  return capitals === 3;
}

/** How many characters of each kind a run has. */
export interface Counts {
  digits: number;
  uppers: number;
  lowers: number;
  signs: number;
  /** How many times a lower-case letter is next to an upper-case one. */
  turns: number;
}

/** Counts the characters of each kind between two places of a text. */
export function countKinds(text: string, from: number, to: number): Counts {
  const counts = { digits: 0, uppers: 0, lowers: 0, signs: 0, turns: 0 };
  let before = 0;
  for (let index = from; index < to; index++) {
    const kind = kindOf(text.charCodeAt(index));
    if (kind === 1) counts.digits++;
    else if (kind === 2) counts.uppers++;
    else if (kind === 3) counts.lowers++;
    else counts.signs++;
    if (kind + before === 5) counts.turns++;
    before = kind;
  }
  return counts;
}

/** 1 for a digit, 2 for a capital, 3 for a small letter, 0 for anything else. */
export function kindOf(code: number): 0 | 1 | 2 | 3 {
  if (code > 96) return code < 123 ? 3 : 0;
  if (code > 64) return code < 91 ? 2 : 0;
  return code > 47 && code < 58 ? 1 : 0;
}

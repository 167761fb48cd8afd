import { MASK, type Secrecy } from './keys.ts';

/** Whether a value is no secret whatever its name: a switch, a reference, a placeholder, or masked already. */
export function isHarmless(value: string): boolean {
  if (value.startsWith(MASK) || value.trim() === '') return true;
  switch (value.charCodeAt(0)) {
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
  if (value.length < 67 && WORDS.test(value)) return true;
  return value.length > 3 && (PLACEHOLDER.test(value) || ELSEWHERE.test(value));
}

const WORDS =
  /^(?:true|false|null|nil|none|yes|no|undefined|on|off|<[^<>]{1,64}>|\[?redacted\]?|\[\]|[|>][-+]?|[[(]|\*{1,64}|[x.•-]{3,64}|n\/a)$/i;
const PLACEHOLDER = /^(?:YOUR[-_ ]?|MY[-_ ]?|SOME[-_ ]?|THE[-_ ]?)?(?:[A-Z]{2,12}[-_ ])?(?:USER|PASSWORD|TOKEN|SECRET|KEY)$/;
const ELSEWHERE = /^(?:arn:|op:\/\/|vault:[a-z]|secretref:|env:|ref\+|projects\/[\w-]+\/secrets\/)/;

/** The path of a file or folder. What lies there is secret, the path is not. */
export function isPath(value: string): boolean {
  if (!/^(?:\/|\.{1,2}\/|~\/|[A-Za-z]:[\\/]|file:\/\/)[\w@~.:\\/ -]{1,255}$/.test(value)) return false;
  return (
    /^\/(?:var|etc|run|home|root|tmp|opt|usr|mnt|data|app|srv|secrets?|proc|dev|workspace|config|certs?|vault|kube|keys?)(?:\/|$)/.test(
      value,
    ) ||
    (/\.[a-z]{2,5}$/.test(value) && !isRandom(value, 0, value.length)) ||
    /^(?:file:|\.|~)/.test(value)
  );
}

/** Words of a language, names of objects and settings: nothing in it looks random. */
function isOrdinary(value: string): boolean {
  return /^[\p{L}][\p{L}'’]*(?:[ ._/:-]{1,2}[\p{L}'’]+){0,12}[.!?,:;]?$/u.test(value) && !isMixed(value);
}

function isMixed(value: string): boolean {
  return value.length > 11 && count(value, 0, Math.min(value.length, 80)).turns * 8 >= value.length * 3;
}

const NUMBER = /^[-+]?\d{1,12}(?:[.,]\d{1,6})?(?:ms|s|m|h|d|%|[KMGT]i?B?)?$/;

/** Whether a value under a name of this secrecy is a secret. */
export function isSecretValue(value: string, secrecy: Secrecy): boolean {
  if (isHarmless(value)) return false;
  if (secrecy === 'strong') return !isPath(value);
  if (secrecy === 'digits' && /^\d{4,12}$/.test(value)) return true;
  if (secrecy === 'random') return /^[\w+/=-]{20,512}$/.test(value) && isVeryRandom(value, 0, value.length);
  return looksSecret(value);
}

/** Whether a value mixes letters with digits or signs, or is long and random: settings do not. */
export function looksSecret(value: string): boolean {
  if (value.length < 6 || NUMBER.test(value) || isOrdinary(value) || isPath(value) || isHarmless(value) || /[(\\]|\$\{|^\/\^/.test(value))
    return false;
  if (
    /^(?:v?\d{1,6}(?:[.:/-]\d{1,6}){1,6}|\d{4}-\d\d-\d\d[T ].*|https?:\/\/.*|sha\d{1,3}[:-].*|[a-z]{1,12}(?:[-_.:][a-z]{1,16}){0,5}[-_.]?v?\d{1,3}|[a-z]{1,16}(?:[-_.:/][a-z]{1,16}|[:/]\d{1,9}){1,8}|[a-z]{1,16}(?:[.:/][a-z#*]{1,16}){1,6})$/i.test(
      value,
    )
  )
    return false;
  return /\d/.test(value) || isMixed(value) || /[!#$%^&*+=?@~]/.test(value);
}

/**
 * Whether a run of characters is random: words, versions and names of objects are not. Reads at most 80 characters, so that a long run
 * costs no more than a short one.
 */
export function isRandom(text: string, from: number, to: number): boolean {
  const end = Math.min(to, from + 80);
  const { digits, uppers, lowers, signs, turns } = count(text, from, end);
  const length = end - from;
  if (signs * 7 > length) return false;
  const isMixedCase = uppers > 0 && lowers > 0;
  if (digits > 1) return uppers + lowers > 0 || length > 15;
  if (digits === 1) return isMixedCase || length < 16;
  return isMixedCase && turns * 6 >= length;
}

/** Whether a run mixes small letters, capitals and digits without order. Names and words do not. */
export function isVeryRandom(text: string, from: number, to: number): boolean {
  const { digits, uppers, lowers, signs, turns } = count(text, from, Math.min(to, from + 80));
  const length = Math.min(to, from + 80) - from;
  return digits > 1 && uppers > 2 && lowers > 2 && signs * 10 <= length && turns * 6 >= length;
}

interface Counts {
  digits: number;
  uppers: number;
  lowers: number;
  signs: number;
  /** How often a small letter and a capital stand beside each other. */
  turns: number;
}

function count(text: string, from: number, to: number): Counts {
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

/** 1 digit, 2 capital, 3 small letter, 0 anything else. */
function kindOf(code: number): 0 | 1 | 2 | 3 {
  if (code > 96) return code < 123 ? 3 : 0;
  if (code > 64) return code < 91 ? 2 : 0;
  return code > 47 && code < 58 ? 1 : 0;
}

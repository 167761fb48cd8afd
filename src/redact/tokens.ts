import { type Alphabet, ALPHABETS, BITS, type Format } from './formats/format.ts';
import { FORMATS } from './formats/list.ts';
import type { Runs } from './character-runs.ts';
import { type Pass, runsIn } from './scan-state.ts';
import { areRandom, isRandom, isVeryRandom, LONGEST_WINDOW } from './harmless-values.ts';

interface Known {
  prefix: string;
  alphabet: Alphabet;
  least: number;
  most: number;
  /** Ordinary words could follow the prefix as well, so that the rest must look random. */
  isLoose: boolean;
  /** The prefix is the beginning of an address, and stays readable. */
  isAddress: boolean;
  /** The bits of the alphabet. A token must have characters of it right after the prefix and at the last place of its least length. */
  bits: number;
  length: number;
  /** The code of the fourth character of the prefix; -1 when it has none. */
  fourth: number;
}

const SURE: ReadonlySet<Alphabet> = new Set<Alphabet>(['hex', 'Hex', 'uuid', 'address']);
/** Alphabets without dashes and underscores. No word of a language is as long as a token. */
const WORDLESS: ReadonlySet<Alphabet> = new Set<Alphabet>(['base36', 'BASE36', 'base62', 'base64']);
/** Shorter runs may look like words by chance. */
const ENOUGH = 24;

/** The formats by the first two characters of their prefixes, then by the third. The longest prefix comes first. */
const BY_START = ((): ((Known[] | undefined)[] | undefined)[] => {
  const table = Array.from<(Known[] | undefined)[] | undefined>({ length: 128 * 128 });
  const sorted = FORMATS.toSorted((a, b) => b.prefix.length - a.prefix.length).map(known);
  for (const format of sorted) {
    const byThird = (table[startOf(format.prefix)] ??= Array.from<Known[] | undefined>({ length: 128 }));
    // A prefix of two characters may go on with any third one.
    const thirds = format.prefix.length > 2 ? [format.prefix.charCodeAt(2)] : Array.from({ length: 128 }, (_, code) => code);
    for (const third of thirds) byThird[third] = [...(byThird[third] ?? []), format];
  }
  return table;
})();

function known({ prefix, alphabet, least, most = 0 }: Format): Known {
  const isSure = SURE.has(alphabet) || (least === most && prefix.length > 3) || (WORDLESS.has(alphabet) && least > 27);
  return {
    ...{ prefix, alphabet, least, most, isLoose: !isSure, isAddress: alphabet === 'address' },
    ...{ bits: ALPHABETS[alphabet], length: prefix.length, fourth: prefix.length > 3 ? prefix.charCodeAt(3) : -1 },
  };
}

function startOf(prefix: string): number {
  return prefix.charCodeAt(0) * 128 + prefix.charCodeAt(1);
}

/** If a token begins at `start`, returns the part of it to hide. */
export function tokenAt(pass: Pass, start: number): { from: number; to: number } | undefined {
  const { text } = pass;
  const first = text.charCodeAt(start);
  const second = text.charCodeAt(start + 1);
  const third = text.charCodeAt(start + 2);
  if (!(first < 128 && second < 128 && third < 128)) return undefined;
  const candidates = BY_START[first * 128 + second]?.[third];
  return candidates && knownAt(pass, start, candidates);
}

function knownAt(pass: Pass, start: number, candidates: Known[]): { from: number; to: number } | undefined {
  const { text } = pass;
  const fourth = text.charCodeAt(start + 3);
  for (const candidate of candidates) {
    if (candidate.fourth !== fourth && candidate.fourth !== -1) continue;
    const body = start + candidate.length;
    // Check two characters before comparing the prefix, because most words that begin like a token are too short to be one.
    if (!isIn(text, body + candidate.least - 1, candidate.bits) || !isIn(text, body, candidate.bits)) continue;
    if (!text.startsWith(candidate.prefix, start)) continue;
    const to = bodyEnd(pass, body, candidate);
    if (to > 0) return { from: candidate.isAddress ? body : start, to };
  }
  return undefined;
}

function isIn(text: string, at: number, bits: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 && ((BITS[code] ?? 0) & bits) !== 0;
}

function bodyEnd(pass: Pass, from: number, { alphabet, least, most, isLoose }: Known): number {
  const { text } = pass;
  const runs = runsIn(pass);
  const needed = runs.end(from, alphabet, from + (most === 0 ? Math.max(least, ENOUGH) : most + 1));
  if (needed - from < least || (most > 0 && needed - from > most)) return 0;
  if (isLoose && !isRandomRun(runs, from, needed)) return 0;
  const end = most > 0 ? needed : runs.end(from, alphabet, text.length);
  return withoutStop(text, from + least, end);
}

function isRandomRun(runs: Runs, from: number, to: number): boolean {
  const end = Math.min(to, from + LONGEST_WINDOW);
  return areRandom(runs.counts(from, end), end - from);
}

/** A full stop or a colon behind a token belongs to the sentence. */
function withoutStop(text: string, least: number, end: number): number {
  let stop = end;
  while (stop > least && (text[stop - 1] === '.' || text[stop - 1] === ':' || text[stop - 1] === '?' || text[stop - 1] === '!')) stop--;
  return stop;
}

const WEB_TOKEN = /eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]{1,}){0,3}/y;
/** Tokens without a prefix, by the character behind the first word and the length of that word. */
const BEFORE_DOT: [least: number, most: number, pattern: RegExp][] = [
  // kubeadm: bootstrap tokens
  [6, 6, /[a-z0-9]{6}\.(?=[a-z]{0,15}[0-9])[a-z0-9]{16}(?![\w-]|\.\w)/y],
  // HCP Terraform: API tokens
  [14, 14, /[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}/y],
  // Discord: bot tokens
  [23, 28, /[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}/y],
  // Zhipu, Ably: key.secret
  [32, 32, /[0-9a-f]{32}\.[A-Za-z0-9]{16}(?![\w-])/y],
];
const BEFORE_COLON: [least: number, most: number, pattern: RegExp][] = [
  // Telegram: bot tokens
  [8, 12, /\d{8,12}:A[A-Za-z0-9_-]{34}(?![A-Za-z0-9_-])/y],
];
const WHOLE: [least: number, most: number, pattern: RegExp][] = [
  // Mailchimp: API keys
  [35, 37, /[0-9a-f]{32}-us\d{1,2}(?![\w-])/y],
  // Mailgun: API keys
  [50, 50, /[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])/y],
  // MaxMind: license keys
  [40, 40, /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?![\w-])/y],
  // 1Password: secret keys
  [39, 40, /A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}(?![\w-])/y],
  // Azure DevOps: personal access tokens
  [84, 84, /[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![\w-])/y],
  // Azure: identifiable keys of Cognitive Services, API Management, OpenAI
  [84, 84, /[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}(?![\w-])/y],
  // Cloudinary, Twitter and others: the account number, then the token
  [45, 60, /[0-9]{15,20}-(?=[A-Za-z]{0,20}\d)[A-Za-z0-9]{28,42}(?![\w-])/y],
];
const DOT = 46;
const COLON = 58;

/** 1 for each length that the first word of such a token may have. */
const LENGTHS_BEFORE_DOT = ((): Uint8Array => {
  const lengths = new Uint8Array(33);
  for (const [least, most] of BEFORE_DOT) lengths.fill(1, least, most + 1);
  return lengths;
})();

function isDigit(code: number): boolean {
  return code > 47 && code < 58;
}

/** The end of the secret without a prefix that begins with this word; 0 if no secret begins here. */
export function shapeEnd(text: string, start: number, end: number): number {
  const length = end - start;
  if (length < 6) return 0;
  const next = text.charCodeAt(end);
  if (next === DOT) {
    if (text.startsWith('eyJ', start)) return matchEnd(WEB_TOKEN, text, start);
    return LENGTHS_BEFORE_DOT[length] === 1 ? firstMatch(BEFORE_DOT, text, start, length) : 0;
  }
  if (next === COLON && length < 13) return isDigit(text.charCodeAt(start)) ? firstMatch(BEFORE_COLON, text, start, length) : 0;
  if (length < 33) return 0;
  return firstMatch(WHOLE, text, start, length) || prefixedEnd(text, start, end);
}

function firstMatch(patterns: [number, number, RegExp][], text: string, start: number, length: number): number {
  for (const [least, most, pattern] of patterns) {
    const end = length >= least && length <= most ? matchEnd(pattern, text, start) : 0;
    if (end > 0) return end;
  }
  return 0;
}

function matchEnd(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : 0;
}

const PREFIX = /(?!sha\d|md5|_Z|_R)[A-Za-z][A-Za-z0-9]{1,11}(?:[_-][A-Za-z0-9]{1,8}){0,3}[_-](?=[A-Za-z0-9]{30})/y;

/** The end of a token whose issuer is not in the table: a short word, an underscore or a dash, and a long random run. */
function prefixedEnd(text: string, start: number, end: number): number {
  const from = matchEnd(PREFIX, text, start);
  return from > 0 && from < end && isVeryRandom(text, from, end) ? end : 0;
}

const AZURE = /[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])/y;

const AWS_SECRET = /[,:;\s"'|]{1,4}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/y;

/** Where the secret half of an AWS key begins and ends, if it follows the id, as in credentials files. */
export function secretBehind(text: string, { from, to }: { from: number; to: number }): { from: number; to: number } | undefined {
  if (!text.startsWith('AKIA', from) && !text.startsWith('ASIA', from)) return undefined;
  const end = matchEnd(AWS_SECRET, text, to);
  return end > 0 && isRandom(text, end - 40, end) ? { from: end - 40, to: end } : undefined;
}

/** Microsoft Entra: client secrets have `Q~` as their fifth and sixth character. `tilde` is the place of the second. */
export function azureSecret(text: string, tilde: number): { from: number; to: number } | undefined {
  const from = tilde - 5;
  if (from < 0 || text[tilde - 1] !== 'Q') return undefined;
  const to = matchEnd(AZURE, text, from);
  return to > 0 ? { from, to } : undefined;
}

const CRYPT =
  /\$(?:2[abxy]?|1|5|6|7|y|gy|P|H|S|apr1|sha1|md5|argon2(?:id|i|d)|scrypt|pbkdf2(?:-[a-z0-9]{1,8})?|bcrypt-sha256)\$[A-Za-z0-9./=,$+_-]{12,512}/y;
const SCHEMED = /\{(?:S?SHA(?:256|384|512)?|S?MD5|CRYPT|BCRYPT|PBKDF2|SCRAM-SHA-\d{1,3}|ARGON2)\}[A-Za-z0-9./+=$,]{12,512}/iy;

/** The end of a hashed password, as in password files. It is hidden because short passwords can be guessed from their hash. */
export function hashEnd(text: string, start: number): number {
  return matchEnd(text[start] === '$' ? CRYPT : SCHEMED, text, start);
}

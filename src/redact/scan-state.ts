import { MASK, secrecyOf, type Secrecy } from './keys.ts';
import { type Runs, runsOf } from './character-runs.ts';

/** The colour codes that loggers put around names and values, plain or escaped as in JSON. */
export const COLOUR = '(?:\\u001b|\\\\(?:u001b|x1b|033))\\[[0-9;]{0,12}m';

/** One pass over a text, from its beginning to its end. Hidden parts never overlap. */
export interface Pass {
  text: string;
  /** The masked text of everything before `at`. */
  masked: string;
  at: number;
  /** The last name: words joined by full stops. */
  nameFrom: number;
  nameTo: number;
  /** The program whose arguments stand here, and how far its line goes. */
  client: (ClientFlag & { program: string; until: number }) | undefined;
  /** The last `name:` of a list of variables. */
  named: { secrecy: Secrecy; at: number } | undefined;
  /** How secret names are. Created for the first name, because most short texts have no names. */
  names: NameMemory | undefined;
  /** The next known `@` of the text, -1 when there is none. */
  nextAt: number | undefined;
  /** Created for the first word that may be a token. */
  runs: Runs | undefined;
}

/** The one-letter option with which a program takes a password. The password follows after a blank, directly, or either way. */
export interface ClientFlag {
  flag: string;
  isAttached: boolean;
  isEither: boolean;
}

/** How secret the values under a name are. This depends only on the name, so one memory can serve any number of texts. */
export type NameMemory = Map<string, Secrecy | 'none'>;

/** A memory of this size is emptied, and names longer than `LONGEST_NAME` are not remembered. A memory therefore takes 3 MB at most. */
const MOST_NAMES = 8_192;
const LONGEST_NAME = 253;
/** A slice of this length or more would keep its whole text alive. */
const LONG_SLICE = 13;

/** `names` remembers names from one text to the next. */
export function passOver(text: string, names?: NameMemory): Pass {
  // Written as one literal, because most texts are short and this is done for each.
  return {
    text,
    masked: '',
    at: 0,
    nameFrom: 0,
    nameTo: -1,
    client: undefined,
    named: undefined,
    names,
    nextAt: undefined,
    runs: undefined,
  };
}

/** Hides a part of the text. Returns where to continue reading. */
export function hide(pass: Pass, from: number, to: number): number {
  if (from < pass.at || to <= from) return Math.max(pass.at, to);
  pass.masked += pass.text.slice(pass.at, from) + MASK;
  pass.at = to;
  pass.nameTo = -1;
  return to;
}

/** How secret the values of a name are; each name of a text is judged once. */
export function secrecyIn(pass: Pass, name: string): Secrecy | undefined {
  return secrecyAmong((pass.names ??= new Map()), name);
}

/** How secret the values of a name are; each name is judged once. */
export function secrecyAmong(names: NameMemory, name: string): Secrecy | undefined {
  const secrecy = names.get(name) ?? note(names, name);
  return secrecy === 'none' ? undefined : secrecy;
}

function note(names: NameMemory, name: string): Secrecy | 'none' {
  const secrecy = secrecyOf(name) ?? 'none';
  if (name.length > LONGEST_NAME) return secrecy;
  if (names.size >= MOST_NAMES) names.clear();
  names.set(name.length < LONG_SLICE ? name : ` ${name}`.slice(1), secrecy);
  return secrecy;
}

/** Facts about the characters of the text. */
export function runsIn(pass: Pass): Runs {
  return (pass.runs ??= runsOf(pass.text));
}

/**
 * Makes a quick test whether the word between two places may be one of `words`, or begin with one of `stems`, in upper or lower case. It
 * looks only at the first two letters and the length, which rules out most words before they are compared.
 */
export function leads(words: Iterable<string>, stems: Iterable<string>): (text: string, from: number, to: number) => boolean {
  // One entry for each pair of first letters. Its bits are the possible lengths.
  const lengths = new Uint32Array(32 * 32);
  const wide = new Set<number>();
  const add = (word: string, bits: number): void => {
    const place = (word.charCodeAt(0) & 31) * 32 + (word.charCodeAt(1) & 31);
    if (word.charCodeAt(0) < 128 && word.charCodeAt(1) < 128) lengths[place] = (lengths[place] ?? 0) | bits;
    else for (const form of casesOf(word)) wide.add(form.charCodeAt(0) * 65_536 + form.charCodeAt(1));
  };
  for (const word of words) add(word, 1 << Math.min(word.length, LONG_WORD));
  for (const stem of stems) add(stem, -1 << stem.length);
  return (text, from, to) => {
    const first = text.charCodeAt(from);
    const second = text.charCodeAt(from + 1);
    if (first > 127 || second > 127) return wide.has(first * 65_536 + second);
    if (!(first > 64 && second > 44)) return false;
    return ((lengths[(first & 31) * 32 + (second & 31)] as number) & (1 << Math.min(to - from, LONG_WORD))) !== 0;
  };
}

/** Words of this length and longer ones share a bit. */
const LONG_WORD = 31;

function casesOf(word: string): string[] {
  const [lower, upper] = [word.toLowerCase(), word.toUpperCase()];
  return [lower, upper, upper.charAt(0) + lower.slice(1), lower.charAt(0) + upper.slice(1)];
}

export function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** Whether the code is a letter of ASCII. */
export function isLetter(code: number): boolean {
  return (code | 32) > 96 && (code | 32) < 123;
}

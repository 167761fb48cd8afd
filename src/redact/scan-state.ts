import { MASK, secrecyOf, type Secrecy } from './keys.ts';
import { type Runs, runsOf } from './runs.ts';

/** Colours, which loggers put around names and values: as they are, or as JSON writes them. */
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
  /** How secret names are. The first name makes the map, because most short texts have no names. */
  secrecies: Map<string, Secrecy | 'none'> | undefined;
  /** The next known `@` of the text, -1 when there is none. */
  nextAt: number | undefined;
  /** The first word that may be a token makes it. */
  runs: Runs | undefined;
}

/** The letter behind which a program takes a password: apart from it, right behind it, or either. */
export interface ClientFlag {
  flag: string;
  isAttached: boolean;
  isEither: boolean;
}

export function passOver(text: string): Pass {
  // Written as one literal, because most texts are short and this is done for each.
  return {
    text,
    masked: '',
    at: 0,
    nameFrom: 0,
    nameTo: -1,
    client: undefined,
    named: undefined,
    secrecies: undefined,
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
export function secrecyIn(pass: Pick<Pass, 'secrecies'>, name: string): Secrecy | undefined {
  const secrecies = (pass.secrecies ??= new Map<string, Secrecy | 'none'>());
  let secrecy = secrecies.get(name);
  if (secrecy === undefined) {
    secrecy = secrecyOf(name) ?? 'none';
    secrecies.set(name, secrecy);
  }
  return secrecy === 'none' ? undefined : secrecy;
}

/** Facts about the characters of the text. */
export function runsIn(pass: Pass): Runs {
  return (pass.runs ??= runsOf(pass.text));
}

/** Whether one of the words may begin here, by its first two letters in any case. This quick look saves most comparisons with all of them. */
export function leads(words: Iterable<string>): (text: string, at: number) => boolean {
  const table = new Uint8Array(32 * 32);
  const wide = new Set<number>();
  for (const word of words) {
    if (word.charCodeAt(0) < 128 && word.charCodeAt(1) < 128) table[(word.charCodeAt(0) & 31) * 32 + (word.charCodeAt(1) & 31)] = 1;
    else for (const form of casesOf(word)) wide.add(form.charCodeAt(0) * 65_536 + form.charCodeAt(1));
  }
  return (text, at) => {
    const [first, second] = [text.charCodeAt(at), text.charCodeAt(at + 1)];
    if (first > 127 || second > 127) return wide.has(first * 65_536 + second);
    return first > 64 && second > 44 && table[(first & 31) * 32 + (second & 31)] === 1;
  };
}

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

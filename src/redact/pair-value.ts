import { MASK, type Secrecy } from './keys.ts';
import { BLANKS, endAt, type Stops, stopAt } from './stops.ts';
import { hide, isLetter, lineEnd, type Pass } from './scan-state.ts';
import { CODE, isNoSecret, isPhrase, isRemark, SCHEME, type Standing } from './unquoted-value.ts';
import { isHarmless, isSecretValue, looksSecret } from './harmless-values.ts';

/** A name and where its value begins. */
export interface Pair {
  name: string;
  secrecy: Secrecy;
  /** `=`, `:` or `=>`; a blank after a flag. */
  separator: string;
  /** Where the name and where the value begins. */
  index: number;
  from: number;
}

export const LONGEST_NAME = 128;
/** The first characters of a value show whether it is a secret. Reading only these keeps long values cheap. */
export const PEEK = 160;
const BLOCK = /^[|>][-+]?\d?[ \t]{0,8}(?:\r?\n|$)/;
const REFERENCE = /^\$(?:\([\w.-]{1,128}\)|\{[\w.:-]{1,128}\})/;

/** Hides the value of a pair whose name is secret. Returns where to continue reading. */
export function hideValue(pass: Pass, one: Pair): number {
  const { text } = pass;
  const peek = text.slice(one.from, one.from + PEEK);
  switch (peek.charCodeAt(0)) {
    case QUOTE:
    case APOSTROPHE:
    case BACKTICK:
      return quoted(pass, one, peek.charAt(0));
    case BACKSLASH: {
      const quote = /^\\{1,7}["']/.exec(peek)?.[0];
      return quote === undefined ? unquoted(pass, one, peek) : quoted(pass, one, quote);
    }
    case STAR:
      return peek.startsWith(MASK) ? one.from : unquoted(pass, one, peek);
    case BRACKET:
      return list(pass, one);
    case BRACE:
      return peek.charCodeAt(1) === BRACE ? one.from : braces(pass, one);
    default:
      return unquoted(pass, one, peek);
  }
}

const STAR = 42;
const DOLLAR = 36;
const QUOTE = 34;
const APOSTROPHE = 39;
const BACKTICK = 96;
const BACKSLASH = 92;
const BRACKET = 91;
const BRACE = 123;

function unquoted(pass: Pass, one: Pair, peek: string): number {
  if (isNextName(peek)) return one.from;
  const isFirst = startsLine(pass.text, one.index);
  if (one.separator === ':') {
    if (isFirst && BLOCK.test(peek)) return one.secrecy === 'strong' ? block(pass, one) : one.from;
    if (/^[ \t]{0,4}\r?\n/.test(peek)) return nextLine(pass, one);
  }
  return plain(pass, one, { peek, isFirst });
}

/** Hides a value without quotes. Returns where to continue reading. */
export function plain(pass: Pass, one: Pair, { peek, isFirst }: { peek: string; isFirst: boolean }): number {
  const { text } = pass;
  const isTight = text[one.from - 1] === ':';
  const stops = stopsOf(one, { isFirst, isTight });
  const scheme = isLetter(peek.charCodeAt(0)) ? (SCHEME.exec(peek)?.[0].length ?? 0) : 0;
  const start = one.from + scheme;
  const shown = text.slice(start, endAt(text, start, { stops, most: one.from + PEEK }));
  if ((peek.charCodeAt(scheme) === DOLLAR && REFERENCE.test(peek.slice(scheme))) || isHarmless(shown)) return one.from;
  if (scheme > 0 ? /^(?:auth|realm|token|cred|scheme|header|is |was )/i.test(shown) : isNoSecret(shown, one, { isFirst, isTight }))
    return one.from;
  if (text[one.from - 1] === ' ' && CODE.test(shown)) return one.from;
  return hide(pass, one.from, endAt(text, start + shown.length, { stops, most: text.length }));
}

/** Whether another name follows instead of a value: `token: Type: Secret`. */
function isNextName(peek: string): boolean {
  let at = 0;
  while (at < 34 && (isLetter(peek.charCodeAt(at)) || peek.charCodeAt(at) === 95 || peek.charCodeAt(at) === DASH)) at++;
  return at > 1 && peek.charCodeAt(at) === 58 && peek.charCodeAt(at + 1) <= 32;
}

const LINE = stopAt('\n');
const BLANK = stopAt(`${BLANKS}"'\`<`);
const SHARED = stopAt(`${BLANKS}"'\`,;&}])<`);
const PHRASE = stopAt(`\n"'\`,;<`);

/** Where an unquoted value ends: with its YAML line, or after one word of an assignment on its own line. Other values share their line. */
function stopsOf({ name, separator }: Pair, { isFirst, isTight }: Standing): Stops {
  if (isPhrase(name)) return PHRASE;
  if (isFirst && separator === ':' && !isTight) return LINE;
  return isFirst && separator !== ' ' ? BLANK : SHARED;
}

/** Hides a value in quotes. `quote` opens it. Returns where to continue reading. */
export function quoted(pass: Pass, one: Pair, quote: string): number {
  const { text } = pass;
  const start = one.from + quote.length;
  const end = quoteEnd(text, start, quote);
  const shown = text.slice(start, Math.min(end, start + PEEK));
  return isSecretValue(shown, one.secrecy) && !isRemark(shown, one.name) ? hide(pass, start, end) : start;
}

function quoteEnd(text: string, start: number, quote: string): number {
  let stop = start;
  while (stop < text.length && text.charCodeAt(stop) !== 10 && !text.startsWith(quote, stop)) stop += text.charCodeAt(stop) === 92 ? 2 : 1;
  return Math.min(stop, text.length);
}

const ITEM = /\\{0,7}(["'])((?:(?!\1)[^\\\n]){1,512})/y;
const MOST_ITEMS = 200;

/** Hides the items of a list: `"passwords": ["one", "two"]`. */
function list(pass: Pass, one: Pair): number {
  const { text } = pass;
  let at = one.from + 1;
  for (let items = 0; items < MOST_ITEMS; items++) {
    while (at < text.length && ' \t\r\n,'.includes(text.charAt(at))) at++;
    ITEM.lastIndex = at;
    const found = ITEM.exec(text);
    if (!found) return items === 0 ? bracketed(pass, one) : at;
    const word = found[2] ?? '';
    at = ITEM.lastIndex;
    if (isSecretValue(word, one.secrecy)) hide(pass, at - word.length, at);
    while (text[at] === '\\' || text[at] === found[1]) at++;
  }
  return at;
}

const BRACKETED = /\[([^[\]{}\n"'\s,]{1,256})\]/y;

/** Hides a value in brackets: `password=[value]`. */
function bracketed(pass: Pass, one: Pair): number {
  BRACKETED.lastIndex = one.from;
  const word = BRACKETED.exec(pass.text)?.[1];
  if (word === undefined || !isSecretValue(word, one.secrecy) || !/\d/.test(word)) return one.from;
  return hide(pass, one.from + 1, BRACKETED.lastIndex - 1);
}

const BRACED = /\{([^{}\n"']{1,256})\}/y;

/** Hides a value in braces, as ODBC writes it: `Pwd={value}`. */
function braces(pass: Pass, one: Pair): number {
  BRACED.lastIndex = one.from;
  const word = BRACED.exec(pass.text)?.[1];
  if (word === undefined || one.separator !== '=' || !isSecretValue(word, one.secrecy)) return one.from;
  return hide(pass, one.from + 1, BRACED.lastIndex - 1);
}

/** Hides a YAML block (`key: |`): all following lines that are empty or indented further than the name. */
function block(pass: Pass, { index, from }: Pair): number {
  const { text } = pass;
  const indent = indentOf(text, index);
  const start = lineEnd(text, from);
  let stop = start;
  while (stop < text.length) {
    const line = text.slice(stop + 1, lineEnd(text, stop + 1));
    if (line.trim() !== '' && line.search(/[^ \t]/) <= indent) break;
    stop += 1 + line.length;
  }
  return hide(pass, from, Math.min(stop, text.length));
}

function indentOf(text: string, index: number): number {
  const lineStart = text.lastIndexOf('\n', index - 1) + 1;
  return /^[ \t-]*/.exec(text.slice(lineStart, lineStart + PEEK))?.[0].length ?? 0;
}

/** Hides a value on the line after its name, if it is a single word that looks like a secret. */
function nextLine(pass: Pass, { secrecy, from }: Pair): number {
  const { text } = pass;
  const start = lineEnd(text, from) + 1;
  const [, indent = '', word] =
    /^([ \t]{0,32}(?:- )?["']?)([^\s"':]{6,256})["']?[ \t]*(?:\r?\n|$)/.exec(text.slice(start, start + 320)) ?? [];
  if (word === undefined || !looksSecret(word) || secrecy === 'random') return from;
  return hide(pass, start + indent.length, start + indent.length + word.length);
}

/** Whether only blanks, a list dash, `export` or a quote precede the name on its line. */
function startsLine(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  let at = blanksBefore(text, before === QUOTE || before === APOSTROPHE ? index - 1 : index);
  if (text.charCodeAt(at - 1) === DASH && text.charCodeAt(at) < 33) at = blanksBefore(text, at - 1);
  else if (at < index && isLetter(text.charCodeAt(at - 1))) at = keywordBefore(text, at);
  return at === 0 || text.charCodeAt(at - 1) === 10;
}

const DASH = 45;

function blanksBefore(text: string, index: number): number {
  let at = index;
  while (at > 0 && index - at < 64 && (text.charCodeAt(at - 1) === 32 || text.charCodeAt(at - 1) === 9)) at--;
  return at;
}

function keywordBefore(text: string, at: number): number {
  const keyword = /(?:^|\s)(export|set|ENV)$/.exec(text.slice(Math.max(0, at - 7), at))?.[1];
  return keyword === undefined ? at : blanksBefore(text, at - keyword.length);
}

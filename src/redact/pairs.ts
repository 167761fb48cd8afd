import type { Secrecy } from './keys.ts';
import { hideValue, LONGEST_NAME } from './pair-value.ts';
import { COLOUR, isLetter, type Pass, secrecyIn } from './scan-state.ts';

/** What may stand between a name and its separator: quotes, escapes, the colours of loggers, blanks. */
const GAP = new RegExp(`^(?:\\\\{0,7}["'\`])?\\]?(?:${COLOUR}){0,3}[ \\t]{0,4}:?$`);
const LEAD = new RegExp(`(?:${COLOUR}|[ \\t]){0,8}`, 'y');
const LONGEST_GAP = 48;
/** How far a `value` may stand from its `name`. */
const NEAR = 400;
/** The last word of a name that consists of several words. */
const TAILS = new Set(['key', 'keys', 'phrase', 'string', 'code', 'id', 'value', 'word', 'answer']);

/** The fields that hold the name of a variable, in lists of variables. */
const NAMES_A_VARIABLE = new Set(['name', 'key', 'Name', 'Key']);

/** Hides the value after a separator, if the name before it looks secret. Returns where to continue reading. */
export function pair(pass: Pass, at: number): number {
  const { text, nameTo } = pass;
  const next = at + 1;
  if (nameTo < 0 || at - nameTo > LONGEST_GAP) return next;
  const separator = separatorAt(text, at);
  if (separator === '' || !isGap(text, nameTo, at)) return next;
  const from = Math.max(pass.nameFrom, nameTo - LONGEST_NAME);
  const begins = from + dashes(text, from);
  if (nameTo - begins === 1 && !isShortName(text.charCodeAt(begins))) return next;
  const name = text.slice(begins, nameTo);
  const behind = at + separator.length;
  const secrecy = secrecyOfPair(pass, { name, from, at, behind });
  if (!secrecy || isPartOfPath(text, from, at)) return next;
  const begin = valueStart(text, behind);
  if (isObject(text, { from, at, begin, nameTo })) return next;
  return hideValue(pass, { name, secrecy, separator, index: from, from: begin });
}

/** Whether a name of one character may have a secret value, as the private parts of a key and numbered keys do. */
function isShortName(code: number): boolean {
  return (code > 47 && code < 58) || code === 100 || code === 107 || code === 112 || code === 113;
}

function dashes(text: string, from: number): number {
  if (text.charCodeAt(from) !== 45) return 0;
  return text.charCodeAt(from + 1) === 45 ? 2 : 1;
}

function separatorAt(text: string, at: number): string {
  const next = text.charCodeAt(at + 1);
  if (text[at] === ':') return colonAt(text, at, next);
  if (text[at - 1] === '!' || text[at - 1] === '<' || text[at - 1] === '>') return '';
  if (next === 62) return '=>';
  return next === 61 || text[at - 1] === '=' ? '' : '=';
}

/** LDIF writes two colons before Base64. In code, two colons separate names. */
function colonAt(text: string, at: number, next: number): string {
  if (next === 58) return text[at + 2] === ' ' ? '::' : '';
  return next === 61 || text[at - 1] === ':' ? '' : ':';
}

function isGap(text: string, from: number, to: number): boolean {
  return to === from || GAP.test(text.slice(from, to));
}

function valueStart(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code !== 32 && code !== 9 && code !== 27 && code !== 92) return at;
  LEAD.lastIndex = at;
  LEAD.test(text);
  return LEAD.lastIndex;
}

interface Named {
  name: string;
  /** Where the name begins, where the separator is, and where the text continues after it. */
  from: number;
  at: number;
  behind: number;
}

function secrecyOfPair(pass: Pass, { name, from, at, behind }: Named): Secrecy | undefined {
  const { text } = pass;
  if (name.length < 5 && NAMES_A_VARIABLE.has(name)) {
    const begin = valueStart(text, behind);
    const secrecy = secrecyIn(pass, variableAt(text, begin));
    pass.named = secrecy && { secrecy, at: begin };
  }
  if ((name === 'value' || name === 'Value') && pass.named && from - pass.named.at < NEAR) {
    const { secrecy } = pass.named;
    pass.named = undefined;
    return secrecy;
  }
  if (name.length === 1 && !isNumber(name)) return isInWebKey(text, from) ? 'strong' : undefined;
  return secrecyIn(pass, name) ?? (isTail(text, name, { from, at }) ? secrecyOfWords(pass, from) : undefined);
}

/** Whether a name is the last word of several: `API key: value`, `Unseal Key 1: value`. */
function isTail(text: string, name: string, { from, at }: { from: number; at: number }): boolean {
  if (name.length > 6) return false;
  if (name.length > 1 && TAILS.has(name.toLowerCase())) return true;
  return isNumber(name) && text[from - 1] === ' ' && text[at + 1] === ' ' && isLetter(text.charCodeAt(from - 2));
}

/** A number of one digit or two. */
function isNumber(name: string): boolean {
  return name.length < 3 && isDigit(name.charCodeAt(0)) && (name.length === 1 || isDigit(name.charCodeAt(1)));
}

const BACKSLASH = 92;
const UNDERSCORE = 95;
const DASH = 45;
const DOT = 46;

function isDigit(code: number): boolean {
  return code > 47 && code < 58;
}

/** Whether the name is part of a JSON Web Key, whose private parts have names of one letter. */
function isInWebKey(text: string, from: number): boolean {
  return text.slice(Math.max(0, from - 240), from).includes('"kty');
}

/** The variable that an entry of a list describes: the word after `name:`. */
function variableAt(text: string, from: number): string {
  let start = from;
  while (start - from < 7 && text.charCodeAt(start) === BACKSLASH) start++;
  if (text[start] === '"' || text[start] === "'") start++;
  let end = start;
  while (end - start < LONGEST_NAME && isPartOfName(text.charCodeAt(end))) end++;
  return text.slice(start, end);
}

function isPartOfName(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === UNDERSCORE || code === DASH || code === DOT;
}

/**
 * `API key: value`, `secret access key: value`. The name of a missing key is not a secret: `references non-existent secret key: password`.
 */
function secrecyOfWords(pass: Pass, from: number): Secrecy | undefined {
  const { text, nameTo } = pass;
  const mark = text[from - 1];
  if (mark === '?' || mark === '&') return 'soft';
  const words = mark === ' ' ? wordsBefore(text, from - 1) : '';
  const secrecy = words === '' ? undefined : secrecyIn(pass, `${words}_${text.slice(from, nameTo)}`);
  return secrecy && !/non-?existent|duplicate|find|unknown /i.test(text.slice(Math.max(0, from - 40), from)) ? secrecy : undefined;
}

/** The one or two words before a blank, joined as in names; empty when there are none. `end` is the index of the blank. */
function wordsBefore(text: string, end: number): string {
  const second = wordStart(text, end);
  if (second === end || (second > 0 && isPartOfName(text.charCodeAt(second - 1)))) return '';
  const first = text[second - 1] === ' ' ? wordStart(text, second - 1) : second;
  const hasTwo = first < second - 1 && !(first > 0 && isPartOfName(text.charCodeAt(first - 1)));
  return hasTwo ? `${text.slice(first, second - 1)}_${text.slice(second, end)}` : text.slice(second, end);
}

/** The beginning of the word of 2 to 16 letters that ends here; `end` when there is none. */
function wordStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start < 17 && isLetter(text.charCodeAt(start - 1))) start--;
  return end - start < 2 || end - start > 16 ? end : start;
}

/** A part of a path or of an ARN: `arn:aws:secretsmanager:…:secret:name`, `/run/token: no such file`. */
function isPartOfPath(text: string, from: number, at: number): boolean {
  const before = text[from - 1];
  if (before === '/') return !/(?:^|[\s"'{,(])[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}\/$/.test(text.slice(Math.max(0, from - 128), from));
  return before === ':' && text[at] === ':' && text[at + 1] !== ' ';
}

/**
 * The name of an object in a message of Kubernetes: `volume "token" : secret "token" not found`. A key of JSON follows a brace, a comma or
 * the beginning of a line.
 */
function isObject(text: string, { from, nameTo, at, begin }: { from: number; nameTo: number; at: number; begin: number }): boolean {
  const quote = text[from - 1];
  if ((quote !== '"' && quote !== "'") || !/["']/.test(text.slice(nameTo, at))) return false;
  const before = /([A-Za-z)\]])(?:[ \t]{1,4}|\/)\\{0,7}$/.test(text.slice(Math.max(0, from - 13), from - 1));
  if (!before) return false;
  return text[at - 1] === ' ' || !/^\\{0,7}["']/.test(text.slice(begin, begin + 8));
}

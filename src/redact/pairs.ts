import type { Secrecy } from './keys.ts';
import { hideValue, LONGEST_NAME, PEEK } from './pair-value.ts';
import { COLOUR, type Pass, secrecyIn } from './scan-state.ts';

/** What may stand between a name and its separator: quotes, escapes, the colours of loggers, blanks. */
const GAP = new RegExp(`^(?:\\\\{0,7}["'\`])?\\]?(?:${COLOUR}){0,3}[ \\t]{0,4}:?$`);
const LEAD = new RegExp(`(?:${COLOUR}|[ \\t]){0,8}`, 'y');
const LONGEST_GAP = 48;
/** How far a `value` may stand from its `name`. */
const NEAR = 400;
/** The last word of a name that is written with blanks. */
const TAIL = /^(?:key|keys|phrase|string|code|id|value|word|answer)$/i;

const NAMED = /^(?:name|key|Name|Key)$/;
const NUMBERED = /^\d{1,2}$/;

/** Hides the value behind a separator, if the name before it looks secret. Answers where reading goes on. */
export function pair(pass: Pass, at: number): number {
  const { text, nameTo } = pass;
  const next = at + 1;
  if (nameTo < 0 || at - nameTo > LONGEST_GAP) return next;
  const separator = separatorAt(text, at);
  if (separator === '' || !isGap(text, nameTo, at)) return next;
  const from = Math.max(pass.nameFrom, nameTo - LONGEST_NAME);
  const name = text.slice(from + dashes(text, from), nameTo);
  const begin = valueStart(text, at + separator.length);
  const secrecy = secrecyOfPair(pass, { name, begin, from, at, separator });
  if (!secrecy || isPartOfPath(text, from, at) || isObject(text, { from, at, begin, nameTo })) return next;
  return hideValue(pass, { name, secrecy, separator, index: from, from: begin });
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

/** LDIF writes two colons before Base64; code writes them between names. */
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
  /** Where the name and where its value begins; where the separator is. */
  from: number;
  begin: number;
  at: number;
  separator: string;
}

function secrecyOfPair(pass: Pass, { name, begin, from, at }: Named): Secrecy | undefined {
  const { text } = pass;
  if (name.length < 5 && NAMED.test(name)) {
    const secrecy = secrecyIn(pass, beginning(text, begin));
    pass.named = secrecy && { secrecy, at: begin };
  }
  if ((name === 'value' || name === 'Value') && pass.named && from - pass.named.at < NEAR) {
    const { secrecy } = pass.named;
    pass.named = undefined;
    return secrecy;
  }
  if (name.length === 1 && !NUMBERED.test(name)) return isJwk(text, name, from) ? 'strong' : undefined;
  return secrecyIn(pass, name) ?? (isTail(text, name, { from, at }) ? secrecyOfWords(pass, from) : undefined);
}

/** The last word of several: `API key: value`, `Unseal Key 1: value`. */
function isTail(text: string, name: string, { from, at }: { from: number; at: number }): boolean {
  if (name.length > 6) return false;
  if (TAIL.test(name)) return true;
  return text[from - 1] === ' ' && text[at + 1] === ' ' && NUMBERED.test(name) && /[A-Za-z]/.test(text.charAt(from - 2));
}

/** The private half of a JSON web key. */
function isJwk(text: string, name: string, from: number): boolean {
  return /^[dkpq]$/.test(name) && text.slice(Math.max(0, from - 240), from).includes('"kty');
}

/** The name of a list of variables, behind `name:`. */
function beginning(text: string, from: number): string {
  return /^\\{0,7}["']?([\w.-]{1,128})/.exec(text.slice(from, from + PEEK))?.[1] ?? '';
}

/**
 * `API key: value`, `secret access key: value`. The name of a missing key is not a secret: `references non-existent secret key: password`.
 */
function secrecyOfWords(pass: Pass, from: number): Secrecy | undefined {
  const before = pass.text.slice(Math.max(0, from - 40), from);
  if (/non-?existent|duplicate|find|unknown /i.test(before)) return undefined;
  const words = /(?:^|[^\w.])([A-Za-z]{2,16} (?:[A-Za-z]{2,16} )?)$/.exec(before)?.[1];
  if (words === undefined) return /[?&]$/.test(before) ? 'soft' : undefined;
  return secrecyIn(pass, words.trim().replaceAll(' ', '_') + '_' + pass.text.slice(from, pass.nameTo));
}

/** A part of a path or of an ARN: `arn:aws:secretsmanager:…:secret:name`, `/run/token: no such file`. */
function isPartOfPath(text: string, from: number, at: number): boolean {
  const before = text[from - 1];
  if (before === '/') return !/(?:^|[\s"'{,(])[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}\/$/.test(text.slice(Math.max(0, from - 128), from));
  return before === ':' && text[at] === ':' && text[at + 1] !== ' ';
}

/**
 * The name of an object in a sentence of Kubernetes: `volume "token" : secret "token" not found`. A key of JSON stands behind a brace, a
 * comma or the beginning of a line.
 */
function isObject(text: string, { from, nameTo, at, begin }: { from: number; nameTo: number; at: number; begin: number }): boolean {
  const quote = text[from - 1];
  if ((quote !== '"' && quote !== "'") || !/["']/.test(text.slice(nameTo, at))) return false;
  const before = /([A-Za-z)\]])(?:[ \t]{1,4}|\/)\\{0,7}$/.test(text.slice(Math.max(0, from - 13), from - 1));
  if (!before) return false;
  return text[at - 1] === ' ' || !/^\\{0,7}["']/.test(text.slice(begin, begin + 8));
}

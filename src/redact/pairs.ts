import { MASK, isHarmless, isSecretKey } from './keys.ts';

/** Colours, which loggers put around names and values. */
const COLOUR = '\\u001b\\[[0-9;]{0,12}m';
/** A name and what separates it from its value: `key=`, `key: `, `"key":`, `\"key\":`, `--flag value`, `--flag", "value`. */
const PAIR = new RegExp(
  `(?:(?<![A-Za-z0-9_./-])|(?<=${COLOUR}))(?:` +
    `(?<flag>--?[A-Za-z][\\w.-]{1,63})(?:[ \\t]{1,4}(?![-=:])|["'][ \\t]{0,4},[ \\t]{0,4}(?=["']))|` +
    `(?<key>-{0,2}[A-Za-z_.][\\w.-]{0,127})(?:\\\\{0,7}["'])?(?:${COLOUR}){0,3}[ \\t]{0,4}` +
    `(?<separator>=>|[=:])(?:${COLOUR}){0,3}[ \\t]{0,4}(?:${COLOUR}){0,3})`,
  'g',
);
const ELEMENT = /<([A-Za-z][\w.:-]{0,63})>([^<>\n]{1,1024})(?=<\/\1>)/g;
/** What sentences say after `token:` or `password:`, most of all in error messages. */
const PROSE =
  /^(?:not|no|missing|invalid|expired|is|was|are|the|a|an|required|must|unable|failed|cannot|can't|could|couldn't|authentication|signature|unauthorized|denied|access|error|empty|unset|using|for|from|of|has|contains|unexpected|rpc|open|stat|Get|Post|dial)\b/i;
const VERSION = /^(?:v?\d{1,6}(?:\.\d{1,6}){0,3}(?:[-+][\w.-]{1,64})?|latest|stable|sha256)(?!\w)/;
const BLOCK = /^[|>][-+]?\d?[ \t]{0,8}(?:\r?\n|$)/;
/** Names that sentences use as well: an ordinary word after them is none of theirs. */
const SOFT = /^(?:authorization|auth|signature|credentials?|cookie)$/i;
const SCHEME = /^(?:Bearer|Basic|Token|Digest|ApiKey)[ \t]{1,4}/i;
const REFERENCE = /^\$(?:\([\w.-]{1,128}\)|\{[\w.:-]{1,128}\})/;
/** Whether a value is to be masked shows in its beginning, so that no part of a text is read twice. */
const PEEK = 160;
/** How far a `value` may stand from its `name`. */
const NEAR = 400;

interface Pair {
  key: string;
  /** `=`, `:`, `=>`, or empty after a flag. */
  separator: string;
  /** Where the name and where the value begins. */
  index: number;
  from: number;
}

/** Masks the values of names that look secret, wherever a text holds name and value. Linear in the length of the text. */
export function maskPairs(text: string): string {
  const pattern = new RegExp(PAIR);
  const isNamed = namedValues(text);
  let masked = '';
  let at = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const pair = pairOf(found, pattern.lastIndex);
    const value = isNamed(pair) || isSecretKey(pair.key) ? secretValue(text, pair) : undefined;
    if (!value) continue;
    masked += text.slice(at, value[0]) + MASK;
    at = value[1];
    pattern.lastIndex = at;
  }
  return maskElements(masked + text.slice(at));
}

/** `<password>value</password>`. */
function maskElements(text: string): string {
  if (!text.includes('</')) return text;
  return text.replace(ELEMENT, (all, name: string, value: string) => (isSecretKey(name) && !isHarmless(value) ? `<${name}>${MASK}` : all));
}

function pairOf({ groups, index }: RegExpExecArray, from: number): Pair {
  const key = groups?.['flag'] ?? groups?.['key'] ?? '';
  return { key: key.replace(/^-{1,2}/, ''), separator: groups?.['separator'] ?? '', index, from };
}

/** Remembers the last `name:` of a list of variables; tells whether a pair is the `value:` of one whose name looks secret. */
function namedValues(text: string): (pair: Pair) => boolean {
  let named: { name: string; at: number } | undefined;
  return ({ key, index, from }) => {
    if (key === 'name') named = { name: beginning(text, from), at: from };
    return key === 'value' && named !== undefined && index - named.at < NEAR && isSecretKey(named.name);
  };
}

function beginning(text: string, from: number): string {
  return /^\\?["']?([\w.-]{1,128})/.exec(text.slice(from, from + PEEK))?.[1] ?? '';
}

/** Start and end of a value that is to be masked. */
function secretValue(text: string, pair: Pair): [number, number] | undefined {
  const peek = text.slice(pair.from, pair.from + PEEK);
  const isFirst = startsLine(text, pair.index);
  if (isFirst && pair.separator === ':' && BLOCK.test(peek)) return blockValue(text, pair);
  const quote = /^\\{0,7}["']/.exec(peek)?.[0];
  if (quote) return quotedValue(text, pair.from + quote.length, quote);
  return plainValue(text, pair, { peek, isFirst });
}

function plainValue(text: string, pair: Pair, { peek, isFirst }: { peek: string; isFirst: boolean }): [number, number] | undefined {
  const tight = isTight(text, pair);
  const stops = stopsOf(pair, isFirst, tight);
  if (REFERENCE.test(peek) || isNoSecret(peek.split(stops, 1)[0] ?? '', pair, tight)) return undefined;
  const scheme = SCHEME.exec(peek)?.[0].length ?? 0;
  return [pair.from, until(text, pair.from + scheme, stops)];
}

/** Where an unquoted value ends: a YAML line holds one value, an assignment of its own line one word, others share their line. */
function stopsOf({ separator }: Pair, isFirst: boolean, tight: boolean): RegExp {
  if (isFirst && separator === ':' && !tight) return /\n/;
  return isFirst ? /[\s"']/ : /[\s"',;&}\])]/;
}

/** `key:value` without a blank, as images and addresses are written too. */
function isTight(text: string, { from }: Pair): boolean {
  return text[from - 1] === ':';
}

function isNoSecret(value: string, { key, separator }: Pair, tight: boolean): boolean {
  if (isHarmless(value) || isHarmless(value.split(/\s/, 1)[0] ?? '')) return true;
  if (separator === ':' && isProse(value, key, tight)) return true;
  return /^(?:auth|pass)$/i.test(key) && /^\d{1,6}$/.test(value);
}

function isProse(value: string, key: string, tight: boolean): boolean {
  if (PROSE.test(value) || (tight && VERSION.test(value))) return true;
  return SOFT.test(key) && /^[a-z_]{1,32}\b(?![+/=])/.test(value);
}

function quotedValue(text: string, start: number, quote: string): [number, number] | undefined {
  const peek = text.slice(start, start + PEEK);
  if (peek.startsWith(MASK)) return undefined;
  const end = peek.indexOf(quote);
  if (end !== -1 && isHarmless(peek.slice(0, end))) return undefined;
  let stop = start;
  while (stop < text.length && text[stop] !== '\n' && !text.startsWith(quote, stop)) stop += text[stop] === '\\' ? 2 : 1;
  return [start, Math.min(stop, text.length)];
}

/** A YAML block (`key: |`): all following lines that are empty or further indented than the name. */
function blockValue(text: string, { index, from }: Pair): [number, number] {
  const lineStart = text.lastIndexOf('\n', index - 1) + 1;
  const indent = /^[ \t-]*/.exec(text.slice(lineStart, lineStart + PEEK))?.[0].length ?? 0;
  const start = until(text, from, /\n/);
  let stop = start;
  while (stop < text.length) {
    const line = text.slice(stop + 1, until(text, stop + 1, /\n/));
    if (line.trim() !== '' && line.search(/[^ \t]/) <= indent) break;
    stop += 1 + line.length;
  }
  return [from, Math.min(stop, text.length)];
}

/** Whether only blanks, a list dash, `export` or a quote stand before the name on its line. */
function startsLine(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 64), index);
  return /^[ \t]{0,64}(?:-[ \t]{1,8}|export[ \t]{1,8})?["']?$/.test(before.slice(before.lastIndexOf('\n') + 1));
}

function until(text: string, from: number, stops: RegExp): number {
  let end = from;
  while (end < text.length && !stops.test(text.charAt(end))) end += 1;
  return end;
}

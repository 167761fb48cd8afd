import { MAX_DEPTH } from './depth.ts';

/**
 * Strings that some YAML parsers read as booleans or null. js-yaml reads a document that has one of them as a key or (except the first
 * ones) as a value.
 */
const WORDS = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const OWN = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
const WHOLE = /^(?:0|-?[1-9]\d{0,14})$/;
/**
 * Text that begins with a digit or a dash and that no parser reads as a number: quantities and hashes (no `b`, `e`, `o`, `x` after the
 * digits), versions and addresses, uids, flags.
 */
const MIXED = /^(?:\d+[acdf-mp-wyz][\w.-]*|\d+(?:\.\d+){2,3}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|--?[a-z][\w.=/-]*)$/i;
const QUOTED = /^"([^"\\]*)"$|^'((?:[^']|'')*)'$/;
/** Characters that programs do not write into manifests. */
const UNUSUAL = /[^\x20-\x7e\n]/;

const [A, Z, LONGEST_WORD] = [0x61, 0x7a, 5];
const [LINE_END, BLANK, QUOTE, DASH, SLASH, COLON] = [0x0a, 0x20, 0x22, 0x2d, 0x2f, 0x3a];
/** 1 for each character code that may be part of a key. */
const IN_KEY = ((): Uint8Array => {
  const codes = new Uint8Array(128);
  for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-') codes[character.charCodeAt(0)] = 1;
  return codes;
})();

class Unusual extends Error {}
const UNUSUAL_TEXT = new Unusual();

/** The reading position: `line` begins at that index of the text, which ends at `length`. Line breaks at the end of a text do not count. */
interface Reader {
  text: string;
  length: number;
  line: number;
}

/**
 * The mapping in a text of the simple YAML in which programs write manifests: nested by indentation, one key or item a line, each scalar on
 * one line. Undefined for any other text, even valid YAML: js-yaml reads that, many times slower.
 */
export function readPlainYaml(text: string): Record<string, unknown> | undefined {
  if (UNUSUAL.test(text) || (text.includes('#') && text.includes(' #')) || text.endsWith(' ')) return undefined;
  let length = text.length;
  while (length > 0 && text.charCodeAt(length - 1) === LINE_END) length--;
  const reader: Reader = { text, length, line: text.startsWith('---\n') ? 4 : 0 };
  try {
    const value = readBlock(reader, 0, 1);
    return reader.line >= length && !Array.isArray(value) ? value : undefined;
  } catch (error) {
    if (error !== UNUSUAL_TEXT) throw error;
    return undefined;
  }
}

/** The mapping or list whose lines begin at column `indent`. */
function readBlock(reader: Reader, indent: number, depth: number): Record<string, unknown> | unknown[] {
  if (depth > MAX_DEPTH) throw UNUSUAL_TEXT;
  return isItem(reader, indent) ? readList(reader, indent, depth) : readMapping(reader, indent, depth);
}

function readList(reader: Reader, indent: number, depth: number): unknown[] {
  const list: unknown[] = [];
  while (reader.line < reader.length && isAt(reader, indent) && isItem(reader, indent)) {
    const [from, end] = [reader.line + indent + 2, lineEnd(reader)];
    const isMapping = hasKey(reader.text, from, end) && !isQuoted(reader.text, from, end);
    if (isMapping) {
      // The first key of an item follows its dash; the other keys are on the lines below.
      list.push(readMapping(reader, indent + 2, depth + 1, true));
    } else {
      reader.line = end + 1;
      list.push(scalar(reader.text.slice(from, end)));
    }
  }
  return list;
}

/** Whether there is a colon before a blank or the line's end between these indexes. */
function hasKey(text: string, from: number, end: number): boolean {
  for (let colon = text.indexOf(':', from); colon >= 0 && colon < end; colon = text.indexOf(':', colon + 1))
    if (colon + 1 === end || text.charCodeAt(colon + 1) === BLANK) return true;
  return false;
}

function isQuoted(text: string, from: number, end: number): boolean {
  const first = text[from];
  return (first === '"' || first === "'") && QUOTED.test(text.slice(from, end));
}

/** `isBehindDash`: the first line begins with the indentation and the dash of the list. */
function readMapping(reader: Reader, indent: number, depth: number, isBehindDash = false): Record<string, unknown> {
  const { text } = reader;
  const mapping: Record<string, unknown> = {};
  let isEmpty = true;
  while (reader.line < reader.length && ((isEmpty && isBehindDash) || isAt(reader, indent)) && !isItem(reader, indent)) {
    const colon = keyEnd(text, reader.line + indent);
    const key = text.slice(reader.line + indent, colon);
    if (isOwn(key) || (!isEmpty && Object.hasOwn(mapping, key))) throw UNUSUAL_TEXT;
    isEmpty = false;
    const end = lineEnd(reader);
    reader.line = end + 1;
    if (colon + 1 < end) {
      if (text.charCodeAt(colon + 1) !== BLANK) throw UNUSUAL_TEXT;
      mapping[key] = scalar(text.slice(colon + 2, end));
    } else mapping[key] = readNested(reader, indent, depth);
  }
  if (isEmpty) throw UNUSUAL_TEXT;
  return mapping;
}

/** The index of the colon after the key that begins here: a letter, then letters, digits and some signs. */
function keyEnd(text: string, from: number): number {
  let at = from;
  while (IN_KEY[text.charCodeAt(at)] === 1) at++;
  if (at === from || text.charCodeAt(at) !== COLON || !isLetter(text.charCodeAt(from))) throw UNUSUAL_TEXT;
  return at;
}

/** The value below a key. A list may begin at the key's own column. */
function readNested(reader: Reader, indent: number, depth: number): unknown {
  const { text, length, line } = reader;
  if (line >= length) return null;
  if (text.charCodeAt(line) === LINE_END) throw UNUSUAL_TEXT;
  let inner = 0;
  while (text.charCodeAt(line + inner) === BLANK) inner++;
  return inner > indent || (inner === indent && isItem(reader, indent)) ? readBlock(reader, inner, depth + 1) : null;
}

function scalar(text: string): unknown {
  if (isText(text)) return text;
  if (text.charCodeAt(0) === QUOTE) return quotedText(text);
  if (WHOLE.test(text)) return Number(text);
  if (WORDS.has(text)) return WORDS.get(text);
  if (QUOTED.test(text)) return text.slice(1, -1).replaceAll("''", "'");
  if (MIXED.test(text)) return text;
  if (text === '[]') return [];
  if (text === '{}') return {};
  throw UNUSUAL_TEXT;
}

/** The text between double quotes. */
function quotedText(text: string): string {
  const end = text.indexOf('"', 1);
  if (end !== text.length - 1 || text.includes('\\')) throw UNUSUAL_TEXT;
  return text.slice(1, end);
}

/** A text that begins with a letter or a slash is a string for every parser, except YAML's keywords and text that looks like a key. */
function isText(text: string): boolean {
  const first = text.charCodeAt(0);
  if (!isLetter(first) && first !== SLASH) return false;
  return !hasKey(text, 0, text.length) && !isOwn(text);
}

function isLetter(code: number): boolean {
  return (code | 0x20) >= A && (code | 0x20) <= Z;
}

/** Nearly every key and value is no such word by its first two letters already. */
function isOwn(text: string): boolean {
  return text.length <= LONGEST_WORD && OWN_STARTS[startOf(text)] === 1 && OWN.test(text);
}

const OWN_STARTS = ((): Uint8Array => {
  const starts = new Uint8Array(32 * 32);
  for (const word of ['y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null']) starts[startOf(word)] = 1;
  return starts;
})();

/** A number for the first two letters in any case. */
function startOf(text: string): number {
  return (text.charCodeAt(0) & 31) * 32 + (text.charCodeAt(1) & 31);
}

/** Whether the line begins at that column. A line that begins further right continues something that only a full parser can read. */
function isAt({ text, line }: Reader, indent: number): boolean {
  if (text.charCodeAt(line) === LINE_END) throw UNUSUAL_TEXT;
  for (let column = 0; column < indent; column++) if (text.charCodeAt(line + column) !== BLANK) return false;
  if (text.charCodeAt(line + indent) === BLANK) throw UNUSUAL_TEXT;
  return true;
}

function isItem({ text, line }: Reader, indent: number): boolean {
  return text.charCodeAt(line + indent) === DASH && text.charCodeAt(line + indent + 1) === BLANK;
}

/** A blank at the end of a line, like a comment, is unusual: the full parser reads such a text. */
function lineEnd({ text, line, length }: Reader): number {
  const end = text.indexOf('\n', line);
  if (text.charCodeAt(end - 1) === BLANK) throw UNUSUAL_TEXT;
  return end < 0 ? length : end;
}

import { MAX_DEPTH } from './depth.ts';

/** Strings that some YAML parsers read as booleans or null. js-yaml reads a text that has one as a key, or, except the first ones, as a value. */
const WORDS = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const OWN = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
const WHOLE = /^(?:0|-?[1-9]\d{0,14})$/;
/**
 * What begins with a digit or a dash and is no number to anybody: quantities and hashes (no `b`, `e`, `o`, `x` behind the digits), versions
 * and addresses, uids, flags.
 */
const MIXED = /^(?:\d+[acdf-mp-wyz][\w.-]*|\d+(?:\.\d+){2,3}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|--?[a-z][\w.=/-]*)$/i;
const KEY = /^[a-z][\w./-]*$/i;
const QUOTED = /^"([^"\\]*)"$|^'((?:[^']|'')*)'$/;
/** What programs never write into a manifest. */
const UNUSUAL = /[^\x20-\x7e\n]/;

const [A, Z, LONGEST_WORD] = [0x61, 0x7a, 5];

class Unusual extends Error {}
const UNUSUAL_TEXT = new Unusual();

interface Lines {
  text: string[];
  next: number;
}

/**
 * The mapping of a text in the plain part of YAML that programs write manifests in: nested by indentation, one key or item a line, scalars
 * on their line. Undefined for any other text, which may still be valid YAML: js-yaml reads it then, ten times slower.
 */
export function readPlainYaml(text: string): Record<string, unknown> | undefined {
  // A comment or a blank at the end of a line means something else than it seems to.
  if (UNUSUAL.test(text) || text.includes(' #') || text.includes(' \n') || text.endsWith(' ')) return undefined;
  const lines: Lines = { text: text.split('\n'), next: text.startsWith('---\n') ? 1 : 0 };
  while (lines.text.at(-1) === '') lines.text.pop();
  try {
    const value = readBlock(lines, 0, 1);
    return lines.next === lines.text.length && !Array.isArray(value) ? value : undefined;
  } catch (error) {
    if (error !== UNUSUAL_TEXT) throw error;
    return undefined;
  }
}

/** The mapping or list whose lines begin at column `indent`. */
function readBlock(lines: Lines, indent: number, depth: number): Record<string, unknown> | unknown[] {
  if (depth > MAX_DEPTH) throw UNUSUAL_TEXT;
  return isItem(lines.text[lines.next] ?? '', indent) ? readList(lines, indent, depth) : readMapping(lines, indent, depth);
}

function readList(lines: Lines, indent: number, depth: number): unknown[] {
  const list: unknown[] = [];
  for (let line = lines.text[lines.next]; line !== undefined && isAt(line, indent) && isItem(line, indent); line = lines.text[lines.next]) {
    const rest = line.slice(indent + 2);
    const isMapping = / ?:(?: |$)/.test(rest) && !QUOTED.test(rest);
    if (isMapping) {
      // The item's first key stands behind its dash; its others stand below it.
      list.push(readMapping(lines, indent + 2, depth + 1, true));
    } else {
      lines.next++;
      list.push(scalar(rest));
    }
  }
  return list;
}

/** `isBehindDash`: the first line begins with its list's columns and dash. */
function readMapping(lines: Lines, indent: number, depth: number, isBehindDash = false): Record<string, unknown> {
  const mapping: Record<string, unknown> = {};
  let isEmpty = true;
  for (
    let line = lines.text[lines.next];
    line !== undefined && ((isEmpty && isBehindDash) || isAt(line, indent)) && !isItem(line, indent);
    line = lines.text[lines.next]
  ) {
    const colon = line.indexOf(':', indent);
    const key = line.slice(indent, colon);
    if (colon < 0 || !KEY.test(key) || isOwn(key) || Object.hasOwn(mapping, key)) throw UNUSUAL_TEXT;
    lines.next++;
    isEmpty = false;
    if (colon < line.length - 1) {
      if (line[colon + 1] !== ' ') throw UNUSUAL_TEXT;
      mapping[key] = scalar(line.slice(colon + 2));
    } else mapping[key] = readNested(lines, indent, depth);
  }
  if (isEmpty) throw UNUSUAL_TEXT;
  return mapping;
}

/** What stands below a key without a value: a list may begin at the key's own column. */
function readNested(lines: Lines, indent: number, depth: number): unknown {
  const line = lines.text[lines.next] ?? '';
  const inner = line.length - line.trimStart().length;
  if (line !== '' && (inner > indent || (inner === indent && isItem(line, indent)))) return readBlock(lines, inner, depth + 1);
  if (line === '' && lines.next < lines.text.length) throw UNUSUAL_TEXT;
  return null;
}

function scalar(text: string): unknown {
  if (isText(text)) return text;
  if (WHOLE.test(text)) return Number(text);
  if (WORDS.has(text)) return WORDS.get(text);
  const quoted = QUOTED.exec(text);
  if (quoted) return quoted[1] ?? quoted[2]?.replaceAll("''", "'");
  if (MIXED.test(text)) return text;
  if (text === '[]') return [];
  if (text === '{}') return {};
  throw UNUSUAL_TEXT;
}

/** What begins with a letter or a slash is text to every reader, whatever follows, but for YAML's own words and what looks like a key. */
function isText(text: string): boolean {
  const first = text.charCodeAt(0) | 0x20;
  if ((first < A || first > Z) && text[0] !== '/') return false;
  return !text.endsWith(':') && !text.includes(': ') && !isOwn(text);
}

function isOwn(text: string): boolean {
  return text.length <= LONGEST_WORD && OWN.test(text);
}

/** Whether the line begins at that column; one that begins further right continues what only a whole parser reads. */
function isAt(line: string, indent: number): boolean {
  if (line === '') throw UNUSUAL_TEXT;
  for (let column = 0; column < indent; column++) if (line[column] !== ' ') return false;
  if (line[indent] === ' ') throw UNUSUAL_TEXT;
  return true;
}

function isItem(line: string, indent: number): boolean {
  return line[indent] === '-' && line[indent + 1] === ' ';
}

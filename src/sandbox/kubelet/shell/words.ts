import type { Part, Word } from './syntax.ts';
import { SyntaxFault } from './syntax.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*/;

/** Reads text after an opening bracket up to the matching closing one. Quotes protect brackets. */
function balanced(text: string, from: number, open: string, close: string): { inner: string; next: number } {
  let depth = 1;
  for (let i = from; i < text.length; i += 1) {
    const c = text[i] as string;
    if (c === '\\') i += 1;
    else if (c === "'") {
      i = text.indexOf("'", i + 1);
      if (i < 0) break;
    } else if (c === open) depth += 1;
    else if (c === close) {
      depth -= 1;
      if (depth === 0) return { inner: text.slice(from, i), next: i + 1 };
    }
  }
  throw new SyntaxFault(`syntax error: unterminated quoted string`);
}

function braced(inner: string, quoted: boolean): Part {
  if (inner.startsWith('#') && inner.length > 1) return { type: 'variable', name: inner.slice(1), operator: '#', argument: '', quoted };
  const name = NAME.exec(inner)?.[0] ?? /^[0-9]+|^[?#@*$!]/.exec(inner)?.[0];
  if (!name) throw new SyntaxFault('syntax error: bad substitution');
  const rest = inner.slice(name.length);
  const operator = /^(:?[-=?+]|##?|%%?)/.exec(rest)?.[0] ?? '';
  if (rest && !operator) throw new SyntaxFault('syntax error: bad substitution');
  return { type: 'variable', name, operator, argument: rest.slice(operator.length), quoted };
}

/** What a `$` at `at` begins. */
function dollar(text: string, at: number, quoted: boolean): { part: Part; next: number } {
  const rest = text.slice(at + 1);
  if (rest.startsWith('((')) {
    const { inner, next } = balanced(text, at + 3, '(', ')');
    return { part: { type: 'arithmetic', source: inner, quoted }, next: next + 1 };
  }
  if (rest.startsWith('(')) {
    const { inner, next } = balanced(text, at + 2, '(', ')');
    return { part: { type: 'command', source: inner, quoted }, next };
  }
  if (rest.startsWith('{')) {
    const { inner, next } = balanced(text, at + 2, '{', '}');
    return { part: braced(inner, quoted), next };
  }
  const name = NAME.exec(rest)?.[0] ?? /^[0-9?#@*$!]/.exec(rest)?.[0];
  if (!name) return { part: { type: 'text', text: '$', quoted }, next: at + 1 };
  return { part: { type: 'variable', name, operator: '', argument: '', quoted }, next: at + 1 + name.length };
}

function doubleQuoted(text: string, from: number): { parts: Part[]; next: number } {
  const parts: Part[] = [{ type: 'text', text: '', quoted: true }];
  const add = (more: string) => parts.push({ type: 'text', text: more, quoted: true });
  let i = from;
  while (i < text.length) {
    const c = text[i] as string;
    if (c === '"') return { parts, next: i + 1 };
    if (c === '\\' && '$`"\\\n'.includes(text[i + 1] ?? '')) {
      if (text[i + 1] !== '\n') add(text[i + 1] as string);
      i += 2;
    } else if (c === '$') {
      const { part, next } = dollar(text, i, true);
      parts.push(part);
      i = next;
    } else if (c === '`') {
      const end = text.indexOf('`', i + 1);
      if (end < 0) break;
      parts.push({ type: 'command', source: text.slice(i + 1, end), quoted: true });
      i = end + 1;
    } else {
      const run = /^[^"\\$`]+/.exec(text.slice(i))?.[0] ?? c;
      add(run);
      i += run.length;
    }
  }
  throw new SyntaxFault('syntax error: unterminated quoted string');
}

/** Reads one word at `from`, up to a blank or an operator. Throws `SyntaxFault`. */
export function readWord(text: string, from: number): { word: Word; next: number } {
  const word: Word = [];
  let i = from;
  while (i < text.length) {
    const c = text[i] as string;
    if (/[\s;&|<>()]/.test(c)) break;
    if (c === "'") {
      const end = text.indexOf("'", i + 1);
      if (end < 0) throw new SyntaxFault('syntax error: unterminated quoted string');
      word.push({ type: 'text', text: text.slice(i + 1, end), quoted: true });
      i = end + 1;
    } else if (c === '"') {
      const { parts, next } = doubleQuoted(text, i + 1);
      word.push(...parts);
      i = next;
    } else if (c === '\\') {
      if (text[i + 1] !== '\n') word.push({ type: 'text', text: text[i + 1] ?? '', quoted: true });
      i += 2;
    } else if (c === '$') {
      const { part, next } = dollar(text, i, false);
      word.push(part);
      i = next;
    } else if (c === '`') {
      const end = text.indexOf('`', i + 1);
      if (end < 0) throw new SyntaxFault('syntax error: EOF in backquote substitution');
      word.push({ type: 'command', source: text.slice(i + 1, end), quoted: false });
      i = end + 1;
    } else {
      const run = /^[^\s;&|<>()'"\\$`]+/.exec(text.slice(i))?.[0] ?? c;
      word.push({ type: 'text', text: run, quoted: false });
      i += run.length;
    }
  }
  return { word, next: i };
}

/** The parts of a text in a place that expects a word (the argument of `${X:-…}`, a here-document). */
export const partsOf = (text: string): Word => doubleQuoted(`${text.replaceAll('"', '')}"`, 0).parts;

/** The word as plain text, if it is nothing else. Keywords are such words. */
export const plainText = (word: Word): string | undefined =>
  word.length > 0 && word.every((part) => part.type === 'text' && !part.quoted)
    ? word.map((part) => (part as { text: string }).text).join('')
    : undefined;

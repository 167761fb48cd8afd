import { pathSteps } from './field-path.ts';

/**
 * The line of a field in a document, counted from 0, or the line of the nearest field above it that exists. It follows block style (one key
 * or item a line), as people and programs write manifests. Within flow style it returns the line where the flow begins.
 */
export function lineOf(lines: readonly string[], path: string): number {
  const text = [...lines];
  let range = { from: 0, to: text.length };
  let found = text.findIndex(isContent);
  for (const step of pathSteps(path)) {
    const next = typeof step === 'number' ? itemAt(text, range, step) : keyAt(text, range, step);
    if (!next) break;
    found = next.line;
    range = { from: next.from, to: next.to };
  }
  return Math.max(found, 0);
}

interface Range {
  from: number;
  to: number;
}

const isContent = (line: string): boolean => !/^\s*(?:#|$)/.test(line);
const indentOf = (line: string): number => line.length - line.trimStart().length;
const isItem = (line: string): boolean => /^\s*-(?:\s|$)/.test(line);

/** The indentation of the first line that is not empty; undefined when there is none. */
function indentIn(lines: readonly string[], { from, to }: Range): number | undefined {
  for (let index = from; index < to; index += 1) if (isContent(lines[index] as string)) return indentOf(lines[index] as string);
  return undefined;
}

/** The line with the key, and the lines of its value. */
function keyAt(lines: readonly string[], range: Range, key: string): (Range & { line: number }) | undefined {
  const indent = indentIn(lines, range);
  const isKey = (line: string): boolean => {
    const rest = line.trimStart();
    return [`${key}:`, `"${key}":`, `'${key}':`].some((begin) => rest.startsWith(begin));
  };
  for (let line = range.from; line < range.to; line += 1) {
    const text = lines[line] as string;
    if (isContent(text) && indentOf(text) === indent && isKey(text)) return { line, from: line + 1, to: endOf(lines, range, line, indent) };
  }
  return undefined;
}

/** The line where the value of this key ends. A list may be indented as little as its key. */
function endOf(lines: readonly string[], { to }: Range, line: number, indent: number): number {
  for (let end = line + 1; end < to; end += 1) {
    const text = lines[end] as string;
    if (isContent(text) && (indentOf(text) < indent || (indentOf(text) === indent && !isItem(text)))) return end;
  }
  return to;
}

/**
 * Finds the list item at `index`. Overwrites its dash in `lines` with a space, so that its first key is read like the other keys of the
 * mapping.
 */
function itemAt(lines: string[], range: Range, index: number): (Range & { line: number }) | undefined {
  const indent = indentIn(lines, range);
  const starts: number[] = [];
  for (let line = range.from; line < range.to; line += 1) {
    const text = lines[line] as string;
    if (isContent(text) && indentOf(text) === indent && isItem(text)) starts.push(line);
  }
  const line = starts[index];
  if (line === undefined) return undefined;
  lines[line] = (lines[line] as string).replace('-', ' ');
  return { line, from: line, to: starts[index + 1] ?? range.to };
}

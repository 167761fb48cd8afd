/** Unchanged lines shown around a change. */
const CONTEXT = 3;
/** If the comparison table would be larger, the middle is shown as replaced as a whole. */
const MAX_CELLS = 4_000_000;

interface Line {
  mark: ' ' | '-' | '+';
  text: string;
}

/** A unified diff of two texts with three lines of context and headers `--- before`, `+++ after`; empty when they are equal. */
export function unifiedDiff(before: string, after: string): string {
  if (before === after) return '';
  const lines = compareLines(splitLines(before), splitLines(after));
  return ['--- before', '+++ after', ...hunks(lines)].join('\n') + '\n';
}

function splitLines(text: string): string[] {
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

function compareLines(before: string[], after: string[]): Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const same = (lines: string[]): Line[] => lines.map((text) => ({ mark: ' ', text }));
  return [
    ...same(before.slice(0, start)),
    ...compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(before.slice(before.length - end)),
  ];
}

/** The longest common subsequence by dynamic programming, read from the table's top left corner. */
function compareMiddle(before: string[], after: string[]): Line[] {
  const width = after.length + 1;
  if ((before.length + 1) * width > MAX_CELLS) return [...marked('-', before), ...marked('+', after)];
  const table = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      table[i * width + j] =
        before[i] === after[j]
          ? (table[(i + 1) * width + j + 1] as number) + 1
          : Math.max(table[(i + 1) * width + j] as number, table[i * width + j + 1] as number);
  const lines: Line[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      lines.push({ mark: ' ', text: before[i] as string });
      i++;
      j++;
    } else if ((table[(i + 1) * width + j] as number) >= (table[i * width + j + 1] as number))
      lines.push({ mark: '-', text: before[i++] as string });
    else lines.push({ mark: '+', text: after[j++] as string });
  }
  return [...lines, ...marked('-', before.slice(i)), ...marked('+', after.slice(j))];
}

function marked(mark: '-' | '+', lines: string[]): Line[] {
  return lines.map((text) => ({ mark, text }));
}

function hunks(lines: Line[]): string[] {
  const shown = new Uint8Array(lines.length);
  for (const [index, line] of lines.entries())
    if (line.mark !== ' ') shown.fill(1, Math.max(0, index - CONTEXT), Math.min(lines.length, index + CONTEXT + 1));
  const out: string[] = [];
  let oldLine = 1;
  let newLine = 1;
  for (let index = 0; index < lines.length;) {
    if (!shown[index]) {
      oldLine++;
      newLine++;
      index++;
      continue;
    }
    let end = index;
    while (end < lines.length && shown[end]) end++;
    const hunk = lines.slice(index, end);
    const oldCount = hunk.filter((line) => line.mark !== '+').length;
    const newCount = hunk.filter((line) => line.mark !== '-').length;
    out.push(`@@ -${hunkRange(oldLine, oldCount)} +${hunkRange(newLine, newCount)} @@`, ...hunk.map((line) => line.mark + line.text));
    oldLine += oldCount;
    newLine += newCount;
    index = end;
  }
  return out;
}

/** An empty range names the line before it, as in `diff -u` and `patch`. */
function hunkRange(start: number, count: number): string {
  return count === 1 ? `${start}` : `${count === 0 ? start - 1 : start},${count}`;
}

import type { Case } from '../case.ts';
import { logSections } from './log-sections.ts';

/** A program does not list more faults at once, and a longer list is not one of faults. */
const MAX_ITEMS = 8;
/** Nothing beyond these many characters belongs to the same list. */
const MAX_REACH = 8_000;

/** The indent and the mark of an item: a dash, a star, a bullet or a number. Lines at the margin without a mark are no list. */
const ITEM = /^(\s{0,16})([-*•]|\d{1,2}[.)])?\s{0,4}(?=\S)/;

/**
 * The other items of the list that a log line is an item of, or all items if it announces the list, as `invalid configuration:` or `2 errors
 * occurred:` (Go's multierror): lines directly around it with the same indent and the same kind of mark. Deeper lines belong to the item above
 * them.
 */
export function listedBeside(subject: Case, line: string): string[] {
  for (const { text } of logSections(subject)) {
    const found = text.indexOf(line);
    if (found < 0) continue;
    const start = text.lastIndexOf('\n', found) + 1;
    const [own = '', ...after] = text.slice(start, start + MAX_REACH).split('\n');
    if (own.trimEnd().endsWith(':')) return itemsIn(after, shapeOf(after[0] ?? ''));
    const before = text
      .slice(Math.max(0, start - MAX_REACH), start)
      .split('\n')
      .slice(0, -1);
    return [...itemsIn(before.toReversed(), shapeOf(own)).toReversed(), ...itemsIn(after, shapeOf(own))];
  }
  return [];
}

interface Shape {
  indent: number;
  mark: string;
}

function shapeOf(line: string): Shape | undefined {
  const [, indent = '', mark = ''] = ITEM.exec(line) ?? [];
  return indent === '' && mark === '' ? undefined : { indent: indent.length, mark: /\d/.test(mark) ? '1' : mark };
}

/** The items of the same shape up to the first line that is neither one nor a part of one. */
function itemsIn(lines: string[], own: Shape | undefined): string[] {
  if (own === undefined) return [];
  const items: string[] = [];
  for (const line of lines) {
    const shape = shapeOf(line.trimEnd());
    if (shape === undefined || shape.indent < own.indent || items.length >= MAX_ITEMS) break;
    if (shape.indent === own.indent && shape.mark === own.mark) items.push(line.replace(ITEM, '').trimEnd());
    else if (shape.indent === own.indent) break;
  }
  return items;
}

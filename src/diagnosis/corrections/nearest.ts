/** Of longer words only the beginning is compared, because the time grows with the square of the length. */
const MAX_LENGTH = 128;

/**
 * The known words that `word` may be a typo of, the most similar first: at most a third of its letters differ (two swapped neighbours count
 * once; case, `-`, `_` and `.` do not count). `word` itself is not among them.
 */
export function nearest(word: string, knownWords: Iterable<string>): string[] {
  const wanted = folded(word);
  const limit = Math.max(1, Math.min(4, Math.floor(wanted.length / 3)));
  const found: { known: string; distance: number }[] = [];
  for (const known of new Set(knownWords)) {
    if (known === word) continue;
    const name = folded(known);
    if (Math.abs(name.length - wanted.length) > limit) continue;
    const distance = editDistance(wanted, name);
    if (distance <= limit) found.push({ known, distance });
  }
  return found.sort((a, b) => a.distance - b.distance || (a.known < b.known ? -1 : 1)).map(({ known }) => known);
}

function folded(word: string): string {
  return word.slice(0, MAX_LENGTH).toLowerCase().replaceAll(/[-_.]/g, '-');
}

/** How many letters must be inserted, removed, replaced or swapped with their neighbour (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const here = [row];
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      let best = Math.min(at(last, column) + 1, at(here, column - 1) + 1, at(last, column - 1) + cost);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        best = Math.min(best, at(before, column - 2) + 1);
      here.push(best);
    }
    before = last;
    last = here;
  }
  return at(last, b.length);
}

function at(row: number[], column: number): number {
  return row[column] as number;
}

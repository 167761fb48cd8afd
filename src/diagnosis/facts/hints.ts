/** The table of three-letter groups has 2 to the power of this many entries. */
const BITS = 14;
/** Stands for the group of a hint that is too short to have one. */
const ANY = 1 << BITS;

/**
 * Answers which of these hints a text may contain, by their indexes in order: those left out are certainly absent, the others need a search.
 * Every log is searched for hundreds of hints, and nearly all are absent. So one pass over the log fills a table, and a hint needs a few
 * look-ups instead of a pass of its own. A hint of
 * fewer than three letters is never left out.
 */
export function hintFilter(hints: readonly string[]): (text: string) => number[] {
  const groups = hints.map(groupsIn);
  // Nearly all absent hints lack their first group already, so these stand together.
  const firsts = Uint16Array.from(groups, ([first = ANY]) => first);
  const seen = new Uint8Array(ANY + 1);
  return (text) => {
    note(text, seen.fill(0));
    seen[ANY] = 1;
    const found: number[] = [];
    for (let index = 0; index < firsts.length; index++)
      if (seen[firsts[index] as number] === 1 && (groups[index] as number[]).every((group) => seen[group] === 1)) found.push(index);
    return found;
  };
}

function note(text: string, seen: Uint8Array): void {
  let [first, second] = [text.charCodeAt(0), text.charCodeAt(1)];
  for (let at = 2; at < text.length; at++) {
    const third = text.charCodeAt(at);
    seen[groupOf(first, second, third)] = 1;
    first = second;
    second = third;
  }
}

function groupsIn(hint: string): number[] {
  const codes = Array.from({ length: hint.length }, (_, at) => hint.charCodeAt(at));
  return codes.slice(2).map((third, at) => groupOf(codes[at] as number, codes[at + 1] as number, third));
}

/** The number of a group of three letters. */
function groupOf(first: number, second: number, third: number): number {
  const letters = (first * 961 + second * 31 + third) | 0;
  return (letters ^ (letters >>> BITS)) & ((1 << BITS) - 1);
}

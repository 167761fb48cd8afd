import { code } from '../rendering/quote.ts';
import { isSameMeaning } from './synonyms.ts';

/** For longer words, only the beginning is compared, because the time grows with the square of the length. */
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
  // People rarely mistype the first letters.
  const begin = (known: string) => commonStart(wanted, folded(known));
  return found
    .sort((a, b) => a.distance - b.distance || begin(b.known) - begin(a.known) || (a.known < b.known ? -1 : 1))
    .map(({ known }) => known);
}

/**
 * The names of objects or keys that `name` may mean, the most similar first: those of `nearest`, then those with the same words in another
 * order, then those that begin or end with the whole of it, or it with the whole of them (`app-config`, `app-configuration`,
 * `shop-app-config`).
 */
export function nearestName(name: string, knownNames: Iterable<string>): string[] {
  const known = [...new Set(knownNames)].filter((other) => other !== name);
  const typos = nearest(name, known).filter((other) => !hasOtherWord(name, other));
  const related = known
    .filter((other) => !typos.includes(other) && isRelated(name, other))
    .sort((a, b) => relation(name, a) - relation(name, b));
  const found = [...typos, ...related];
  if (found.length > 0) return found;
  // A short name is enough if the wanted name starts with it and a separator, and no other name does: `pg` for `pg-main`.
  const begun = known.filter((other) => other.length > 1 && folded(name).startsWith(`${folded(other)}-`));
  return begun.length === 1 ? begun : [];
}

/** How a name that does not exist is like one that does: a slip in its letters, or another name for the same thing. One sentence without its end. */
export function likeness(name: string, other: string): string {
  const isLonger = [folded(name), folded(other)].some(
    (one, index, both) => one.startsWith(`${both[1 - index]}-`) || one.endsWith(`-${both[1 - index]}`),
  );
  return !isLonger && nearest(name, [other]).length > 0
    ? `${code(name)} looks like a typo of ${code(other)}`
    : `${code(name)} has another name here: ${code(other)}`;
}

/** Words for parts of one address: `metrics-addr` in place of `metrics-port`. */
const OF_ADDRESS = /^(?:port|addr|address|host|listen|url|uri)$/;

/** Whether one word of several is another one, and not a slip of it: `payments-keys` and `payments-db`. */
function hasOtherWord(name: string, other: string): boolean {
  const [ours, theirs] = [folded(name).split('-'), folded(other).split('-')];
  if (ours.length < 2 || ours.length !== theirs.length) return false;
  const [pair, ...more] = ours.flatMap((word, index) => (word === theirs[index] ? [] : [[word, theirs[index] ?? ''] as const]));
  if (!pair || more.length > 0 || pair.some((word) => word === '' || /^\d+$/.test(word)) || pair.every((word) => OF_ADDRESS.test(word)))
    return false;
  return editDistance(...pair) > Math.max(1, Math.floor(Math.max(...pair.map((word) => word.length)) / 2));
}

/** Shorter names are part of too many other names. */
const SHORTEST_PART = 4;

function isRelated(a: string, b: string): boolean {
  const [short, long] = [folded(a), folded(b)].sort((x, y) => x.length - y.length) as [string, string];
  if (wordsOf(short) === wordsOf(long) || isSameMeaning(a, b)) return true;
  if (isAbbreviated(short, long) || shortened(short) === shortened(long)) return true;
  if (short.length < SHORTEST_PART) return false;
  // `app-configuration` continues the last word of `app-config`. After a name of one word, a separator must follow.
  const isBegun = long.startsWith(short) && (short.includes('-') || long[short.length] === '-');
  return isBegun || long.endsWith(`-${short}`) || isWidened(short, long);
}

/** `mydatabase` and `mydb`. */
const shortened = (name: string): string => name.replaceAll('database', 'db').replaceAll('service', 'svc');

/** Compares word by word. At least one word is the same, and the others lack some letters: `app-cfg` for `app-config`. */
function isAbbreviated(short: string, long: string): boolean {
  const [shorts, longs] = [short.split('-'), long.split('-')];
  if (shorts.length !== longs.length || shorts.length < 2) return false;
  return shorts.some((word, index) => word === longs[index]) && shorts.every((word, index) => isSubsequence(word, longs[index] ?? ''));
}

/** Whether all words of the shorter name, at least two, stand in the longer one in the same order, with the same first and last: `app-keys` in `app-gateway-keys`. */
function isWidened(short: string, long: string): boolean {
  const [shorts, longs] = [short.split('-'), long.split('-')];
  if (shorts.length < 2 || longs.length <= shorts.length || shorts[0] !== longs[0] || shorts.at(-1) !== longs.at(-1)) return false;
  let at = 0;
  for (const word of longs) if (word === shorts[at]) at += 1;
  return at === shorts.length;
}

/** Whether the letters of `word`, at least two, stand in `of` in the same order after the same first letter: `kc` in `keycloak`. */
export function isSubsequence(word: string, of: string): boolean {
  if (word === of) return true;
  if (word.length < 2 || word[0] !== of[0]) return false;
  let at = 0;
  for (const letter of of) if (letter === word[at]) at += 1;
  return at === word.length;
}

function relation(name: string, other: string): number {
  return wordsOf(folded(name)) === wordsOf(folded(other)) ? 0 : Math.abs(name.length - other.length);
}

function wordsOf(name: string): string {
  return name.split('-').sort().join('-');
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
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

import { isDeepStrictEqual } from 'node:util';
import type { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Correction } from '../../../src/diagnosis/corrections/correction.ts';
import { inShort } from './cases.ts';

/** Corrections in short, as `inShort` gives them. */
export type Short = ReturnType<typeof inShort>;
/** What makes corrections answers with them alone, or beside other words. A test may have shortened them already. */
type Found = Correction | Correction[] | Short | { corrections?: Correction[] } | { correction: Correction } | undefined;

/** Marks a correction that no mirror tries. */
export const NO_MIRROR = ', not in a mirror';
/** The only correction, which helps in most cases. */
export const likely = (changes: Record<string, unknown>, mark: '' | typeof NO_MIRROR = ''): Short => [[`likely${mark}`, changes]];
/** The only correction, which may not help. */
export const guess = (changes: Record<string, unknown>, mark: '' | typeof NO_MIRROR = ''): Short => [[`guess${mark}`, changes]];

/** Corrections in short; those that no mirror tries are marked. */
export function inShortMarked(corrections: readonly Correction[] | undefined): Short {
  const all = corrections ?? [];
  for (const one of all) checkTexts(one);
  return inShort(all).map(([confidence, changes], index) => [all[index]?.mirrorable ? confidence : `${confidence}${NO_MIRROR}`, changes]);
}

/** Each text says something, and nothing in it is a value that was not there. Each change changes something. */
function checkTexts({ title, explanation, changes }: Correction): void {
  const texts = [title, explanation, ...changes.map(({ why }) => why)];
  const odd = texts.filter(
    (text) => text === '' || text.trim() !== text || /\bundefined\b|\bNaN\b|\[object |``|(?<!dev.)\bnull\b/.test(text),
  );
  assert.equal(odd, [], title);
  assert.match(title, /^[A-Z`].*[^.]$/);
  assert.match(explanation, /[.)]$/);
  assert.ok(changes.length > 0, title);
  assert.equal(
    changes.filter(({ from, to }) => isDeepStrictEqual(from, to)),
    [],
    title,
  );
}

/** Defines tests from tables of corrections: those that are made, and those that are expected. */
export function correctionRows(test: ReturnType<typeof suite>) {
  return (what: string, table: Record<string, [found: Found, expected: Short]>): void => {
    for (const [sentence, [found, expected]] of Object.entries(table))
      test(`${what}: ${sentence}`, () => assert.equal(isShort(found) ? found : inShortMarked(listOf(found)), expected));
  };
}

const isShort = (found: Found): found is Short => Array.isArray(found) && Array.isArray(found[0]);

function listOf(found: Exclude<Found, Short>): Correction[] {
  if (found === undefined || Array.isArray(found)) return found ?? [];
  if ('title' in found) return [found];
  return 'correction' in found ? [found.correction] : (found.corrections ?? []);
}

/** Variables of a container, by their names. */
export const env = (all: Record<string, string>) => ({ env: Object.entries(all).map(([name, value]) => ({ name, value })) });

/** What a correction says: its title, its explanation and the reason of each change. */
export const inWords = (one: Correction | undefined): (string | undefined)[] => [
  one?.title,
  one?.explanation,
  ...(one?.changes.map(({ why }) => why) ?? []),
];

import type { Confidence } from '../../../../../src/contract/mirror.ts';
import type { Diagnosis } from '../../../../../src/diagnosis/diagnose.ts';
import type { Documented, Expectation } from '../documented.ts';

/** What the diagnosis must say about a failing object, and its first correction. */
export interface Cure extends Omit<Expectation, 'fix'> {
  /** Exactly the paths and values of the first correction. Null: no change to the manifest helps. */
  best: Changes | null;
  /** The confidences that the first correction may have. */
  confidence?: Confidence[];
  /** The pattern must occur in the summary, the advice or the titles. */
  says?: RegExp;
}

/** An expected value, a pattern for a text, or a function that returns true for the right value. */
export type Changes = Record<string, unknown>;

/** One case: a recording, and the right answer. */
export interface CureRow extends Omit<Documented, 'is' | 'page'> {
  is: Cure | 'healthy';
}

/** Whether the first correction makes exactly the expected changes. */
export function isBest({ corrections }: Diagnosis, best: Changes | null): boolean {
  const [first] = corrections;
  if (best === null || !first) return best === null && !first;
  const made = new Map(first.changes.map(({ path, to }) => [path, to]));
  return (
    made.size === Object.keys(best).length &&
    Object.entries(best).every(([path, wanted]) => made.has(path) && isValue(made.get(path), wanted))
  );
}

/** Everything that a person reads before the commands. */
export function wordsOf({ summary, advice, evidence, corrections, noCorrection }: Diagnosis): string {
  return [
    summary,
    ...advice,
    ...evidence,
    ...corrections.flatMap(({ title, explanation }) => [title, explanation]),
    noCorrection?.why ?? '',
  ].join('\n');
}

function isValue(value: unknown, wanted: unknown): boolean {
  if (wanted instanceof RegExp) return typeof value === 'string' && wanted.test(value);
  if (typeof wanted === 'function') return (wanted as (value: unknown) => boolean)(value);
  return JSON.stringify(value) === JSON.stringify(wanted);
}

import type { Confidence } from '../../../../../src/contract/mirror.ts';
import type { Diagnosis } from '../../../../../src/diagnosis/diagnose.ts';
import type { Documented, Expectation } from '../documented.ts';

/** What must be said of a failing object, with its first correction. */
export interface Cure extends Omit<Expectation, 'fix'> {
  /** Path and value of each change of the first correction, nothing more and nothing less; null: no change to the manifest cures it. */
  best: Changes | null;
  /** The confidences that the first correction may have. */
  confidence?: Confidence[];
  /** Occurs in the summary, the advice or the titles. */
  says?: RegExp;
}

/** A value, a pattern for a text, or a question that its value answers with true. */
export type Changes = Record<string, unknown>;

/** One case: a recording, and what is right. */
export interface CureRow extends Omit<Documented, 'is' | 'page'> {
  is: Cure | 'healthy';
}

/** Whether the first correction changes exactly what it should. */
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

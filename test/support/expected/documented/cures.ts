import type { Confidence } from '../../../../src/contract/mirror.ts';
import type { Diagnosis } from '../../../../src/diagnosis/diagnose.ts';
import { CLUSTER_CURES } from './cures-cluster.ts';
import { HEALTHY_CURES } from './cures-healthy.ts';
import { PROGRAM_CURES } from './cures-program.ts';
import { VALUE_CURES } from './cures-values.ts';
import { SECOND_CURES } from './cures-second.ts';
import { THIRD_CURES } from './cures-third.ts';
import { FOURTH_CURES } from './cures-fourth.ts';
import { FIFTH_CURES } from './cures-fifth.ts';
import { SIXTH_CURES } from './cures-sixth.ts';
import type { Documented, Expectation } from './documented.ts';

// Cases with the whole first correction that is right, written before the rules were run on them: from incidents, the documentation
// and troubleshooting exercises, in own words.

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

/** All of them by their sentence. */
export const CURES = [
  ...Object.entries(CLUSTER_CURES),
  ...Object.entries(PROGRAM_CURES),
  ...Object.entries(HEALTHY_CURES),
  ...Object.entries(SECOND_CURES),
  ...Object.entries(VALUE_CURES),
  ...Object.entries(THIRD_CURES),
  ...Object.entries(FOURTH_CURES),
  ...Object.entries(FIFTH_CURES),
  ...Object.entries(SIXTH_CURES),
];

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

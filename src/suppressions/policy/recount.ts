/** Counts in a status change at most this often, and so records are read no more often for them. */
export const COUNT_MS = 5 * 60_000;

/** The count that was made for one Suppression is good for all: with many of them the records are read no more often than this. */
const SHARED_MS = 60_000;

/** A Suppression, and how it was when the Suppressions were last applied to the stored records. */
export interface RecordsView {
  /** Stands for the Suppression and its effect now; undefined for one that is gone. */
  fingerprint: string | undefined;
  /** When its records were last counted, and the fingerprint that it had then. */
  counted: { fingerprint: string; at: Date } | undefined;
  /** When all Suppressions were last applied, and this one's fingerprint then: undefined when it was not there. */
  applied: { at: Date; fingerprint: string | undefined } | undefined;
  now: Date;
}

/** `apply` all Suppressions to the records; take the `count` from when they were last applied; `keep` the count that is there. */
export type RecordsDecision = 'apply' | 'count' | 'keep';

export function decideRecords({ fingerprint, counted, applied, now }: RecordsView): RecordsDecision {
  if (fingerprint === undefined) return applied && applied.fingerprint === undefined ? 'keep' : 'apply';
  if (counted?.fingerprint === fingerprint && isFresh(counted.at, COUNT_MS, now)) return 'keep';
  return applied?.fingerprint === fingerprint && isFresh(applied.at, SHARED_MS, now) ? 'count' : 'apply';
}

/** A time in the future is from before the clock was set back. */
function isFresh(at: Date, forMs: number, now: Date): boolean {
  return now >= at && now.getTime() - at.getTime() < forMs;
}

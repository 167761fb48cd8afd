/** Counts in a status change at most this often, so that records are not read more often for them. */
export const COUNT_MS = 5 * 60_000;

/** A count that was made for one Suppression serves all of them, so that many Suppressions do not read the records more often than this. */
const SHARED_MS = 60_000;

/** A Suppression, and its state when the Suppressions were last applied to the stored records. */
export interface RecordsView {
  /** Identifies the state of the Suppression and its effect now; undefined when it is gone. */
  fingerprint: string | undefined;
  /** When its records were last counted, and the fingerprint that it had then. */
  counted: { fingerprint: string; at: Date } | undefined;
  /** When all Suppressions were last applied, and this one's fingerprint at that time; undefined when it did not exist. */
  applied: { at: Date; fingerprint: string | undefined } | undefined;
  now: Date;
}

/** `apply` all Suppressions to the records; use the `count` of the last time that they were applied; or `keep` the present count. */
export type RecordsDecision = 'apply' | 'count' | 'keep';

export function decideRecords({ fingerprint, counted, applied, now }: RecordsView): RecordsDecision {
  if (fingerprint === undefined) return applied && applied.fingerprint === undefined ? 'keep' : 'apply';
  if (counted?.fingerprint === fingerprint && isFresh(counted.at, COUNT_MS, now)) return 'keep';
  return applied?.fingerprint === fingerprint && isFresh(applied.at, SHARED_MS, now) ? 'count' : 'apply';
}

/** A time in the future was recorded before the clock was set back. */
function isFresh(at: Date, forMs: number, now: Date): boolean {
  return now >= at && now.getTime() - at.getTime() < forMs;
}

import type { VerdictCase } from './case.ts';
import { ALL } from './cases/all.ts';

/** The TTL of a mirror in the short form, unless its case sets one. */
export const SHORT_TTL_SECONDS = 100;
/** How much of this TTL must be left on a sandbox when the truth shows. A busy node starts pods that much later. */
export const SPARE_SECONDS = 25;
/** How long a source of the short form may run before its mirror is created. */
const SHORT_SOURCE_SECONDS = 30;

/** All cases that a real kubelet can run. */
export function longForm(): VerdictCase[] {
  return ALL.filter(({ on }) => on !== 'sandbox');
}

/** The cases that a real kubelet can run in two minutes, with short-lived mirrors. */
export function shortForm(): VerdictCase[] {
  return longForm()
    .filter((one) => !one.needsLongMirror && (one.sourceSeconds ?? 0) <= SHORT_SOURCE_SECONDS)
    .filter(({ ttlSeconds = 0 }) => ttlSeconds <= SHORT_TTL_SECONDS)
    .map((one) => ({ ttlSeconds: SHORT_TTL_SECONDS, ...one }));
}

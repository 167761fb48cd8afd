import { isDeepStrictEqual } from 'node:util';
import type { Change, Trial } from '../contract/failure.ts';
import type { Candidate } from '../contract/mirror.ts';
import { MAX_CHANGES } from './changes.ts';

/** What a mirror has shown of a failure, as far as it counts here. */
export type Tried = Pick<Trial, 'verdict' | 'changes' | 'reason_after'>;

/** The trial that showed this very correction to fail. Inconclusive ones, and those still under way, show nothing. */
function refutation({ changes }: Pick<Candidate, 'changes'>, trials: readonly Tried[]): Tried | undefined {
  const effect = effectOf(changes);
  return trials.findLast(({ verdict, changes: tried }) => verdict === 'StillFailing' && isDeepStrictEqual(effectOf(tried), effect));
}

/** The order counts, the reasons do not. A trial keeps no more changes than its MirrorPod's status holds, and no absent values. */
function effectOf(changes: readonly Change[]): unknown[] {
  return changes.slice(0, MAX_CHANGES).map(({ path, from, to }) => [path, from ?? null, to ?? null]);
}

/** What no mirror has refuted comes first, each part best first; what one has says so. */
export function untriedFirst(candidates: readonly Candidate[], trials: readonly Tried[]): Candidate[] {
  const seen = candidates.map((candidate) => ({ candidate, trial: refutation(candidate, trials) }));
  const refuted = seen.flatMap(({ candidate, trial }) => {
    if (!trial) return [];
    const still = trial.reason_after ? ` (${trial.reason_after})` : '';
    return [{ ...candidate, explanation: `A mirror has tried this and was still failing${still}. ${candidate.explanation}` }];
  });
  return [...seen.flatMap(({ candidate, trial }) => (trial ? [] : [candidate])), ...refuted];
}

/** The best that a mirror may run and none has refuted. */
export function nextCandidate(candidates: readonly Candidate[], trials: readonly Tried[]): Candidate | undefined {
  return candidates.find((candidate) => candidate.mirrorable && !refutation(candidate, trials));
}

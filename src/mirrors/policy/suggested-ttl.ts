import { MIRROR_TTL } from '../../contract/mirror-ttl.ts';
import type { Pod, PodSpec } from '../../crd/kubernetes.ts';
import { millis } from '../../failures/detect/view.ts';
import { lasting, observationWindow, secondsToKill, type SourceHistory } from './observation-window.ts';

/** The assumed time that a pod takes to start if it is not known. */
const START_SECONDS = 15;

/**
 * The TTL that covers the start, the observation window and a margin of a fifth, in seconds; at most the longest TTL. `pod` is the live
 * source: the duration of its init containers shows how long a start takes.
 */
export function suggestedTtlSeconds({ spec, history, pod }: { spec: PodSpec; history: SourceHistory; pod?: Pod }): number {
  const { seconds } = observationWindow({ spec, history });
  return Math.min(MIRROR_TTL.max, ttlFor({ startSeconds: START_SECONDS + initSeconds(pod) + delaySeconds(spec), windowSeconds: seconds }));
}

/**
 * The TTL that covers the start, the window and a margin of a fifth. It is a multiple of 10 s and never below the minimum TTL. It may
 * exceed the maximum TTL.
 */
export function ttlFor({ startSeconds, windowSeconds }: { startSeconds: number; windowSeconds: number }): number {
  return Math.max(MIRROR_TTL.min, Math.ceil(((Math.max(0, startSeconds) + windowSeconds) * 1.2) / 10) * 10);
}

/** The total duration of those init containers of the source that ended with 0. */
function initSeconds(pod: Pod | undefined): number {
  const runs = (pod?.status?.initContainerStatuses ?? []).flatMap(({ state }) =>
    state?.terminated?.exitCode === 0 ? [state.terminated] : [],
  );
  return runs.reduce(
    (sum, { startedAt, finishedAt }) => sum + Math.max(0, ((millis(finishedAt) ?? 0) - (millis(startedAt) ?? Infinity)) / 1000),
    0,
  );
}

/** Seconds until a container can be Ready: until its first probe can succeed, and a slow start may use the whole time of its startup probe. */
function delaySeconds(spec: PodSpec): number {
  const delays = lasting(spec).map(
    ({ readinessProbe, startupProbe }) => (readinessProbe?.initialDelaySeconds ?? 0) + (startupProbe ? secondsToKill(startupProbe) : 0),
  );
  return Math.max(0, ...delays);
}

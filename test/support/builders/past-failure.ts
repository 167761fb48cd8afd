import type { FailureHistory, ImageRevision, PastFailure } from '../../../src/contract/failure-history.ts';

const DAY_MS = 86_400_000;
/** The time from which the detectors look back. */
export const LOOKED_AT = new Date('2026-05-29T12:00:00Z');

/** `ago(2)` is two days before `LOOKED_AT`, `ago(1, 3)` is a day and three hours before it. */
export function ago(days: number, hours = 0): Date {
  return new Date(LOOKED_AT.getTime() - (days + hours / 24) * DAY_MS);
}

/** A failure of Deployment `web`: its container crashed once and soon recovered. */
export function aCrash(at: Date | string, over: Partial<PastFailure> = {}): PastFailure {
  const first_at = new Date(at);
  const last_at = new Date(first_at.getTime() + 60_000);
  const pod = { kind: 'Deployment', name: 'web', container: 'app', pod: 'uid-1', pod_name: 'web-1', node: 'a', images: ['web:2'] };
  return {
    ...{ ...pod, family: 'crash', reason: 'OOMKilled', occurrences: 1, first_at, last_at, ends: [first_at], is_whole: true },
    ...over,
  };
}

/** A pod whose container crashed every `everyMinutes` for `days`. */
export function aCrashLoop(from: Date, days: number, everyMinutes: number, over: Partial<PastFailure> = {}): PastFailure {
  const count = Math.floor((days * 1440) / everyMinutes);
  const ends = Array.from({ length: count }, (_, index) => new Date(from.getTime() + index * everyMinutes * 60_000));
  return aCrash(from, { ends, occurrences: count, last_at: ends.at(-1) ?? from, ...over });
}

/** The images of a template between two days, which count back from now. The template is seen every hour. */
export function aRevision(image: string, fromDaysAgo: number, toDaysAgo = 0, over: Partial<ImageRevision> = {}): ImageRevision {
  return { kind: 'Deployment', name: 'web', images: [image], since: ago(fromDaysAgo), seen_at: ago(toDaysAgo), ...over };
}

/** The stored history of these failures. The workload has been watched for 28 days unless the test says otherwise. */
export function aHistory(failures: PastFailure[], { revisions = [aRevision('web:2', 28)], since = ago(28) } = {}): FailureHistory {
  return { since, failures, revisions };
}

import type { PastFailure } from '../../contract/failure-history.ts';
import { about, type Detector, type DetectorResult } from './detector.ts';
import { atLeast, DAY_MS, distinct, MINUTE_MS, type Past, pastOf } from './past.ts';
import { autoscalerOf, type View } from './view.ts';

/** How many equal periods are compared, and how long one may be. Full days, so that the sentence changes once a day. */
const WINDOWS = 4;
const LENGTHS_DAYS = [1, 3, 7];
/**
 * Laplace's trend test: restarts at a steady rate are, on average, in the middle of the time. A deviation of this many standard deviations
 * has a chance of 1 in 1,400.
 */
const LEAST_DEVIATION = 3.2;
/** Restarts that follow each other faster are one crash loop, which counts as a failure. */
const LOOP_MS = 30 * MINUTE_MS;

interface Growth {
  container: string;
  days: number;
  counts: number[];
  failures: PastFailure[];
}

/** Containers that restart more often in each period than in the one before. */
export const restartsGrowing: Detector = {
  id: 'restarts-growing',
  title: 'Containers restart more and more often',
  category: 'reliability',
  severity: 'medium',
  requires: ['Deployment', 'StatefulSet', 'DaemonSet', 'HorizontalPodAutoscaler'],
  historyDays: WINDOWS,
  why: 'Each restart alone looks like bad luck. A rate that keeps growing has a cause that grows: a leak, data that no longer fits, a dependency that gets slower. In the end, the container is in a crash loop.',
  run(view, now) {
    const servers = view.servers.filter((server) => !autoscalerOf(view, server));
    return pastOf(view, servers, { days: WINDOWS, now }).flatMap((past) => resultsOf(view, past, now));
  },
};

function resultsOf(view: View, past: Past, now: Date): DetectorResult[] {
  const byContainer = Map.groupBy(past.failures, ({ container }) => container ?? '');
  const grown = [...byContainer].flatMap(([container, failures]) => growthOf(past, container, failures, now) ?? []);
  const [most] = grown.toSorted((one, other) => (other.counts.at(-1) ?? 0) - (one.counts.at(-1) ?? 0));
  return most ? [resultOf(view, past, most)] : [];
}

function growthOf({ since }: Past, container: string, failures: PastFailure[], now: Date): Growth | undefined {
  const end = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  for (const days of LENGTHS_DAYS) {
    const begin = end - WINDOWS * days * DAY_MS;
    if (begin < since.getTime() || failures.some((one) => hidesRuns(one, begin, end))) continue;
    const restarts = restartsOf(failures).filter(({ at }) => at >= begin && at < end);
    const windowOf = (at: number) => Math.floor((at - begin) / (days * DAY_MS));
    const windows = Array.from({ length: WINDOWS }, (_, index) => restarts.filter(({ at }) => windowOf(at) === index));
    if (isGrowing(windows) && deviationOf(restarts, begin, end) >= LEAST_DEVIATION)
      return { container, days, counts: windows.map(({ length }) => length), failures };
  }
  return undefined;
}

interface Restart {
  at: number;
  pod: string;
}

function restartsOf(failures: PastFailure[]): Restart[] {
  return [...Map.groupBy(failures, ({ pod }) => pod)].flatMap(([pod, records]) => {
    const ends = records.flatMap((record) => record.ends.map((end) => end.getTime())).toSorted((one, other) => one - other);
    return ends.flatMap((at, index) => (at - (ends[index - 1] ?? -Infinity) >= LOOP_MS ? [{ at, pod }] : []));
  });
}

/** Whether it failed during a part of this time, but the number of runs is no longer known. */
function hidesRuns({ is_whole, first_at, ends }: PastFailure, begin: number, end: number): boolean {
  return !is_whole && first_at.getTime() < end && (ends[0]?.getTime() ?? Infinity) > begin;
}

/** More restarts in each period than before, and at least twice as many for each pod, because new replicas alone are not growth. */
function isGrowing(windows: Restart[][]): boolean {
  const more = windows.every((one, index) => index === 0 || one.length > (windows[index - 1]?.length ?? 0));
  const perPod = windows.filter(({ length }) => length > 0).map((one) => one.length / new Set(one.map(({ pod }) => pod)).size);
  return more && (perPod.at(-1) ?? 0) >= 2 * (perPod[0] ?? Infinity);
}

function deviationOf(restarts: Restart[], begin: number, end: number): number {
  const mean = restarts.reduce((sum, { at }) => sum + (at - begin) / (end - begin), 0) / restarts.length;
  return (mean - 0.5) * Math.sqrt(12 * restarts.length);
}

function resultOf({ namespace }: View, { subject }: Past, { container, days, counts, failures }: Growth): DetectorResult {
  const { kind, name } = subject;
  const last = failures.toSorted((one, other) => one.last_at.getTime() - other.last_at.getTime()).at(-1);
  const length = days === 1 ? 'day' : `${days} full days`;
  const logs = `kubectl logs -n ${namespace} ${last?.pod_name ?? 'POD'}${container ? ` -c ${container}` : ''} --previous`;
  return about(subject, {
    summary: `Container ${container} of ${kind} ${name} restarts more and more often: at least ${atLeast(counts.at(-1) ?? 0)} times in the last ${days === 1 ? 'full day' : length}.`,
    evidence: {
      container,
      restarts: counts,
      days_each: days,
      reasons: distinct(failures.map(({ reason }) => reason)),
      nodes: distinct(failures.flatMap(({ node }) => node ?? [])),
      last_pod: last?.pod_name ?? null,
    },
    change:
      last?.reason === 'OOMKilled'
        ? `Its memory grows until it is killed, sooner each time. Find out what keeps the memory: compare its memory with its load and its data. A higher limit only buys time.`
        : `Find out what grows: read the last lines before a restart (\`${logs}\`), and compare the rate with its data, its queue and the response times of the services that it calls.`,
  });
}

import type { FailureHistory, PastFailure } from '../../contract/failure-history.ts';
import { maskImage } from '../../redact/image.ts';
import type { Subject, View } from './view.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A workload with what is known about its failures. */
export interface Past {
  subject: Subject;
  /** From this time on, all of its failures are known. */
  since: Date;
  /** Without failures before `since`, and without failures in the future (a clock was changed). */
  failures: PastFailure[];
}

/** The failures of those workloads that have been watched for at least this many days. */
export function pastOf({ history }: Pick<View, 'history'>, subjects: Subject[], { days, now }: { days: number; now: Date }): Past[] {
  if (!history) return [];
  const byOwner = Map.groupBy(history.failures, ownerOf);
  return subjects.flatMap((subject) => {
    const since = knownSince(history, subject);
    if (!since || now.getTime() - since.getTime() < days * DAY_MS) return [];
    const failures = (byOwner.get(ownerOf(subject)) ?? []).filter(({ first_at, last_at }) => first_at <= now && last_at >= since);
    return failures.length > 0 ? [{ subject, since, failures }] : [];
  });
}

/** Since when a workload is watched; undefined if it has not been examined yet. */
export function knownSince({ since, revisions }: FailureHistory, subject: Pick<Subject, 'kind' | 'name'>): Date | undefined {
  const first = revisions.find((one) => ownerOf(one) === ownerOf(subject));
  return first && new Date(Math.max(since.getTime(), first.since.getTime()));
}

/** The images in a template, in order, in the form of stored failures and revisions. */
export function templateImages({ spec }: Pick<Subject, 'spec'>): string[] {
  return distinct([...(spec.initContainers ?? []), ...spec.containers].flatMap(({ image }) => (image ? [maskImage(image)] : [])));
}

/** `Deployment/web`: equal for a workload and for its stored failures. */
export function ownerOf({ kind, name }: { kind: string; name: string }): string {
  return `${kind}/${name}`;
}

/**
 * When the workload began to fail, oldest first. Failures during one trouble, or within `quietMs` after it, belong to it. So a crash loop
 * that lasts for days counts once, and so do replicas that fail together.
 */
export function onsetsOf(failures: PastFailure[], { since, now, quietMs }: { since: Date; now: Date; quietMs: number }): Date[] {
  const spans = failures.flatMap(spansOf).filter(([from]) => from <= now.getTime());
  const onsets: Date[] = [];
  let quietFrom = -Infinity;
  for (const [from, to] of spans.toSorted(([one], [other]) => one - other)) {
    if (from - quietFrom > quietMs && from >= since.getTime()) onsets.push(new Date(from));
    quietFrom = Math.max(quietFrom, to);
  }
  return onsets;
}

/** When the runs of a record failed. If not all runs are known, the whole time in which the record was seen failing. */
function spansOf({ first_at, last_at, ends, is_whole }: PastFailure): [from: number, to: number][] {
  const first = first_at.getTime();
  if (!is_whole || ends.length === 0) return [[first, last_at.getTime()]];
  // A record begins a moment after its run has ended.
  const began = Math.min(first, ends[0]?.getTime() ?? first);
  return [[began, first], ...ends.map((end): [number, number] => [end.getTime(), end.getTime()])];
}

/** The largest power of two that is not above the count, so that sentences with it change seldom. */
export function atLeast(count: number): number {
  return 2 ** Math.floor(Math.log2(Math.max(1, count)));
}

/** The chance that `least` or more of `count` independent events happen, each with this chance. */
export function chanceOfAtLeast(least: number, count: number, chance: number): number {
  let [sum, term] = [0, (1 - chance) ** count];
  for (let hits = 0; hits <= count; hits++) {
    if (hits >= least) sum += term;
    term *= ((count - hits) / (hits + 1)) * (chance / (1 - chance));
  }
  return Math.min(1, sum);
}

/** Smaller chances are not told apart. */
const MOST_TIMES = 1_000_000_000;

/** A chance as the evidence shows it: `1 in 5,000`, rounded down to one digit. */
export function oddsOf(chance: number): string {
  // A division may give a little less than a whole number.
  const times = Math.floor(Math.min(1 / chance, MOST_TIMES) + 1e-6);
  const digit = 10 ** (String(times).length - 1);
  return `1 in ${(Math.floor(times / digit) * digit).toLocaleString('en-US')}`;
}

/** The newest times as the evidence shows them, oldest first. */
export function shownTimes(times: readonly Date[]): string[] {
  return times.slice(-10).map((at) => at.toISOString().replace(/\.\d+Z$/, 'Z'));
}

/** Each once, in order. */
export function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted();
}

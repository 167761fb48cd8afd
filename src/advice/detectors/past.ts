import type { FailureHistory, PastFailure } from '../../contract/failure-history.ts';
import { maskImage } from '../../redact/image.ts';
import type { Subject, View } from './view.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A workload with what is known of its failures. */
export interface Past {
  subject: Subject;
  /** From then on all of its failures are known. */
  since: Date;
  /** None from before, and none from the future (a clock was set). */
  failures: PastFailure[];
}

/** The failures of those workloads that were watched for at least so many days. */
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

/** Since when a workload is watched; undefined for one that was not looked at yet. */
export function knownSince({ since, revisions }: FailureHistory, subject: Pick<Subject, 'kind' | 'name'>): Date | undefined {
  const first = revisions.find((one) => ownerOf(one) === ownerOf(subject));
  return first && new Date(Math.max(since.getTime(), first.since.getTime()));
}

/** The images that a template names, in order, as failures and their history have them. */
export function templateImages({ spec }: Pick<Subject, 'spec'>): string[] {
  return distinct([...(spec.initContainers ?? []), ...spec.containers].flatMap(({ image }) => (image ? [maskImage(image)] : [])));
}

/** `Deployment/web`: equal for a workload and for what is stored of it. */
export function ownerOf({ kind, name }: { kind: string; name: string }): string {
  return `${kind}/${name}`;
}

/**
 * When failing began, oldest first: what follows while it lasts, or within `quietMs` after it, is the same trouble. So a crash loop of days
 * counts once, and so do the replicas that fail together.
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

/** When a record's runs failed. If not all runs are known, the whole time in which it was seen failing. */
function spansOf({ first_at, last_at, ends, is_whole }: PastFailure): [from: number, to: number][] {
  const first = first_at.getTime();
  if (!is_whole || ends.length === 0) return [[first, last_at.getTime()]];
  // A record begins a moment after the run that it tells of has ended.
  const began = Math.min(first, ends[0]?.getTime() ?? first);
  return [[began, first], ...ends.map((end): [number, number] => [end.getTime(), end.getTime()])];
}

/** The largest power of two that is not above the count: what is said changes seldom. */
export function atLeast(count: number): number {
  return 2 ** Math.floor(Math.log2(Math.max(1, count)));
}

/** How likely `least` or more of `count` independent events are of a kind that each is with this chance. */
export function chanceOfAtLeast(least: number, count: number, chance: number): number {
  let [sum, term] = [0, (1 - chance) ** count];
  for (let hits = 0; hits <= count; hits++) {
    if (hits >= least) sum += term;
    term *= ((count - hits) / (hits + 1)) * (chance / (1 - chance));
  }
  return Math.min(1, sum);
}

/** A chance as evidence shows it: `1 in 5,000`, rounded down to one digit. */
export function oddsOf(chance: number): string {
  const times = 1 / Math.max(chance, 1e-9);
  const digit = 10 ** Math.floor(Math.log10(times));
  return `1 in ${(Math.floor(times / digit) * digit).toLocaleString('en-US')}`;
}

/** The newest times as evidence shows them, oldest first. */
export function shownTimes(times: readonly Date[]): string[] {
  return times.slice(-10).map((at) => at.toISOString().replace(/\.\d+Z$/, 'Z'));
}

/** Each once, in order. */
export function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted();
}

import { about, type Detector, type DetectorResult } from './detector.ts';
import { runsDailyIn } from './cron-hours.ts';
import { atLeast, chanceOfAtLeast, DAY_MS, distinct, HOUR_MS, MINUTE_MS, oddsOf, onsetsOf, type Past, pastOf, shownTimes } from './past.ts';
import type { View } from './view.ts';

const LEAST_DAYS = 4;
/** At least this share of all failures must be in that hour. */
const LEAST_SHARE = 0.6;
/**
 * Independent times fall into one hour of the day with a chance of 1/24 each. The fullest hour was picked, so the chance counts once for
 * each time. Four of four pass (1 in 3,400), five of eight do not.
 */
const MOST_CHANCE = 0.0005;
const QUIET_MS = 2 * HOUR_MS;

/** Workloads that fail in the same hour of different days. */
export const failuresAtSameHour: Detector = {
  id: 'failures-at-same-hour',
  title: 'Pods fail at the same hour of the day',
  category: 'reliability',
  severity: 'medium',
  requires: ['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob'],
  historyDays: LEAST_DAYS - 1,
  why: 'Failures at the same hour have a cause at that hour: a backup, a batch run, a rotation of logs or certificates, a peak of users. They come back at that hour until somebody moves or fixes the cause.',
  run(view, now) {
    return pastOf(view, view.servers, { days: LEAST_DAYS - 1, now }).flatMap((past) => resultOf(view, past, now));
  },
};

function resultOf(view: View, { subject, since, failures }: Past, now: Date): DetectorResult[] {
  const onsets = onsetsOf(failures, { since, now, quietMs: QUIET_MS });
  const hits = fullestHour(onsets);
  const chance = onsets.length * chanceOfAtLeast(hits.length - 1, onsets.length - 1, HOUR_MS / DAY_MS);
  if (hits.length < LEAST_DAYS || hits.length < LEAST_SHARE * onsets.length || chance > MOST_CHANCE || isOver(hits, now)) return [];
  const middle = hourOf(hits);
  const runs = view.cronJobs.filter((job) => runsDailyIn(job, middle)).map(({ metadata }) => metadata.name ?? '');
  const { kind, name } = subject;
  return [
    about(subject, {
      summary: `${kind} ${name} mostly fails about ${middle} UTC, on at least ${atLeast(hits.length)} days.`,
      evidence: {
        about_utc: middle,
        times: shownTimes(hits),
        at_other_times: onsets.length - hits.length,
        by_chance: oddsOf(chance),
        reasons: distinct(failures.map(({ reason }) => reason)),
        nodes: distinct(failures.flatMap(({ node }) => node ?? [])),
        cron_jobs_then: runs,
      },
      change:
        runs.length > 0
          ? `Check how CronJob ${runs.join(', ')} affects ${kind} ${name} at about ${middle} UTC: change its schedule, or provide enough resources for both at the same time.`
          : `Find out what happens at about ${middle} UTC: CronJobs of other namespaces, backups, rotations, a peak of users. Move it to another time, or give ${kind} ${name} the resources that it needs at that hour.`,
    }),
  ];
}

/** The onsets in the hour of the day that has most. `onsetsOf` leaves at most one onset of each day in it. */
function fullestHour(onsets: Date[]): Date[] {
  const within = (begin: Date) => onsets.filter((at) => (((at.getTime() - begin.getTime()) % DAY_MS) + DAY_MS) % DAY_MS < HOUR_MS);
  return onsets.map(within).reduce((most, one) => (one.length > most.length ? one : most), []);
}

/** Whether nothing has happened for twice as long as the longest pause. */
function isOver(hits: Date[], now: Date): boolean {
  const pauses = hits.slice(1).map((at, index) => at.getTime() - (hits[index]?.getTime() ?? 0));
  return now.getTime() - (hits.at(-1)?.getTime() ?? 0) > 2 * Math.max(DAY_MS, ...pauses);
}

/** The middle of times within one hour of the day, rounded to the half hour: `03:00`. */
function hourOf(hits: Date[]): string {
  const first = hits[0]?.getTime() ?? 0;
  const offsets = hits.map((at) => ((((at.getTime() - first) % DAY_MS) + 1.5 * DAY_MS) % DAY_MS) - DAY_MS / 2);
  const middle = first + (Math.min(...offsets) + Math.max(...offsets)) / 2;
  return new Date(Math.round(middle / (30 * MINUTE_MS)) * 30 * MINUTE_MS).toISOString().slice(11, 16);
}

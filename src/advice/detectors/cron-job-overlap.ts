import { about, type Detector } from './detector.ts';
import type { CronJob } from './objects.ts';

/** CronJobs with several runs at once. */
export const cronJobOverlap: Detector = {
  id: 'cron-job-overlap',
  title: 'Runs of a CronJob overlap',
  category: 'reliability',
  severity: 'medium',
  requires: ['CronJob'],
  why: 'A run has not finished when the next one begins. With `concurrencyPolicy: Allow`, runs pile up, slow each other down, and work on the same data.',
  run: ({ workloads }) =>
    workloads.flatMap((subject) => {
      const { spec, status } = subject.object as CronJob;
      if (subject.kind !== 'CronJob' || (spec.concurrencyPolicy ?? 'Allow') !== 'Allow') return [];
      const active = status?.active?.length ?? 0;
      if (active < 2) return [];
      return about(subject, {
        summary: `${active} runs of CronJob ${subject.name} (${spec.schedule}) are under way at once.`,
        evidence: { active, schedule: spec.schedule, concurrency_policy: 'Allow' },
        change:
          'Set `concurrencyPolicy: Forbid` (the next run is skipped) or `Replace` (the running one is ended), and give its Jobs an `activeDeadlineSeconds`.',
      });
    }),
};

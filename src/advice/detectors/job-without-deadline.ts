import { about, type Detector, yaml } from './detector.ts';
import type { CronJob, Job } from './objects.ts';

/** Jobs that may run or retry for ever. */
export const jobWithoutDeadline: Detector = {
  id: 'job-without-deadline',
  title: 'A Job has no deadline',
  category: 'reliability',
  severity: 'low',
  requires: ['Job', 'CronJob'],
  why: 'A Job that hangs runs until somebody notices. If it belongs to a CronJob, later runs pile up or are skipped.',
  run: ({ workloads }) =>
    workloads.flatMap((subject) => {
      if (subject.kind !== 'Job' && subject.kind !== 'CronJob') return [];
      const { activeDeadlineSeconds, backoffLimit = 6 } =
        subject.kind === 'Job' ? (subject.object as Job).spec : (subject.object as CronJob).spec.jobTemplate.spec;
      // A deadline of the pod bounds each attempt.
      if ((activeDeadlineSeconds ?? subject.spec.activeDeadlineSeconds) !== undefined) return [];
      return about(subject, {
        summary: `${subject.kind} ${subject.name} may run for ever: no activeDeadlineSeconds, and a backoffLimit of ${backoffLimit}.`,
        evidence: { backoff_limit: backoffLimit, active_deadline_seconds: null },
        change: `Set a deadline of twice the time that a slow run takes:\n\n${yaml(subject.kind === 'Job' ? 'spec:\n  activeDeadlineSeconds: 3600\n  backoffLimit: 3' : 'spec:\n  jobTemplate:\n    spec:\n      activeDeadlineSeconds: 3600\n      backoffLimit: 3')}`,
      });
    }),
};

import type { Job } from './objects.ts';
import { about, type Detector, yaml } from './detector.ts';

/** Jobs that are kept for ever after they finish. */
export const jobWithoutTtl: Detector = {
  id: 'job-without-ttl',
  title: 'A finished Job is never deleted',
  category: 'lifecycle',
  severity: 'low',
  requires: ['Job'],
  why: 'A finished Job and its pods stay until somebody deletes them. Hundreds of them slow down every list and count against quotas.',
  run: ({ workloads }) =>
    workloads.flatMap((subject) => {
      const { spec, status } = subject.object as Job;
      if (subject.kind !== 'Job' || spec.ttlSecondsAfterFinished !== undefined) return [];
      const finished = status?.conditions?.find(({ type, status: is }) => (type === 'Complete' || type === 'Failed') && is === 'True');
      return about(subject, {
        summary: `Job ${subject.name} has no ttlSecondsAfterFinished${finished ? `, and is ${finished.type === 'Complete' ? 'complete' : 'failed'}` : ''}.`,
        evidence: { finished: finished?.type ?? null, finished_at: finished?.lastTransitionTime ?? null },
        change: `Let the cluster delete it a day after it finishes:\n\n${yaml('spec:\n  ttlSecondsAfterFinished: 86400')}`,
      });
    }),
};

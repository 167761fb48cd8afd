import type { Detector } from './detector.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Pods that no controller would create again. */
export const barePod: Detector = {
  id: 'bare-pod',
  title: 'A pod has no controller',
  category: 'reliability',
  severity: 'low',
  requires: ['Pod'],
  why: 'When its node is drained or lost, such a pod is gone for good: nothing creates it again. `kubectl drain` even refuses to drain its node.',
  run: ({ pods }, now) =>
    pods.flatMap(({ metadata, spec, status }) => {
      const { name = '', labels = {}, ownerReferences = [], creationTimestamp = '' } = metadata;
      const age = now.getTime() - Date.parse(creationTimestamp);
      // A pod that runs for an hour may be an experiment that somebody will delete.
      if (ownerReferences.length > 0 || status?.phase !== 'Running' || !(age > DAY_MS)) return [];
      const days = Math.floor(age / DAY_MS);
      return [
        {
          kind: 'Pod',
          name,
          summary: `Pod ${name} has been running without a controller for more than a day.`,
          evidence: { days, node: spec.nodeName ?? null, restart_policy: spec.restartPolicy ?? 'Always' },
          change: 'Run it as a Deployment (one replica is enough), or as a Job if it is meant to end.',
          labels,
          images: spec.containers.flatMap(({ image }) => (image ? [image] : [])),
        },
      ];
    }),
};

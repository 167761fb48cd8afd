import type { Detector } from './detector.ts';

const KNOWN = ['Deployment', 'StatefulSet'];

/** Autoscalers whose target does not exist. */
export const autoscalerWithoutTarget: Detector = {
  id: 'autoscaler-without-target',
  title: 'An autoscaler’s target does not exist',
  category: 'scaling',
  severity: 'high',
  requires: ['HorizontalPodAutoscaler', 'Deployment', 'StatefulSet'],
  why: 'Somebody expects that a workload is scaled with its load, but nothing is scaled. Often the workload was renamed.',
  run: ({ autoscalers, workloads }) =>
    autoscalers.flatMap(({ metadata: { name = '' }, spec: { scaleTargetRef: target } }) => {
      if (!KNOWN.includes(target.kind) || workloads.some((one) => one.kind === target.kind && one.name === target.name)) return [];
      const there = workloads.filter(({ kind }) => kind === target.kind).map((one) => one.name);
      return [
        {
          kind: 'HorizontalPodAutoscaler',
          name,
          summary: `HorizontalPodAutoscaler ${name} scales ${target.kind} ${target.name}, which does not exist.`,
          evidence: { target: `${target.kind}/${target.name}`, existing: there.slice(0, 20), existing_count: there.length },
          change: 'Correct `spec.scaleTargetRef.name`, or delete the autoscaler.',
        },
      ];
    }),
};

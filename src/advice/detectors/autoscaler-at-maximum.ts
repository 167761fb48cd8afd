import type { Detector } from './detector.ts';

/** Autoscalers that need more replicas than their maximum allows. */
export const autoscalerAtMaximum: Detector = {
  id: 'autoscaler-at-maximum',
  title: 'An autoscaler is at its maximum',
  category: 'scaling',
  severity: 'medium',
  requires: ['HorizontalPodAutoscaler'],
  why: 'The workload needs more replicas than the maximum allows. From now on, more load means slower answers, and the autoscaler can do nothing about it.',
  run: ({ autoscalers }) =>
    autoscalers.flatMap(({ metadata: { name = '' }, spec, status }) => {
      const limited = status?.conditions?.find(({ type }) => type === 'ScalingLimited');
      if (limited?.status !== 'True' || limited.reason !== 'TooManyReplicas') return [];
      const { currentReplicas = 0, desiredReplicas = 0 } = status ?? {};
      const { kind, name: target } = spec.scaleTargetRef;
      return [
        {
          kind: 'HorizontalPodAutoscaler',
          name,
          summary: `HorizontalPodAutoscaler ${name} keeps ${kind} ${target} at its maximum of ${spec.maxReplicas} replicas, although the load needs more.`,
          evidence: { target: `${kind}/${target}`, current: currentReplicas, desired: desiredReplicas, maximum: spec.maxReplicas },
          change: `Raise \`maxReplicas\` above ${spec.maxReplicas} if the nodes and the services that the workload depends on can handle it, or let each replica handle more load.`,
        },
      ];
    }),
};

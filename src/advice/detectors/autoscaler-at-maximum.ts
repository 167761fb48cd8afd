import type { Detector } from './detector.ts';

/** Autoscalers that need more replicas than their maximum allows. */
export const autoscalerAtMaximum: Detector = {
  id: 'autoscaler-at-maximum',
  title: 'An autoscaler is at its maximum',
  category: 'scaling',
  severity: 'medium',
  requires: ['HorizontalPodAutoscaler'],
  why: 'The workload wants more replicas than it may have: from here on more load means slower answers, and nothing else will be done about it.',
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
          summary: `HorizontalPodAutoscaler ${name} holds ${kind} ${target} at its maximum of ${spec.maxReplicas}, though the load asks for more.`,
          evidence: { target: `${kind}/${target}`, current: currentReplicas, desired: desiredReplicas, maximum: spec.maxReplicas },
          change: `Raise \`maxReplicas\` above ${spec.maxReplicas} if nodes and what lies behind can carry it, or make each replica carry more.`,
        },
      ];
    }),
};

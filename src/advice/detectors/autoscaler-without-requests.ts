import type { Detector } from './detector.ts';
import { named } from './detector.ts';
import { lastingContainers } from './view.ts';

/** Autoscalers that compute utilization of requests that are not set. */
export const autoscalerWithoutRequests: Detector = {
  id: 'autoscaler-without-requests',
  title: 'An autoscaler needs resource requests that are missing',
  category: 'scaling',
  severity: 'high',
  requires: ['HorizontalPodAutoscaler', 'Deployment', 'StatefulSet'],
  why: 'Utilization is use divided by request. If one container of the pod has no request, the autoscaler cannot compute the utilization and does not scale.',
  run: ({ autoscalers, workloads }) =>
    autoscalers.flatMap(({ metadata: { name = '' }, spec }) => {
      const { kind, name: targetName } = spec.scaleTargetRef;
      const target = workloads.find((one) => one.kind === kind && one.name === targetName);
      if (!target) return [];
      const resources = (spec.metrics ?? [])
        .flatMap(({ resource }) => (resource?.target.type === 'Utilization' ? [resource.name] : []))
        .filter((resource) => resource === 'cpu' || resource === 'memory');
      const containers = lastingContainers(target.spec).flatMap(({ name: container, resources: { requests, limits } = {} }) => {
        const missing = resources.filter((resource) => (requests?.[resource] ?? limits?.[resource]) === undefined);
        return missing.length > 0 ? [{ name: container, missing }] : [];
      });
      if (containers.length === 0) return [];
      return [
        {
          kind: 'HorizontalPodAutoscaler',
          name,
          summary: `HorizontalPodAutoscaler ${name} scales ${kind} ${targetName} by ${named(resources)}, for which ${named(containers.map((one) => one.name))} has no request.`,
          evidence: { target: `${kind}/${targetName}`, metrics: resources, containers },
          change: `Give every container of ${kind} \`${targetName}\` a request for ${named(resources)}, including sidecars, or scale by a single container (\`type: ContainerResource\`).`,
          labels: target.labels,
        },
      ];
    }),
};

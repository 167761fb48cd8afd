import type { Pod } from '../../crd/kubernetes.ts';
import type { Detector } from './detector.ts';
import { isReady, leadsTo } from './view.ts';

/** New pods usually wait this long. */
const UNREADY_MS = 120_000;

/** Services that have pods, but none that is ready. */
export const serviceWithoutReadyPods: Detector = {
  id: 'service-without-ready-pods',
  title: 'No pod behind a Service is ready',
  category: 'networking',
  severity: 'high',
  requires: ['Service', 'Pod'],
  why: 'The Service has pods, but no endpoint that accepts traffic: its callers cannot reach it.',
  run: ({ services, pods }, now) =>
    services.flatMap((service) => {
      const { name = '' } = service.metadata;
      const behind = pods.filter(({ metadata, status }) => leadsTo(service, metadata.labels ?? {}) && status?.phase !== 'Succeeded');
      const isAway = behind.length > 0 && !behind.some(isReady) && behind.every((pod) => now.getTime() - unreadySince(pod) > UNREADY_MS);
      if (!isAway || service.spec?.publishNotReadyAddresses) return [];
      const phases: Record<string, number> = {};
      for (const { status } of behind) phases[status?.phase ?? 'Unknown'] = (phases[status?.phase ?? 'Unknown'] ?? 0) + 1;
      return [
        {
          kind: 'Service',
          name,
          summary: `None of the ${behind.length} pods behind Service ${name} is ready.`,
          evidence: { pods: behind.length, ready: 0, phases, names: behind.slice(0, 20).map(({ metadata }) => metadata.name) },
          change: 'Find out why the pods are not ready: each of their failures is listed with a diagnosis.',
          labels: behind[0]?.metadata.labels ?? {},
        },
      ];
    }),
};

function unreadySince({ metadata, status }: Pod): number {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return Date.parse(ready?.lastTransitionTime ?? metadata.creationTimestamp ?? '');
}

import { formatResource } from '../../crd/quantity.ts';
import { about, type Detector, named } from './detector.ts';
import type { Measured, Usage } from './observed.ts';
import { autoscalerOf, SERVERS, type Subject, type View } from './view.ts';

const HOUR_MS = 60 * 60 * 1000;
/** About a day of usage: an hour less, because passes do not start exactly on time. */
const LEAST_MS = 23 * HOUR_MS;
const LEAST_HOURS = 12;
/** A request is far above the highest use, or far below the average use. */
const TIMES_ABOVE = 4;
const TIMES_BELOW = 2;
/** Smaller amounts neither fill a node nor free one. */
const LEAST: Measured = { cpu: 0.25, memory: 256 * 2 ** 20 };
const RESOURCES = ['cpu', 'memory'] as const;

/** Containers that have been seen for about a day, and that never use more than a fraction of their request, or use far more on average. */
export const requestsFarFromUse: Detector = {
  id: 'requests-far-from-use',
  title: 'Requests are far from actual use',
  category: 'resources',
  severity: 'low',
  requires: [...SERVERS, 'Pod', 'HorizontalPodAutoscaler', 'PodMetrics'],
  why: 'The scheduler fills nodes by requests. If a pod requests more than it uses, you pay for capacity that no other pod can get. If it uses more than it requests, it takes resources from its neighbours, and is among the first pods to be evicted.',
  run: (view) =>
    view.servers.flatMap((server) => {
      const containers = view.observed.usage
        .filter(({ kind, name }) => kind === server.kind && name === server.name)
        .filter(({ since, until, hours }) => until - since >= LEAST_MS && hours >= LEAST_HOURS)
        .flatMap((usage) => RESOURCES.flatMap((resource) => farOf(view, server, { usage, resource })));
      const [first] = containers;
      if (!first) return [];
      return about(server, {
        summary: `${server.kind} ${server.name}: ${named(containers.map(told))}.`,
        evidence: { containers, replicas: server.replicas ?? null },
        change: `Set \`resources.requests\` to the use of an ordinary day, but check the busiest day first: hourly samples miss short peaks, and Podmend loses earlier samples when it restarts. The limit of a container must not be below its request.`,
      });
    }),
};

interface Far {
  container: string;
  resource: string;
  request: string;
  used: 'far less' | 'far more';
  peak: string;
  mean: string;
  pods: number;
  at_least_hours: number;
}

function farOf(view: View, server: Subject, { usage, resource }: { usage: Usage; resource: keyof Measured }): Far[] {
  const request = usage.requests[resource];
  if (!request) return [];
  const [peak, mean] = [usage.peak[resource], usage.mean[resource]];
  const isAbove = request >= TIMES_ABOVE * peak && request - peak >= LEAST[resource] && !isScaledBy(view, server, resource);
  const isBelow = mean >= TIMES_BELOW * request && mean - request >= LEAST[resource];
  if (!isAbove && !isBelow) return [];
  return [
    {
      container: usage.container ?? 'the pod',
      resource,
      request: formatResource(resource, request),
      used: isAbove ? 'far less' : 'far more',
      peak: formatResource(resource, rough(peak)),
      mean: formatResource(resource, rough(mean)),
      pods: usage.pods,
      at_least_hours: 2 ** Math.floor(Math.log2((usage.until - usage.since) / HOUR_MS)),
    },
  ];
}

const told = ({ container, resource, request, used }: Far): string =>
  used === 'far less'
    ? `${container} requests ${request} ${resource} and used a quarter of it at the most`
    : `${container} requests ${request} ${resource} and uses twice as much or more on average`;

/** If an autoscaler scales by the used share of the request, the request determines when to scale. */
function isScaledBy(view: View, server: Subject, resource: string): boolean {
  const metrics = autoscalerOf(view, server)?.spec.metrics ?? [];
  return metrics.some((metric) => [metric.resource, metric.containerResource].some((one) => one?.name === resource));
}

/** Two significant digits, so that not every pass changes the advice. */
const rough = (amount: number): number => Number(amount.toPrecision(2));

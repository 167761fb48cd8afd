import { formatBytes } from '../../crd/quantity.ts';
import { about, type Detector, type DetectorResult, named } from './detector.ts';
import type { Usage } from './observed.ts';
import { SERVERS } from './view.ts';

/** Seen in at least two passes, because one sample may be a peak. */
const LASTS_MS = 5 * 60_000;

/** Containers that have used nearly all of their memory limit for some time. */
export const memoryNearLimit: Detector = {
  id: 'memory-near-limit',
  title: 'Memory is nearly all used',
  category: 'resources',
  severity: 'medium',
  requires: [...SERVERS, 'Pod', 'PodMetrics'],
  why: 'At the limit, the kernel kills the container (OOMKilled), without warning and in the middle of its work. A little more load, or a leak, is enough.',
  run: ({ servers, observed: { usage } }) =>
    servers.flatMap((server) => {
      const found = usage.filter(
        ({ kind, name, near, until }) => kind === server.kind && name === server.name && near && until - near.since >= LASTS_MS,
      );
      return found.length > 0 ? [about(server, resultOf(server, found))] : [];
    }),
};

function resultOf({ kind, name }: { kind: string; name: string }, found: Usage[]): Pick<DetectorResult, 'summary' | 'evidence' | 'change'> {
  const containers = found.map(({ container, limits, near, pods }) => ({
    ...(container === null ? { whole: 'pod' } : { container }),
    limit: formatBytes(limits.memory ?? 0),
    // Rounded to steps, so that not every pass changes the advice.
    at_least_percent: Math.min(100, Math.floor(20 * (near?.share ?? 0)) * 5),
    worst_pod: near?.pod,
    pods,
    since: new Date(near?.since ?? 0).toISOString(),
  }));
  const told = containers.map((one) => `${'container' in one ? one.container : 'the pod'} (limit ${one.limit})`);
  const [first] = containers;
  return {
    summary: `${kind} ${name}: ${named(told)} uses at least ${first?.at_least_percent} % of its memory limit.`,
    evidence: { containers },
    change: `Watch how the use grows: \`kubectl top pod ${first?.worst_pod} --containers\`. Raise \`resources.limits.memory\` if the work needs it, or limit the program (heap, caches, workers). Memory that only grows is a leak: a larger limit only delays the kill.`,
  };
}

import type { Pod, PodSpec } from './kubernetes.ts';
import { listOf } from './pod-template.ts';
import { parseQuantity } from './quantity.ts';

/**
 * What the scheduler counts for the pod, in base units: the sum of its containers and sidecars or the largest init container, the pod-level
 * request, and the overhead. Total: an invalid quantity counts as nothing.
 */
export function requestsOf({ initContainers, containers, resources, overhead }: PodSpec): Map<string, number> {
  const sums = new Map<string, number>();
  const most = new Map<string, number>();
  for (const container of listOf(containers)) for (const [name, amount] of asked(container)) add(sums, name, amount);
  for (const container of listOf(initContainers)) {
    if (container.restartPolicy === 'Always') for (const [name, amount] of asked(container)) add(sums, name, amount);
    else for (const [name, amount] of asked(container)) most.set(name, Math.max(most.get(name) ?? 0, amount));
  }
  for (const [name, amount] of most) sums.set(name, Math.max(sums.get(name) ?? 0, amount));
  for (const [name, amount] of asked(resources ? { resources } : {})) sums.set(name, amount);
  for (const [name, quantity] of Object.entries(overhead ?? {})) add(sums, name, parseQuantity(quantity) ?? 0);
  return sums;
}

/** The total requests of the running pods of each node, and their number as `pods`. A pod that has ended holds nothing. */
export function requestsByNode(pods: Iterable<Pick<Pod, 'spec' | 'status'>>): Map<string, Record<string, number>> {
  const nodes = new Map<string, Record<string, number>>();
  for (const { spec, status } of pods) {
    if (!spec?.nodeName || status?.phase === 'Succeeded' || status?.phase === 'Failed') continue;
    const used = nodes.get(spec.nodeName) ?? { pods: 0 };
    used['pods'] = (used['pods'] ?? 0) + 1;
    for (const [name, amount] of requestsOf(spec)) used[name] = (used[name] ?? 0) + amount;
    nodes.set(spec.nodeName, used);
  }
  return nodes;
}

function add(sums: Map<string, number>, name: string, amount: number): void {
  sums.set(name, (sums.get(name) ?? 0) + amount);
}

/** A limit without a request counts as the request. */
function asked({ resources }: Pick<PodSpec, 'resources'>): [string, number][] {
  return Object.entries({ ...resources?.limits, ...resources?.requests }).map(([name, quantity]) => [name, parseQuantity(quantity) ?? 0]);
}

import type { DisruptionBudget } from './objects.ts';
import { type Detector, type DetectorResult, named } from './detector.ts';
import { budgetsFor, leastReplicas, type Subject, type View } from './view.ts';

/** Budgets that allow no eviction even when all pods are healthy. */
export const budgetBlocksEviction: Detector = {
  id: 'budget-blocks-eviction',
  title: 'A PodDisruptionBudget allows no eviction at all',
  category: 'availability',
  severity: 'high',
  requires: ['PodDisruptionBudget', 'Deployment', 'StatefulSet', 'HorizontalPodAutoscaler'],
  why: 'A drain waits for the budget, but this budget never allows an eviction. Node upgrades hang until somebody deletes the pods by hand, which is what the budget should prevent.',
  run: (view) => view.budgets.flatMap((budget) => blocked(budget, view)),
};

function blocked(budget: DisruptionBudget, view: View): DetectorResult[] {
  const { name = '' } = budget.metadata;
  const { minAvailable, maxUnavailable } = budget.spec ?? {};
  const held = view.servers.filter((server) => server.kind !== 'DaemonSet' && budgetsFor(view, server.labels).includes(budget));
  // Another detector looks for budgets that select no pod.
  if (held.length === 0) return [];
  const replicas = held.reduce((sum, server) => sum + wanted(view, server), 0);
  const allowed = maxUnavailable !== undefined ? shareOf(maxUnavailable, replicas) : replicas - shareOf(minAvailable ?? 1, replicas);
  if (allowed > 0) return [];
  const rule = maxUnavailable !== undefined ? `maxUnavailable: ${maxUnavailable}` : `minAvailable: ${minAvailable ?? 1}`;
  return [
    {
      kind: 'PodDisruptionBudget',
      name,
      summary: `PodDisruptionBudget ${name} (${rule}) allows none of the ${replicas} pods of ${named(held.map((one) => one.name))} to be evicted.`,
      evidence: {
        min_available: minAvailable ?? null,
        max_unavailable: maxUnavailable ?? null,
        pods: replicas,
        disruptions_allowed: Math.max(0, allowed),
        workloads: held.map((one) => ({ kind: one.kind, name: one.name })),
      },
      change:
        replicas > 1
          ? 'Set `maxUnavailable: 1` instead: it allows one eviction at a time, however many replicas there are.'
          : 'Run at least two replicas, and set `maxUnavailable: 1`. A single pod cannot be moved without an interruption.',
      labels: held[0]?.labels ?? {},
    },
  ];
}

const wanted = (view: View, server: Subject): number => Math.max(leastReplicas(view, server), server.replicas ?? 1);

/** A number, or a percentage of `all`, rounded up as the controller does. */
function shareOf(share: number | string, all: number): number {
  const percent = /^(\d+)%$/.exec(String(share))?.[1];
  return percent === undefined ? Number(share) : Math.ceil((Number(percent) * all) / 100);
}

import { selects } from '../../crd/selector.ts';
import type { Detector } from './detector.ts';
import { SERVERS } from './view.ts';

/** Budgets that select no pod. */
export const budgetSelectsNothing: Detector = {
  id: 'budget-selects-nothing',
  title: 'A PodDisruptionBudget protects no pod',
  category: 'availability',
  severity: 'low',
  requires: ['PodDisruptionBudget', ...SERVERS, 'Pod'],
  why: 'Somebody expects that the budget protects pods, but it protects none. Nobody notices until a drain evicts all of them.',
  run: ({ budgets, workloads, pods }) =>
    budgets.flatMap(({ metadata: { name = '' }, spec }) => {
      const chosen = (labels: Record<string, string> = {}): boolean => spec?.selector !== undefined && selects(spec.selector, labels);
      if (workloads.some(({ labels }) => chosen(labels)) || pods.some(({ metadata }) => chosen(metadata.labels))) return [];
      return [
        {
          kind: 'PodDisruptionBudget',
          name,
          summary: `The selector of PodDisruptionBudget ${name} matches none of the ${pods.length} pods in the namespace.`,
          evidence: { selector: spec?.selector ?? null, pods: pods.length },
          change: 'Correct `spec.selector` so that it matches the labels of the pods, or delete the budget.',
        },
      ];
    }),
};

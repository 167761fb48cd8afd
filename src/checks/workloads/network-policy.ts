import { selects } from '../../crd/selector.ts';
import type { Check } from '../check.ts';

export const networkPolicy: Check = {
  id: 'network-policy',
  title: 'No NetworkPolicy',
  severity: 'low',
  rationale: 'A pod that no policy selects takes connections from every pod of the cluster and may connect anywhere.',
  remediation: 'Add a NetworkPolicy that denies everything in the namespace, and one for each connection that is wanted.',
  references: ['https://kubernetes.io/docs/concepts/services-networking/network-policies/'],
  frameworks: { nsa: ['Network policies'], cis: ['5.3.2'], mitre: ['T1046'] },
  run: ({ template: { metadata, spec }, around: { policySelectors } }) => {
    // Policies do not apply to pods on the node's network.
    if (!policySelectors || spec.hostNetwork === true) return [];
    if (policySelectors.some((selector) => selects(selector, metadata?.labels ?? {}))) return [];
    return [{ path: 'metadata.labels', problem: 'is selected by no NetworkPolicy', cures: [] }];
  },
};

import type { Check } from '../check.ts';

export const defaultNamespace: Check = {
  id: 'default-namespace',
  title: 'Runs in the namespace default',
  severity: 'info',
  rationale: 'Rights, quotas and policies are given by namespace: what shares default shares them all.',
  remediation: 'Give the application a namespace of its own.',
  references: ['https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/'],
  frameworks: { nsa: ['Namespaces'], cis: ['5.7.1', '5.7.4'] },
  run: ({ namespace }) =>
    namespace === 'default' ? [{ path: 'metadata.namespace', problem: 'runs in the namespace default', cures: [] }] : [],
};

import type { Check } from '../check.ts';

export const sharedProcesses: Check = {
  id: 'shared-processes',
  title: 'Containers share their processes',
  severity: 'low',
  rationale: 'Each container sees the command lines, and may read the files and memory, of all others in the pod, sidecars with keys too.',
  remediation: 'Remove `shareProcessNamespace`. To debug, add an ephemeral container that targets one container.',
  references: ['https://kubernetes.io/docs/tasks/configure-pod-container/share-process-namespace/'],
  frameworks: { nsa: ['Pod security enforcement'], mitre: ['T1552'] },
  run: ({ template: { spec } }) =>
    spec.shareProcessNamespace === true
      ? [
          {
            path: 'spec.shareProcessNamespace',
            problem: 'lets its containers see the processes of each other',
            cures: [{ path: 'spec.shareProcessNamespace', to: null }],
          },
        ]
      : [],
};

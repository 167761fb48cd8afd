import type { Check } from '../check.ts';
import { contextOf, isWindows, owner, placesOf } from '../containers.ts';

export const writableRoot: Check = {
  id: 'writable-root',
  title: 'Root file system is writable',
  severity: 'low',
  rationale: 'Whoever gets into the container can replace its programs and add others, which stay until it restarts.',
  remediation: 'Set `securityContext.readOnlyRootFilesystem: true`, and mount an `emptyDir` where the program writes.',
  references: ['https://kubernetes.io/docs/tasks/configure-pod-container/security-context/'],
  frameworks: { nsa: ['Immutable container file systems'], cis: ['5.7.3'], mitre: ['T1525', 'T1543'] },
  run: ({ template }) =>
    isWindows(template)
      ? []
      : placesOf(template)
          .filter((place) => !place.isFixed && contextOf(place).readOnlyRootFilesystem !== true)
          .map((place) => {
            const path = `${place.path}.securityContext.readOnlyRootFilesystem`;
            return { ...owner(place), path, problem: 'can write to its root file system', cures: [{ path, to: true }] };
          }),
};

import type { Check } from '../check.ts';
import { mapping, owner, placesOf } from '../containers.ts';
import { resourceOf } from './resources.ts';

export const memoryLimit: Check = {
  id: 'memory-limit',
  title: 'No memory limit',
  severity: 'medium',
  rationale: 'A container without a limit can take all memory of its node: then the kernel kills other pods, or the kubelet.',
  remediation: 'Set `resources.limits.memory` somewhat above what the container uses at its busiest.',
  references: ['https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/'],
  frameworks: { nsa: ['Resource policies'], mitre: ['T1499', 'T1496'] },
  run: ({ template }) =>
    mapping<{ memory: unknown }>(mapping<{ limits: unknown }>(template.spec.resources).limits).memory !== undefined
      ? []
      : placesOf(template)
          .filter((place) => !place.isFixed && resourceOf(place, 'limits', 'memory') === undefined)
          .map((place) => ({ ...owner(place), path: `${place.path}.resources.limits.memory`, problem: 'has no memory limit', cures: [] })),
};

import type { Check } from '../check.ts';
import { indexed, owner, placesOf } from '../containers.ts';

export const mountPropagation: Check = {
  id: 'mount-propagation',
  title: 'Mounts reach the node',
  severity: 'high',
  rationale: 'What the container mounts below such a folder is mounted on the node too, and in all other containers that see the folder.',
  remediation: 'Remove `mountPropagation: Bidirectional`. Only storage drivers need it.',
  references: ['https://kubernetes.io/docs/concepts/storage/volumes/#mount-propagation'],
  frameworks: { nsa: ['Pod security enforcement'], mitre: ['T1611'] },
  run: ({ template }) =>
    placesOf(template).flatMap((place) =>
      indexed(place.container.volumeMounts as { mountPropagation?: string; mountPath?: string }[] | undefined)
        .filter(([{ mountPropagation: propagation }]) => propagation === 'Bidirectional')
        .map(([{ mountPath }, index]) => {
          const path = `${place.path}.volumeMounts[${index}].mountPropagation`;
          const cures = place.isFixed ? [] : [{ path, to: null }];
          return { ...owner(place), path, problem: `shows the node what it mounts below ${mountPath}`, cures };
        }),
    ),
};

import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';

/**
 * For a device of the node that a volume brings and that the program may not open: only a privileged container may use all devices of its node
 * (Kubernetes, "Linux kernel security constraints for Pods and containers", "Privileged containers"). A device plugin would need less.
 */
export function hostDevice(place: ContainerPlace | undefined, path: string): Correction[] {
  if (!place?.container || !path.startsWith('/dev/') || place.container.securityContext?.privileged === true) return [];
  const mount = place.container.volumeMounts?.find(
    ({ mountPath }) => path === mountPath || path.startsWith(`${mountPath.replace(/\/$/, '')}/`),
  );
  if (!place.spec.volumes?.find(({ name }) => name === mount?.name)?.hostPath) return [];
  return [
    {
      title: 'Run the container privileged',
      changes: [
        change(place, fieldPath(place.path, 'securityContext', 'privileged'), true, `only then may it open ${code(path)} of the node`),
      ],
      confidence: 'guess',
      explanation: 'A volume brings the file of a device, but not the right to open it. A privileged container may do all on its node.',
      mirrorable: false,
    },
  ];
}

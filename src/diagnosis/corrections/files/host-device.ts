import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { appended, change } from '../change.ts';
import { mountOf } from './mounted-files.ts';
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

/** The device of tunnels. Runtimes let every container use it, once its file is there (opencontainers/runtime-spec, "Default Devices", and runc). */
const TUN = '/dev/net/tun';

/** For a tunnel without its device: the one of the node. */
export function tunnelDevice(place: ContainerPlace | undefined, path: string): Correction[] {
  if (!place?.container || path !== TUN || mountOf(place, TUN)) return [];
  const name = 'tun';
  if (place.spec.volumes?.some((one) => one.name === name)) return [];
  const volume = { name, hostPath: { path: TUN, type: 'CharDevice' } };
  return [
    {
      title: `Mount the device ${code(TUN)} of the node`,
      changes: [
        appended(place, fieldPath(place.specPath, 'volumes'), place.spec.volumes, volume, 'the node has this device'),
        appended(
          place,
          fieldPath(place.path, 'volumeMounts'),
          place.container.volumeMounts,
          { name, mountPath: TUN },
          `the program opens ${code(TUN)}`,
        ),
      ],
      confidence: 'guess',
      explanation: 'Pod Security forbids folders and devices of the node above `privileged`, so the namespace must allow it.',
      mirrorable: false,
    },
  ];
}

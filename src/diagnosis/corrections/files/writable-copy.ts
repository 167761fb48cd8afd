import { fieldPath } from '../../../crd/field-path.ts';
import type { ContainerPlace } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { appended, change } from '../change.ts';
import type { Correction } from '../correction.ts';
import { mountOf } from './mounted-files.ts';

/** Where the init container sees the read-only files. */
const ORIGINAL = '/original';

/**
 * For a program that rewrites a file of a ConfigMap or Secret, which the kubelet always mounts read-only: an init container copies the files into
 * an `emptyDir`, which is then mounted in their place (Kubernetes, "Volumes": configMap).
 */
export function writableCopy(place: ContainerPlace | undefined, file: string): Correction[] {
  const mount = mountOf(place, file);
  const index = place?.container?.volumeMounts?.findIndex((one) => one.mountPath === mount?.mountPath) ?? -1;
  const volume = place?.spec.volumes?.find(({ name }) => name === mount?.name);
  if (!place?.container || !mount || mount.subPath || index < 0 || !(volume?.configMap ?? volume?.secret)) return [];
  if (place.path.startsWith(fieldPath(place.specPath, 'initContainers'))) return [];
  const name = `${mount.name.slice(0, 40)}-copy`;
  const init = {
    name: `copy-${mount.name.slice(0, 40)}`,
    image: place.container.image,
    command: ['sh', '-c', `cp -rL ${ORIGINAL}/. ${mount.mountPath}/`],
    volumeMounts: [
      { name: mount.name, mountPath: ORIGINAL },
      { name, mountPath: mount.mountPath },
    ],
  };
  const { spec, specPath } = place;
  return [
    {
      title: `Copy ${code(mount.mountPath)} to a folder that can be written`,
      changes: [
        appended(place, fieldPath(specPath, 'volumes'), spec.volumes, { name, emptyDir: {} }, 'it lives as long as the pod'),
        appended(place, fieldPath(specPath, 'initContainers'), spec.initContainers, init, 'it copies the files before the program starts'),
        change(place, fieldPath(place.path, 'volumeMounts', index, 'name'), name, 'files of a ConfigMap or Secret are always read-only'),
      ],
      confidence: 'guess',
      explanation: 'The image must have `sh` and `cp`. What the program writes is lost with the pod.',
      mirrorable: true,
    },
  ];
}

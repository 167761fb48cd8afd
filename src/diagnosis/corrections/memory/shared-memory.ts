import { fieldPath } from '../../../crd/field-path.ts';
import type { Correction } from '../correction.ts';
import type { ContainerPlace } from '../../facts/input.ts';
import { appended } from '../change.ts';

/** More shared memory than the runtime's 64 MiB: an `emptyDir` in memory at `/dev/shm`. */
export function emptySharedMemory(place: ContainerPlace | undefined): Correction[] {
  if (!place?.container || place.container.volumeMounts?.some(({ mountPath }) => mountPath === '/dev/shm')) return [];
  const volume = { name: 'shared-memory', emptyDir: { medium: 'Memory', sizeLimit: '256Mi' } };
  return [
    {
      title: 'Give it more shared memory',
      changes: [
        appended(
          place,
          fieldPath(place.specPath, 'volumes'),
          place.spec.volumes,
          volume,
          '`/dev/shm` has 64 MiB unless a volume replaces it',
        ),
        appended(
          place,
          fieldPath(place.path, 'volumeMounts'),
          place.container.volumeMounts,
          { name: volume.name, mountPath: '/dev/shm' },
          'programs look for shared memory here',
        ),
      ],
      confidence: 'guess',
      explanation: 'It counts towards the memory limit of the container.',
      mirrorable: true,
    },
  ];
}

import type { Change } from '../../../contract/failure.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { formatBytes, parseQuantity } from '../../../crd/quantity.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { emptySharedMemory } from './shared-memory.ts';

const FACTOR = 4;

/**
 * For a full `emptyDir` with a `sizeLimit`: a larger limit, and as much more memory if the volume is in memory. Other volumes do not belong
 * to the pod.
 */
export function largerVolume(input: RuleInput, file: string): Correction[] {
  const place = input.place();
  const mount = place?.container?.volumeMounts?.find(
    ({ mountPath }) => file === mountPath || file.startsWith(`${mountPath.replace(/\/$/, '')}/`),
  );
  if (!place || !mount) return file.startsWith('/dev/shm') ? emptySharedMemory(place) : [];
  const index = place.spec.volumes?.findIndex(({ name }) => name === mount.name) ?? -1;
  const folder = place.spec.volumes?.[index]?.emptyDir;
  const limit = parseQuantity(folder?.sizeLimit);
  if (!folder || limit === undefined) return [];
  const to = limit * FACTOR;
  return [
    {
      title: `Let volume ${code(mount.name)} hold ${code(formatBytes(to))}`,
      changes: [
        change(
          place,
          fieldPath(place.specPath, 'volumes', index, 'emptyDir', 'sizeLimit'),
          formatBytes(to),
          `${code(folder.sizeLimit ?? '')} is full`,
        ),
        ...(folder.medium === 'Memory' ? moreMemory(place, limit, to) : []),
      ],
      confidence: 'likely',
      explanation: 'If it fills up again, the program does not remove what it no longer needs.',
      mirrorable: true,
    },
  ];
}

/** Raises the memory limit when a memory-backed volume could take more than half of it. */
function moreMemory(place: ContainerPlace, before: number, after: number): Change[] {
  const memory = parseQuantity(place.container?.resources?.limits?.memory);
  if (memory === undefined || after <= memory / 2) return [];
  const path = fieldPath(place.path, 'resources', 'limits', 'memory');
  return [change(place, path, formatBytes(memory + after - before), 'what is written to a volume in memory counts towards this limit')];
}

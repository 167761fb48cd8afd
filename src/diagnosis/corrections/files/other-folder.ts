import type { Confidence } from '../../../contract/mirror.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import type { ContainerPlace } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';

/** The texts of a correction, and its confidence. */
interface Reason {
  why: string;
  explanation: string;
  confidence?: Confidence;
}

/** Moves the container's mount with this index to a different path. It mounts a volume or one file of a volume. */
export function mountedAt(
  place: ContainerPlace,
  { index, to, what = 'volume' }: { index: number; to: string; what?: 'volume' | 'file' },
  { why, explanation, confidence = 'likely' }: Reason,
): Correction {
  return {
    title: `Mount the ${what} at ${code(to)}`,
    changes: [change(place, fieldPath(place.path, 'volumeMounts', index, 'mountPath'), to, why)],
    confidence,
    explanation,
    mirrorable: true,
  };
}

/** Starts the container in another folder. */
export function startedIn(place: ContainerPlace, folder: string, { why, explanation, confidence = 'likely' }: Reason): Correction {
  return {
    title: `Start in the folder ${code(folder)}`,
    changes: [change(place, fieldPath(place.path, 'workingDir'), folder, why)],
    confidence,
    explanation,
    mirrorable: true,
  };
}

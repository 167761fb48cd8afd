import type { Confidence } from '../../../contract/mirror.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import type { ContainerPlace } from '../../facts/input.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';

/** Renames the container's first variable with this name. */
export function renamed(
  place: ContainerPlace,
  { from, to }: { from: string; to: string },
  { why, explanation, confidence = 'likely' }: { why: string; explanation: string; confidence?: Confidence },
): Correction {
  const index = (place.container?.env ?? []).findIndex(({ name }) => name === from);
  return {
    title: `Rename ${code(from)} to ${code(to)}`,
    changes: [change(place, fieldPath(place.path, 'env', index, 'name'), to, why)],
    confidence,
    explanation,
    mirrorable: true,
  };
}

import type { ContainerEvidence } from '../../../contract/failure.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { fullRepository, parseImage } from '../../../crd/image.ts';
import type { PullFact } from '../../facts/image.ts';
import type { RuleInput } from '../../facts/input.ts';

/** The image as the container's status or manifest writes it, or else as the message does. */
export function pulledImage(input: RuleInput, pull: PullFact): string {
  return statusOf(input, pull)?.image || input.place()?.container?.image || pull.image || 'of the container';
}

/** The status of the container that uses the image. If nothing names the container, the first status with this image. */
function statusOf({ subject: { container, statuses } }: RuleInput, pull: PullFact): ContainerEvidence | undefined {
  const named = pull.container ?? container;
  return statuses.find(({ name, image }) => (named === null ? isPulled(image, pull) : name === named));
}

function isPulled(image: string | null | undefined, pull: PullFact): boolean {
  if (!image || pull.image === null) return false;
  const [one, other] = [parseImage(image), parseImage(pull.image)];
  return fullRepository(one.repository) === fullRepository(other.repository) && one.tag === other.tag && one.digest === other.digest;
}

/** The volume that is made of the image, if it is not the image of the container: kubelet's messages for both are the same. */
export function imageVolume(input: RuleInput, pull: PullFact): { name: string; reference: string; path: string } | undefined {
  if (pull.image === null || isPulled(statusOf(input, pull)?.image, pull)) return undefined;
  const place = input.place();
  if (!place || isPulled(place.container?.image, pull)) return undefined;
  const volumes = (place.spec.volumes ?? []).map((volume, index) => ({
    name: volume.name,
    reference: (volume['image'] as { reference?: unknown } | undefined)?.reference,
    path: fieldPath(place.specPath, 'volumes', index, 'image', 'reference'),
  }));
  return volumes.find((volume): volume is { name: string; reference: string; path: string } => {
    return typeof volume.reference === 'string' && isPulled(volume.reference, pull);
  });
}

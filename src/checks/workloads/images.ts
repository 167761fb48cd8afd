import type { PodTemplate } from '../../crd/kubernetes.ts';
import { placesOf } from '../containers.ts';

/** Every image of a template with its field and container. Containers without an image are left out. */
export function imagesOf(template: PodTemplate): { image: string; path: string; container: string }[] {
  return placesOf(template).flatMap(({ container: { image, name }, path }) =>
    typeof image === 'string' && image !== '' ? [{ image, path: `${path}.image`, container: String(name ?? '') }] : [],
  );
}

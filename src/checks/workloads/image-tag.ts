import { parseImage } from '../../crd/image.ts';
import type { Check } from '../check.ts';
import { imagesOf } from './images.ts';

export const imageTag: Check = {
  id: 'image-tag',
  title: 'Image without a fixed version',
  severity: 'medium',
  rationale: 'What `latest` means changes: two pods of one workload can run different programs, and a rollback brings nothing back.',
  remediation: 'Name a version, or better the digest that was tested.',
  references: ['https://kubernetes.io/docs/concepts/containers/images/#image-names'],
  frameworks: { nsa: ['Building secure container images'], cis: ['5.5.1'], mitre: ['T1525'] },
  run: ({ template }) =>
    imagesOf(template).flatMap(({ image, path, container }) => {
      const { tag, digest } = parseImage(image);
      if (digest !== null || (tag !== null && tag !== 'latest')) return [];
      return [{ container, path, problem: tag === null ? 'names no version of its image' : 'runs the image version latest', cures: [] }];
    }),
};

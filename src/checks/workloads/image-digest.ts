import { parseImage } from '../../crd/image.ts';
import type { Check } from '../check.ts';
import { imagesOf } from './images.ts';

export const imageDigest: Check = {
  id: 'image-digest',
  title: 'Image without a digest',
  severity: 'info',
  rationale: 'Whoever may push to the registry can move a tag to another image; a digest names one image for ever.',
  remediation: 'Write the image as `name:version@sha256:…`; update tools such as Renovate keep digests fresh.',
  references: ['https://kubernetes.io/docs/concepts/containers/images/#image-names'],
  frameworks: { nsa: ['Building secure container images'], cis: ['5.5.1'], mitre: ['T1525'] },
  run: ({ template }) =>
    imagesOf(template)
      .filter(({ image }) => parseImage(image).digest === null)
      .map(({ container, path }) => ({ container, path, problem: 'names its image without a digest', cures: [] })),
};

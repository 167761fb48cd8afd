import { fullRepository, parseImage } from '../../crd/image.ts';
import { globMatches } from '../../crd/glob.ts';
import type { Check } from '../check.ts';
import { imagesOf } from './images.ts';

export const untrustedRegistry: Check = {
  id: 'untrusted-registry',
  title: 'Image from a registry that is not trusted',
  severity: 'high',
  rationale: 'An image is a program that runs in the cluster. Whoever owns the registry decides what it does at the next pull.',
  remediation: 'Copy the image to a trusted registry, or add its registry to the list of trusted ones.',
  references: ['https://kubernetes.io/docs/concepts/containers/images/'],
  frameworks: { nsa: ['Building secure container images'], cis: ['5.5.1'], mitre: ['T1525', 'T1610'] },
  run: ({ template, around: { trustedRegistries = [] } }) =>
    trustedRegistries.length === 0
      ? []
      : imagesOf(template).flatMap(({ image, path, container }) => {
          const repository = fullRepository(parseImage(image).repository);
          if (trustedRegistries.some((entry) => isBelow(repository, entry))) return [];
          return [{ container, path, problem: `runs an image from ${repository.split('/', 1)[0]}`, cures: [] }];
        }),
};

/**
 * Whether the repository is in the registry of an entry, and below its path. Both are compared segment by segment, so that
 * `trusted.example.com` covers neither `trusted.example.com.evil.com/x` nor `evil.com/trusted.example.com/x`. `*` stands for any text
 * within a segment.
 */
function isBelow(repository: string, entry: string): boolean {
  const [have, want] = [repository.split('/'), entry.split('/')];
  const isHub = ['index.docker.io', 'registry-1.docker.io'].includes(have[0] ?? '');
  const steps = isHub ? ['docker.io', ...have.slice(1)] : have;
  return want.length <= steps.length && want.every((step, index) => globMatches(step, steps[index] as string));
}

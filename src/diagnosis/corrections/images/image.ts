import { fieldPath } from '../../../crd/field-path.ts';
import { fullRepository, parseImage } from '../../../crd/image.ts';
import type { PullFact } from '../../facts/image.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { nearest } from '../similar-names.ts';
import { imageVolume } from './pulled-image.ts';
import { wellKnown } from './well-known-image.ts';

/** Similar images that the cluster's pods use: another tag of the same repository, or a repository with a similar name. */
export function otherImages(input: RuleInput, image: string, pull: PullFact): Correction[] {
  const { repository, tag } = parseImage(image);
  const known = [...new Set(input.subject.surroundings?.images ?? [])]
    .filter((other) => other !== image)
    .map((other) => ({ other, ...parseImage(familiar(other, image)) }));
  const sameRepository = known.filter((other) => fullRepository(other.repository) === fullRepository(repository));
  const byTag = rankTags(
    tag ?? 'latest',
    sameRepository.map((other) => other.other),
  );
  const near = nearest(
    repository,
    known.map((other) => other.repository),
  ).filter((name) => fullRepository(name) !== fullRepository(repository));
  const byName = near.flatMap((name) => {
    const tags = known.filter((other) => other.repository === name);
    return tags.some((other) => other.tag === tag)
      ? [`${name}${tag === null ? '' : `:${tag}`}`]
      : tags.slice(0, 1).map((other) => other.other);
  });
  const elsewhere = known
    .filter((other) => baseName(other.repository) === baseName(repository) && !sameRepository.includes(other) && other.tag === tag)
    .map((other) => other.other);
  // `busybox-1.35` for `busybox:1.35`.
  const joinedTag = known
    .filter(
      (other) =>
        tag === null && other.tag !== null && ['-', '_', '.', '/'].some((sign) => repository === `${other.repository}${sign}${other.tag}`),
    )
    .map((other) => other.other);
  if (joinedTag.length > 0)
    return joinedTag
      .slice(0, 1)
      .flatMap((other) => useImage(input, pull, familiar(other, image), 'a colon separates the tag from the name', 'likely'));
  const ranked = pull.cause === 'not-found' ? [...byTag, ...byName, ...elsewhere] : [...elsewhere, ...byName, ...byTag];
  const fullName = (other: string) => `${fullRepository(parseImage(other).repository)}:${parseImage(other).tag ?? 'latest'}`;
  const names = ranked.map(fullName);
  const whyOf = (other: string): string => {
    if (byTag.includes(other)) return 'other pods of this cluster run it';
    return elsewhere.includes(other) ? `pods of this cluster run ${code(other)}` : `${code(repository)} looks like a typo of it`;
  };
  if (ranked.length === 0) return wellKnown(image, pull.cause).flatMap(({ to, why }) => useImage(input, pull, to, why, 'guess'));
  return ranked
    .filter((_, index) => names.indexOf(names[index] as string) === index)
    .slice(0, 3)
    .flatMap((other) => useImage(input, pull, familiar(other, image), whyOf(other), 'likely'));
}

/** Images of the repository that the cluster runs, if `image` itself cannot be right; most likely first. */
export function knownTags(input: RuleInput, image: string): string[] {
  const { repository, tag } = parseImage(image);
  const known = (input.subject.surroundings?.images ?? []).filter(
    (other) => other !== image && fullRepository(parseImage(other).repository) === fullRepository(repository),
  );
  return [...new Set(rankTags(tag ?? 'latest', known).map((other) => familiar(other, image)))];
}

/** The image as people write it: without the default registry, unless the wrong reference names it too. */
function familiar(image: string, wrong: string): string {
  return /^(?:docker|index\.docker)\.io\//.test(wrong) ? image : image.replace(/^docker\.io\/(?:library\/)?/, '');
}

const baseName = (repository: string): string => repository.slice(repository.lastIndexOf('/') + 1);

function rankTags(tag: string, images: string[]): string[] {
  const tagOf = (image: string) => parseImage(image).tag ?? 'latest';
  const close = nearest(tag, images.map(tagOf));
  const rank = (image: string) => (close.includes(tagOf(image)) ? close.indexOf(tagOf(image)) : close.length);
  return images.toSorted((a, b) => rank(a) - rank(b) || b.localeCompare(a, 'en', { numeric: true }));
}

/** Repositories whose tags are elsewhere now (Bitnami, "Upcoming changes to the Bitnami catalog", August 2025). */
const MOVED: readonly (readonly [from: RegExp, to: string])[] = [
  // Kubernetes, "k8s.gcr.io Redirect to registry.k8s.io": since April 2023 the old registry gets no new images.
  [/^k8s\.gcr\.io\//, 'registry.k8s.io/'],
  [/^((?:(?:registry-1\.|index\.)?docker\.io\/)?)bitnami\//, '$1bitnamilegacy/'],
];

/** For a tag that is gone from its repository: the same tag where the old ones have moved. */
export function movedTag(input: RuleInput, image: string, pull: PullFact): Correction[] {
  const { tag } = parseImage(image);
  const to = MOVED.find(([from]) => from.test(image));
  if (pull.cause !== 'not-found' || tag === null || tag === 'latest' || !to) return [];
  return useImage(input, pull, image.replace(...to), 'the versioned tags of this repository have moved there', 'likely');
}

/** For a tag that does not exist, when no other is known: `latest`, which most repositories have. */
export function latestTag(input: RuleInput, image: string, pull: PullFact): Correction[] {
  const { repository, tag, digest } = parseImage(image);
  const hasOthers = (input.subject.surroundings?.images ?? []).some(
    (other) => other !== image && fullRepository(parseImage(other).repository) === fullRepository(repository),
  );
  if (pull.cause !== 'not-found' || tag === null || tag === 'latest' || digest || hasOthers) return [];
  const isTypo = nearest(tag, ['latest']).length > 0;
  return useImage(
    input,
    pull,
    `${repository}:latest`,
    isTypo
      ? `${code(tag)} looks like a typo of \`latest\``
      : 'most repositories have this tag; only the registry knows which version it is',
    isTypo ? 'likely' : 'guess',
  );
}

function useImage(input: RuleInput, pull: PullFact, image: string, why: string, confidence: Correction['confidence']): Correction[] {
  const place = input.place();
  if (!place?.container) return [];
  const path = imageVolume(input, pull)?.path ?? fieldPath(place.path, 'image');
  return [
    {
      title: `Use the image ${code(image)}`,
      changes: [change(place, path, image, why)],
      confidence,
      explanation:
        pull.cause === 'not-found' || pull.cause === 'denied'
          ? 'The image that the manifest names is not there.'
          : 'See that it is the same image: it comes from another place.',
      mirrorable: true,
    },
  ];
}

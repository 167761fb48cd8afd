import { fieldPath } from '../../crd/field-path.ts';
import { fullRepository, parseImage, registryOf } from '../../crd/image.ts';
import type { Correction } from '../corrections/correction.ts';
import { latestTag, movedTag, otherImages } from '../corrections/images/image.ts';
import { otherNodes } from '../corrections/images/other-processor.ts';
import { imageVolume, pulledImage } from '../corrections/images/pulled-image.ts';
import type { PullCause, PullFact } from '../facts/image.ts';
import { code, shellWord } from '../rendering/quote.ts';
import { describe } from '../rendering/commands.ts';
import { PULL_CAUSE_MEANINGS } from './image-pull/cause-texts.ts';
import { addPullSecret, createPullSecret, missingPullSecret, otherTypeOfSecret } from './image-pull/missing-secret.ts';
import { change } from '../corrections/change.ts';
import { type DiagnosisRule, type RuleAnswer } from './rule.ts';
import { factOf, factsOf, type RuleInput, who } from '../facts/input.ts';

/** Causes for which the image reference itself can be wrong. */
const WRONG_REFERENCE = new Set<PullCause>(['not-found', 'denied', 'unknown-host', 'unauthorized']);
/** Causes for which the pod's credentials can be missing or wrong. */
const WRONG_CREDENTIALS = new Set<PullCause>(['denied', 'unauthorized']);

/** The image cannot be pulled. The message says which of some fifteen causes it is. */
export const imagePull: DiagnosisRule = {
  id: 'image-pull',
  reasons: ['ImagePullBackOff', 'ErrImagePull', 'ImageInspectError', 'RegistryUnavailable', 'SignatureValidationFailed'],
  answer(input) {
    const pulls = factsOf(input, 'pull');
    const pull = pulls.find(({ cause }) => cause !== 'unknown') ?? pulls[0];
    if (!pull) return undefined;
    const image = imageVolume(input, pull)?.reference ?? pulledImage(input, pull);
    const missing = WRONG_CREDENTIALS.has(pull.cause) ? factOf(input, 'pull-secret') : undefined;
    if (missing) return missingPullSecret(input, image, pull, missing);
    return (WRONG_CREDENTIALS.has(pull.cause) ? otherTypeOfSecret(input, image, pull) : undefined) ?? failedPull(input, image, pull);
  },
};

function failedPull(input: RuleInput, image: string, pull: PullFact): RuleAnswer {
  const { because, advice, whereToLook } = PULL_CAUSE_MEANINGS[pull.cause];
  const host = pull.cause === 'unknown-host' ? (pull.detail ?? registryOf(image)) : null;
  const named = pull.cause === 'unauthorized' ? registryOf(image) : host;
  const isReference = WRONG_REFERENCE.has(pull.cause);
  const volume = imageVolume(input, pull);
  const culprit = isReference && pull.cause !== 'unauthorized' ? image : `${image}: ${because}`;
  return {
    summary: `${who(input)} cannot start: the image ${code(image)}${volume ? ` of volume ${code(volume.name)}` : ''} cannot be pulled, because ${because}${named ? ` (${code(named)})` : ''}.`,
    culprit: host ? `${image} (host ${host})` : culprit,
    evidence: [pull.evidence],
    advice: [(pull.cause === 'unauthorized' && renewSecrets(input)) || advice],
    commands: [describe(input.subject), ...commandsFor(input, image, pull.cause)],
    corrections: correctionsFor(input, image, pull),
    noCorrection: { why: whyNoCorrection(pull.cause, because), whereToLook },
  };
}

function correctionsFor(input: RuleInput, image: string, pull: PullFact): Correction[] {
  const isReference = WRONG_REFERENCE.has(pull.cause);
  if (pull.cause === 'platform') return otherNodes(input, '');
  if (!isReference && pull.cause !== 'unreachable' && pull.cause !== 'rate-limited') return [];
  return [
    ...withoutPull(input, image, pull),
    ...(WRONG_CREDENTIALS.has(pull.cause) ? addPullSecret(input) : []),
    ...(isReference ? [...otherImages(input, image, pull), ...movedTag(input, image, pull), ...latestTag(input, image, pull)] : []),
  ];
}

/** What to do with the pod's pull secrets; undefined if it has none. */
function renewSecrets(input: RuleInput): string | undefined {
  const names = (input.place()?.spec.imagePullSecrets ?? []).flatMap(({ name }) => (name ? [code(name)] : []));
  if (names.length === 0) return undefined;
  const [uses, has] = names.length === 1 ? ['pull secret', 'it has'] : ['pull secrets', 'one of them has'];
  return `The pod uses the ${uses} ${names.join(', ')}. Check that ${has} credentials for this registry and that they are still valid.`;
}

/** An image that the cluster already has runs without a pull, unless the container asks for a pull at every start. */
function withoutPull(input: RuleInput, image: string, pull: PullFact): Correction[] {
  const place = input.place();
  const { imagePullPolicy: policy, image: written } = place?.container ?? {};
  const nameOf = (one: string): string => {
    const { repository, tag, digest } = parseImage(one);
    return `${fullRepository(repository)}:${tag ?? (digest ? '' : 'latest')}@${digest ?? ''}`;
  };
  const isThere = (input.subject.surroundings?.images ?? []).some((one) => nameOf(one) === nameOf(image));
  const isLatest = parseImage(image).tag === 'latest' || (parseImage(image).tag === null && !parseImage(image).digest);
  const pulls = policy === 'Always' || (policy === undefined && isLatest);
  if (!place || !pulls || !isThere || imageVolume(input, pull) || written === undefined) return [];
  return [
    {
      title: 'Use the image that is on the node',
      changes: [
        change(
          place,
          fieldPath(place.path, 'imagePullPolicy'),
          'IfNotPresent',
          'the cluster has this image, and `Always` asks the registry at each start',
        ),
      ],
      confidence: 'likely',
      explanation: 'It runs where a node has the image already. A newer image of the same tag is then not pulled.',
      mirrorable: true,
    },
  ];
}

function commandsFor(input: RuleInput, image: string, cause: PullCause): string[] {
  if (WRONG_CREDENTIALS.has(cause)) return [createPullSecret(input, 'registry-credentials', image)];
  if (!WRONG_REFERENCE.has(cause)) return [];
  return [`skopeo list-tags ${shellWord(`docker://${fullRepository(parseImage(image).repository)}`)}`];
}

function whyNoCorrection(cause: PullCause, because: string): string {
  if (cause === 'unauthorized') return 'Somebody must create the credentials before the manifest can name them.';
  if (WRONG_REFERENCE.has(cause)) return 'No image with a similar name is known. Only the registry knows which images exist.';
  return `The manifest is not the cause: ${because}.`;
}

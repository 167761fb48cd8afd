import { fullRepository, parseImage, registryOf } from '../../crd/image.ts';
import { latestTag, otherImages } from '../corrections/image.ts';
import { imageVolume, pulledImage } from '../corrections/pulled-image.ts';
import type { PullCause, PullFact } from '../facts/image.ts';
import { code, shellWord } from '../rendering/quote.ts';
import { describe } from './commands.ts';
import { PULL_CAUSE_MEANINGS } from './image-pull/causes.ts';
import { addPullSecret, createPullSecret, missingPullSecret } from './image-pull/missing-secret.ts';
import { type DiagnosisRule, factOf, factsOf, type RuleAnswer, type RuleInput, who } from './rule.ts';

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
    return missing ? missingPullSecret(input, image, pull, missing) : failedPull(input, image, pull);
  },
};

function failedPull(input: RuleInput, image: string, pull: PullFact): RuleAnswer {
  const { because, advice, whereToLook } = PULL_CAUSE_MEANINGS[pull.cause];
  const host = pull.cause === 'unknown-host' ? (pull.detail ?? registryOf(image)) : null;
  const isReference = WRONG_REFERENCE.has(pull.cause);
  const culprit = isReference ? image : `${image}: ${because}`;
  return {
    summary: `${who(input)} cannot start: the image ${code(image)} cannot be pulled, because ${because}${host ? ` (${code(host)})` : ''}.`,
    culprit: host ? `${image} (host ${host})` : culprit,
    evidence: [pull.evidence],
    advice: [advice],
    commands: [describe(input.subject), ...commandsFor(input, image, pull.cause)],
    corrections: isReference
      ? [
          ...(WRONG_CREDENTIALS.has(pull.cause) ? addPullSecret(input) : []),
          ...[...otherImages(input, image, pull), ...latestTag(input, image, pull)],
        ]
      : [],
    noCorrection: { why: whyNoCorrection(pull.cause, because), whereToLook },
  };
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

import { commandWords } from '../corrections/container-texts.ts';
import { fieldPath } from '../../crd/field-path.ts';
import { needsRoot } from '../corrections/admission/pod-security.ts';
import { code } from '../rendering/quote.ts';
import type { Correction } from '../corrections/correction.ts';
import { change } from '../corrections/change.ts';
import { type ContainerPlace, factOf, who } from '../facts/input.ts';
import { type DiagnosisRule } from './rule.ts';

/** The user number that images for restricted clusters commonly use. */
const ORDINARY_USER = 1000;

/** `runAsNonRoot` blocks the container: the image or the pod selects root, or the image names its user without a number. */
export const runAsRoot: DiagnosisRule = {
  id: 'run-as-root',
  reasons: ['CreateContainerConfigError'],
  answer(input) {
    const fact = factOf(input, 'run-as-root');
    if (!fact) return undefined;
    const place = input.place();
    const why = {
      image: 'the image runs as root, and `runAsNonRoot` forbids it',
      'named-user': `the image's user ${code(fact.user ?? '')} is a name and not a number, so kubelet cannot know that it is not root`,
      pod: '`runAsUser: 0` contradicts `runAsNonRoot`',
    }[fact.cause];
    return {
      summary: `${who(input)} cannot start: ${why}.`,
      culprit: `${input.subject.container === null || !place || place.spec.containers.length < 2 ? '' : `container ${input.subject.container}, `}${
        {
          image: `runAsNonRoot: image ${place?.container?.image ?? ''} runs as root`,
          'named-user': `runAsNonRoot: user ${fact.user ?? ''} of the image has no number`,
          pod: 'runAsUser 0 against runAsNonRoot',
        }[fact.cause]
      }`,
      evidence: [fact.evidence],
      advice: [
        'Give the container a user (`runAsUser`) that is not 0, or build the image with `USER` and a number.',
        'The program then needs folders that this user may write to, and ports above 1023 if the runtime does not allow lower ones.',
      ],
      corrections: place
        ? [
            ...(changesOwners(place) ? [allowRoot(place, 'it changes the owners of files, which only root may do')] : []),
            asOrdinaryUser(place, why),
          ]
        : [],
      noCorrection: { why: 'The image must name a user other than root.', whereToLook: "the image's `USER`" },
    };
  },
};

/** Whether an init container changes the owner or mode of files, which only root may do for files of others. */
function changesOwners({ container, path, specPath }: ContainerPlace): boolean {
  const words = commandWords(container).join(' ');
  return (
    path.startsWith(fieldPath(specPath, 'initContainers')) &&
    container?.securityContext?.runAsUser === 0 &&
    /\bch(?:own|grp|mod)\b/.test(words)
  );
}

/** Lets this one container run as root. The others stay ordinary users. */
function allowRoot(place: ContainerPlace, why: string): Correction {
  return {
    title: 'Let this init container run as root',
    changes: [change(place, fieldPath(place.path, 'securityContext', 'runAsNonRoot'), false, why)],
    confidence: 'likely',
    explanation: 'It changes the owners of files, which only root may do. The other containers stay ordinary users.',
    mirrorable: false,
  };
}

/** Sets the user where it takes effect: on the container if the container sets anything about users, otherwise on the pod. */
function asOrdinaryUser(place: ContainerPlace, why: string): Correction {
  const own = place.container?.securityContext;
  const base = own?.runAsNonRoot !== undefined || own?.runAsUser !== undefined ? place.path : place.specPath;
  return {
    title: `Run as user ${ORDINARY_USER}`,
    changes: [change(place, fieldPath(base, 'securityContext', 'runAsUser'), ORDINARY_USER, why)],
    confidence: needsRoot(place) ? 'guess' : 'likely',
    explanation: 'The container starts as an ordinary user. A mirror shows whether its files allow that.',
    mirrorable: true,
  };
}

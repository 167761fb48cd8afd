import { fieldPath } from '../fix/apply.ts';
import { code } from '../quote.ts';
import { change, factOf, type Rule, who } from './rule.ts';

/** A user of no name in particular, as images for restricted clusters use it. */
const ORDINARY_USER = 1000;

/** `runAsNonRoot` against an image or a pod that says root, or whose user is only a name. */
export const runAsRoot: Rule = {
  id: 'run-as-root',
  reasons: ['CreateContainerConfigError'],
  answer(scene) {
    const fact = factOf(scene, 'run-as-root');
    if (!fact) return undefined;
    const place = scene.place();
    const why = {
      image: 'the image runs as root, and `runAsNonRoot` forbids it',
      'named-user': `the image's user ${code(fact.user ?? '')} has a name and no number, so kubelet cannot see that it is not root`,
      pod: '`runAsUser: 0` contradicts `runAsNonRoot`',
    }[fact.cause];
    const own = place?.container?.securityContext;
    const ofContainer = own?.runAsNonRoot !== undefined || own?.runAsUser !== undefined;
    const path =
      place &&
      (ofContainer ? fieldPath(place.path, 'securityContext', 'runAsUser') : fieldPath(place.specPath, 'securityContext', 'runAsUser'));
    return {
      summary: `${who(scene)} cannot start: ${why}.`,
      culprit: {
        image: `runAsNonRoot: image ${place?.container?.image ?? ''} runs as root`,
        'named-user': `runAsNonRoot: user ${fact.user ?? ''} of the image has no number`,
        pod: 'runAsUser 0 against runAsNonRoot',
      }[fact.cause],
      evidence: [fact.evidence],
      advice: [
        'Give the container a user (`runAsUser`) that is not 0, or build the image with `USER` and a number.',
        'The program then needs folders that this user may write to, and ports above 1023 unless the runtime allows lower ones.',
      ],
      corrections:
        place && path
          ? [
              {
                title: `Run as user ${ORDINARY_USER}`,
                changes: [change(place, path, ORDINARY_USER, why)],
                confidence: 'likely',
                explanation: 'The container starts as an ordinary user; whether its files allow that, a mirror shows.',
                mirrorable: true,
              },
            ]
          : [],
      noCure: { why: 'The image must say a user that is not root.', whereToLook: "the image's `USER`" },
    };
  },
};

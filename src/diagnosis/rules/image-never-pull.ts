import { fieldPath } from '../../crd/field-path.ts';
import { knownTags } from '../corrections/images/image.ts';
import type { Correction } from '../corrections/correction.ts';
import { nearest } from '../corrections/similar-names.ts';
import { parseImage } from '../../crd/image.ts';
import { code } from '../rendering/quote.ts';
import { describe } from '../rendering/commands.ts';
import { change } from '../corrections/change.ts';
import { factOf, who } from '../facts/input.ts';
import { type DiagnosisRule } from './rule.ts';

const tagOf = (image: string): string => parseImage(image).tag ?? 'latest';

/** The image is not on the node, and `imagePullPolicy: Never` forbids pulling it. */
export const imageNeverPull: DiagnosisRule = {
  id: 'image-never-pull',
  reasons: ['ErrImageNeverPull'],
  answer(input) {
    const fact = factOf(input, 'never-pull');
    if (!fact) return undefined;
    const place = input.place();
    return {
      summary: `${who(input)} cannot start: the image ${code(fact.image)} is not on the node, and \`imagePullPolicy: Never\` forbids pulling it.`,
      culprit: fact.image,
      evidence: [fact.evidence],
      advice: ['Let the node pull it (`IfNotPresent`), or load the image onto every node that may run the pod.'],
      commands: [describe(input.subject)],
      corrections: place?.container
        ? [
            ...knownTags(input, fact.image)
              .slice(0, 2)
              .map((other): Correction => ({
                title: `Use the image ${code(other)}`,
                changes: [change(place, fieldPath(place.path, 'image'), other, 'a node of the cluster has this tag already')],
                // Another version may be another program.
                confidence: nearest(tagOf(fact.image), [tagOf(other)]).length > 0 ? 'likely' : 'guess',
                explanation: `A node has ${code(other)} already.`,
                mirrorable: true,
              })),
            {
              title: 'Let the node pull the image',
              changes: [
                change(
                  place,
                  fieldPath(place.path, 'imagePullPolicy'),
                  'IfNotPresent',
                  '`Never` only works with images that are already on the node',
                ),
              ],
              confidence: knownTags(input, fact.image).length > 0 ? 'guess' : 'likely',
              explanation: `It helps when a registry has ${code(fact.image)}.`,
              mirrorable: true,
            },
          ]
        : [],
      noCorrection: { why: 'Somebody must load the image onto the node.', whereToLook: 'the images of the node (`crictl images`)' },
    };
  },
};

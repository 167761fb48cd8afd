import { fieldPath } from '../fix/apply.ts';
import { code } from '../quote.ts';
import { describe } from './commands.ts';
import { change, factOf, type Rule, who } from './rule.ts';

/** The image is not on the node, and `imagePullPolicy: Never` forbids pulling it. */
export const imageNeverPull: Rule = {
  id: 'image-never-pull',
  reasons: ['ErrImageNeverPull'],
  answer(scene) {
    const fact = factOf(scene, 'never-pull');
    if (!fact) return undefined;
    const place = scene.place();
    return {
      summary: `${who(scene)} cannot start: the image ${code(fact.image)} is not on the node, and \`imagePullPolicy: Never\` forbids to pull it.`,
      culprit: fact.image,
      evidence: [fact.evidence],
      advice: ['Let the node pull it (`IfNotPresent`), or load the image onto every node that may run the pod.'],
      commands: [describe(scene.subject)],
      corrections: place?.container
        ? [
            {
              title: 'Let the node pull the image',
              changes: [
                change(
                  place,
                  fieldPath(place.path, 'imagePullPolicy'),
                  'IfNotPresent',
                  '`Never` only works with images that are on the node already',
                ),
              ],
              confidence: 'likely',
              explanation: `It helps when a registry has ${code(fact.image)}.`,
              mirrorable: true,
            },
          ]
        : [],
      noCure: { why: 'The image must be brought to the node.', whereToLook: 'the images of the node (`crictl images`)' },
    };
  },
};

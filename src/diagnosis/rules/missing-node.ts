import { fieldPath } from '../../crd/field-path.ts';
import { code } from '../rendering/quote.ts';
import { nearestName } from '../corrections/similar-names.ts';
import { describe } from '../rendering/commands.ts';
import { change } from '../corrections/change.ts';
import { type DiagnosisRule } from './rule.ts';
import { who } from '../facts/input.ts';

/** The pod is bound to a node that does not run it. Usually the node does not exist. */
export const missingNode: DiagnosisRule = {
  id: 'missing-node',
  reasons: ['Pending'],
  answer(input) {
    const place = input.place(null);
    const name = place?.spec.nodeName;
    if (!place || !name || !/^the node ".*" has not taken the pod$/.test(input.subject.message)) return undefined;
    const nodes = (input.subject.surroundings?.nodes ?? []).map((node) => node.name);
    const isThere = nodes.includes(name);
    const [near] = isThere ? [] : nearestName(name, nodes);
    const path = fieldPath(place.specPath, 'nodeName');
    const missing = nodes.length > 0 && !isThere;
    return {
      summary: `${who(input, null)} never started: its manifest names the node ${code(name)}, ${missing ? 'which the cluster does not have' : 'which has not taken it'}.`,
      culprit: `nodeName ${name}`,
      evidence: [{ from: 'manifest', text: `spec.nodeName: ${name}` }],
      advice: [missing ? 'Let the scheduler choose the node, or correct `nodeName`.' : 'Look at the kubelet of the node.'],
      commands: [describe(input.subject), 'kubectl get nodes'],
      corrections: isThere
        ? []
        : [
            {
              title: 'Let the scheduler choose the node',
              changes: [change(place, path, null, missing ? `there is no node ${code(name)}` : `node ${code(name)} takes no pods`)],
              confidence: missing ? 'likely' : 'guess',
              explanation: near ? `There is a node ${code(near)}.` : 'The scheduler finds a node with room for it.',
              mirrorable: true,
            },
          ],
      noCorrection: { why: 'The node is there and does not answer.', whereToLook: `the kubelet of node ${code(name)}` },
    };
  },
};

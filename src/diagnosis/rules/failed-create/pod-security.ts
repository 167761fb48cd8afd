import { podSecurityChanges } from '../../corrections/pod-security.ts';
import { code } from '../../rendering/quote.ts';
import { factOf, type RuleAnswer, type RuleInput } from '../rule.ts';
import { cannotCreate } from './answer.ts';

/** The namespace enforces a Pod Security level that the pods do not meet. */
export function podSecurityViolation(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'pod-security');
  if (!fact) return undefined;
  const place = input.place();
  const { changes, complete } = place ? podSecurityChanges(place, fact.violations) : { changes: [], complete: false };
  const fields = fact.violations.map((violation) => violation.replace(/ \(.*$/s, ''));
  const forbidden = fields.map((field) => code(field)).join(', ');
  return cannotCreate(input, `the namespace enforces Pod Security level ${code(fact.level)}, which forbids ${forbidden}`, {
    culprit: `Pod Security ${fact.level}: ${fields.join(', ')}`,
    evidence: [fact.evidence],
    advice: [
      'Set the fields that the message names, or move the workload to a namespace with another level.',
      'With `runAsNonRoot` the image needs a user other than root.',
    ],
    commands: [`kubectl get namespace ${input.subject.namespace.replaceAll(/[^\w.-]/g, '')} --show-labels`],
    corrections: [
      {
        title: `Meet Pod Security level ${code(fact.level)}`,
        changes,
        confidence: complete ? 'certain' : 'likely',
        explanation: 'The API server then accepts the pods. Whether the program runs with fewer rights shows only when it runs.',
        mirrorable: false,
      },
    ],
    noCorrection: {
      why: 'The workload needs what the level forbids.',
      whereToLook: "the namespace's label `pod-security.kubernetes.io/enforce`",
    },
  });
}

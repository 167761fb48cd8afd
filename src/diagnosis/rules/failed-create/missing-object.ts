import { fieldPath } from '../../../crd/field-path.ts';
import { existingAccount } from '../../corrections/admission/account.ts';
import { code } from '../../rendering/quote.ts';
import { kubectl } from '../../rendering/commands.ts';
import { change } from '../../corrections/change.ts';
import { factOf, type RuleInput } from '../../facts/input.ts';
import { type RuleAnswer } from '../rule.ts';
import { cannotCreate } from './answer.ts';

/** The pods name a service account, priority class or runtime class that does not exist. */
export function missingObject(input: RuleInput): RuleAnswer | undefined {
  return missingAccount(input) ?? missingClass(input, 'priority') ?? missingClass(input, 'runtime');
}

function missingAccount(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'service-account');
  if (!fact) return undefined;
  return cannotCreate(input, `the service account ${code(fact.name)} does not exist`, {
    culprit: `service account ${fact.name}`,
    evidence: [fact.evidence],
    advice: [`Create the service account ${code(fact.name)}, or correct \`serviceAccountName\`.`],
    commands: [kubectl(input.subject, 'get', 'serviceaccounts'), kubectl(input.subject, 'create', 'serviceaccount', fact.name)],
    corrections: existingAccount(input, fact.name),
    noCorrection: {
      why: 'Somebody must create the service account with the rights that the program needs. The manifest only names it.',
      whereToLook: 'the service accounts of the namespace, and what should have created this one',
    },
  });
}

const WITHOUT_CLASS = {
  priority: { confidence: 'likely', explanation: 'The pods then have the default priority.' },
  runtime: {
    confidence: 'guess',
    explanation: 'The pods then run with less isolation than their author wanted. Decide first whether that is acceptable.',
  },
} as const;

function missingClass(input: RuleInput, kind: 'priority' | 'runtime'): RuleAnswer | undefined {
  const fact = factOf(input, `${kind}-class`);
  if (!fact) return undefined;
  const place = input.place();
  const field = `${kind}ClassName`;
  return cannotCreate(input, `the ${kind} class ${code(fact.name)} does not exist`, {
    culprit: `${kind} class ${fact.name}`,
    evidence: [fact.evidence],
    advice: [`Create the ${kind} class, or correct ${code(field)}.`],
    commands: [`kubectl get ${kind}classes`],
    corrections: [
      {
        title: `Remove the ${kind} class`,
        changes: place ? [change(place, fieldPath(place.specPath, field), null, 'there is no such class')] : [],
        ...WITHOUT_CLASS[kind],
        mirrorable: false,
      },
    ],
  });
}

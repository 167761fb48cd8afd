import { code } from '../../rendering/quote.ts';
import { factOf, type RuleAnswer, type RuleInput } from '../rule.ts';
import { cannotCreate } from './answer.ts';

/** A webhook, an admission policy or the API server itself refuses the pods. */
export function refusedPod(input: RuleInput): RuleAnswer | undefined {
  return refusedByWebhook(input) ?? refusedByPolicy(input) ?? refusedByServer(input);
}

const POLICY_IN_MESSAGE = 'Only its message says what the policy requires.';

function refusedByWebhook(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'webhook');
  if (!fact) return undefined;
  const { name, reason, denied } = fact;
  return cannotCreate(input, `the admission webhook ${code(name)} ${denied ? 'refuses them' : 'does not answer'}: ${code(reason)}`, {
    culprit: `webhook ${name}`,
    evidence: [fact.evidence],
    advice: [
      denied
        ? 'Meet the policy that its message names, or ask those who run it.'
        : 'Repair the pods and the Service of the webhook. Until then, nothing that it watches can be created.',
    ],
    commands: ['kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations'],
    noCorrection: {
      why: denied ? POLICY_IN_MESSAGE : 'The webhook does not answer. The manifest is not the cause.',
      whereToLook: `the webhook ${code(name)}: its configuration, its pods, its log`,
    },
  });
}

function refusedByPolicy(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'policy');
  if (!fact) return undefined;
  return cannotCreate(input, `the admission policy ${code(fact.name)} refuses them: ${code(fact.reason)}`, {
    culprit: `admission policy ${fact.name}: ${fact.reason}`.slice(0, 200),
    evidence: [fact.evidence],
    advice: ['Meet the policy that its message names, or ask those who maintain it.'],
    commands: ['kubectl get validatingadmissionpolicies,validatingadmissionpolicybindings'],
    noCorrection: { why: POLICY_IN_MESSAGE, whereToLook: `the admission policy ${code(fact.name)} and its binding` },
  });
}

function refusedByServer(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'refused');
  if (!fact) return undefined;
  return cannotCreate(input, code(fact.reason, 300), {
    culprit: fact.reason.slice(0, 200),
    evidence: [fact.evidence],
    advice: ["Read the API server's message: it names the field or the right that is missing."],
    noCorrection: {
      why: 'The API server refuses the pods for a reason that no rule can correct.',
      whereToLook: "the controller's events and the API server's message",
    },
  });
}

import { code } from '../../rendering/quote.ts';
import type { Change } from '../../../contract/failure.ts';
import { fieldPath, valueAt } from '../../../crd/field-path.ts';
import type { Correction } from '../../corrections/correction.ts';
import { change, factOf, type RuleAnswer, type RuleInput } from '../rule.ts';
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
    corrections: denied ? asThePolicySays(input, reason) : [],
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
    corrections: asThePolicySays(input, fact.reason),
    noCorrection: { why: POLICY_IN_MESSAGE, whereToLook: `the admission policy ${code(fact.name)} and its binding` },
  });
}

/** The label or the limit that a policy's message names, with a value that only its author can judge. */
function asThePolicySays(input: RuleInput, message: string): Correction[] {
  const place = input.place(null);
  if (!place) return [];
  const why = 'the message of the policy names it';
  const label = /\blabels?\b[^\w]{1,4}(?:named |called |key )?['"`]?([a-z0-9](?:[\w./-]{0,60}[a-z0-9])?)['"`]?(?!\w)/.exec(message)?.[1];
  const [, field, resource] =
    /\b(limits|requests)\.(cpu|memory)\b/.exec(message) ??
    /\b(?:(?=.*\b(?:memory|cpu) (limit|request))).*?\b(memory|cpu)\b/.exec(message) ??
    [];
  const base = place.specPath.replace(/\.?spec$/, '');
  const labels = (valueAt(place.object, base === '' ? 'metadata.labels' : `${base}.metadata.labels`) ?? {}) as Record<string, unknown>;
  const guess = (title: string, changes: Change[], explanation: string): Correction[] =>
    changes.length > 0 ? [{ title, changes, confidence: 'guess', explanation, mirrorable: false }] : [];
  if (field && resource) {
    const list = field.endsWith('s') ? field : `${field}s`;
    const changes = place.spec.containers.flatMap(({ resources }, index) =>
      resources?.[list as 'limits']?.[resource] === undefined
        ? [
            change(
              place,
              fieldPath(place.specPath, 'containers', index, 'resources', list, resource),
              resource === 'cpu' ? '500m' : '256Mi',
              why,
            ),
          ]
        : [],
    );
    return guess(`Set \`${list}.${resource}\` for every container`, changes, 'Measure how much the program needs.');
  }
  if (label === undefined || ['of', 'on', 'and', 'is', 'are', 'must', 'in'].includes(label) || Object.hasOwn(labels, label)) return [];
  const path = fieldPath(base === '' ? 'metadata.labels' : `${base}.metadata.labels`, label);
  return guess(
    `Give the pods the label ${code(label)}`,
    [change(place, path, input.subject.namespace, why)],
    'Only those who wrote the policy know which values are right.',
  );
}

function refusedByServer(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'refused');
  if (!fact) return undefined;
  return cannotCreate(input, code(fact.reason, 300), {
    culprit: fact.reason.slice(0, 200),
    evidence: [fact.evidence],
    advice: ["Correct the field or the right that the API server's message names."],
    noCorrection: {
      why: 'The API server refuses the pods for a reason that no rule can correct.',
      whereToLook: "the controller's events and the API server's message",
    },
  });
}

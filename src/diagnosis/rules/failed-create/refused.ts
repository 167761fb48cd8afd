import { code } from '../../rendering/quote.ts';
import type { Change } from '../../../contract/failure.ts';
import { fieldPath, valueAt } from '../../../crd/field-path.ts';
import type { Correction } from '../../corrections/correction.ts';
import { joined } from '../../corrections/combine.ts';
import { fixedTag, listedLabels, lowerLimit, requiredProbes, requiredResources } from '../../corrections/admission/policy.ts';
import { pulledAsSaid, withinBound } from '../../corrections/admission/policy-bound.ts';
import { fromRegistry } from '../../corrections/images/registry.ts';
import { change } from '../../corrections/change.ts';
import { type ContainerPlace, factOf, type RuleInput } from '../../facts/input.ts';
import { type RuleAnswer } from '../rule.ts';
import { cannotCreate } from './answer.ts';

/** A webhook, an admission policy or the API server itself refuses the pods. */
export function refusedPod(input: RuleInput): RuleAnswer | undefined {
  return (
    refusedByWebhook(input) ??
    refusedByPolicy(input) ??
    tooLong(input) ??
    contradictsClass(input) ??
    endingNamespace(input) ??
    refusedByServer(input)
  );
}

const POLICY_IN_MESSAGE = 'Only its message says what the policy requires.';

/** What becomes of a call to a webhook, and what to do. */
const WEBHOOK = {
  denied: {
    state: 'refuses them',
    advice: 'Change the pods as the message of the webhook asks, or ask those who run the webhook.',
  },
  untrusted: {
    state: 'shows a certificate that the API server does not accept',
    advice:
      'Write the authority of its certificate into `caBundle` of its configuration, or have the certificate made again. Until then, nothing that it watches can be created.',
  },
  silent: {
    state: 'does not answer',
    advice: 'Repair the pods and the Service of the webhook. Until then, nothing that it watches can be created.',
  },
} as const;

function refusedByWebhook(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'webhook');
  if (!fact) return undefined;
  const { name, reason, denied } = fact;
  const failed = /x509: /.test(reason) ? WEBHOOK.untrusted : WEBHOOK.silent;
  const { state, advice } = denied ? WEBHOOK.denied : failed;
  return cannotCreate(input, `the admission webhook ${code(name)} ${state}: ${code(reason)}`, {
    culprit: denied ? `webhook ${name}: ${demandIn(reason)}`.slice(0, 200) : `webhook ${name}`,
    evidence: [fact.evidence],
    advice: [advice],
    commands: ['kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations'],
    corrections: denied ? asThePolicySays(input, reason) : [],
    noCorrection: {
      why: denied ? POLICY_IN_MESSAGE : `The webhook ${state}. The manifest is not the cause.`,
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
    advice: ['Change the pods as the message of the policy asks, or ask those who maintain the policy.'],
    commands: ['kubectl get validatingadmissionpolicies,validatingadmissionpolicybindings'],
    corrections: asThePolicySays(input, fact.reason),
    noCorrection: { why: POLICY_IN_MESSAGE, whereToLook: `the admission policy ${code(fact.name)} and its binding` },
  });
}

/** The part of a webhook's message that says what is wrong, without the surrounding lines. */
function demandIn(reason: string): string {
  return reason
    .replace(/^\s*resource \S{1,400} was blocked due to the following policies:?\s*/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The changes that a policy's message names. Only the author can judge the values. */
function asThePolicySays(input: RuleInput, message: string): Correction[] {
  const place = input.place(null);
  if (!place) return [];
  const known = [
    fixedTag(input, place, message),
    listedLabels(input, place, message),
    securedAsSaid(place, message) ?? requiredResources(place, message) ?? lowerLimit(place, message),
    requiredProbes(place, message),
    pulledAsSaid(place, message),
  ].filter((one) => one !== undefined);
  const said = withinBound(place, message) ?? fieldAsSaid(place, message) ?? fromRegistry(place, message);
  if (said) return [said, ...known];
  // A pod that breaks several rules is accepted only when it meets all of them.
  const [first, ...others] = known;
  return first ? [joined(first, ...others)] : namedThing(input, place, message);
}

/** The limit, the label or the annotation that a policy's message names. */
function namedThing(input: RuleInput, place: ContainerPlace, message: string): Correction[] {
  const why = 'the message of the policy names it';
  const label = (/\blabels?\b\W{1,6}["'{]{1,2}["']?([a-z0-9](?:[\w./-]{0,60}[a-z0-9])?)["']/.exec(message) ??
    /\blabels?\b[^\w]{1,4}(?:named |called |key )?['"`]?([a-z0-9](?:[\w./-]{0,60}[a-z0-9])?)['"`]?(?!\w)/.exec(message))?.[1];
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
  const noted = /\bannotations?\b[^\w]{1,4}(?:named |called |key )?['"`]?([a-z0-9](?:[\w./-]{0,60}[a-z0-9])?)['"`]?(?!\w)/.exec(
    message,
  )?.[1];
  if (label === undefined && noted !== undefined && !VAGUE.has(noted)) {
    const map = base === '' ? 'metadata.annotations' : `${base}.metadata.annotations`;
    const title = `Give the pods the annotation ${code(noted)}`;
    return guess(
      title,
      [change(place, fieldPath(map, noted), input.subject.namespace, why)],
      'Only those who wrote the policy know which values are right.',
    );
  }
  if (label === undefined || VAGUE.has(label) || Object.hasOwn(labels, label)) return [];
  const path = fieldPath(base === '' ? 'metadata.labels' : `${base}.metadata.labels`, label);
  return guess(
    `Give the pods the label ${code(label)}`,
    [change(place, path, input.subject.namespace, why)],
    'Only those who wrote the policy know which values are right.',
  );
}

/** Words that follow "label" or "annotation" in a message but are not keys. */
const VAGUE = new Set([
  'of',
  'on',
  'and',
  'is',
  'are',
  'must',
  'in',
  'for',
  'with',
  'to',
  'that',
  'which',
  'the',
  'a',
  'from',
  'has',
  'have',
  'not',
  'should',
  'or',
  'you',
  'your',
  'required',
  'missing',
]);

/** Fields of a container's security context that policies name, with the value that they require. */
const SECURITY: readonly [field: string, value: boolean, words: RegExp][] = [
  [
    'readOnlyRootFilesystem',
    true,
    /\breadOnlyRootFilesystem\b|root file ?system (?:must|has to) be read-only|only read-only root file ?system/i,
  ],
  ['runAsNonRoot', true, /\brunAsNonRoot\b|running as root is not allowed/i],
  ['allowPrivilegeEscalation', false, /\ballowPrivilegeEscalation\b|privilege escalation (?:container )?is (?:not allowed|disallowed)/i],
  ['privileged', false, /(?<!non-)\bprivileged\b/i],
];
/** Pod fields that policies forbid by name. */
const OF_THE_NODE = ['hostNetwork', 'hostPID', 'hostIPC'] as const;

/** Sets a pod field to the value that a policy's message gives: `spec.automountServiceAccountToken to false`. */
function fieldAsSaid(place: ContainerPlace, message: string): Correction | undefined {
  const [, path, written] =
    /\bspec\.((?!containers|initContainers|template)[A-Za-z]{2,60}(?:\.[A-Za-z]{2,60}){0,3})\b['"`]?.{0,30}?(?: to be | to | be |[:=]=? ?| as )['"`]?(?:(?:equal|set) to )?(true|false|\d{1,9}|[\w./-]{1,100}\w)/.exec(
      message,
    ) ?? [];
  if (path === undefined || written === undefined || VAGUE.has(written) || ['set', 'present', 'defined'].includes(written))
    return undefined;
  const to = /^(?:true|false)$/.test(written) ? written === 'true' : /^\d+$/.test(written) ? Number(written) : written;
  const at = `${place.specPath}.${path}`;
  return {
    title: `Set ${code(`spec.${path}`)} to ${code(written)}`,
    changes: [change(place, at, to, 'the message of the policy says so')],
    confidence: 'guess',
    explanation: 'The API server then accepts the pods, if the policy asks nothing else.',
    mirrorable: false,
  };
}

/** Sets the security context or host fields that a policy's message names. */
function securedAsSaid(place: ContainerPlace, message: string): Correction | undefined {
  const isSaid = (field: string) => new RegExp(`\\b${field}\\b`, 'i').test(message);
  const why = 'the message of the policy names it';
  const wanted = SECURITY.filter(([, , words]) => words.test(message));
  const containers = (['initContainers', 'containers'] as const).flatMap((list) =>
    (place.spec[list] ?? []).map((one, index) => ({
      path: fieldPath(place.specPath, list, index, 'securityContext'),
      own: one.securityContext,
    })),
  );
  const changes = [
    ...containers.flatMap(({ path, own }) =>
      wanted.flatMap(([field, value]) =>
        (own as Record<string, unknown> | undefined)?.[field] === value ? [] : [change(place, fieldPath(path, field), value, why)],
      ),
    ),
    ...OF_THE_NODE.filter((field) => isSaid(field) && place.spec[field] === true).map((field) =>
      change(place, fieldPath(place.specPath, field), null, why),
    ),
  ];
  if (changes.length === 0) return undefined;
  const fields = [
    ...wanted.map(([field]) => field),
    ...OF_THE_NODE.filter((field) => changes.some(({ path }) => path.endsWith(`.${field}`))),
  ];
  return {
    title: `Set ${fields.map((field) => code(field)).join(', ')} as the policy says`,
    changes,
    confidence: 'guess',
    explanation:
      'The API server then accepts the pods, if the policy asks nothing else. Whether the program runs with it shows only when it runs.',
    mirrorable: false,
  };
}

/** A name or label is so long that what Kubernetes derives from it exceeds its limit. */
function tooLong(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'refused');
  const [, field = '', value = '', most = ''] =
    /\bmetadata\.(labels|name|generateName)\S{0,80}: Invalid value: "([^"]{1,400})".{0,80}?must be no more than (\d{1,4}) (?:bytes|characters)/.exec(
      fact?.reason ?? '',
    ) ?? [];
  if (!fact || !field) return undefined;
  const { pod_name: name } = input.subject;
  const isOfName = value.startsWith(name) && field === 'labels';
  const what = isOfName ? `name ${name}` : `${field === 'labels' ? 'label' : 'name'} ${value}`;
  const spare = value.length - name.length;
  return cannotCreate(
    input,
    isOfName
      ? `its name is too long: the label ${code(value)} that Kubernetes makes of it may have ${most} characters`
      : `the ${field === 'labels' ? 'label' : 'name'} ${code(value)} of its pods is too long: ${most} characters are allowed`,
    {
      culprit: `${what.slice(0, 120)}: longer than ${most} characters`,
      evidence: [fact.evidence],
      advice: [
        isOfName
          ? `Make it again under a shorter name, with at most ${Number(most) - spare} characters. The name of an object cannot be changed.`
          : `Shorten it to at most ${most} characters, wherever it is used.`,
      ],
      noCorrection: {
        why: isOfName
          ? 'The name of an object cannot be changed; it must be made again.'
          : 'Whoever uses the name or label must agree with another one.',
        whereToLook: isOfName ? `the name of the ${input.subject.resource_kind}` : `the ${field} of the pod's template`,
      },
    },
  );
}

/** Fields that the class of the pod sets, and that the pod must not set otherwise. */
const OF_CLASSES: readonly [field: 'priority' | 'preemptionPolicy' | 'overhead', of: string, words: RegExp][] = [
  ['priority', 'priority class', /integer value of priority \(-?\d{1,12}\) must not be provided/],
  ['preemptionPolicy', 'priority class', /string value of PreemptionPolicy \(\w{1,40}\) must not be provided/],
  ['overhead', 'runtime class', /Pod(?:'s)? Overhead (?:doesn't match|set without)/],
];

function contradictsClass(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'refused');
  const [field, of] = OF_CLASSES.find(([, , words]) => words.test(fact?.reason ?? '')) ?? [];
  const place = input.place(null);
  if (!fact || !field || !of || !place) return undefined;
  const value = place.spec[field];
  return cannotCreate(input, `they set ${code(field)} themselves, to another value than their ${of}`, {
    culprit: `${field}${typeof value === 'object' || value === undefined ? '' : ` ${value}`}`,
    evidence: [fact.evidence],
    advice: [`Remove ${code(field)}: the ${of} sets it. To have another value, name another class.`],
    commands: [`kubectl get ${of.replace(' ', '')}es`],
    corrections:
      value === undefined
        ? []
        : [
            {
              title: `Leave ${code(field)} to the ${of}`,
              changes: [change(place, fieldPath(place.specPath, field), null, `the ${of} sets it`)],
              confidence: 'likely',
              explanation: 'The API server then fills in what the class says, or the default without a class.',
              mirrorable: false,
            },
          ],
  });
}

/** A namespace that is being deleted takes no new objects. */
function endingNamespace(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'refused');
  const name = /unable to create new content in namespace (\S{1,63}) because it is being terminated/.exec(fact?.reason ?? '')?.[1];
  if (!fact || name === undefined) return undefined;
  return cannotCreate(input, `the namespace ${code(name)} is being deleted`, {
    culprit: `namespace ${name} is being terminated`,
    evidence: [fact.evidence],
    advice: [
      'Create the workload in another namespace, or wait until this one is gone and make it again. What keeps it is named in its conditions.',
    ],
    commands: [`kubectl get namespace ${name} -o yaml`],
    noCorrection: {
      why: 'A namespace that is being deleted takes nothing new.',
      whereToLook: 'who deleted the namespace, and its finalizers',
    },
  });
}

function refusedByServer(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'refused');
  if (!fact) return undefined;
  return cannotCreate(input, code(fact.reason, 300), {
    culprit: fact.reason.slice(0, 200),
    evidence: [fact.evidence],
    advice: ["Correct what the API server's message names: a field of the pods, or what their account may do."],
    noCorrection: {
      why: "The API server's message says why it refuses the pods.",
      whereToLook: "the controller's events and the API server's message",
    },
  });
}

import { fieldPath } from '../fix/apply.ts';
import { nearest } from '../fix/nearest.ts';
import { formatResource, parseQuantity } from '../fix/quantity.ts';
import { code } from '../quote.ts';
import type { RuleCorrection } from './answer.ts';
import { describe, kubectl } from './commands.ts';
import { podSecurityChanges } from './cures/pod-security.ts';
import { quotasNow } from './cures/quota.ts';
import { type Answer, change, factOf, type Rule, type Scene, who } from './rule.ts';

/** A controller that cannot create its pods. Mirrors copy pods, not controllers: none of its corrections is mirrorable. */
export const failedCreate: Rule = {
  id: 'failed-create',
  reasons: ['FailedCreate', 'ReplicaFailure'],
  answer(scene) {
    return quota(scene) ?? quotaNeeds(scene) ?? podSecurity(scene) ?? named(scene) ?? limitRange(scene) ?? refusal(scene);
  },
};

function answer(scene: Scene, because: string, rest: Omit<Answer, 'summary'>): Answer {
  return {
    summary: `${who(scene, null)} cannot create its pods: ${because}.`,
    ...rest,
    commands: [describe(scene.subject), ...(rest.commands ?? [])],
  };
}

function quota(scene: Scene): Answer | undefined {
  const fact = factOf(scene, 'quota');
  if (!fact) return undefined;
  const exceeded = Object.keys(fact.requested);
  const now = quotasNow(scene, fact);
  const numbers = exceeded.map(
    (name) =>
      `${code(name)}: asks for ${code(fact.requested[name] ?? '')}, ${code(fact.used[name] ?? '?')} of ${code(fact.limited[name] ?? '?')} are used`,
  );
  return answer(scene, `quota ${code(fact.quota)} is used up (${numbers.join('; ')})`, {
    culprit: `quota ${fact.quota}`,
    evidence: [fact.evidence, ...now.evidence],
    advice: ['Raise the quota, end what is no longer needed in the namespace, or ask for less.', ...now.advice],
    commands: [kubectl(scene.subject, 'describe', 'resourcequota', fact.quota)],
    corrections: exceeded.flatMap((name) => withinQuota(scene, name, fact.limited[name], fact.used[name])),
    noCure: {
      why: 'The namespace has used what it may; the manifest only asks for its share.',
      whereToLook: `quota ${code(fact.quota)} and what uses it`,
    },
  });
}

/** The part of a quota that is left, as the request or limit of the first container. */
function withinQuota(scene: Scene, name: string, limited: string | undefined, used: string | undefined): RuleCorrection[] {
  const place = scene.place();
  const [kind, resource] = name.includes('.') ? [name.slice(0, name.indexOf('.')), name.slice(name.indexOf('.') + 1)] : ['requests', name];
  const left = (parseQuantity(limited) ?? 0) - (parseQuantity(used) ?? 0);
  const field = kind === 'limits' ? 'limits' : 'requests';
  const own = parseQuantity(place?.spec.containers[0]?.resources?.[field]?.[resource]);
  if (!place || own === undefined || left <= 0 || left >= own) return [];
  const to = formatResource(resource, left);
  return [
    {
      title: `Ask for ${code(to)} of ${code(resource)}`,
      changes: [
        change(place, fieldPath(place.specPath, 'containers', 0, 'resources', field, resource), to, 'so much is left of the quota'),
      ],
      confidence: 'guess',
      explanation: 'Enough for one pod.',
      mirrorable: false,
    },
  ];
}

/** What a container gets when a quota wants a number and nothing is known of its needs. */
const MODEST: Record<string, string> = { cpu: '100m', memory: '128Mi', 'ephemeral-storage': '256Mi' };

function quotaNeeds(scene: Scene): Answer | undefined {
  const fact = factOf(scene, 'quota-needs');
  if (!fact) return undefined;
  const place = scene.place();
  const changes = fact.fields.flatMap(({ resource, containers }) => {
    const field = resource.startsWith('limits.') ? 'limits' : 'requests';
    const name = resource.replace(/^(?:limits|requests)\./, '');
    const modest = MODEST[name];
    if (!place || !modest) return [];
    return place.spec.containers.flatMap((container, index) => {
      const isMeant = containers.length === 0 || containers.includes(container.name);
      const other = container.resources?.[field === 'limits' ? 'requests' : 'limits']?.[name];
      return isMeant && container.resources?.[field]?.[name] === undefined
        ? [
            change(
              place,
              fieldPath(place.specPath, 'containers', index, 'resources', field, name),
              other ?? modest,
              `quota ${code(fact.quota)} wants it of every container`,
            ),
          ]
        : [];
    });
  });
  const missing = fact.fields.map(({ resource }) => resource).join(', ');
  return answer(scene, `quota ${code(fact.quota)} wants ${code(missing)} of every container`, {
    culprit: `quota ${fact.quota}: ${missing}`,
    evidence: [fact.evidence],
    advice: ['Give every container these requests and limits, or the namespace a LimitRange with defaults.'],
    corrections:
      changes.length > 0
        ? [
            {
              title: 'Say what the containers need',
              changes,
              confidence: 'likely',
              explanation: 'The pods are then accepted; measure what they really need.',
              mirrorable: false,
            },
          ]
        : [],
  });
}

function podSecurity(scene: Scene): Answer | undefined {
  const fact = factOf(scene, 'pod-security');
  if (!fact) return undefined;
  const place = scene.place();
  const { changes, complete } = place ? podSecurityChanges(place, fact.violations) : { changes: [], complete: false };
  const fields = fact.violations.map((violation) => violation.replace(/ \(.*$/s, ''));
  return answer(
    scene,
    `the namespace enforces Pod Security level ${code(fact.level)}, which forbids ${fields.map((field) => code(field)).join(', ')}`,
    {
      culprit: `Pod Security ${fact.level}: ${fields.join(', ')}`,
      evidence: [fact.evidence],
      advice: [
        'Set the fields that the message names, or move the workload to a namespace of another level.',
        'With `runAsNonRoot` the image must have a user that is not root.',
      ],
      commands: [`kubectl get namespace ${scene.subject.namespace.replaceAll(/[^\w.-]/g, '')} --show-labels`],
      corrections:
        changes.length > 0
          ? [
              {
                title: `Meet Pod Security level ${code(fact.level)}`,
                changes,
                confidence: complete ? 'certain' : 'likely',
                explanation: 'The API server then accepts the pods; whether the program runs with less power shows when it does.',
                mirrorable: false,
              },
            ]
          : [],
      noCure: {
        why: 'The workload needs what the level forbids.',
        whereToLook: "the namespace's label `pod-security.kubernetes.io/enforce`",
      },
    },
  );
}

function named(scene: Scene): Answer | undefined {
  const account = factOf(scene, 'service-account');
  if (!account) return missingClass(scene, 'priority') ?? missingClass(scene, 'runtime');
  const place = scene.place();
  return answer(scene, `the service account ${code(account.name)} does not exist`, {
    culprit: `service account ${account.name}`,
    evidence: [account.evidence],
    advice: [`Make the service account ${code(account.name)}, or correct \`serviceAccountName\`.`],
    commands: [kubectl(scene.subject, 'get', 'serviceaccounts'), kubectl(scene.subject, 'create', 'serviceaccount', account.name)],
    corrections: place
      ? nearest(account.name, ['default']).map((guess) => ({
          title: `Use the service account ${code(guess)}`,
          changes: [change(place, fieldPath(place.specPath, 'serviceAccountName'), guess, `${code(account.name)} looks like a slip of it`)],
          confidence: 'likely' as const,
          explanation: 'Every namespace has it.',
          mirrorable: false,
        }))
      : [],
    noCure: {
      why: 'The service account must be made, with the rights that the program needs; the manifest only names it.',
      whereToLook: 'the service accounts of the namespace, and what should have made this one',
    },
  });
}

function missingClass(scene: Scene, kind: 'priority' | 'runtime'): Answer | undefined {
  const fact = factOf(scene, `${kind}-class`);
  if (!fact) return undefined;
  const place = scene.place();
  const field = `${kind}ClassName`;
  return answer(scene, `the ${kind} class ${code(fact.name)} does not exist`, {
    culprit: `${kind} class ${fact.name}`,
    evidence: [fact.evidence],
    advice: [`Make the ${kind} class, or correct ${code(field)}.`],
    commands: [`kubectl get ${kind}classes`],
    corrections: place
      ? [
          {
            title: `Do without the ${kind} class`,
            changes: [change(place, fieldPath(place.specPath, field), null, 'there is no such class')],
            confidence: kind === 'priority' ? 'likely' : 'guess',
            explanation:
              kind === 'priority'
                ? 'The pods then have the default priority.'
                : 'The pods then run with less isolation than their author wanted: decide that first.',
            mirrorable: false,
          },
        ]
      : [],
  });
}

function limitRange(scene: Scene): Answer | undefined {
  const fact = factOf(scene, 'limit-range');
  if (!fact) return undefined;
  const place = scene.place();
  const field = fact.bound === 'maximum' ? 'limits' : 'requests';
  const allowed = parseQuantity(fact.allowed) ?? 0;
  const changes = (place?.spec.containers ?? []).flatMap((container, index) => {
    if (!place) return [];
    const set = (at: 'limits' | 'requests') =>
      change(
        place,
        fieldPath(place.specPath, 'containers', index, 'resources', at, fact.resource),
        fact.allowed,
        `the namespace allows a ${fact.bound} of ${code(fact.allowed)}`,
      );
    const isOutside = (at: 'limits' | 'requests') => {
      const own = parseQuantity(container.resources?.[at]?.[fact.resource]);
      return own !== undefined && (fact.bound === 'maximum' ? own > allowed : own < allowed);
    };
    const both = (['limits', 'requests'] as const).filter(isOutside);
    return both.length > 0 ? both.map(set) : fact.given === '' ? [set(field)] : [];
  });
  return answer(
    scene,
    `the namespace allows a ${fact.bound} of ${code(fact.allowed)} ${code(fact.resource)} for a container${fact.given ? `, and it asks for ${code(fact.given)}` : ''}`,
    {
      culprit: `${fact.resource} ${fact.given || 'limit'} (${fact.bound} ${fact.allowed})`,
      evidence: [fact.evidence],
      advice: ['Stay within the LimitRange of the namespace, or have it changed.'],
      commands: [kubectl(scene.subject, 'describe', 'limitranges')],
      corrections:
        changes.length > 0
          ? [
              {
                title: `Stay within ${code(fact.allowed)}`,
                changes,
                confidence: 'certain',
                explanation: 'The API server then accepts the pods.',
                mirrorable: false,
              },
            ]
          : [],
    },
  );
}

function refusal(scene: Scene): Answer | undefined {
  const webhook = factOf(scene, 'webhook');
  if (webhook)
    return answer(
      scene,
      `the admission webhook ${code(webhook.name)} ${webhook.denied ? `refuses them: ${code(webhook.reason)}` : `does not answer: ${code(webhook.reason)}`}`,
      {
        culprit: `webhook ${webhook.name}`,
        evidence: [webhook.evidence],
        advice: [
          webhook.denied
            ? 'Meet the policy that its message names, or ask those who run it.'
            : "Bring the webhook's pods and Service back; while they are away nothing that they watch can be created.",
        ],
        commands: ['kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations'],
        noCure: {
          why: webhook.denied
            ? 'What the policy wants stands in its message only.'
            : 'The webhook is away; the manifest is not what is wrong.',
          whereToLook: `the webhook ${code(webhook.name)}: its configuration, its pods, its log`,
        },
      },
    );
  const policy = factOf(scene, 'policy');
  if (policy)
    return answer(scene, `the admission policy ${code(policy.name)} refuses them: ${code(policy.reason)}`, {
      culprit: `admission policy ${policy.name}: ${policy.reason}`.slice(0, 200),
      evidence: [policy.evidence],
      advice: ['Meet the policy that its message names, or ask those who keep it.'],
      commands: ['kubectl get validatingadmissionpolicies,validatingadmissionpolicybindings'],
      noCure: {
        why: 'What the policy wants stands in its message only.',
        whereToLook: `the admission policy ${code(policy.name)} and its binding`,
      },
    });
  const fact = factOf(scene, 'refused');
  if (!fact) return undefined;
  return answer(scene, code(fact.reason, 300), {
    culprit: fact.reason.slice(0, 200),
    evidence: [fact.evidence],
    advice: ["Read the API server's message: it names the field or the right that is missing."],
    noCure: {
      why: 'The API server refuses the pods for a cause that Podmend cannot mend by a rule.',
      whereToLook: "the controller's events and the API server's message",
    },
  });
}

import { fieldPath } from '../../../crd/field-path.ts';
import { formatResource, parseQuantity } from '../../../crd/quantity.ts';
import type { Correction } from '../../corrections/correction.ts';
import { quotasNow } from '../../corrections/quota.ts';
import { code } from '../../rendering/quote.ts';
import { kubectl } from '../commands.ts';
import { change, factOf, type RuleAnswer, type RuleInput } from '../rule.ts';
import { cannotCreate } from './answer.ts';

/** The namespace's quota has no room left for the pod. */
export function exceededQuota(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'quota');
  if (!fact) return undefined;
  const exceeded = Object.keys(fact.requested);
  const now = quotasNow(input, fact);
  const numbers = exceeded.map(
    (name) =>
      `${code(name)}: asks for ${code(fact.requested[name] ?? '')}, ${code(fact.used[name] ?? '?')} of ${code(fact.limited[name] ?? '?')} are used`,
  );
  return cannotCreate(input, `quota ${code(fact.quota)} is used up (${numbers.join('; ')})`, {
    culprit: `quota ${fact.quota}`,
    evidence: [fact.evidence, ...now.evidence],
    advice: ['Raise the quota, delete what the namespace no longer needs, or request less.', ...now.advice],
    commands: [kubectl(input.subject, 'describe', 'resourcequota', fact.quota)],
    corrections: exceeded.flatMap((name) => requestWhatIsLeft(input, name, fact.limited[name], fact.used[name])),
    noCorrection: {
      why: 'The namespace has used up its quota. The manifest requests nothing unusual.',
      whereToLook: `quota ${code(fact.quota)} and what uses it`,
    },
  });
}

/** Sets the first container's request or limit to what is left of the quota. */
function requestWhatIsLeft(input: RuleInput, name: string, limited: string | undefined, used: string | undefined): Correction[] {
  const place = input.place();
  const { field, resource } = fieldOfQuota(name);
  const left = (parseQuantity(limited) ?? 0) - (parseQuantity(used) ?? 0);
  const own = parseQuantity(place?.spec.containers[0]?.resources?.[field]?.[resource]);
  if (!place || own === undefined || left <= 0 || left >= own) return [];
  const to = formatResource(resource, left);
  return [
    {
      title: `Request ${code(to)} of ${code(resource)}`,
      changes: [
        change(place, fieldPath(place.specPath, 'containers', 0, 'resources', field, resource), to, 'this much is left of the quota'),
      ],
      confidence: 'guess',
      explanation: 'It is enough for one pod.',
      mirrorable: false,
    },
  ];
}

/** What a container gets when a quota requires a number and nothing is known of its needs. */
const MODEST: Record<string, string> = { cpu: '100m', memory: '128Mi', 'ephemeral-storage': '256Mi' };

/** The quota requires requests or limits that the containers do not have. */
export function fieldsForQuota(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'quota-needs');
  if (!fact) return undefined;
  const missing = fact.fields.map(({ resource }) => resource).join(', ');
  return cannotCreate(input, `quota ${code(fact.quota)} requires ${code(missing)} of every container`, {
    culprit: `quota ${fact.quota}: ${missing}`,
    evidence: [fact.evidence],
    advice: ['Give every container these requests and limits, or give the namespace a LimitRange with defaults.'],
    corrections: [
      {
        title: 'Set the requests and limits that the quota requires',
        changes: fact.fields.flatMap((one) => setMissing(input, fact.quota, one)),
        confidence: 'likely',
        explanation: 'The API server then accepts the pods. Measure what they really need.',
        mirrorable: false,
      },
    ],
  });
}

/** One change for every container that lacks the field: the value of its counterpart, or else a modest one. */
function setMissing(input: RuleInput, quota: string, { resource: name, containers }: { resource: string; containers: string[] }) {
  const { field, resource } = fieldOfQuota(name);
  const modest = MODEST[resource];
  const place = input.place();
  if (!place || !modest) return [];
  return place.spec.containers.flatMap((container, index) => {
    const isMeant = containers.length === 0 || containers.includes(container.name);
    if (!isMeant || container.resources?.[field]?.[resource] !== undefined) return [];
    const counterpart = container.resources?.[field === 'limits' ? 'requests' : 'limits']?.[resource];
    const path = fieldPath(place.specPath, 'containers', index, 'resources', field, resource);
    return [change(place, path, counterpart ?? modest, `quota ${code(quota)} requires it of every container`)];
  });
}

/** `limits.memory` is the limit for memory; `requests.memory` and `memory` are the request. */
function fieldOfQuota(name: string): { field: 'limits' | 'requests'; resource: string } {
  return { field: name.startsWith('limits.') ? 'limits' : 'requests', resource: name.replace(/^(?:limits|requests)\./, '') };
}

import { fieldPath } from '../../../crd/field-path.ts';
import { formatResource, parseQuantity } from '../../../crd/quantity.ts';
import { oldPodsFirst } from '../../changes/old-pods-first.ts';
import type { Correction } from '../../corrections/correction.ts';
import { isMuchLessMemory, scaled } from '../../corrections/placement/requests.ts';
import { amountsOf, quotasNow } from '../../corrections/admission/quota.ts';
import type { FactOf } from '../../facts/facts.ts';
import { code } from '../../rendering/quote.ts';
import { kubectl } from '../../rendering/commands.ts';
import { change } from '../../corrections/change.ts';
import { type ContainerPlace, factOf, type RuleInput } from '../../facts/input.ts';
import { type RuleAnswer } from '../rule.ts';
import { cannotCreate } from './answer.ts';

/** The namespace's quota has no room for the pod. */
export function exceededQuota(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'quota');
  if (!fact) return undefined;
  const exceeded = Object.keys(fact.requested);
  const now = quotasNow(input, fact);
  const isUsed = exceeded.some((name) => (parseQuantity(fact.used[name]) ?? 1) > 0);
  const numbers = exceeded.map((name) =>
    isUsed
      ? amountsOf(fact, name, 'a pod')
      : `${code(name)}: at most ${code(fact.limited[name] ?? '?')} in all, and one pod asks for ${code(fact.requested[name] ?? '')}`,
  );
  const scoped = withRequests(input, fact);
  const only = scoped.length > 0 ? '. It counts only pods without requests and limits (scope `BestEffort`), as these are' : '';
  return cannotCreate(
    input,
    `quota ${code(fact.quota)} ${isUsed ? 'has no room left' : 'is too small for one pod'} (${numbers.join('; ')})${only}`,
    {
      culprit: `quota ${fact.quota}: ${Object.keys(fact.requested).join(', ')}`,
      evidence: [fact.evidence, ...now.evidence],
      advice: [adviceFor(exceeded, { isScoped: scoped.length > 0, isUsed }), ...now.advice],
      commands: [kubectl(input.subject, 'describe', 'resourcequota', fact.quota)],
      corrections: [...oldPodsFirst(input), ...scoped, ...withinQuota(input, fact), ...fewerPods(input)],
      noCorrection: {
        why: isUsed ? 'The namespace has used up its quota.' : 'The quota does not allow one such pod.',
        whereToLook: `quota ${code(fact.quota)} and what uses it`,
      },
    },
  );
}

function adviceFor(exceeded: string[], { isScoped, isUsed }: { isScoped: boolean; isUsed: boolean }): string {
  if (isScoped) return 'Give every container requests: the quota does not count such pods. Or raise the quota.';
  const isOfPods = exceeded.join() === 'pods';
  if (!isUsed) return `Raise the quota${isOfPods ? '' : ', or request less'}.`;
  const less = isOfPods ? 'run fewer pods' : 'request less';
  return `Raise the quota, delete what the namespace no longer needs, or ${less}.`;
}

/** Lowers every exceeded resource at once, so that all pods of the controller fit into the part of the quota that others leave. */
function withinQuota(input: RuleInput, fact: FactOf<'quota'>): Correction[] {
  const place = input.place(null);
  const names = Object.keys(fact.requested);
  if (!place) return [];
  const changes = names.map((name) => {
    const { field, resource } = fieldOfQuota(name);
    const each = shareOf(place, fact, name);
    return each === undefined ? [] : scaled(place, { field, resource, to: each });
  });
  // If one resource still exceeds the quota, the API server still refuses the pods.
  if (changes.some((one) => one.length === 0)) return [];
  const shares = names.map((name) => `${code(formatResource(name, shareOf(place, fact, name) ?? 0))} of ${code(name)}`);
  return [
    {
      title: `Request ${shares.join(' and ')} in each pod`,
      changes: changes.flat(),
      // The program may need the memory that a lower limit takes away.
      confidence: names.includes('limits.memory') || changes.flat().some(isMuchLessMemory) ? 'guess' : 'likely',
      explanation: 'All its pods then fit into what is left of the quota. Measure whether it is enough for them.',
      mirrorable: false,
    },
  ];
}

/** Lowers the replicas to the number of pods that the quota already let in. Only the people who run them know whether that is enough. */
function fewerPods({ subject: { owner } }: RuleInput): Correction[] {
  const { spec = {}, status = {} } = (owner ?? {}) as {
    spec?: Partial<Record<string, unknown>>;
    status?: Partial<Record<string, unknown>>;
  };
  const count = (value: unknown): number => (typeof value === 'number' ? value : 0);
  const [wanted, there, updated] = [spec['replicas'], status['replicas'], status['updatedReplicas']].map(count) as [number, number, number];
  // During a rolling update, the existing pods belong to two revisions.
  if (!['Deployment', 'StatefulSet'].includes(owner?.kind ?? '') || there < 1 || there >= wanted || updated < there) return [];
  const pods = `${there} ${there === 1 ? 'pod' : 'pods'}`;
  return [
    {
      title: `Run ${pods}`,
      changes: [{ path: 'spec.replicas', from: wanted, to: there, why: `the quota has room for ${pods}`, of: 'owner' }],
      confidence: 'guess',
      explanation: `${there === 1 ? 'It is' : 'They are'} there already. Raise the quota if ${wanted} are needed.`,
      mirrorable: false,
    },
  ];
}

/** A quota that counts only some kinds of pods and has no room for pods without requests. With requests, the pod is of another kind. */
function withRequests(input: RuleInput, { quota, requested }: FactOf<'quota'>): Correction[] {
  const place = input.place(null);
  const scopes = input.subject.surroundings?.quotas?.find(({ name }) => name === quota)?.scopes ?? [];
  const all = [...(place?.spec.containers ?? []), ...(place?.spec.initContainers ?? [])];
  const isBestEffort = all.every(({ resources }) => Object.keys({ ...resources?.limits, ...resources?.requests }).length === 0);
  if (!place || !scopes.includes('BestEffort') || !isBestEffort || Object.keys(requested).join() !== 'pods') return [];
  const requests = { cpu: '50m', memory: MODEST['memory'] };
  return [
    {
      title: 'Request CPU and memory',
      changes: place.spec.containers.map((_, index) =>
        change(
          place,
          fieldPath(place.specPath, 'containers', index, 'resources', 'requests'),
          requests,
          `quota ${code(quota)} counts pods without requests`,
        ),
      ),
      confidence: 'likely',
      explanation: 'The scope of the quota is `BestEffort`, so it does not count a pod with requests. Measure how much the program needs.',
      mirrorable: false,
    },
  ];
}

/** The share of the quota that one pod may request when all pods of the controller exist. The existing pods already hold their part. */
function shareOf({ object }: ContainerPlace, { limited, used, requested }: FactOf<'quota'>, name: string): number | undefined {
  const { spec, status } = object as { spec?: Partial<Record<string, unknown>>; status?: Partial<Record<string, unknown>> };
  const wanted = Math.max(1, Number(spec?.['replicas'] ?? spec?.['parallelism'] ?? status?.['desiredNumberScheduled'] ?? 1));
  const there = Math.min(wanted, Number(status?.['replicas'] ?? status?.['active'] ?? status?.['currentNumberScheduled'] ?? 0));
  const [most, taken, own] = [limited[name], used[name], requested[name]].map((quantity) => parseQuantity(quantity));
  if (most === undefined || own === undefined) return undefined;
  const others = Math.max(0, (taken ?? 0) - there * own);
  const share = (most - others) / wanted;
  return share > 0 ? share : undefined;
}

/** What a container gets when a quota requires a number and its needs are unknown. */
const MODEST: Record<string, string> = { cpu: '100m', memory: '128Mi', 'ephemeral-storage': '256Mi' };

/** The quota requires requests or limits that the containers do not have. */
export function fieldsForQuota(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'quota-needs');
  if (!fact) return undefined;
  const missing = fact.fields.map(({ resource }) => resource).join(', ');
  return cannotCreate(input, `quota ${code(fact.quota)} requires ${code(missing)} of every container`, {
    culprit: `quota ${fact.quota}: ${missing}${lacking(input, fact.fields)}`,
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

/** Names the containers that lack what the quota requires, where others have it. */
function lacking(input: RuleInput, fields: FactOf<'quota-needs'>['fields']): string {
  const all = input.place()?.spec.containers.map(({ name }) => name) ?? [];
  const named = [...new Set(fields.flatMap(({ containers }) => containers))];
  return named.length > 0 && named.length < all.length ? ` of ${named.join(', ')}` : '';
}

/** One change for each container that lacks the field. It takes the value of the corresponding request or limit, or else a modest value. */
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

/** `limits.memory` is a memory limit. `requests.memory` and `memory` are memory requests. */
function fieldOfQuota(name: string): { field: 'limits' | 'requests'; resource: string } {
  return { field: name.startsWith('limits.') ? 'limits' : 'requests', resource: name.replace(/^(?:limits|requests)\./, '') };
}

import { askedOf } from '../../../mirrors/quota.ts';
import type { AdmissionFact } from '../../facts/admission.ts';
import type { Quote } from '../../facts/message.ts';
import { formatResource, parseQuantity } from '../../fix/quantity.ts';
import { code } from '../../quote.ts';
import type { Scene } from '../rule.ts';

type Passed = Extract<AdmissionFact, { kind: 'quota' }>;

/** What the namespace's quotas say at this moment beyond the message: it is as old as the event, and names only what it met first. */
export function quotasNow(scene: Scene, fact: Passed): { evidence: Quote[]; advice: string[] } {
  const lines = (scene.subject.surroundings?.quotas ?? [])
    // Which pods a scoped quota counts depends on more than the spec; the one that refused has counted this pod.
    .filter(({ name, isScoped }) => name === fact.quota || !isScoped)
    .toSorted((a, b) => Number(b.name === fact.quota) - Number(a.name === fact.quota))
    .flatMap(({ name, hard, used }) => Object.keys(hard).flatMap((resource) => room(scene, fact, { quota: name, resource, hard, used })));
  const short = lines.filter(({ isShort }) => isShort);
  const told = lines.filter(({ isShort, quota }) => isShort || quota === fact.quota);
  const more = short.filter(({ quota, resource }) => quota !== fact.quota || fact.requested[resource] === undefined);
  const hasRoom = lines.some(({ quota }) => quota === fact.quota) && short.length === 0;
  return {
    evidence: told.map(({ quota, text }) => ({ from: `quota ${quota} now`, text })),
    advice: [
      ...more.map(({ quota, resource, text }) => `${code(resource)} of quota ${code(quota)} is short too: ${text}.`),
      ...(hasRoom ? ['By now the quota has room for a pod: the controller tries again by itself.'] : []),
    ],
  };
}

interface Entry {
  quota: string;
  resource: string;
  hard: Record<string, string>;
  used: Record<string, string>;
}

function room(scene: Scene, fact: Passed, { quota, resource, hard, used }: Entry) {
  const spec = scene.place()?.spec;
  const said = quota === fact.quota ? parseQuantity(fact.requested[resource]) : undefined;
  const asked = said ?? (spec ? askedOf(spec, resource) : 0);
  const limit = parseQuantity(hard[resource]);
  if (asked <= 0 || limit === undefined) return [];
  // Sums of decimal fractions miss by a hair.
  const isShort = (parseQuantity(used[resource]) ?? 0) + asked - limit > 1e-9;
  const text = `${resource}: ${used[resource] ?? '0'} of ${hard[resource]} used, one pod asks for ${formatResource(resource, asked)}`;
  return [{ quota, resource, isShort, text }];
}

import { askedOf } from '../../../crd/quota.ts';
import type { FactOf } from '../../facts/facts.ts';
import type { Quote } from '../../facts/message.ts';
import { formatResource, parseQuantity } from '../../../crd/quantity.ts';
import { code } from '../../rendering/quote.ts';
import type { RuleInput } from '../../facts/input.ts';

/**
 * What the namespace's quotas say now. The message is as old as its event and names only the first quota that was exceeded; this shows the
 * current numbers and all quotas that are short.
 */
export function quotasNow(input: RuleInput, fact: FactOf<'quota'>): { evidence: Quote[]; advice: string[] } {
  const lines = (input.subject.surroundings?.quotas ?? [])
    // The spec alone does not say whether a scoped quota counts this pod. The one that refused it does.
    .filter(({ name, scopes }) => name === fact.quota || scopes.length === 0)
    .toSorted((a, b) => Number(b.name === fact.quota) - Number(a.name === fact.quota))
    .flatMap(({ name, hard, used }) =>
      Object.keys(hard).flatMap((resource) => roomFor(input, fact, { quota: name, resource, hard, used })),
    );
  const short = lines.filter(({ isShort }) => isShort);
  const shown = lines.filter(({ isShort, quota }) => isShort || quota === fact.quota);
  const more = short.filter(({ quota, resource }) => quota !== fact.quota || fact.requested[resource] === undefined);
  const hasRoom = lines.some(({ quota }) => quota === fact.quota) && short.length === 0;
  return {
    evidence: shown.map(({ quota, text }) => ({ from: `quota ${quota} now`, text })),
    advice: [
      ...more.map(({ quota, resource, text }) => `${code(resource)} of quota ${code(quota)} is short too: ${text}.`),
      ...(hasRoom ? ['The quota has room for a pod now. The controller tries again by itself.'] : []),
    ],
  };
}

/** How much of an exceeded quota is used, and how much `who` asks for. */
export function amountsOf({ requested, used, limited }: FactOf<'quota'>, name: string, who: string): string {
  return `${code(name)}: ${who} asks for ${code(requested[name] ?? '')}, ${code(used[name] ?? '?')} of ${code(limited[name] ?? '?')} are used`;
}

interface QuotaEntry {
  quota: string;
  resource: string;
  hard: Record<string, string>;
  used: Record<string, string>;
}

function roomFor(input: RuleInput, fact: FactOf<'quota'>, { quota, resource, hard, used }: QuotaEntry) {
  const spec = input.place()?.spec;
  const requested = quota === fact.quota ? parseQuantity(fact.requested[resource]) : undefined;
  const asked = requested ?? (spec ? askedOf(spec, resource) : 0);
  const limit = parseQuantity(hard[resource]);
  if (asked <= 0 || limit === undefined) return [];
  // Sums of decimal fractions are not exact.
  const isShort = (parseQuantity(used[resource]) ?? 0) + asked - limit > 1e-9;
  const text = `${resource}: ${used[resource] ?? '0'} of ${hard[resource]} used, one pod asks for ${formatResource(resource, asked)}`;
  return [{ quota, resource, isShort, text }];
}

import { fieldPath } from '../../crd/field-path.ts';
import type { EvictedFact } from '../facts/node.ts';
import { formatBytes, parseQuantity } from '../../crd/quantity.ts';
import { code } from '../rendering/quote.ts';
import type { Correction } from '../corrections/correction.ts';
import { describe } from '../rendering/commands.ts';
import { disruptions } from './disruption.ts';
import { change } from '../corrections/change.ts';
import { factsOf, type RuleInput, who } from '../facts/input.ts';
import { type DiagnosisRule } from './rule.ts';

/** Completes "X was evicted: …". */
const CAUSES: Record<EvictedFact['scope'], (fact: EvictedFact) => string> = {
  node: (fact) =>
    `the node ${shortageOf(fact)}${fact.name ? `; container ${code(fact.name)} used ${code(fact.usage ?? '?')}, more than it requested` : ''}`,
  pod: ({ limit }) =>
    `its containers wrote more to the disk of the node than their \`ephemeral-storage\` limits allow (${code(limit ?? '')} in all)`,
  container: ({ name, limit }) =>
    `container ${code(name ?? '')} wrote more to the disk of the node than its \`ephemeral-storage\` limit of ${code(limit ?? '')}`,
  volume: ({ name, limit }) =>
    `volume ${code(name ?? '')} grew beyond its size limit ${code(limit ?? '')}${/^\d+m$/.test(limit ?? '') ? ', which is less than a byte (`m` is a thousandth)' : ''}`,
  taint: () => 'its node got a taint that it does not tolerate',
  api: () => 'somebody requested its eviction',
};

/** The pod was evicted: it exceeded one of its own limits, or the node ran out of a resource. */
export const evicted: DiagnosisRule = {
  id: 'evicted',
  reasons: ['Evicted', 'TaintManagerEviction', 'EvictionByEvictionAPI'],
  answer(input) {
    const facts = factsOf(input, 'evicted');
    const fact = facts.find(({ scope }) => scope !== 'api') ?? facts[0];
    if (!fact) return undefined;
    return {
      summary: `${who(input, null)} was evicted: ${CAUSES[fact.scope](fact)}.`,
      culprit: culpritOf(fact),
      evidence: disruptions(input.place(), fact),
      advice: [
        fact.limit
          ? 'Let the program write less (logs, temporary files), or raise the limit to what it needs.'
          : 'Set `requests` to what the pod really uses: pods that use more than they requested are evicted first.',
        `An evicted pod stays as a record. ${input.subject.workload ? 'Its controller has created another one.' : 'Nothing creates it again: delete it and create it anew.'}`,
      ],
      commands: [describe(input.subject), ...(fact.scope === 'node' ? ['kubectl describe nodes', 'kubectl top nodes'] : [])],
      corrections: [...higherLimit(input, fact), ...higherRequest(input, fact)],
      noCorrection: {
        why: fact.scope === 'node' ? 'The node ran low. The pod is not the cause.' : 'Nothing in the manifest caused it.',
        whereToLook: 'the conditions and events of the node, and what else runs on it',
      },
    };
  },
};

function culpritOf(fact: EvictedFact): string {
  if (fact.limit && fact.scope === 'volume') return `sizeLimit ${fact.limit} of volume ${fact.name}`;
  if (fact.limit) return `${fact.resource} limit ${fact.limit}`;
  return fact.scope === 'node' ? ofNode(fact) : fact.scope === 'taint' ? 'taint of the node' : 'eviction through the API';
}

/** The condition that the node had when it evicted the pod. */
const conditionIn = (text: string): string | undefined => /condition: \[([A-Za-z]{1,40})/.exec(text)?.[1];

/** Completes "the node …". Neither kubelet's word for the resource nor its condition need be known. */
function shortageOf({ resource, evidence }: EvictedFact): string {
  const condition = conditionIn(evidence.text);
  if (resource !== 'other') return `ran low on ${code(resource)}`;
  return condition ? `has the condition ${code(condition)}` : 'ran low on a resource';
}

/** Names the resource that the node ran out of, as the node calls it, and the container that used more than it requested. */
function ofNode({ resource, name, usage, evidence }: EvictedFact): string {
  const condition = conditionIn(evidence.text);
  const known = resource === 'other' ? 'a resource' : resource;
  const what =
    resource === 'other' && condition ? `condition ${condition} of the node` : `${known} of the node${condition ? ` (${condition})` : ''}`;
  return name ? `${what}: container ${name} used ${usage ?? 'more than it requested'}` : what;
}

function higherLimit(input: RuleInput, fact: EvictedFact): Correction[] {
  const place = input.place();
  if (!place || fact.limit === null) return [];
  const why = `the pod used more than ${code(String(fact.limit))}`;
  // `512m` is half a byte: MiB were meant.
  const isMilli = (limit: unknown) => /^\d{1,7}m$/.test(String(limit));
  const doubled = (limit: unknown) => {
    const milli = isMilli(limit) ? parseInt(String(limit)) : undefined;
    return milli === undefined ? formatBytes(Math.max((parseQuantity(String(limit)) ?? 0) * 2, 256 * 2 ** 20)) : `${milli}Mi`;
  };
  const result = (path: string, limit: unknown): Correction[] => [
    {
      title: `${isMilli(limit) ? 'Set' : 'Raise'} the limit to ${code(doubled(limit))}`,
      changes: [change(place, path, doubled(limit), why)],
      confidence: 'likely',
      explanation: 'This helps if the program needs a certain amount, but not if it writes without end.',
      mirrorable: true,
    },
  ];
  if (fact.scope === 'volume') {
    const index = place.spec.volumes?.findIndex(({ name }) => name === fact.name) ?? -1;
    return index < 0 ? [] : result(fieldPath(place.specPath, 'volumes', index, 'emptyDir', 'sizeLimit'), fact.limit);
  }
  const limits = place.spec.containers.flatMap((container, index) => {
    const limit = container.resources?.limits?.['ephemeral-storage'];
    return limit === undefined || (fact.scope === 'container' && container.name !== fact.name) ? [] : [{ index, limit }];
  });
  const [first] = limits;
  return first ? result(fieldPath(place.specPath, 'containers', first.index, 'resources', 'limits', 'ephemeral-storage'), first.limit) : [];
}

/** The node ran out of a resource. A pod that requests what it uses is not the first to be evicted. */
function higherRequest(input: RuleInput, fact: EvictedFact): Correction[] {
  const place = input.place(fact.name);
  const used = parseQuantity(fact.usage);
  if (
    !place?.container ||
    fact.scope !== 'node' ||
    used === undefined ||
    (fact.resource !== 'memory' && fact.resource !== 'ephemeral-storage')
  )
    return [];
  const limit = parseQuantity(place.container.resources?.limits?.[fact.resource]) ?? Infinity;
  const to = formatBytes(Math.min(used * 1.2, limit));
  return [
    {
      title: `Request ${code(to)} of ${code(fact.resource)}`,
      changes: [change(place, fieldPath(place.path, 'resources', 'requests', fact.resource), to, `it used ${code(fact.usage ?? '')}`)],
      confidence: 'likely',
      explanation: 'The scheduler then chooses a node with that much room. It only matters when a node runs low.',
      mirrorable: false,
    },
  ];
}

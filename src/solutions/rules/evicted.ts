import { fieldPath } from '../fix/apply.ts';
import type { EvictedFact } from '../facts/node.ts';
import { formatBytes, parseQuantity } from '../fix/quantity.ts';
import { code } from '../quote.ts';
import type { RuleCorrection } from './answer.ts';
import { describe } from './commands.ts';
import { disruptions } from './disruption.ts';
import { change, factsOf, type Rule, type Scene, who } from './rule.ts';

/** A pod that was evicted: past a limit of its own, or because the node ran out. */
export const evicted: Rule = {
  id: 'evicted',
  reasons: ['Evicted', 'TaintManagerEviction', 'EvictionByEvictionAPI'],
  answer(scene) {
    const facts = factsOf(scene, 'evicted');
    const fact = facts.find(({ scope }) => scope !== 'api') ?? facts[0];
    if (!fact) return undefined;
    const resource = code(fact.resource);
    const causes: Record<EvictedFact['scope'], string> = {
      node: `the node ran low on ${resource}${fact.name ? `; container ${code(fact.name)} used ${code(fact.usage ?? '?')}, more than it asked for` : ''}`,
      pod: `its containers wrote more to their disks than all of their limits allow (${code(fact.limit ?? '')})`,
      container: `container ${code(fact.name ?? '')} wrote more to its disk than its limit ${code(fact.limit ?? '')}`,
      volume: `volume ${code(fact.name ?? '')} grew beyond its size limit ${code(fact.limit ?? '')}`,
      taint: 'its node got a taint that it does not tolerate',
      api: 'somebody asked for its eviction',
    };
    return {
      summary: `${who(scene, null)} was evicted: ${causes[fact.scope]}.`,
      culprit: fact.limit
        ? `${fact.scope === 'volume' ? `sizeLimit ${fact.limit} of volume ${fact.name}` : `${fact.resource} limit ${fact.limit}`}`
        : fact.scope === 'node'
          ? ofNode(fact)
          : fact.resource,
      evidence: disruptions(scene.place(), fact),
      advice: [
        fact.limit
          ? 'Let the program write less (logs, temporary files), or raise the limit to what it needs.'
          : 'Ask for what the pod really uses (`requests`): pods that use more than they asked for are evicted first.',
        'An evicted pod stays as a record; its controller has made another one.',
      ],
      commands: [describe(scene.subject), ...(fact.scope === 'node' ? ['kubectl describe nodes', 'kubectl top nodes'] : [])],
      corrections: [...higherLimit(scene, fact), ...higherRequest(scene, fact)],
      noCure: {
        why: fact.scope === 'node' ? 'The node ran out, not the pod.' : 'Nothing in the manifest caused it.',
        whereToLook: 'the conditions and events of the node, and what else runs on it',
      },
    };
  },
};

/** What the node was short of, its own word for that, and the container that used more than it asked for. */
function ofNode({ resource, name, usage, evidence }: EvictedFact): string {
  const condition = /condition: \[([A-Za-z]{1,40})/.exec(evidence.text)?.[1];
  const what = `${resource === 'other' && condition ? condition : resource} of the node${condition ? ` (${condition})` : ''}`;
  return name ? `${what}: container ${name} used ${usage ?? 'more than it asked for'}` : what;
}

function higherLimit(scene: Scene, fact: EvictedFact): RuleCorrection[] {
  const place = scene.place();
  if (!place || fact.limit === null) return [];
  const why = 'it was evicted at this limit';
  const doubled = (limit: unknown) => formatBytes(Math.max((parseQuantity(String(limit)) ?? 0) * 2, 256 * 2 ** 20));
  const result = (path: string, limit: unknown): RuleCorrection[] => [
    {
      title: `Raise the limit to ${code(doubled(limit))}`,
      changes: [change(place, path, doubled(limit), why)],
      confidence: 'likely',
      explanation: 'It helps when the program needs a certain amount, not when it writes without end.',
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

/** The node ran low: asking for what it used keeps the pod from being the first to go. */
function higherRequest(scene: Scene, fact: EvictedFact): RuleCorrection[] {
  const place = scene.place(fact.name);
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
      title: `Ask for ${code(to)} of ${code(fact.resource)}`,
      changes: [change(place, fieldPath(place.path, 'resources', 'requests', fact.resource), to, `it used ${code(fact.usage ?? '')}`)],
      confidence: 'likely',
      explanation: 'The scheduler then chooses a node with that much room, which shows only when the node runs low.',
      mirrorable: false,
    },
  ];
}

import type { Graph, GraphEdge } from '../contract/graph.ts';

/** The kinds through which traffic reaches a pod. The objects that name one of them are shown too. */
const ENTRANCES = new Set(['Service', 'EndpointSlice', 'Ingress']);

/**
 * The part of a namespace's graph around one node: its owners and everything below them, the objects that these name, and the objects that
 * name these. Other users of a shared ConfigMap or node are left out. Undefined when there is no such node.
 */
export function aroundNode({ nodes, edges }: Pick<Graph, 'nodes' | 'edges'>, id: string): Pick<Graph, 'nodes' | 'edges'> | undefined {
  const kinds = new Map(nodes.map((node) => [node.id, node.kind]));
  if (!kinds.has(id)) return undefined;
  const owning = edges.filter(({ kind }) => kind === 'owns');
  const naming = edges.filter(({ kind }) => kind !== 'owns');
  const [below, above] = [bySource(owning), byTarget(owning)];
  const [forward, backward] = [bySource(naming), byTarget(naming)];

  const core = reach([id], (one) => ends(below.get(one), 'target'));
  const kept = new Set([...core, ...reach([id], (one) => ends(above.get(one), 'source'))]);
  for (const one of reach(core, (from) => ends(forward.get(from), 'target'))) kept.add(one);
  const callers = [...core].flatMap((one) => ends(backward.get(one), 'source'));
  const outside = reach(callers, (one) => ends(backward.get(one), 'source').filter((from) => ENTRANCES.has(kinds.get(from) ?? '')));
  for (const one of outside) {
    kept.add(one);
    // A mirror is shown beside its source, with its own pod.
    if (kinds.get(one) === 'MirrorPod') for (const owned of ends(below.get(one), 'target')) kept.add(owned);
  }
  return {
    nodes: nodes.filter((node) => kept.has(node.id)),
    edges: edges.filter(({ source, target }) => kept.has(source) && kept.has(target)),
  };
}

const bySource = (edges: readonly GraphEdge[]): Map<string, GraphEdge[]> => Map.groupBy(edges, ({ source }) => source);
const byTarget = (edges: readonly GraphEdge[]): Map<string, GraphEdge[]> => Map.groupBy(edges, ({ target }) => target);
const ends = (edges: readonly GraphEdge[] | undefined, end: 'source' | 'target'): string[] => (edges ?? []).map((edge) => edge[end]);

/** These nodes and everything reachable from them. */
function reach(from: Iterable<string>, next: (id: string) => string[]): Set<string> {
  const seen = new Set(from);
  const waiting = [...seen];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const one of next(id)) {
      if (seen.has(one)) continue;
      seen.add(one);
      waiting.push(one);
    }
  }
  return seen;
}

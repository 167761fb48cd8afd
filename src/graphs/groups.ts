import type { Graph, GraphEdge, GraphGroup, GraphNode, NodeStatus } from '../contract/graph.ts';

const RANK: NodeStatus[] = ['healthy', 'unknown', 'progressing', 'missing', 'failing'];

/** The status of a group: that of its worst member. Something missing makes the group fail. */
export function worstOf(nodes: Iterable<GraphNode>): NodeStatus {
  let worst = 0;
  for (const { status = 'healthy' } of nodes) worst = Math.max(worst, RANK.indexOf(status));
  const status = RANK[worst] ?? 'healthy';
  return status === 'missing' ? 'failing' : status;
}

/**
 * The groups of a graph: each root owner with all that it owns (`owner/<id of the root>`), and the nodes of each application
 * (`app/<namespace>/<name>`). A group has at least two members.
 */
export function groupsOf(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): GraphGroup[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const members = new Map<string, GraphNode[]>();
  const add = (id: string, node: GraphNode): void => {
    const known = members.get(id);
    if (known) known.push(node);
    else members.set(id, [node]);
  };
  for (const [id, root] of rootsOf(nodes, edges)) {
    const node = byId.get(id);
    if (node) add(`owner/${root}`, node);
  }
  for (const node of nodes) {
    const application = node.metadata?.['application'];
    if (typeof application === 'string') add(`app/${node.namespace}/${application}`, node);
  }
  return [...members]
    .filter(([, group]) => group.length > 1)
    .map(([id, group]) => ({
      id,
      label: labelOf(id, byId),
      members: group.map((node) => node.id),
      status: worstOf(group),
      metadata: { folded: false, size: group.length },
    }));
}

function labelOf(id: string, byId: ReadonlyMap<string, GraphNode>): string {
  const root = id.startsWith('owner/') ? byId.get(id.slice('owner/'.length)) : undefined;
  return root ? `${root.kind} ${root.name}` : (id.split('/').at(-1) ?? id);
}

/** Maps each owned node to the root of its owners, and each root to itself. In a circle of owners, no node is a root. */
function rootsOf(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): Map<string, string> {
  const owner = new Map<string, string>();
  for (const { kind, source, target } of edges) if (kind === 'owns' && !owner.has(target)) owner.set(target, source);
  const roots = new Map<string, string>();
  for (const { id } of nodes) {
    const seen = new Set([id]);
    let root = id;
    for (let next = owner.get(root); next !== undefined && !seen.has(next); next = owner.get(root)) {
      seen.add(next);
      root = next;
    }
    if (root === id || owner.has(root)) continue;
    roots.set(id, root);
    roots.set(root, root);
  }
  return roots;
}

/** The whole graph with its groups, without any folding. */
export function grouped({ nodes, edges }: Pick<Graph, 'nodes' | 'edges'>): Graph {
  return { nodes, edges, groups: groupsOf(nodes, edges) };
}

import type { Graph, GraphEdge, GraphGroup, GraphNode } from '../contract/graph.ts';
import { edgeId, nodeId } from './canvas.ts';
import { worstOf } from './groups.ts';

/** More nodes than this on one screen are not readable. */
export const VISIBLE_NODES = 300;

/** How a folded group is shown: as its root, or as a node that stands for its members. */
interface Folding {
  group: GraphGroup;
  head: Omit<GraphNode, 'id'>;
}

export interface FoldOptions {
  /** Ids of groups that are shown in full, however many nodes they have. */
  expand?: readonly string[] | undefined;
  limit?: number;
}

/**
 * A graph that a person can read. If it has more than `limit` nodes, groups are folded into one node each, as far as necessary: first by
 * owner, then objects without an owner by kind, and last by application. Failing groups are shown in full while there is room, the smallest
 * first.
 */
export function fold(graph: Graph, { expand = [], limit = VISIBLE_NODES }: FoldOptions = {}): Graph {
  if (graph.nodes.length <= limit) return graph;
  const wanted = new Set(expand);
  const levels = levelsOf(graph);
  const level = levels.find((one) => visible(graph, one) <= limit) ?? levels.at(-1) ?? new Map<string, Folding>();
  const open = openGroups(graph, level, { wanted, limit });
  const shown = new Set(graph.groups.flatMap(({ id, members }) => (wanted.has(id) ? members : [])));
  const folded = new Map([...level].filter(([id, { group }]) => !open.has(group.id) && !shown.has(id)));
  return { ...graph, ...foldedGraph(graph, folded, level) };
}

function visible({ nodes }: Graph, level: ReadonlyMap<string, Folding>): number {
  const heads = new Set(level.values());
  return nodes.length - level.size + heads.size;
}

/** For each folding, from the mildest to the strongest, the group that each node is in. */
function levelsOf({ nodes, groups }: Graph): Map<string, Folding>[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const by = (prefix: string): Map<string, Folding> => {
    const level = new Map<string, Folding>();
    for (const group of groups.filter(({ id }) => id.startsWith(prefix))) {
      const head = headOf(group, byId);
      const folding = { group, head };
      for (const id of group.members) if (!level.has(id)) level.set(id, folding);
    }
    return level;
  };
  const owners = by('owner/');
  return [owners, withKinds(nodes, owners), withKinds(nodes, by('app/'))];
}

/** Nodes without a group are folded by namespace and kind. */
function withKinds(nodes: readonly GraphNode[], level: ReadonlyMap<string, Folding>): Map<string, Folding> {
  const loose = Map.groupBy(
    nodes.filter(({ id }) => !level.has(id)),
    ({ kind, namespace }) => `kind/${namespace}/${kind}`,
  );
  const more = new Map(level);
  for (const [id, members] of loose) {
    const [{ namespace, kind }] = members as [GraphNode];
    if (members.length === 1) continue;
    const size = members.length;
    const group: GraphGroup = {
      id,
      label: kind,
      members: members.map((node) => node.id),
      status: worstOf(members),
      metadata: { folded: false, size },
    };
    const folding = { group, head: standIn(group, namespace) };
    for (const member of members) more.set(member.id, folding);
  }
  return more;
}

function headOf(group: GraphGroup, byId: ReadonlyMap<string, GraphNode>): Omit<GraphNode, 'id'> {
  const root = group.id.startsWith('owner/') ? byId.get(group.id.slice('owner/'.length)) : undefined;
  if (!root) return standIn(group, byId.get(group.members[0] ?? '')?.namespace ?? '');
  const { id: _, ...head } = root;
  return { ...head, status: group.status ?? 'unknown', metadata: { ...root.metadata, folded: group.members.length - 1, group: group.id } };
}

function standIn({ id, label, members, status }: GraphGroup, namespace: string): Omit<GraphNode, 'id'> {
  const name = id.startsWith('app/') ? `app ${label}` : label;
  return { kind: 'Group', name, namespace, status: status ?? 'unknown', metadata: { folded: members.length, group: id } };
}

/** The groups that are shown in full: requested ones, and failing ones as long as the graph stays small. */
function openGroups(
  graph: Graph,
  level: ReadonlyMap<string, Folding>,
  { wanted, limit }: { wanted: ReadonlySet<string>; limit: number },
): Set<string> {
  const groups = [...new Set([...level.values()].map(({ group }) => group))];
  const open = new Set(groups.filter(({ id }) => wanted.has(id)).map(({ id }) => id));
  const sizes = new Map<string, number>();
  for (const { group } of level.values()) sizes.set(group.id, (sizes.get(group.id) ?? 0) + 1);
  const sizeOf = ({ id }: GraphGroup): number => sizes.get(id) ?? 0;
  let count = visible(graph, level) + groups.filter(({ id }) => open.has(id)).reduce((sum, group) => sum + sizeOf(group) - 1, 0);
  const failing = groups.filter(({ id, status }) => status === 'failing' && !open.has(id)).sort((a, b) => sizeOf(a) - sizeOf(b));
  for (const group of failing) {
    count += sizeOf(group) - 1;
    if (count > limit) break;
    open.add(group.id);
  }
  return open;
}

/** The graph with a folded group replaced by its head. Edges between nodes become edges between heads, each once. */
function foldedGraph(
  graph: Graph,
  folded: ReadonlyMap<string, Folding>,
  level: ReadonlyMap<string, Folding>,
): Pick<Graph, 'nodes' | 'edges' | 'groups'> {
  const headId = new Map<Folding, string>();
  const nodes = new Map<string, GraphNode>();
  for (const node of graph.nodes) {
    const folding = folded.get(node.id);
    if (!folding) {
      nodes.set(node.id, node);
      continue;
    }
    if (headId.has(folding)) continue;
    const id = nodeId(folding.head);
    headId.set(folding, id);
    nodes.set(id, { id, ...folding.head });
  }
  const place = (id: string): string => {
    const folding = folded.get(id);
    return (folding && headId.get(folding)) ?? id;
  };
  const edges = new Map<string, GraphEdge>();
  for (const { source, kind, target } of graph.edges) {
    const [from, to] = [place(source), place(target)];
    const id = edgeId(from, kind, to);
    if (from !== to && !edges.has(id)) edges.set(id, { id, source: from, target: to, kind });
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()], groups: shownGroups(graph, folded, { level, place }) };
}

interface Shown {
  level: ReadonlyMap<string, Folding>;
  place(id: string): string;
}

/** Each group with its visible members. Groups that only folding created are listed too, so that they can be expanded. */
function shownGroups({ groups }: Graph, folded: ReadonlyMap<string, Folding>, { level, place }: Shown): GraphGroup[] {
  const made = [...new Set([...level.values()].map(({ group }) => group))].filter(({ id }) => id.startsWith('kind/'));
  return [...groups, ...made].map((group) => ({
    ...group,
    members: [...new Set(group.members.map(place))],
    metadata: { folded: group.members.some((id) => folded.get(id)?.group === group), size: group.members.length },
  }));
}

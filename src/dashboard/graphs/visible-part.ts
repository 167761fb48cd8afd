import type { Graph, GraphEdge, GraphGroup, GraphNode, NodeStatus } from '../../contract/graph.ts';

// Selects the part of a graph that is drawn and listed. Works without a browser.

/** The visible part of a graph. */
export type Part = Pick<Graph, 'nodes' | 'edges'>;

/** The words for each status, which accompany its sign. */
export const STATUS_WORDS: Record<NodeStatus, string> = {
  failing: 'Failing',
  missing: 'Missing',
  progressing: 'Progressing',
  unknown: 'Unknown',
  healthy: 'Healthy',
};
const WORST_FIRST: NodeStatus[] = ['failing', 'missing', 'progressing', 'unknown', 'healthy'];

/** An object without a status counts as healthy. Kubernetes has no objects for users and groups. */
export function statusOf({ kind, status }: GraphNode): NodeStatus {
  const isPerson = kind === 'Subject:User' || kind === 'Subject:Group';
  return status === undefined || (isPerson && status === 'unknown') ? 'healthy' : status;
}

/** The state of a node in a few words: why it fails, what a permission allows, or its status. */
export function stateOf(node: GraphNode): string {
  const status = statusOf(node);
  if (status !== 'healthy') return reasonOf(node) ?? STATUS_WORDS[status];
  if (node.status === 'healthy') return STATUS_WORDS.healthy;
  const verbs = node.metadata?.['verbs'];
  return Array.isArray(verbs) ? verbs.join(', ') : '';
}

/** `Deployment web`. Permissions and subjects are described in words. */
export function titleOf({ kind, name }: Pick<GraphNode, 'kind' | 'name'>): string {
  return `${kindOf(kind)} ${name}`;
}

/** `Subject:User` is a user. */
export function kindOf(kind: string): string {
  return kind.replace(/^Subject:/, '');
}

/** The number of other nodes that a folded node represents; 0 if it is not folded. */
export function hiddenIn({ metadata }: GraphNode): number {
  const folded = metadata?.['folded'];
  return typeof folded === 'number' ? folded : 0;
}

/** The group that a folded node represents, or whose root a node is. */
export function groupOf(node: GraphNode, groups: readonly GraphGroup[]): GraphGroup | undefined {
  const id = node.metadata?.['group'] ?? `owner/${node.id}`;
  return groups.find((group) => group.id === id && group.members.length + hiddenIn(node) > 1);
}

/** Whether a node is connected to nearly every pod. Such a node is shown only when something is wrong with it. */
function isEverywhere(node: GraphNode): boolean {
  if (statusOf(node) !== 'healthy') return false;
  const { kind, name } = node;
  return (
    kind === 'Node' ||
    kind === 'EndpointSlice' ||
    (kind === 'ServiceAccount' && name === 'default') ||
    (kind === 'ConfigMap' && name === 'kube-root-ca.crt')
  );
}

const NETWORK: ReadonlySet<string> = new Set(['Ingress', 'Service', 'ServicePort', 'NetworkPolicy', 'Pod', 'Group']);

export interface Shown {
  /** Show only what sends and receives requests, and network policies. */
  isNetwork: boolean;
  /** Whether to show objects that nearly every pod has. */
  isWhole: boolean;
  /** Ids of groups that somebody folded. */
  folded: readonly string[];
  /** Show only this node and its connections. */
  near: string | undefined;
}

/** The part of a graph that is shown. */
export function partOf(graph: Graph, { isNetwork, isWhole, folded, near }: Shown): Part {
  const isKept = (node: GraphNode): boolean => {
    if (isNetwork) return NETWORK.has(node.kind) || hiddenIn(node) > 0;
    return isWhole || node.id === near || !isEverywhere(node);
  };
  const kept = among(graph, new Set(graph.nodes.filter(isKept).map(({ id }) => id)));
  const part = foldByHand(kept, graph.groups, folded);
  if (near === undefined || !part.nodes.some(({ id }) => id === near)) return part;
  const around = part.edges.flatMap(({ source, target }) => (source === near ? [target] : target === near ? [source] : []));
  return among(part, new Set([near, ...around]));
}

function among({ nodes, edges }: Part, ids: ReadonlySet<string>): Part {
  return {
    nodes: nodes.filter(({ id }) => ids.has(id)),
    edges: edges.filter(({ source, target }) => ids.has(source) && ids.has(target)),
  };
}

/** Replaces each folded group by its root. Its members' edges become edges of the root. */
function foldByHand(part: Part, groups: readonly GraphGroup[], folded: readonly string[]): Part {
  const roots = new Map<string, string>();
  for (const group of groups) {
    const root = group.id.slice('owner/'.length);
    if (!folded.includes(group.id) || !group.members.includes(root)) continue;
    for (const member of group.members) if (member !== root) roots.set(member, root);
  }
  if (roots.size === 0) return part;
  const place = (id: string): string => roots.get(id) ?? id;
  const edges = new Map<string, GraphEdge>();
  for (const { source, target, kind } of part.edges) {
    const [from, to] = [place(source), place(target)];
    const id = `${from}|${kind}|${to}`;
    if (from !== to) edges.set(id, { id, source: from, target: to, kind });
  }
  const counts = new Map<string, number>();
  for (const { id } of part.nodes) if (roots.has(id)) counts.set(place(id), (counts.get(place(id)) ?? 0) + 1);
  const nodes = part.nodes
    .filter(({ id }) => !roots.has(id))
    .map((node) => {
      const more = counts.get(node.id);
      return more ? { ...node, metadata: { ...node.metadata, folded: hiddenIn(node) + more, group: `owner/${node.id}` } } : node;
    });
  return { nodes, edges: [...edges.values()] };
}

/** A relation of a node in the API's words: `mounts ConfigMap settings`, or `is selected by` from the other end. */
export interface Relation {
  kind: string;
  isOutgoing: boolean;
  other: GraphNode;
}

/** The connections of a node: unhealthy ones first, then by relation and name. */
export function relationsOf({ nodes, edges }: Part, id: string): Relation[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const found = edges.flatMap(({ source, target, kind }): Relation[] => {
    const other = byId.get(source === id ? target : source);
    return other && (source === id || target === id) ? [{ kind, isOutgoing: source === id, other }] : [];
  });
  return found.sort((a, b) => rank(a.other) - rank(b.other) || compare(a.kind, b.kind) || compare(a.other.id, b.other.id));
}

const rank = (node: GraphNode): number => WORST_FIRST.indexOf(statusOf(node));
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The nodes of the list: unhealthy ones first, then by kind and name. */
export function listed(nodes: readonly GraphNode[]): GraphNode[] {
  return nodes.toSorted((a, b) => rank(a) - rank(b) || compare(a.kind, b.kind) || compare(a.name, b.name));
}

/** The number of nodes by status, worst first. An owner that fails because of its pods is not counted. */
export function countsOf({ nodes, edges }: Part): [NodeStatus, number][] {
  const failing = new Set(nodes.filter((node) => statusOf(node) === 'failing').map(({ id }) => id));
  const because = new Set(edges.flatMap(({ kind, source, target }) => (kind === 'owns' && failing.has(target) ? [source] : [])));
  return WORST_FIRST.flatMap((status): [NodeStatus, number][] => {
    const count = nodes.filter((node) => statusOf(node) === status && !(status === 'failing' && because.has(node.id))).length;
    return count > 0 ? [[status, count]] : [];
  });
}

/** The ids of nodes whose kind, name, status or reason contains every typed word; undefined without words. */
export function matches(nodes: readonly GraphNode[], typed: string | undefined): ReadonlySet<string> | undefined {
  const words = (typed ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  const textOf = (node: GraphNode): string => `${node.kind} ${node.name} ${statusOf(node)} ${reasonOf(node) ?? ''}`.toLowerCase();
  return new Set(nodes.filter((node) => words.every((word) => textOf(node).includes(word))).map(({ id }) => id));
}

/** The reason why a node is not healthy. */
export function reasonOf({ metadata }: GraphNode): string | undefined {
  const reason = metadata?.['reason'];
  return typeof reason === 'string' ? reason : undefined;
}

/** The id of the open failure record of a pod. */
export function failureOf({ metadata }: GraphNode): number | undefined {
  const id = metadata?.['failure_id'];
  return typeof id === 'number' ? id : undefined;
}

const NOT_FACTS: ReadonlySet<string> = new Set(['reason', 'failure_id', 'folded', 'group', 'application']);

/** A node's facts as text: `replicas` → `2`. */
export function factsOf({ namespace, metadata = {} }: GraphNode): [name: string, value: string][] {
  const place: [string, string][] = namespace === 'cluster-wide' ? [] : [['namespace', namespace]];
  const facts = Object.entries(metadata).flatMap(([name, value]): [string, string][] => {
    const text = wordsOf(value);
    return NOT_FACTS.has(name) || text === '' ? [] : [[name.replaceAll('_', ' '), text]];
  });
  return [...place, ...facts];
}

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).join(', ');
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return value === undefined || value === null ? '' : String(value as string | number | boolean);
}

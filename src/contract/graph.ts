import Type, { type Static } from 'typebox';

/** Workloads that a graph can begin at. */
export const GRAPH_WORKLOADS = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob'] as const;
/** The value that means "no namespace" in ids and addresses. */
export const CLUSTER_WIDE = 'cluster-wide';
/** Kinds that exist only in graphs and have no manifest. The last three are missing keys and ports, and folded groups. */
export const SYNTHESIZED_KINDS = ['Permission', 'Subject:User', 'Subject:Group', 'ConfigMapKey', 'ServicePort', 'Group'] as const;
/** The state of a node. `missing`: something names it, but it does not exist. `unknown` includes objects that Podmend may not read. */
export const NODE_STATUSES = ['healthy', 'progressing', 'failing', 'unknown', 'missing'] as const;
export type NodeStatus = (typeof NODE_STATUSES)[number];

const Status = Type.Enum([...NODE_STATUSES]);
const Metadata = Type.Record(Type.String(), Type.Unknown());

export const GraphNode = Type.Object({
  id: Type.String({ description: '`<Kind>/<namespace>/<name>`; what has no namespace is in `cluster-wide`' }),
  kind: Type.String(),
  name: Type.String(),
  namespace: Type.String(),
  status: Type.Optional(Status),
  metadata: Type.Optional(Metadata),
});
export type GraphNode = Static<typeof GraphNode>;

export const GraphEdge = Type.Object({
  id: Type.String({ description: '`<source>|<kind>|<target>`' }),
  source: Type.String(),
  target: Type.String(),
  kind: Type.String({ description: 'the relation, such as `owns`' }),
});
export type GraphEdge = Static<typeof GraphEdge>;

export const GraphGroup = Type.Object({
  id: Type.String({ description: 'for `expand`' }),
  label: Type.String(),
  members: Type.Array(Type.String(), { description: 'ids of nodes of this graph' }),
  status: Type.Optional(Status),
  metadata: Type.Optional(Type.Object({ folded: Type.Boolean(), size: Type.Integer({ description: 'with the nodes that are folded' }) })),
});
export type GraphGroup = Static<typeof GraphGroup>;

const MissingRights = Type.Optional(
  Type.Array(Type.String(), { description: 'what Podmend may not read, such as `list ingresses.networking.k8s.io`' }),
);

/** A graph of workloads or of access rights (specification, "Diagram graph"). */
export const Graph = Type.Object({
  nodes: Type.Array(GraphNode),
  edges: Type.Array(GraphEdge),
  groups: Type.Array(GraphGroup),
  missing_rights: MissingRights,
});
export type Graph = Static<typeof Graph>;

/** Answer of `GET /api/diagram/namespaces`. */
export const GraphNamespaces = Type.Object({
  namespaces: Type.Array(Type.String()),
  failing: Type.Record(Type.String(), Type.Integer(), { description: 'open incidents by namespace; those without one are absent' }),
});
export type GraphNamespaces = Static<typeof GraphNamespaces>;

/** Answer of `GET /api/diagram/roles` (specification, "Role listing"). */
export const RoleListing = Type.Object({
  cluster_roles: Type.Array(Type.Object({ name: Type.String() })),
  roles: Type.Array(Type.Object({ namespace: Type.String(), name: Type.String() })),
  missing_rights: MissingRights,
});
export type RoleListing = Static<typeof RoleListing>;

import Type from 'typebox';

/** Workloads that a graph can begin at. */
export const GRAPH_WORKLOADS = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob'] as const;
/** Kinds that only graphs know: they have no manifest. */
export const SYNTHESIZED_KINDS = ['Permission', 'Subject:User', 'Subject:Group'] as const;

/** A graph of workloads or of access rights (specification, "Diagram graph"). */
export const Graph = Type.Object({
  nodes: Type.Array(
    Type.Object({
      id: Type.String({ description: '`<Kind>/<namespace>/<name>`' }),
      kind: Type.String(),
      name: Type.String(),
      namespace: Type.String(),
      status: Type.Optional(Type.String()),
      metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
  ),
  edges: Type.Array(
    Type.Object({
      id: Type.String({ description: '`<source>|<kind>|<target>`' }),
      source: Type.String(),
      target: Type.String(),
      kind: Type.String({ description: 'the relation, such as `owns`' }),
    }),
  ),
  groups: Type.Array(Type.Object({ id: Type.String(), label: Type.String(), members: Type.Array(Type.String()) })),
});

/** Answer of `GET /api/diagram/namespaces`. */
export const GraphNamespaces = Type.Object({ namespaces: Type.Array(Type.String()) });

/** Answer of `GET /api/diagram/roles` (specification, "Role listing"). */
export const RoleListing = Type.Object({
  cluster_roles: Type.Array(Type.Object({ name: Type.String() })),
  roles: Type.Array(Type.Object({ namespace: Type.String(), name: Type.String() })),
});

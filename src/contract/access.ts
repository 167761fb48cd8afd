import Type, { type Static } from 'typebox';

const Subject = Type.Object({
  kind: Type.Enum(['User', 'Group', 'ServiceAccount']),
  name: Type.String(),
  namespace: Type.Optional(Type.String()),
});
const Named = Type.Object({ kind: Type.String(), name: Type.String(), namespace: Type.Optional(Type.String()) });

/** The binding through which a subject has a right, and the role that it refers to. */
export const Through = Type.Object({ binding: Named, role: Named, subject: Subject });
export type Through = Static<typeof Through>;

const MissingRights = Type.Optional(Type.Array(Type.String(), { description: 'what Podmend may not read: the answer may lack something' }));

/** Answer of `GET /api/access/who-can`. `system:masters` is always among the subjects, because its members are allowed everything. */
export const WhoCan = Type.Object({
  subjects: Type.Array(Type.Object({ ...Subject.properties, through: Type.Array(Through) })),
  missing_rights: MissingRights,
});
export type WhoCan = Static<typeof WhoCan>;

/** Answer of `GET /api/access/rights`: each rule that the subject has, with its binding. */
export const Rights = Type.Object({
  rights: Type.Array(
    Type.Object({
      namespace: Type.String({ description: '`*`: in the whole cluster' }),
      verbs: Type.Array(Type.String()),
      api_groups: Type.Array(Type.String()),
      resources: Type.Array(Type.String()),
      resource_names: Type.Array(Type.String({ description: 'empty: any' })),
      non_resource_urls: Type.Array(Type.String()),
      through: Through,
    }),
  ),
  missing_rights: MissingRights,
});
export type Rights = Static<typeof Rights>;

/** Where an escalation path ends: everything, a node, or the Secrets of a namespace. */
export const PATH_TARGETS = ['cluster-admin', 'node', 'secrets'] as const;

/** Answer of `GET /api/access/paths`: the shortest ways from subjects to powers that no binding gives them. */
export const EscalationPaths = Type.Object({
  total: Type.Integer({ description: 'of all paths, also of those that are not listed' }),
  paths: Type.Array(
    Type.Object({
      subject: Subject,
      target: Type.Enum([...PATH_TARGETS]),
      namespace: Type.Optional(Type.String({ description: 'of the Secrets; `*`: of all namespaces' })),
      steps: Type.Array(
        Type.Object({
          as: Type.String({ description: 'who does it, like `ServiceAccount shop/web`' }),
          does: Type.String({ description: 'the rest of the sentence' }),
          through: Type.Array(Through, { description: 'what lets it' }),
        }),
      ),
      ends: Type.Array(Through, { description: 'what gives the last identity the power' }),
    }),
  ),
  cut: Type.Optional(
    Type.Object(
      { binding: Named, breaks: Type.Integer({ description: 'how many of all paths' }) },
      { description: 'the binding whose removal breaks most paths' },
    ),
  ),
  left_out: Type.Optional(
    Type.Integer({
      description:
        'of so many subjects that are asked about not all was searched: there are too many roles and bindings. What is told is true',
    }),
  ),
  missing_rights: MissingRights,
});
export type EscalationPaths = Static<typeof EscalationPaths>;

const Reach = Type.Enum(['allowed', 'refused', 'unknown']);
const Direction = Type.Object({
  reach: Reach,
  restricted_by: Type.Array(Type.String({ description: '`<namespace>/<name>` of a NetworkPolicy' })),
  allowed_by: Type.Array(Type.String()),
});

/** Answer of `GET /api/access/can-reach`. `unknown`: the network plugin decides. */
export const CanReach = Type.Object({ reach: Reach, why: Type.String(), egress: Direction, ingress: Direction });
export type CanReach = Static<typeof CanReach>;

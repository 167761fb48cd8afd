import Type, { type Static } from 'typebox';

/** One pod that fails or has not yet recovered, as an agent knows it. */
export const FailingPod = Type.Object({
  pod_uid: Type.String(),
  pod_name: Type.String(),
  namespace: Type.String(),
  container: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
export type FailingPod = Static<typeof FailingPod>;

/** A count; more than a database's integer holds is none. */
const count = (description: string) => Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, description });

/** Body of `PUT /api/agents/{node}`: sent every minute and after each relist (DESIGN section 4.2). */
export const Heartbeat = Type.Object({
  version: Type.String(),
  pods: count('pods watched'),
  failing: Type.Array(FailingPod),
  spooled: count('reports waiting for the operator'),
  dropped: count('reports lost because the spool was full'),
});
export type Heartbeat = Static<typeof Heartbeat>;

/** One agent as `GET /api/agents` and `agent_status` show it. Silent for 3 minutes: `live` is false. */
export const AgentRecord = Type.Object({
  node: Type.String(),
  version: Type.String(),
  pods: Type.Integer(),
  failing: Type.Integer(),
  spooled: Type.Integer(),
  dropped: Type.Integer(),
  last_seen: Type.String(),
  live: Type.Boolean(),
});
export type AgentRecord = Static<typeof AgentRecord>;

/** Body of `POST /api/pods/dismiss-deleted`: one pod or many. Without `pod_uid` only records older than the message are closed. */
const Gone = { namespace: Type.String({ minLength: 1 }), pod_name: Type.String({ minLength: 1 }), pod_uid: Type.Optional(Type.String()) };
const Reason = Type.Optional(Type.Enum(['deleted', 'recovered']));
export const DismissDeleted = Type.Union([
  Type.Object({ ...Gone, reason: Reason }),
  Type.Object({ pods: Type.Array(Type.Object(Gone), { maxItems: 10_000 }), reason: Reason }),
]);
export type DismissDeleted = Static<typeof DismissDeleted>;

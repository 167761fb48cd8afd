import Type, { type Static } from 'typebox';
import { MAX_NAME_LENGTH, ObjectName, OptionalName } from './fields.ts';

/** One pod that fails or has not yet recovered, as its agent sees it. */
export const FailingPod = Type.Object({
  pod_uid: OptionalName,
  pod_name: ObjectName,
  namespace: ObjectName,
  container: Type.Optional(Type.Union([OptionalName, Type.Null()])),
});
export type FailingPod = Static<typeof FailingPod>;

/** A count that fits a database integer. */
const count = (description: string) => Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, description });

/** When the sender saw it, by its own clock. A record with a later report stays open. */
const observed_at = Type.Optional(Type.String({ description: 'when the sender saw it; without it, when the message arrives' }));

/** Body of `PUT /api/agents/{node}`: sent every minute and after each relist. */
export const Heartbeat = Type.Object({
  version: Type.String({ maxLength: MAX_NAME_LENGTH }),
  pods: count('pods watched'),
  failing: Type.Array(FailingPod),
  unsettled: Type.Optional(
    Type.Array(FailingPod, { description: 'not known to fail, nor to have been well for long enough: their records stay open' }),
  ),
  spooled: count('reports waiting for the operator'),
  dropped: count('reports lost because the spool was full'),
  observed_at,
});
export type Heartbeat = Static<typeof Heartbeat>;

/** One agent in `GET /api/agents` and `agent_status`. `live` becomes false when it has been silent for `AGENT_SILENT_SECONDS`. */
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

/** Answer to a heartbeat. */
export const HeartbeatAnswer = Type.Object({
  ...AgentRecord.properties,
  unknown: Type.Array(Type.String(), { description: 'uids among the failing ones of which there is no open record: report them again' }),
});
export type HeartbeatAnswer = Static<typeof HeartbeatAnswer>;

/** Body of `POST /api/pods/dismiss-deleted`: one pod or many. Without `pod_uid`, only records older than the message are closed. */
const Gone = { namespace: ObjectName, pod_name: ObjectName, pod_uid: Type.Optional(OptionalName) };
const Reason = Type.Optional(Type.Enum(['deleted', 'recovered']));
export const DismissDeleted = Type.Union([
  Type.Object({ ...Gone, reason: Reason, observed_at }),
  Type.Object({ pods: Type.Array(Type.Object(Gone), { maxItems: 10_000 }), reason: Reason, observed_at }),
]);
export type DismissDeleted = Static<typeof DismissDeleted>;

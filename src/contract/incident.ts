import Type, { type Static } from 'typebox';
import { FAILURE_STATUSES, type FailureStatus } from './failure.ts';
import { HourlyCounts, ListLimit, ListText, MAX_USER_NAME_LENGTH } from './fields.ts';
import { Nullable } from './nullable.ts';

/**
 * The lists of incidents, the most urgent first: an incident is on the first one that a record of it belongs to. `active`: `new` or
 * `investigating`. `ignored`. `suppressed`: open and hidden by a Suppression. `resolved`: by people or by recovery.
 */
export const INCIDENT_LISTS = ['active', 'ignored', 'suppressed', 'resolved'] as const;
export const IncidentListName = Type.Enum([...INCIDENT_LISTS]);
export type IncidentListName = (typeof INCIDENT_LISTS)[number];

export const VERDICTS = ['Fixed', 'StillFailing', 'Inconclusive'] as const;

/** The sort keys of a list. Equal incidents are sorted by id. */
export const INCIDENT_SORTS = ['last_seen', 'first_seen', 'restarts', 'pods', 'name'] as const;
export type IncidentSort = (typeof INCIDENT_SORTS)[number];

/** Query of `GET /api/incidents`. */
export const IncidentQuery = Type.Object({
  list: Type.Optional(Type.Enum([...INCIDENT_LISTS], { description: 'by default the one that `status` belongs to, else `active`' })),
  status: Type.Optional(Type.Enum([...FAILURE_STATUSES])),
  namespace: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String({ description: 'incidents of which a pod fails for this reason' })),
  verdict: Type.Optional(Type.Enum([...VERDICTS, 'none'], { description: 'the newest verdict; `none`: no mirror has one' })),
  assignee: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_USER_NAME_LENGTH,
      description: "who takes care of it: `me`, `none` (nobody does), or a user's name",
    }),
  ),
  q: ListText("cause, culprit, workload, reason or message, or of a pod's name or namespace"),
  sort: Type.Optional(Type.Enum([...INCIDENT_SORTS], { description: 'by default `first_seen`' })),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'by default `asc` for `name`, else `desc`' })),
  limit: ListLimit('by default 100'),
  before: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, description: 'where the page begins: as in the `Link` header of the page before' }),
  ),
});
export type IncidentQuery = Static<typeof IncidentQuery>;

/** The newest verdict that a mirror gave about a pod of the incident. */
export const IncidentVerdict = Type.Object({
  verdict: Type.Enum([...VERDICTS]),
  strength: Nullable(Type.String({ description: 'Strong or Weak' })),
  final: Type.Boolean({ description: 'the mirror has ended, so nothing revises it' }),
  mirror_id: Type.String(),
  failure_id: Type.Integer({ description: 'the record that the mirror copied' }),
  given_at: Type.String({ description: 'when the mirror was started' }),
  taken: Type.Boolean({ description: '`Fixed`, and no pod of the incident fails any more. While false, a proven correction waits' }),
});
export type IncidentVerdict = Static<typeof IncidentVerdict>;

/**
 * Pods of one workload that fail in the same way, as one entry. The counts are of the records that put it on its list. The *focus* is the
 * record that stands for all: the one with the newest verdict if it is among them, else the one that failed first. So it changes only when
 * somebody tries a correction or the pod is gone.
 */
export const Incident = Type.Object({
  id: Type.Integer(),
  cluster: Type.String(),
  namespace: Type.String(),
  workload: Type.Object(
    { kind: Type.String(), name: Type.String() },
    { description: 'the workload that finally owns the pods, or the pod that nothing owns' },
  ),
  container: Nullable(Type.String()),
  list: IncidentListName,
  status: Type.Enum([...FAILURE_STATUSES], { description: '`investigating` when one record of it is' }),
  failure_id: Type.Integer({ description: 'the focus record' }),
  pod_name: Type.String({ description: 'of the focus' }),
  reason: Type.String({ description: 'of the focus' }),
  cause: Type.String({ description: 'why the focus fails: the first words of its diagnosis, plain text in one line' }),
  culprit: Nullable(Type.String({ description: 'the key, image, limit, probe or log line that causes it' })),
  pods: Type.Integer(),
  restarts: Type.Integer({ description: 'of all these pods together' }),
  first_seen: Type.String({ description: 'when the incident began' }),
  last_seen: Type.String(),
  resolved_at: Nullable(Type.String({ description: 'when the last record of a resolved incident was resolved' })),
  verdict: Nullable(IncidentVerdict),
  assignee: Nullable(Type.String({ description: 'who takes care of it' })),
  occurrences_24h: HourlyCounts('failed runs that were reported of it'),
  trying: Type.Boolean({ description: 'a mirror of it runs and has no verdict yet' }),
  suppressed_by: Nullable(Type.String({ description: 'the Suppression that hides the focus' })),
});
export type Incident = Static<typeof Incident>;

const Totals = Type.Object(
  { active: Type.Integer(), ignored: Type.Integer(), suppressed: Type.Integer(), resolved: Type.Integer() },
  { description: 'how many incidents each list holds; of the other filters only `namespace` counts' },
);
export type IncidentTotals = Static<typeof Totals>;

/** Answer of `GET /api/incidents`: a page, and how many there are. The address of the next page is in `Link`. */
export const IncidentPage = Type.Object({
  incidents: Type.Array(Incident),
  total: Type.Integer({ description: 'how many match, on all pages' }),
  totals: Totals,
});
export type IncidentPage = Static<typeof IncidentPage>;

/** The list for records of a status, unless something hides them. */
export function listOfStatus(status: FailureStatus): IncidentListName {
  return status === 'new' || status === 'investigating' ? 'active' : status;
}

const Hour = Type.Object({ from: Type.String(), opened: Type.Integer(), resolved: Type.Integer() });
const SETUP_STEPS = ['agent', 'failure', 'mirror', 'people', 'model'] as const;

/** Query of `GET /api/overview`. Agents, nodes and first steps are always those of the whole cluster. */
export const OverviewQuery = Type.Object({
  namespace: Type.Optional(Type.String({ description: 'incidents of this namespace only' })),
});

/** Answer of `GET /api/overview`: what somebody on call wants to know first. */
export const Overview = Type.Object({
  at: Type.String(),
  totals: Totals,
  new_24h: Type.Integer({ description: 'incidents that began in the last 24 hours' }),
  resolved_24h: Type.Integer(),
  hours: Type.Array(Hour, { description: 'the last 24 hours, oldest first' }),
  proven: Type.Array(Incident, { description: 'active incidents with a proven correction that nobody has taken, the newest five' }),
  proven_total: Type.Integer(),
  newest: Type.Array(Incident, { description: 'the 30 active incidents that began last' }),
  worst: Type.Array(Incident, { description: 'the five active incidents with most restarts' }),
  agents: Type.Object({
    nodes: Type.Integer({ description: 'nodes whose agent was heard of lately' }),
    pods: Type.Integer({ description: 'pods that these agents watch' }),
    silent: Type.Array(Type.Object({ node: Type.String(), last_seen: Type.String() }), {
      description: 'agents that are not heard any more',
    }),
  }),
  setup: Type.Array(Type.Object({ step: Type.Enum([...SETUP_STEPS]), done: Type.Boolean() }), {
    description: 'first steps: an agent reports, a failure was seen, a mirror was tried, others were invited, a model is set up (optional)',
  }),
});
export type Overview = Static<typeof Overview>;

/** How many days a history covers, until now. */
const Days = Type.Optional(Type.Integer({ minimum: 1, maximum: 90, description: 'how far back it looks; by default 30' }));

export const HistoryQuery = Type.Object({
  namespace: Type.Optional(Type.String()),
  q: ListText("workload's name or namespace"),
  days: Days,
  limit: ListLimit('by default 100'),
});
export const WorkloadQuery = Type.Object({ days: Days });

/**
 * How often a workload failed, and for how long. It counts the incidents that were open in these days, except those that only a Suppression
 * hid. It does not know what retention has deleted.
 */
export const WorkloadHistory = Type.Object({
  namespace: Type.String(),
  kind: Type.String(),
  name: Type.String(),
  incidents: Type.Integer(),
  open: Type.Integer({ description: 'those that still last' }),
  last_opened: Type.String(),
  median_seconds: Nullable(Type.Number({ description: 'from its begin to its end, of the incidents that are over' })),
  longest_seconds: Nullable(Type.Number()),
  reasons: Type.Array(Type.String(), { description: 'the most frequent ones, at most five' }),
  trend: Type.Array(Type.Integer(), { description: 'incidents that began on each of these days of 24 hours, oldest first' }),
});
export type WorkloadHistory = Static<typeof WorkloadHistory>;

/** Answer of `GET /api/history/workloads`. The workloads that failed most often come first. */
export const History = Type.Object({ days: Type.Integer(), workloads: Type.Array(WorkloadHistory), total: Type.Integer() });
export type History = Static<typeof History>;

/** Answer of `GET /api/history/workloads/{namespace}/{kind}/{name}`: the history of one workload, with its newest 100 incidents. */
export const OneWorkloadHistory = Type.Object({
  ...WorkloadHistory.properties,
  days: Type.Integer(),
  list: Type.Array(
    Type.Object({
      id: Type.Integer(),
      container: Nullable(Type.String()),
      reason: Type.String(),
      failure_id: Type.Integer({ description: 'the newest record' }),
      pods: Type.Integer(),
      opened_at: Type.String(),
      closed_at: Nullable(Type.String()),
      verdict: Nullable(Type.String()),
    }),
  ),
});
export type OneWorkloadHistory = Static<typeof OneWorkloadHistory>;

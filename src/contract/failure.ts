import Type, { type Static, type TSchema } from 'typebox';
import { Alert } from './alert.ts';
import { HourlyCounts, Instant, ObjectName, OptionalCluster, OptionalName } from './fields.ts';
import { Nullable } from './nullable.ts';
import { REPORT_BOUNDS, SHOWN_BOUNDS } from './report-bounds.ts';
import { SuppressedBy } from './suppression.ts';

/** A nullable, optional field of a request: absent and null mean the same. */
const Maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

/** The four values of a record's `status` (specification, "States and transitions"). */
export const FAILURE_STATUSES = ['new', 'investigating', 'resolved', 'ignored'] as const;
export const FailureStatus = Type.Enum([...FAILURE_STATUSES]);
export type FailureStatus = (typeof FAILURE_STATUSES)[number];

/**
 * The beginning of `logs` in a report that was sent before the log was available. A later report of the same occurrence may contain the
 * log.
 */
export const LOG_DUE = 'log not available yet';
/** The beginning of `logs` when the log cannot be read; the reason follows. */
export const NO_LOG = 'log not available';

/** The workload that owns a pod: the root of its controller references. */
export const WorkloadRef = Type.Object({ kind: Type.String(), name: Type.String() });
export type WorkloadRef = Static<typeof WorkloadRef>;

/** One event about the failing object. The newest comes last. Times are ISO 8601. */
export const EventEvidence = Type.Object({
  type: Maybe(Type.String()),
  reason: Maybe(Type.String()),
  message: Maybe(Type.String()),
  count: Maybe(Type.Integer()),
  first_timestamp: Maybe(Type.String()),
  timestamp: Maybe(Type.String()),
  source: Maybe(Type.String()),
});
export type EventEvidence = Static<typeof EventEvidence>;

const stateFields = {
  state: Maybe(Type.String({ description: 'waiting, running or terminated' })),
  reason: Maybe(Type.String()),
  message: Maybe(Type.String()),
  exit_code: Maybe(Type.Integer()),
  signal: Maybe(Type.Integer()),
  started_at: Maybe(Type.String()),
  finished_at: Maybe(Type.String()),
};

/** One container's state in a report, flattened from the pod's status. `last_state` is the previous run, if there was one. */
export const ContainerEvidence = Type.Object({
  name: Type.String(),
  kind: Maybe(Type.String({ description: 'init, sidecar or app' })),
  image: Maybe(Type.String()),
  ready: Maybe(Type.Boolean()),
  restart_count: Maybe(Type.Integer()),
  ...stateFields,
  last_state: Maybe(Type.Object(stateFields)),
});
export type ContainerEvidence = Static<typeof ContainerEvidence>;

/** The same as a report names it. */
const ReportedWorkload = Type.Object({ kind: ObjectName, name: ObjectName });
const ReportedJob = Type.Object(
  { name: ObjectName, uid: ObjectName },
  { description: 'the Job that controls the pod, needed where its pods lack the labels of the Job controller (`manualSelector`)' },
);
const ReportedContainer = Type.Object({ ...ContainerEvidence.properties, name: ObjectName });

const kept = (bytes: number, what = '') => `at most ${bytes / 1024} KiB are kept${what}; what is longer is cut, with a mark`;

/** The evidence of a record that lists show, if all of it is too much for a list. */
export interface BriefEvidence {
  events: EventEvidence[];
  container_statuses: ContainerEvidence[];
}

/** Body of `POST /api/pods/failed` (specification, "Failure report"). Unknown fields are ignored. `REPORT_BOUNDS` limits what is kept. */
export const FailureReport = Type.Object({
  pod_name: ObjectName,
  namespace: ObjectName,
  node_name: Maybe(OptionalName),
  failure_reason: Maybe(Type.String()),
  failure_message: Maybe(Type.String({ description: kept(REPORT_BOUNDS.failureMessageBytes) })),
  creation_timestamp: Maybe(Instant),
  events: Maybe(
    Type.Array(EventEvidence, {
      description: `the newest ${REPORT_BOUNDS.events} are kept, each up to ${REPORT_BOUNDS.eventBytes / 1024} KiB`,
    }),
  ),
  container_statuses: Maybe(
    Type.Array(ReportedContainer, {
      description: `${REPORT_BOUNDS.statuses} are kept, with messages up to ${REPORT_BOUNDS.statusMessageBytes / 1024} KiB`,
    }),
  ),
  manifest: Maybe(Type.String({ description: kept(REPORT_BOUNDS.manifestBytes) })),
  logs: Maybe(Type.String({ description: kept(REPORT_BOUNDS.logsBytes, ', the beginning and the end') })),
  pod_uid: Maybe(OptionalName),
  cluster: Maybe(OptionalCluster),
  container: Maybe(OptionalName),
  resource_kind: Maybe(OptionalName),
  workload: Maybe(ReportedWorkload),
  job: Maybe(ReportedJob),
  labels: Maybe(Type.Record(Type.String(), Type.String(), { description: `${REPORT_BOUNDS.labels} are kept` })),
  images: Maybe(Type.Array(Type.String(), { description: `${REPORT_BOUNDS.images} are kept` })),
  observed_at: Maybe(Type.String({ description: 'when the reporter saw it, by its own clock; without it, when the report arrives' })),
});
export type FailureReport = Static<typeof FailureReport>;

/** One changed field of a correction. `path` is written as kubectl does (`spec.containers[0].image`). Absent values are null. */
export const Change = Type.Object({
  path: Type.String(),
  from: Type.Unknown(),
  to: Type.Unknown(),
  why: Type.String(),
  of: Type.Optional(
    Type.Literal('owner', { description: 'a field of the workload itself: `owner_patch` has the change, `fixed_manifest` does not' }),
  ),
});
export type Change = Static<typeof Change>;

/** What the source showed before a trial. `seconds_to_fail` is the time from its start to its failure. */
export const ShownBefore = Type.Object({
  message: Type.String(),
  restarts: Type.Integer(),
  seconds_to_fail: Type.Number(),
});
export type ShownBefore = Static<typeof ShownBefore>;

/** What the mirror showed when it was judged. `message` is empty if it showed no failure. */
export const ShownAfter = Type.Object({
  message: Type.String(),
  restarts: Type.Integer(),
  ready_seconds: Type.Integer(),
});
export type ShownAfter = Static<typeof ShownAfter>;

/** What a verdict rests on. Lengths in seconds; progress is the time since `ready_since` over `window_seconds`. */
export const Evidence = Type.Object({
  window_seconds: Type.Integer({ description: 'how long the mirror must be Ready without a break' }),
  window_reason: Type.String(),
  ready_since: Type.Union([Type.String(), Type.Null()], { description: 'null while it is not Ready' }),
  restarts: Type.Integer(),
  readiness_lost: Type.Integer({ description: 'how often readiness was lost without an end of a container' }),
  source_runs: Type.Integer({ description: 'runs of the source before a failure whose length is known' }),
  longest_source_run_seconds: Type.Integer(),
  probes_asked: Type.Array(Type.String()),
  weaknesses: Type.Array(Type.String(), { description: 'what this verdict cannot know, one sentence each' }),
  strength: Type.Enum(['Strong', 'Weak']),
});
export type Evidence = Static<typeof Evidence>;

/** A verdict that replaced an earlier one. */
export const Revision = Type.Object({
  time: Type.String(),
  from: Type.String(),
  verdict: Type.String(),
  reason: Type.String({ description: 'Regressed, Recovered, or why the new verdict was given' }),
  message: Type.String(),
});
export type Revision = Static<typeof Revision>;

/** The verdict of a mirror about a failure, with its evidence. */
export const Trial = Type.Object({
  mirror_id: Type.String(),
  verdict: Type.Union([Type.String(), Type.Null()]),
  reason_before: Type.Union([Type.String(), Type.Null()]),
  reason_after: Type.Union([Type.String(), Type.Null()]),
  shown_before: Type.Union([ShownBefore, Type.Null()]),
  shown_after: Type.Union([ShownAfter, Type.Null()]),
  evidence: Type.Union([Evidence, Type.Null()]),
  strength: Type.Union([Type.String(), Type.Null()]),
  revisions: Type.Array(Revision),
  final: Type.Boolean(),
  origin: Type.String(),
  changes: Type.Array(Change),
  started_at: Type.String(),
  ended_at: Type.Union([Type.String(), Type.Null()]),
  log_pod_name: Type.Union([Type.String(), Type.Null()], {
    description: 'the mirror pod, once the end of its log is kept: `/api/pods/{namespace}/{pod_name}/logs` answers it when the pod is gone',
  }),
});
export type Trial = Static<typeof Trial>;

/** A failure record as lists and messages show it: without `manifest` and `logs`, and within `SHOWN_BOUNDS`. Times are ISO 8601 UTC. */
export const FailureRecord = Type.Object({
  id: Type.Integer(),
  cluster: Type.String(),
  pod_name: Type.String(),
  namespace: Type.String(),
  node_name: Nullable(Type.String()),
  resource_kind: Type.String(),
  container: Nullable(Type.String()),
  workload: Nullable(WorkloadRef),
  incident_id: Type.Integer(),
  failure_reason: Type.String(),
  failure_message: Type.String(),
  status: FailureStatus,
  solution: Nullable(Type.String()),
  is_fallback: Type.Boolean(),
  events: Type.Array(EventEvidence, { description: `oldest first; a list shows the newest ${SHOWN_BOUNDS.events}` }),
  container_statuses: Type.Array(ContainerEvidence),
  occurrences: Type.Integer(),
  timestamp: Type.String(),
  last_seen: Type.String(),
  resolved_at: Nullable(Type.String()),
  suppressed_by: Nullable(Type.String()),
  trials: Type.Array(Trial),
});
export type FailureRecord = Static<typeof FailureRecord>;

/** The state of an open record before the next report of its pod or Job is stored. It does not leave the operator. */
export interface KnownFailure {
  id: number;
  pod_uid: string | null;
  pod_name: string;
  resource_kind: string;
  incident_id: number;
  family: string;
  container: string | null;
  status: FailureStatus;
  failure_reason: string;
  has_solution: boolean;
  /** Whether it has counted this occurrence. */
  has_occurrence: boolean;
  announced_at: Date | null;
}

/** `GET /api/pods/failed/{id}`: the record with its large columns and its identity. */
export const FailureDetail = Type.Object({
  ...FailureRecord.properties,
  pod_uid: Nullable(Type.String()),
  labels: Type.Record(Type.String(), Type.String()),
  images: Type.Array(Type.String()),
  longest_run_seconds: Nullable(Type.Integer({ description: 'its longest run before a failure, over all occurrences' })),
  manifest: Nullable(Type.String()),
  logs: Nullable(Type.String()),
});
export type FailureDetail = Static<typeof FailureDetail>;

/** The fields that a record takes from its reports. */
export type ReportedField = keyof FailureReport & keyof FailureDetail;

/** The record as the API shows it, with the Suppression that hides it now, and the assignee and alerts of its incident. */
export const ShownFailure = Type.Object({
  ...FailureDetail.properties,
  hidden_by: Nullable(SuppressedBy),
  alerts: Type.Array(Alert, { description: 'the newest 100 of Alertmanager about its incident, newest first' }),
  assignee: Nullable(Type.String({ description: 'who takes care of its incident' })),
  occurrences_24h: HourlyCounts('failed runs that were reported of its incident'),
});
export type ShownFailure = Static<typeof ShownFailure>;

/** Answer to a report that a Suppression hides (202). */
export const SuppressedReport = Type.Object({ suppressed: Type.Literal(true), suppression: Type.String(), id: Type.Integer() });
export type SuppressedReport = Static<typeof SuppressedReport>;

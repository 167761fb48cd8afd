import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { AdviceCategory, AdviceStatus } from '../contract/advice.ts';
import type { BriefEvidence, Change, Evidence, FailureDetail, Revision, ShownAfter, ShownBefore } from '../contract/failure.ts';
import type { Role } from '../contract/auth.ts';
import type { FindingStatus, Severity } from '../contract/finding.ts';
import type { KeptLog } from '../contract/log.ts';
import type { Provider } from '../contract/model.ts';
import type { MirrorPreview, WrittenManifest } from '../contract/mirror.ts';

/** A jsonb column: parsed when read, written as text made by `json()` because drivers disagree about arrays. */
type Json<T> = ColumnType<T, string, string>;
/** A column that only SQL fills or reads. */
type Internal<T> = ColumnType<T, T | undefined, T>;

/** A field of the API as a column. Objects and lists are stored as jsonb. */
type Column<T> = T extends string | number | boolean | null ? T : Json<T>;

/** Times are text in the API and Dates in rows. */
interface FailureInstants {
  timestamp: Date;
  last_seen: Date;
  resolved_at: Date | null;
}

/** The visible fields of a record, as columns. */
type FailureFields = {
  [Field in Exclude<keyof FailureDetail, 'id' | 'trials' | keyof FailureInstants>]: Column<FailureDetail[Field]>;
};

/** One row per pod (or controller) while it fails, and afterwards as history. `closed_at` null is *open*: at most one per (cluster, identity). */
export interface FailureTable extends FailureFields, FailureInstants {
  id: GeneratedAlways<number>;
  identity: string;
  family: string;
  /** How specific the label is within its family. 0 is the most specific. */
  reason_rank: number;
  /** The newest occurrence keys, used to recognise an occurrence that is sent again. */
  occurrence_keys: Internal<string[]>;
  /** The newest hour with an occurrence, in hours since 1970; null for records of earlier versions. */
  occurrence_hour: Internal<number | null>;
  /** The counts of occurrences in that hour and in the hours before it, newest first, at most 24. */
  occurrence_counts: Internal<number[]>;
  /** The part of the evidence that lists show; null if they show all of it. */
  brief: Internal<BriefEvidence | null>;
  status_at: Date;
  closed_at: Date | null;
  /** Whether it ended because its object was deleted. */
  is_deleted: Internal<boolean>;
  /** When `pod_failure` was last sent about it. */
  announced_at: Date | null;
}

/** The pods that the record of a Job is about. A pod that is well again or deleted leaves an open record. */
export interface FailurePodTable {
  cluster: string;
  namespace: string;
  pod_name: string;
  pod_uid: string;
  failure_id: number;
}

/** Groups records with the same cluster, namespace, owner, container and family. Only one such incident is open at a time. */
export interface IncidentTable {
  id: GeneratedAlways<number>;
  cluster: string;
  namespace: string;
  /** `Deployment/web`, or `Pod/name` when nothing owns the pod. */
  owner: string;
  /** Empty when the failure is not one container's. */
  container: string;
  family: string;
  ignored: Generated<boolean>;
  opened_at: Date;
  closed_at: Date | null;
}

/** The assignee of an incident. */
export interface AssigneeTable {
  incident_id: number;
  user_id: number;
}

/** A comment about an incident. */
export interface CommentTable {
  id: GeneratedAlways<number>;
  incident_id: number;
  /** Null when the user was deleted. */
  author_id: number | null;
  /** The author's name, which stays. */
  author: string;
  /** Masked. */
  text: string;
  created_at: Date;
  edited_at: Date | null;
}

/** The result of a mirror. It stays after the MirrorPod is deleted. */
export interface TrialTable {
  id: GeneratedAlways<number>;
  mirror_id: string;
  failure_id: number;
  verdict: string | null;
  reason_before: string | null;
  reason_after: string | null;
  shown_before: Json<ShownBefore> | null;
  shown_after: Json<ShownAfter> | null;
  evidence: Json<Evidence> | null;
  strength: string | null;
  revisions: ColumnType<Revision[], string | undefined, string>;
  final: Generated<boolean>;
  origin: string;
  changes: Json<Change[]>;
  started_at: Date;
  ended_at: Date | null;
  /** The name of the mirror pod; null while its log is not kept. */
  log_pod_name: string | null;
}

/** The end of the log of a mirror. */
export interface MirrorLogTable {
  mirror_id: string;
  log: Json<KeptLog>;
}

/** A manifest that somebody wrote for a mirror. */
export interface WrittenManifestTable {
  mirror_id: string;
  written: Json<WrittenManifest>;
}

export interface PreviewTable {
  id: GeneratedAlways<number>;
  failure_id: number;
  preview: Json<Omit<MirrorPreview, 'id'>>;
  created_at: Generated<Date>;
}

export interface UserTable {
  id: GeneratedAlways<number>;
  username: string;
  password_hash: string | null;
  role: Role;
  /** The subject of an identity provider, for users who log in through one. */
  external_id: string | null;
  created_at: Date;
}

export interface SessionTable {
  /** SHA-256 of the token in the cookie: reading the table does not help to log in. */
  id: string;
  user_id: number;
  address: string;
  created_at: Date;
  seen_at: Date;
  expires_at: Date;
}

/** An API token of a user. */
export interface TokenTable {
  id: GeneratedAlways<number>;
  user_id: number;
  name: string;
  /** SHA-256 of the token: reading the table does not reveal it. */
  digest: string;
  /** The highest role of the token. The role of its owner limits it as well. */
  role: Role;
  created_at: Date;
  /** Null = never. */
  expires_at: Date | null;
  /** When the token was last used, accurate to the hour. */
  used_at: Date | null;
}

export interface SettingTable {
  key: string;
  value: string;
  updated_at: Generated<Date>;
}

export interface AuditTable {
  id: GeneratedAlways<number>;
  at: Date;
  user_id: number | null;
  username: string;
  address: string;
  action: string;
  target: string;
  details: Json<Record<string, unknown>>;
}

/** The times of recent login attempts of one key (an address, a user). */
export interface LoginAttemptTable {
  key: string;
  attempts: Internal<Date[]>;
  /** The id of the last admitted attempt, so that a single statement can tell whether it admitted its attempt. */
  admitted: string;
  newest_at: Date;
}

export interface AgentTable {
  node: string;
  version: string;
  pods: number;
  failing: number;
  spooled: number;
  dropped: number;
  last_seen: Date;
}

/** A finding of a check on a resource. Identity: (cluster, namespace, resource_type, resource_name, check_name, item). */
export interface FindingTable {
  id: GeneratedAlways<number>;
  cluster: string;
  resource_type: string;
  namespace: string;
  resource_name: string;
  check_name: string;
  /** Distinguishes findings of one check on one resource; empty if there can only be one. */
  item: string;
  /** The scanner that reports the finding; empty if it gives no name. */
  source: string;
  severity: Severity;
  message: string;
  remediation: string;
  details: Json<Record<string, unknown>>;
  status: FindingStatus;
  first_seen: Date;
  last_seen: Date;
  /** Since when the finding has not been reported again. It is hidden then, and `resolved` after ten minutes. */
  stale_at: Date | null;
  resolved_at: Date | null;
  suppressed_by: string | null;
}

/** The advice of a detector about an object. Identity: (cluster, namespace, detector_id, resource_kind, resource_name). */
export interface AdviceTable {
  id: GeneratedAlways<number>;
  cluster: string;
  namespace: string;
  detector_id: string;
  resource_kind: string;
  resource_name: string;
  severity: Severity;
  category: AdviceCategory;
  title: string;
  summary: string;
  evidence: Json<Record<string, unknown>>;
  recommended_change: string;
  /** The explanation for this `summary`. null until somebody asks for it. */
  explanation: string | null;
  is_fallback: boolean;
  status: AdviceStatus;
  /** Who ignored the advice, when and why; null if nobody has, or if it was restored since. */
  ignored_reason: string | null;
  ignored_by: string | null;
  ignored_at: Date | null;
  suppressed_by: string | null;
  /** The labels and images of the object's pods, for Suppressions. */
  labels: Json<Record<string, string>>;
  images: Json<string[]>;
  created_at: Date;
  /** When the detector did not find the advice any more. */
  gone_at: Date | null;
}

/** The kinds that could not be read in a namespace during its last pass. */
export interface AdvicePassTable {
  cluster: string;
  namespace: string;
  unreadable: Json<string[]>;
}

/** The images in the template of a workload, from `since` until they were last seen. */
export interface WorkloadImagesTable {
  cluster: string;
  namespace: string;
  kind: string;
  name: string;
  since: Date;
  seen_at: Date;
  images: Json<string[]>;
}

/** A scan that somebody asked for. */
export interface RescanTable {
  id: GeneratedAlways<number>;
  reason: string;
  requested_by: string;
  requested_at: Date;
}

/** When a scanner last sent something, to any replica. */
export interface ScannerTable {
  name: string;
  last_seen: Date;
}

/** The newest leader that a Lease has had, as far as this database knows. */
export interface LeadershipTable {
  name: string;
  epoch: number;
  holder: string;
}

/** A socket message on its way to the other replicas. */
export interface ReplicaMessageTable {
  id: GeneratedAlways<number>;
  body: string;
  created_at: Generated<Date>;
}

/** The one language model that administrators configured. */
export interface ModelConfigTable {
  id: number;
  provider: Provider;
  model: string;
  base_url: string | null;
  /** The encrypted key. */
  api_key: string;
  updated_at: Date;
}

/** The answer of a model to the question with this fingerprint. */
export interface ModelAnswerTable {
  fingerprint: string;
  answer: Json<unknown>;
  provider: string;
  model: string;
  created_at: Date;
  used_at: Date;
}

/** A question that is being asked at the moment. */
export interface ModelClaimTable {
  fingerprint: string;
  holder: string;
  leased_until: Date;
}

/** An incident that waits for a model, or had its turn. */
export interface ModelWorkTable {
  incident_id: number;
  /** The record whose facts the model gets. */
  failure_id: number;
  state: 'pending' | 'answered' | 'given-up';
  attempts: Generated<number>;
  due_at: Date;
  leased_until: Date | null;
  holder: string | null;
  /** The fingerprint of the answer, once there is one. */
  fingerprint: string | null;
  created_at: Date;
}

/** One call of a model. `outcome` is null while the call is running. */
export interface ModelCallTable {
  id: GeneratedAlways<number>;
  /** The configuration that was used. */
  setup: string;
  provider: string;
  started_at: Date;
  leased_until: Date;
  ended_at: Date | null;
  outcome: string | null;
  input_tokens: Generated<number>;
  output_tokens: Generated<number>;
  /** The provider asked us not to call again before this time. Null if it did not ask. */
  retry_at: Date | null;
  message: string | null;
}

/** A provider that gets messages. While a cluster has none, changes of incidents are not recorded. */
export interface NotificationProviderTable {
  cluster: string;
  provider: string;
}

/** A change of an incident, or of a finding (with a negative id). Triggers write it in the transaction of the change. */
export interface NotificationChangeTable {
  id: GeneratedAlways<number>;
  cluster: string;
  incident_id: number;
  is_news: Generated<boolean>;
}

/** The times from which new findings of a scanner, and findings that come back, count as news. */
export interface FindingScannerTable {
  cluster: string;
  source: string;
  baseline_until: Date;
  returning_until: Date;
}

/** The conversation with one provider about one incident or group. */
export interface NotificationThreadTable {
  id: GeneratedAlways<number>;
  cluster: string;
  provider: string;
  group_key: string;
  status: 'waiting' | 'open' | 'resolved';
  created_at: Date;
  not_before: Date | null;
  opened_at: Date | null;
  last_sent_at: Date | null;
  resolved_at: Date | null;
  due_at: Date | null;
  told: Json<unknown> | null;
  samples: Json<unknown>;
  /** The service's reference to the first message; null until a message has arrived. */
  place: Json<Record<string, string>> | null;
}

export interface NotificationMemberTable {
  thread_id: number;
  incident_id: number;
}

/** The outbox: a message with its state. */
export interface NotificationDeliveryTable {
  id: GeneratedAlways<number>;
  cluster: string;
  provider: string;
  thread_id: number;
  event: string;
  /** Masked. */
  message: Json<unknown>;
  state: 'pending' | 'delivered' | 'accepted' | 'dead' | 'dropped';
  attempts: Generated<number>;
  /** The number of requests of this message that have arrived. */
  step: Generated<number>;
  created_at: Date;
  due_at: Date;
  ended_at: Date | null;
  reason: string | null;
  detail: string | null;
}

/** A request that somebody made in a chat. The row stays from before the chat's answer until that person hears the result. */
export interface ChatRequestTable {
  id: GeneratedAlways<number>;
  cluster: string;
  /** A digest of the signature: it recognises the same request. */
  request_key: string;
  /** The id of the event or of the press of a button: a chat may send the same one again with another signature. */
  delivery_key: string;
  provider: string;
  command: Json<unknown>;
  incident_id: number | null;
  /** The action that nobody else may begin on the incident meanwhile. Null for questions, and once a result is stored that has no mirror. */
  action: string | null;
  person: Json<unknown>;
  /** Where the request came from. */
  address: string;
  place: Json<unknown>;
  state: 'accepted' | 'running' | 'following' | 'done' | 'undone';
  attempts: Generated<number>;
  /** The process that has claimed the request until `due_at`. */
  holder: string | null;
  due_at: Date;
  mirror_id: string | null;
  told: Json<unknown> | null;
  created_at: Date;
  ended_at: Date | null;
}

/** An alert of Alertmanager, masked. `incident_id` is null while the alert belongs to no known incident. */
export interface AlertTable {
  id: GeneratedAlways<number>;
  cluster: string;
  fingerprint: string;
  starts_at: Date;
  status: 'firing' | 'resolved';
  name: string;
  severity: string | null;
  summary: string;
  labels: Json<Record<string, string>>;
  annotations: Json<Record<string, string>>;
  namespace: string | null;
  pod: string | null;
  /** `Deployment/web`. */
  owner: string | null;
  node: string | null;
  source_url: string | null;
  incident_id: number | null;
  first_seen: Date;
  last_seen: Date;
  ended_at: Date | null;
}

export interface Database {
  failures: FailureTable;
  failure_pods: FailurePodTable;
  incidents: IncidentTable;
  incident_assignees: AssigneeTable;
  incident_comments: CommentTable;
  trials: TrialTable;
  mirror_logs: MirrorLogTable;
  written_manifests: WrittenManifestTable;
  previews: PreviewTable;
  users: UserTable;
  sessions: SessionTable;
  tokens: TokenTable;
  settings: SettingTable;
  audit: AuditTable;
  login_attempts: LoginAttemptTable;
  agents: AgentTable;
  findings: FindingTable;
  advice: AdviceTable;
  advice_passes: AdvicePassTable;
  workload_images: WorkloadImagesTable;
  rescans: RescanTable;
  scanners: ScannerTable;
  leadership: LeadershipTable;
  replica_messages: ReplicaMessageTable;
  model_config: ModelConfigTable;
  model_answers: ModelAnswerTable;
  model_claims: ModelClaimTable;
  model_work: ModelWorkTable;
  model_calls: ModelCallTable;
  notification_providers: NotificationProviderTable;
  notification_changes: NotificationChangeTable;
  finding_scanners: FindingScannerTable;
  notification_threads: NotificationThreadTable;
  notification_members: NotificationMemberTable;
  notification_deliveries: NotificationDeliveryTable;
  chat_requests: ChatRequestTable;
  alerts: AlertTable;
}

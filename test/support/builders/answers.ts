import type { FailureDiagnosis, OfferedCorrection } from '../../../src/contract/diagnosis.ts';
import type { ShownFailure, Trial } from '../../../src/contract/failure.ts';
import type { Incident, IncidentPage, IncidentTotals } from '../../../src/contract/incident.ts';
import type { MirrorRecord } from '../../../src/contract/mirror.ts';

// Records as the API answers them, for tests of what the dashboard makes of them.

/** The present in these records, in milliseconds since 1970. The browser shows them at this moment, however long a test takes. */
export const NOW_MS = Date.now();
export const minutesAgo = (minutes: number): string => new Date(NOW_MS - minutes * 60_000).toISOString();
export const inMinutes = (minutes: number): string => minutesAgo(-minutes);

const NO_RUNS: number[] = Array.from({ length: 24 }, () => 0);

/** An active incident of one pod of the Deployment `web`. */
export const anIncident = (over: Partial<Incident> = {}): Incident => ({
  id: 11,
  cluster: 'harbour',
  namespace: 'shop',
  workload: { kind: 'Deployment', name: 'web' },
  container: 'app',
  list: 'active',
  status: 'new',
  failure_id: 101,
  pod_name: 'web-1',
  reason: 'CrashLoopBackOff',
  cause: 'The program ends with exit code 1',
  culprit: null,
  pods: 1,
  restarts: 0,
  first_seen: minutesAgo(5),
  last_seen: minutesAgo(1),
  resolved_at: null,
  verdict: null,
  assignee: null,
  occurrences_24h: NO_RUNS,
  trying: false,
  suppressed_by: null,
  ...over,
});

/** One page of a list with these incidents. */
export const incidentPage = (incidents: Incident[], totals: Partial<IncidentTotals> = {}): IncidentPage => ({
  incidents,
  total: incidents.length,
  totals: { active: incidents.length, ignored: 0, suppressed: 0, resolved: 0, ...totals },
});

/** The record of the pod `web-1` that fails. */
export const aShownFailure = (over: Partial<ShownFailure> = {}): ShownFailure => ({
  id: 101,
  cluster: 'harbour',
  pod_name: 'web-1',
  namespace: 'shop',
  node_name: 'node-a',
  resource_kind: 'Pod',
  container: 'app',
  workload: { kind: 'Deployment', name: 'web' },
  incident_id: 11,
  failure_reason: 'CrashLoopBackOff',
  failure_message: 'back-off 5m0s restarting failed container',
  status: 'new',
  solution: null,
  is_fallback: true,
  events: [],
  container_statuses: [],
  occurrences: 1,
  timestamp: minutesAgo(60),
  last_seen: minutesAgo(2),
  resolved_at: null,
  suppressed_by: null,
  trials: [],
  pod_uid: 'uid-1',
  labels: { app: 'web' },
  images: ['web:1'],
  longest_run_seconds: null,
  manifest: null,
  logs: null,
  hidden_by: null,
  alerts: [],
  assignee: null,
  occurrences_24h: NO_RUNS,
  ...over,
});

/** A correction that a mirror can try. */
export const anOffer = (over: Partial<OfferedCorrection> = {}): OfferedCorrection => ({
  title: 'Raise the memory limit to `256Mi`',
  fixed_manifest: 'kind: Pod\n',
  owner_patch: null,
  explanation: 'The container needs more memory.',
  changes: [],
  diff: '',
  confidence: 'likely',
  is_fallback: true,
  mirrorable: true,
  tried: null,
  formats: [],
  ...over,
});

/** A diagnosis with these corrections. */
export const aDiagnosis = (candidates: OfferedCorrection[] = [], over: Partial<FailureDiagnosis> = {}): FailureDiagnosis => ({
  summary: 'The container uses more memory than its limit.',
  culprit: null,
  evidence: [],
  changed: null,
  advice: [],
  commands: [],
  no_correction: null,
  source: 'live',
  manifest: 'kind: Pod\n',
  preview: {
    fixed_manifest: '',
    owner_patch: null,
    explanation: '',
    is_fallback: true,
    changes: [],
    diff: '',
    confidence: 'likely',
    mirrorable: true,
    risks: [],
    suggested_ttl_seconds: 300,
    candidates,
  },
  ...over,
});

/** A mirror of `web-1` that waits for its verdict. */
export const aMirrorRecord = (over: Partial<MirrorRecord> = {}): MirrorRecord => ({
  mirror_id: 'mirror-1',
  name: 'web-1-mirror',
  mirror_pod_name: 'web-1-mirror-pod',
  source_pod_name: 'web-1',
  pod_id: 101,
  namespace: 'shop',
  status: 'Running',
  verdict: null,
  ttl_seconds: 300,
  created_at: minutesAgo(1),
  expires_at: inMinutes(3),
  fixed_manifest: 'kind: Pod\n',
  explanation: 'Raise the memory limit',
  evidence: null,
  revisions: [],
  final: false,
  conditions: [],
  events: [],
  ...over,
});

/** An ended trial that proved a correction. */
export const aTrial = (over: Partial<Trial> = {}): Trial => ({
  mirror_id: 'mirror-1',
  verdict: 'Fixed',
  reason_before: 'OOMKilled',
  reason_after: null,
  shown_before: null,
  shown_after: null,
  evidence: null,
  strength: 'Strong',
  revisions: [],
  final: true,
  origin: 'Rules',
  changes: [],
  started_at: minutesAgo(30),
  ended_at: minutesAgo(20),
  log_pod_name: null,
  ...over,
});

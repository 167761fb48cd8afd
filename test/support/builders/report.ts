import type { FailureReport } from '../../../src/contract/failure.ts';
import type { ReportRow } from '../../../src/db/failure-reports.ts';

/** A report as an agent sends it: container `app` of pod `web-1` crashed once. */
export function aFailureReport(over: Partial<FailureReport> = {}): FailureReport {
  return {
    pod_name: 'web-1',
    namespace: 'shop',
    node_name: 'node-1',
    pod_uid: 'uid-web-1',
    failure_reason: 'CrashLoopBackOff',
    failure_message: 'back-off 10s restarting failed container',
    container: 'app',
    workload: { kind: 'Deployment', name: 'web' },
    labels: { app: 'web' },
    images: ['registry.example/shop/web:1'],
    events: [{ type: 'Warning', reason: 'BackOff', message: 'Back-off restarting failed container' }],
    container_statuses: [aCrash(1)],
    manifest: 'apiVersion: v1\nkind: Pod\n',
    logs: 'panic',
    ...over,
  };
}

/** Container `app` after its nth crash, waiting for its restart. */
export function aCrash(n: number, name = 'app') {
  return {
    name,
    image: `registry.example/shop/${name}:1`,
    restart_count: n,
    state: 'waiting',
    reason: 'CrashLoopBackOff',
    last_state: { state: 'terminated', reason: 'Error', exit_code: 1, finished_at: `2026-05-01T10:0${n}:00Z` },
  };
}

/** A report as the write path stores it. */
export function aReportRow(over: Partial<ReportRow> = {}): ReportRow {
  return {
    cluster: 'test',
    identity: 'uid-web-1',
    pod_uid: 'uid-web-1',
    pod_name: 'web-1',
    namespace: 'shop',
    node_name: 'node-1',
    resource_kind: 'Pod',
    container: 'app',
    workload: { kind: 'Deployment', name: 'web' },
    labels: { app: 'web' },
    images: ['registry.example/shop/web:1'],
    owner: 'Deployment/web',
    kept_incident: null,
    family: 'crash',
    failure_reason: 'CrashLoopBackOff',
    failure_message: 'back-off',
    reason_rank: 1,
    solution: 'first solution',
    is_fallback: true,
    events: [{ type: 'Warning', reason: 'BackOff', message: 'Back-off' }],
    container_statuses: [{ name: 'app', image: 'registry.example/shop/app:1', restart_count: 1 }],
    brief: null,
    longest_run_seconds: null,
    manifest: 'kind: Pod\n',
    logs: 'panic',
    occurrence_key: 'app|1|',
    now: '2026-05-01T10:00:00.000Z',
    suppressed_by: null,
    announced_at: null,
    repeats: null,
    joins: null,
    ...over,
  };
}

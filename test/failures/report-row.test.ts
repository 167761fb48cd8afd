import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureReport } from '../../src/contract/failure.ts';
import { reportKey, reportRow } from '../../src/failures/report-row.ts';

const SEEN = new Date('2026-05-01T10:00:00Z');
const bare: FailureReport = { pod_name: 'web-1', namespace: 'shop' };
const rowOf = (over: Partial<FailureReport> = {}) => {
  const report = { ...bare, ...over };
  return reportRow(report, reportKey(report, { cluster: 'here', seenAt: SEEN }));
};

test('what a report does not say has a value', () => {
  assert.equal(rowOf(), {
    ...{ pod_name: 'web-1', namespace: 'shop', pod_uid: null, cluster: 'here', resource_kind: 'Pod', container: null, labels: {} },
    ...{ failure_reason: 'Unknown', identity: 'shop/web-1', occurrence_key: '|0|', family: 'other', reason_rank: 9, joins: null },
    ...{ now: SEEN.toISOString(), node_name: null, workload: null, images: [], failure_message: '', events: [], container_statuses: [] },
    ...{ manifest: null, logs: null, owner: 'Pod/web-1', longest_run_seconds: null, brief: null, is_fallback: true },
  });
});

test('everything that it says is in its row', () => {
  const said = {
    ...{ pod_uid: 'u', cluster: 'there', resource_kind: 'ReplicaSet', container: 'app', labels: { a: 'b' }, failure_reason: 'OOMKilled' },
    ...{ node_name: 'n', workload: { kind: 'Deployment', name: 'web' }, images: ['web:1'], failure_message: 'm', manifest: 'x', logs: 'l' },
    events: [{ type: 'Warning', reason: 'r', message: 'm' }],
    container_statuses: [{ name: 'app', state: 'waiting' as const, restart_count: 2 }],
  };
  const {
    identity,
    occurrence_key,
    family,
    reason_rank,
    joins: _1,
    now: _2,
    longest_run_seconds: _3,
    brief: _4,
    is_fallback: _5,
    owner,
    ...same
  } = rowOf(said);
  assert.equal(same, { ...bare, ...said });
  assert.equal([identity, occurrence_key, family, reason_rank, owner], ['u', 'app|2|', 'controller', 0, 'Deployment/web']);
});

test('a name is cut to the longest one of Kubernetes, and cannot hold what the database refuses', () => {
  const { pod_name, namespace, owner } = rowOf({ pod_name: 'x'.repeat(300), namespace: 'a\u0000b' });
  assert.equal([pod_name.length, namespace.includes('\u0000'), owner.length], [253, false, 253]);
});

test('an exit with 0 is a failed run, except in a Job', () => {
  const run = {
    name: 'app',
    state: 'terminated' as const,
    exit_code: 0,
    started_at: '2026-05-01T09:00:00Z',
    finished_at: '2026-05-01T09:00:30Z',
  };
  const longest = (kind?: string) =>
    rowOf({ container_statuses: [run], ...(kind && { workload: { kind, name: 'w' } }) }).longest_run_seconds;
  assert.equal([undefined, 'Deployment', 'Job', 'CronJob'].map(longest), [30, 30, null, null]);
});

test.run();

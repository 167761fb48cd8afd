import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { occurrenceKey, recordIdentity } from '../../../src/failures/policy/identity.ts';

test('a record is its pod, by uid, else by name', () => {
  assert.is(recordIdentity({ pod_uid: 'u', namespace: 'shop', pod_name: 'web' }), 'u');
  assert.is(recordIdentity({ pod_uid: null, namespace: 'shop', pod_name: 'web' }), 'shop/web');
  assert.is(recordIdentity({ pod_uid: '', namespace: 'shop', pod_name: 'web' }), 'shop/web');
});

test('a pod of a Job is the Job’s record, by its labels or by what controls it', () => {
  const pod = { pod_uid: 'u', namespace: 'shop', pod_name: 'import-x', workload: { kind: 'Job', name: 'import' } };
  const job = { name: 'import', uid: 'job' };
  const ofJob = recordIdentity({ pod_uid: 'job', namespace: 'shop', pod_name: 'import', resource_kind: 'Job' });
  assert.is(recordIdentity({ ...pod, labels: { 'controller-uid': 'job', 'job-name': 'import' } }), ofJob);
  assert.is(recordIdentity({ ...pod, labels: { run: 'import' }, job }), ofJob);
  assert.is(recordIdentity({ ...pod, labels: { run: 'import' } }), 'u');
});

const key = (status: object) => occurrenceKey({ container: 'app', container_statuses: [{ name: 'app', ...status }] });

test('a crash is one occurrence, whether seen ended, waiting or running again', () => {
  const ended = key({ state: 'terminated', restart_count: 1, finished_at: '2026-01-01T00:00:20Z' });
  assert.is(key({ state: 'waiting', restart_count: 1, last_state: { finished_at: '2026-01-01T00:00:20Z' } }), ended);
  assert.is(key({ state: 'running', restart_count: 2, last_state: { finished_at: '2026-01-01T00:00:20Z' } }), ended);
});

test('the next crash is another occurrence', () => {
  const finished_at = '2026-01-01T00:00:20Z';
  assert.is.not(key({ state: 'terminated', restart_count: 2, finished_at }), key({ state: 'terminated', restart_count: 1, finished_at }));
});

test('a failure that is no crash has one occurrence', () => {
  assert.is(occurrenceKey({ container: null, container_statuses: [] }), occurrenceKey({}));
  assert.is(occurrenceKey({ container: 'app', container_statuses: [] }), 'app|0|');
});

test.run();

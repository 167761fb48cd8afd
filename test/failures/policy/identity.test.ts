import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureReport } from '../../../src/contract/failure.ts';
import { jobIdentity, jobOf, jobOfIdentity, occurrenceKey, occurrenceOf, recordIdentity } from '../../../src/failures/policy/identity.ts';

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

test('the Job of a report: itself, or of a pod that something controls', () => {
  const labels = { 'batch.kubernetes.io/controller-uid': 'job', 'batch.kubernetes.io/job-name': 'import' };
  const pod = { pod_uid: 'u', namespace: 'shop', pod_name: 'import-x', workload: { kind: 'Job', name: 'import' }, labels };
  const job = { namespace: 'shop', name: 'import', uid: 'job' };
  assert.equal(jobOf(pod), job);
  assert.equal(jobOf({ pod_uid: 'job', namespace: 'shop', pod_name: 'import', resource_kind: 'Job' }), job);
  assert.is(jobOf({ ...pod, workload: null }), undefined, 'nothing controls it');
  assert.is(jobOf({ ...pod, pod_uid: null }), undefined);
  assert.is(jobOf({ ...pod, resource_kind: 'ReplicaSet' }), undefined);
  assert.is(jobOf({ ...pod, labels: { 'controller-uid': 'job' } }), undefined, 'without a name');
  assert.is(jobOf({ ...pod, labels: { 'job-name': 'import' } }), undefined, 'without a uid');
});

test('an identity of a Job is read again, other identities are none', () => {
  const job = { namespace: 'shop', name: 'import', uid: 'job' };
  assert.equal(jobOfIdentity(jobIdentity(job)), job);
  for (const identity of [
    'u',
    'shop/web',
    'Pod/shop/web/u',
    'Job/shop/import',
    'Job//import/job',
    'Job/shop//job',
    'Job/shop/import/',
    'Job/a/b/c/d',
  ])
    assert.is(jobOfIdentity(identity), undefined, identity);
});

test('occurrences of several pods of one Job differ by pod', () => {
  const statuses = { container: 'app', container_statuses: [{ name: 'app', state: 'terminated', restart_count: 0 }] };
  const of = (pod_uid: string, labels: Record<string, string>) =>
    occurrenceOf({
      ...statuses,
      ...{ pod_uid, namespace: 'shop', pod_name: 'x', workload: { kind: 'Job', name: 'i' }, labels },
    } as FailureReport);
  const ofJob = { 'controller-uid': 'job', 'job-name': 'i' };
  assert.is.not(of('a', ofJob), of('b', ofJob));
  assert.is(of('a', {}), of('b', {}));
});

test.run();

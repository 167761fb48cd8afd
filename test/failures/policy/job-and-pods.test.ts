import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventEvidence, FailureDetail } from '../../../src/contract/failure.ts';
import { joinReport, meetingOf } from '../../../src/failures/policy/job-and-pods.ts';
import { aFailureReport } from '../../support/builders/report.ts';

const test = suite('reports about a Job and its pods');

const report = (over: object = {}) => aFailureReport({ pod_uid: 'pod', ...over });
const known = (over: object = {}) =>
  ({ pod_uid: 'pod', resource_kind: 'Pod', failure_reason: 'Error', has_occurrence: false, ...over }) as never;
const JOB = { pod_uid: 'job', resource_kind: 'Job', failure_reason: 'BackoffLimitExceeded' };

const MEETINGS: [sentence: string, report: object, known: unknown, meeting: string][] = [
  ['nothing is known', {}, undefined, 'same'],
  ['the same pod', {}, known(), 'same'],
  ['the same pod with another label', { failure_reason: 'OOMKilled' }, known(), 'same'],
  ['the same Job', JOB, known(JOB), 'same'],
  ['the same Job with another label', { ...JOB, failure_reason: 'DeadlineExceeded' }, known(JOB), 'becomes the Job'],
  ['a pod of a Job that has given up', {}, known(JOB), 'evidence'],
  ['the Job of a pod that is known', JOB, known(), 'becomes the Job'],
  ['another pod', {}, known({ pod_uid: 'other' }), 'next pod'],
  ['an earlier failure of another pod', {}, known({ pod_uid: 'other', has_occurrence: true }), 'past'],
];
for (const [sentence, over, before, meeting] of MEETINGS)
  test(`${sentence}: ${meeting}`, () => assert.is(meetingOf(report(over), before as never), meeting));

const event = (reason: string, timestamp?: string): EventEvidence => ({
  type: 'Warning',
  reason,
  message: reason,
  ...(timestamp && { timestamp }),
});
const stored = (over: object = {}) =>
  ({
    ...{ pod_name: 'import', pod_uid: 'job', resource_kind: 'Job', workload: { kind: 'CronJob', name: 'nightly' } },
    ...{ failure_reason: 'BackoffLimitExceeded', failure_message: 'given up', container: 'app', container_statuses: [{ name: 'app' }] },
    ...{ node_name: 'n', images: ['i'], logs: 'stored log', labels: { a: 'stored', b: 'stored' }, events: [], manifest: 'stored manifest' },
    ...over,
  }) as unknown as FailureDetail;

test('a pod of a Job that has given up keeps the Job’s name, and adds its evidence', () => {
  const joined = joinReport(report({ logs: 'new log', labels: { a: 'new' }, manifest: 'pod' }), stored(), 'evidence');
  assert.equal(
    [joined.pod_name, joined.resource_kind, joined.failure_reason, joined.workload?.kind],
    ['import', 'Job', 'BackoffLimitExceeded', 'CronJob'],
  );
  assert.equal([joined.logs, joined.manifest, joined.labels], ['new log', 'stored manifest', { a: 'new', b: 'stored' }]);
  const { workload } = joinReport(report({ workload: { kind: 'Job', name: 'x' } }), stored({ workload: null }), 'evidence');
  assert.is(workload?.kind, 'Job');
});

test('a record that becomes the Job’s keeps the evidence of its pod, and gets the Job’s manifest', () => {
  const joined = joinReport(report({ ...JOB, logs: null, manifest: 'job manifest' }), stored(), 'becomes the Job');
  assert.equal(
    [joined.failure_reason, joined.logs, joined.manifest, joined.node_name],
    ['BackoffLimitExceeded', 'stored log', 'job manifest', 'n'],
  );
  const { manifest } = joinReport(report({ ...JOB, manifest: undefined }), stored(), 'becomes the Job');
  assert.is(manifest, 'stored manifest');
});

test('any other report stays as it is', () => {
  const one = report();
  for (const meeting of ['same', 'past', 'next pod'] as const) assert.is(joinReport(one, stored(), meeting), one);
});

test('events of both are kept once each, in their order in time', () => {
  const both = [event('a', '2026-01-01T00:00:01Z'), event('b', '2026-01-01T00:00:03Z')];
  const { events } = joinReport(report({ events: [event('c', '2026-01-01T00:00:02Z'), both[1]!] }), stored({ events: both }), 'evidence');
  assert.equal(
    events?.map(({ reason }) => reason),
    ['a', 'c', 'b'],
  );
});

test.run();

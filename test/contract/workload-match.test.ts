import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type FailingWorkload, lastingLabels, workloadMatch } from '../../src/contract/workload-match.ts';

const test = suite('the pods of a workload, as a Suppression names them');

const NOW = new Date('2026-05-01T10:00:00Z');
const match = (over: Partial<FailingWorkload>, seconds = 3600) =>
  workloadMatch(
    { ...{ namespace: 'shop', kind: 'Deployment', name: 'web', pod: 'web-5d4f8c7b9-x2x4z', labels: { app: 'web' } }, ...over },
    { seconds, now: NOW },
  );

test('by labels and name where the pods have lasting labels', () => {
  const labels = { app: 'web', 'pod-template-hash': '5d4f8c7b9', version: '7' };
  assert.equal(match({ labels }), { namespaces: ['shop'], pods: ['web', 'web-*'], label_selector: { match_labels: { app: 'web' } } });
});

for (const [sentence, over, pods] of [
  ['a Deployment: the pods of the same ReplicaSet', {}, ['web', 'web-5d4f8c7b9-x2x4z', 'web-5d4f8c7b9-*']],
  ['a pod that is not named after its Deployment', { pod: 'other-5d4f8c7b9-x2x4z' }, ['web', 'other-5d4f8c7b9-x2x4z']],
  ['a pod without the random end', { pod: 'web-0' }, ['web', 'web-0']],
  ['a StatefulSet: that pod', { kind: 'StatefulSet', pod: 'web-0' }, ['web', 'web-0']],
  ['a DaemonSet: that pod', { kind: 'DaemonSet', pod: 'web-abc-x2x4z' }, ['web', 'web-abc-x2x4z']],
  ['a record about the controller itself', { pod: 'web' }, ['web']],
] as [string, Partial<FailingWorkload>, string[]][])
  test(`without labels, ${sentence}`, () => assert.equal(match({ labels: {}, ...over }), { namespaces: ['shop'], pods }));

test('a pod without an owner is named alone', () => {
  assert.equal(match({ kind: 'Pod', name: 'one', pod: 'one', labels: { app: 'web' } }).pods, ['one']);
});

test('a CronJob: the Jobs of the time to come, by the beginning of their minutes', () => {
  const minute = Math.floor(NOW.getTime() / 60_000 / 10_000);
  const pods = (seconds: number) => match({ kind: 'CronJob', name: 'nightly', pod: 'nightly-1-abcde', labels: {} }, seconds).pods;
  assert.equal(pods(60), ['nightly', 'nightly-1-abcde', `nightly-${minute}*`]);
  assert.equal(pods(10_000 * 60), ['nightly', 'nightly-1-abcde', `nightly-${minute}*`, `nightly-${minute + 1}*`]);
});

test('labels last that the next revision has too; a Job keeps its name, a CronJob has many', () => {
  const labels = { app: 'web', 'job-name': 'import', 'controller-uid': 'u', 'helm.sh/chart': 'web-1', 'apps.kubernetes.io/pod-index': '0' };
  assert.equal(lastingLabels(labels, 'Job'), { app: 'web', 'job-name': 'import' });
  assert.equal(lastingLabels(labels, 'CronJob'), { app: 'web' });
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`l${n}`, 'x']));
  assert.is(Object.keys(lastingLabels(many, 'Deployment')).length, 32);
});

const CHANGING = [
  ...['pod-template-hash', 'pod-template-generation', 'controller-revision-hash', 'controller-uid', 'version', 'app.kubernetes.io/version'],
  ...['helm.sh/chart', 'apps.kubernetes.io/pod-index', 'statefulset.kubernetes.io/pod-name', 'batch.kubernetes.io/controller-uid'],
  ...['batch.kubernetes.io/job-completion-index', 'batch.kubernetes.io/cronjob-scheduled-timestamp'],
];
const LASTING = [
  'app',
  'app.kubernetes.io/name',
  'app.kubernetes.io/instance',
  'my-version',
  'versions',
  'batch.kubernetes.io/queue',
  'helm.sh/name',
];
const NAMES_OF_JOBS = ['job-name', 'batch.kubernetes.io/job-name'];

test('of all labels, just those are left out that other pods of the workload may not have', () => {
  const labels = Object.fromEntries([...CHANGING, ...LASTING, ...NAMES_OF_JOBS].map((label) => [label, 'x']));
  assert.equal(Object.keys(lastingLabels(labels, 'Deployment')), LASTING);
  assert.equal(Object.keys(lastingLabels(labels, 'Job')), [...LASTING, ...NAMES_OF_JOBS]);
});

test.run();

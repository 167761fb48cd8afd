import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ContainerEvidence, FailureReport } from '../../../src/contract/failure.ts';
import { failingImages, reasonOf, reasonRank } from '../../../src/failures/policy/label.ts';
import { aFailureReport } from '../../support/builders/report.ts';

const labels = suite('the label of a report that names none');
const crashed = { state: 'terminated', reason: 'Error', exit_code: 1 };
const app = (over: Partial<ContainerEvidence>): ContainerEvidence => ({ name: 'app', ...over });
const rows: [says: string, statuses: ContainerEvidence[] | null, expected: string][] = [
  ['no statuses', null, 'Unknown'],
  ['waits for init containers', [app({ state: 'waiting', reason: 'PodInitializing' })], 'Unknown'],
  ['waits for init containers again, after a crash', [app({ state: 'waiting', reason: 'PodInitializing', last_state: crashed })], 'Error'],
  [
    'waits for init containers, one of which crashes',
    [app({ state: 'waiting', reason: 'PodInitializing' }), { name: 'setup', state: 'waiting', reason: 'CrashLoopBackOff' }],
    'CrashLoopBackOff',
  ],
  ['is being created', [app({ state: 'waiting', reason: 'ContainerCreating' })], 'Unknown'],
  ['is being created again, after a crash', [app({ state: 'waiting', reason: 'ContainerCreating', last_state: crashed })], 'Error'],
  ['has completed', [app({ state: 'terminated', reason: 'Completed', exit_code: 0 })], 'Unknown'],
  ['has ended with an exit code and no reason', [app({ state: 'terminated', exit_code: 3 })], 'Error'],
  ['runs', [app({ state: 'running', reason: 'Error' })], 'Unknown'],
];
for (const [says, container_statuses, expected] of rows)
  labels(`${says}: ${expected}`, () => {
    assert.is(reasonOf(aFailureReport({ failure_reason: null, container: 'app', container_statuses })), expected);
  });

labels('of several containers, the failing one’s comes first', () => {
  const container_statuses = [
    { name: 'side', state: 'waiting', reason: 'ErrImagePull' },
    { name: 'app', state: 'terminated', reason: 'OOMKilled' },
  ];
  const of = (container: string | null) => reasonOf(aFailureReport({ failure_reason: null, container, container_statuses }));
  assert.equal([of('app'), of(null)], ['OOMKilled', 'ErrImagePull']);
});
labels.run();

const rank = suite('how specific a label is');
rank('a more specific label has the smaller rank', () => {
  const ordered = ['OOMKilled', 'CrashLoopBackOff', 'Error', 'ContainerStatusUnknown', 'Unknown'];
  const ranks = ordered.map(reasonRank);
  assert.equal(
    ranks,
    [...ranks].sort((one, other) => one - other),
  );
  assert.is(new Set(ranks).size, ranks.length);
  assert.is(reasonRank('toString'), 0, 'a name of every object is no label');
});
rank('a cause is more specific than what follows from it, in every family', () => {
  for (const [specific, dull] of [
    ['ImagePullBackOff', 'ErrImagePull'],
    ['StartError', 'RunContainerError'],
    ['RunContainerError', 'Error'],
    ['StartError', 'ContainerCannotRun'],
    ['Unschedulable', 'Pending'],
    ['ErrImagePull', 'Error'],
    ['Pending', 'ContainerStatusUnknown'],
  ] as const)
    assert.ok(reasonRank(specific) < reasonRank(dull), `${specific} before ${dull}`);
  assert.equal(
    ['ErrImagePull', 'RunContainerError', 'ContainerCannotRun', 'Pending'].map(reasonRank),
    [1, 1, 1, 1].map(() => reasonRank('CrashLoopBackOff')),
  );
});
rank.run();

const images = suite('the images that Suppressions look at');
images('are the failing container’s, or all of the pod’s where that is not known', () => {
  const report: Partial<FailureReport> = { images: ['a:1', 'b:1'], container_statuses: [{ name: 'app', image: 'b:1' }] };
  const of = (over: Partial<FailureReport>) => failingImages(aFailureReport({ ...report, ...over }));
  assert.equal(of({ container: 'app' }), ['b:1']);
  assert.equal(of({ container: 'side' }), ['a:1', 'b:1']);
  assert.equal(of({ container: 'side', images: null }), []);
});
images.run();

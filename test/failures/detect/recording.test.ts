import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject, Pod } from '../../../src/crd/kubernetes.ts';
import { failingCases } from '../../../src/failures/detect/recording.ts';
import { recorded } from '../../support/expected/scenarios.ts';

const isFailed = (object: KubeObject): boolean => object.kind === 'Pod' && JSON.stringify(object).includes('"phase":"Failed"');
const names = (name: string, isAsked?: (object: KubeObject) => boolean) =>
  failingCases(recorded(name), isAsked).map(({ resource_kind }) => resource_kind);

for (const [name, what] of [
  ['well-job-second-pod', 'of a Job that is complete'],
  ['well-cron-later-run', 'of a run that a later one overtook'],
] as const)
  test(`a failed pod ${what} is reported only when asked for by name`, () => {
    assert.equal(names(name), []);
    assert.equal(names(name, isFailed), ['Pod']);
  });

test('a failed run that is overtaken is reported only when asked for by name', () => {
  const isFirst = (object: KubeObject) => object.kind === 'Job' && JSON.stringify(object).includes('BackoffLimitExceeded');
  assert.equal(names('well-cron-later-run', isFirst), ['Job']);
});

test('a recording without the CronJob shows by its Jobs which run is overtaken', () => {
  const { objects, ...rest } = recorded('well-cron-later-run');
  assert.equal(failingCases({ ...rest, objects: objects.filter(({ kind }) => kind !== 'CronJob') }), []);
});

const meta = (name: string) => ({ name, namespace: 'shop', uid: name, creationTimestamp: '2026-11-24T03:55:00Z' });
const starting = {
  kind: 'Pod',
  metadata: meta('new'),
  spec: { nodeName: 'node-1', containers: [{ name: 'app' }] },
  status: { phase: 'Pending', containerStatuses: [{ name: 'app', restartCount: 0, state: { waiting: { reason: 'ContainerCreating' } } }] },
} as Pod;
const started = {
  ...{ kind: 'Event', metadata: meta('e'), reason: 'Started', message: 'Container started', lastTimestamp: '2026-11-24T03:55:03Z' },
  involvedObject: { kind: 'Pod', name: 'new', namespace: 'shop', uid: 'new', fieldPath: 'spec.containers{app}' },
};
const laterOn: [what: string, other: KubeObject, takenAt: string, expected: string[]][] = [
  ['when a pod ends at last', { kind: 'Pod', metadata: { ...meta('old'), deletionTimestamp: '2026-11-24T03:56:30Z' } }, '03:55:07', []],
  ['in a ConfigMap', { kind: 'ConfigMap', metadata: meta('c'), data: { until: '2031-01-01T00:00:00Z' } } as KubeObject, '03:55:07', []],
  ['in an annotation', { kind: 'ConfigMap', metadata: { ...meta('c'), annotations: { until: '2031-01-01T00:00:00Z' } } }, '03:55:07', []],
  ['of the recording itself', { kind: 'ConfigMap', metadata: meta('c') }, '03:56:30', ['PostStartHookError']],
  [
    'in a later status',
    { kind: 'Node', metadata: meta('n'), status: { lastHeartbeatTime: '2026-11-24T03:56:30Z' } } as KubeObject,
    '03:55:07',
    ['PostStartHookError'],
  ],
];
for (const [what, other, at, expected] of laterOn)
  test(`a time ${what} ${expected.length > 0 ? 'tells' : 'does not tell'} how late it is`, () => {
    const found = failingCases({ objects: [starting, started as KubeObject, other], logs: [], takenAt: `2026-11-24T${at}Z` });
    assert.equal(
      found.map(({ reason }) => reason),
      expected,
    );
  });

test.run();

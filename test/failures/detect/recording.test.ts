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

test('parts of objects are left out', () => {
  const objects = [
    { kind: 'Pod', metadata: { name: 'a' } },
    { kind: 'Pod', metadata: { name: 'b' }, spec: {} },
    { kind: 'Job', metadata: { name: 'c' } },
    { kind: 'ReplicaSet', metadata: { name: 'd' } },
  ];
  assert.equal(failingCases({ objects, logs: [] }), []);
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

/** A pod that crashed twice after a second each, and whose third run has lasted for these seconds. It became Ready this long after its start. */
const back = (seconds: number, { probe = true, readyAfter = 0, lasted = 1 } = {}): Pod => {
  const at = (second: number): string => new Date(Date.parse('2026-11-24T03:55:00Z') + second * 1000).toISOString();
  return {
    kind: 'Pod',
    metadata: meta('search'),
    spec: { nodeName: 'node-1', containers: [{ name: 'app', ...(probe ? { readinessProbe: { tcpSocket: { port: 80 } } } : {}) }] },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: at(60 - seconds + readyAfter) }],
      containerStatuses: [
        {
          ...{ name: 'app', ready: true, restartCount: 2, state: { running: { startedAt: at(60 - seconds) } } },
          lastState: { terminated: { exitCode: 1, reason: 'Error', startedAt: at(30 - seconds - lasted), finishedAt: at(30 - seconds) } },
        },
      ],
    },
  } as unknown as Pod;
};
for (const [sentence, pod, expected] of [
  ['is over when its probe succeeds for a quarter of a minute', back(15), []],
  ['is not over any sooner', back(14), ['CrashLoopBackOff']],
  ['is not over where no probe shows it', back(15, { probe: false }), ['CrashLoopBackOff']],
  ['is not over where the pod was Ready before, too', back(15, { readyAfter: -40 }), ['CrashLoopBackOff']],
  ['is not over when the last run took nearly as long', back(15, { lasted: 10 }), ['CrashLoopBackOff']],
  ['is over after three times as long', back(30, { lasted: 10 }), []],
] as const)
  test(`a crash loop of a pod that is Ready again ${sentence}`, () => {
    const cases = failingCases({ objects: [pod], logs: [], takenAt: '2026-11-24T03:56:00Z' });
    assert.equal(
      cases.map(({ reason }) => reason),
      expected,
    );
  });

test.run();

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { containersOf, ranImages } from '../../src/crd/containers.ts';
import type { ContainerStatus } from '../../src/crd/kubernetes.ts';

const ran = { terminated: { exitCode: 1, startedAt: '2026-05-01T10:00:00Z' } };
const STATUSES: [what: string, status: Partial<ContainerStatus> | undefined, hasRun: boolean][] = [
  ['no status yet', undefined, false],
  ['one that runs', { imageID: 'x', state: { running: {} } }, true],
  ['one that has ended', { imageID: 'x', state: ran }, true],
  ['one that crashed and waits', { imageID: 'x', state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: ran }, true],
  ['one whose image is being pulled', { imageID: '', state: { waiting: { reason: 'ContainerCreating' } } }, false],
  ['one whose image does not exist', { imageID: '', state: { waiting: { reason: 'ImagePullBackOff' } } }, false],
  [
    'one that ran another image before it was given this one',
    { imageID: 'x', state: { waiting: { reason: 'ErrImagePull' } }, lastState: ran },
    false,
  ],
  ['one whose registry does not answer', { imageID: 'x', state: { waiting: { reason: 'RegistryUnavailable' } }, lastState: ran }, false],
  ['one with a wrong signature', { imageID: 'x', state: { waiting: { reason: 'SignatureValidationFailed' } }, lastState: ran }, false],
  ['one without an image id', { state: { running: {} } }, false],
  ['one that has only begun to wait', { imageID: 'x', state: { waiting: { reason: 'PodInitializing' } } }, false],
  [
    'one whose process could not be started',
    { imageID: 'x', state: { terminated: { exitCode: 128, reason: 'StartError', startedAt: '1970-01-01T00:00:00Z' } } },
    false,
  ],
  ['a projection that keeps no states', { imageID: 'x' }, true],
];
for (const [what, status, hasRun] of STATUSES)
  test(`the image of ${what} ${hasRun ? 'has run' : 'has not run'}`, () => {
    const containerStatuses = status ? [{ name: 'app', ready: false, restartCount: 0, image: 'resolved', ...status }] : [];
    const pod = { metadata: {}, spec: { containers: [{ name: 'app', image: 'web:1' }] }, status: { containerStatuses } };
    assert.equal(ranImages(pod), hasRun ? ['web:1'] : []);
  });

test('containers come in the order they start, each with its kind and its own status', () => {
  const status = (name: string): ContainerStatus => ({ name, image: `${name}:1`, ready: true, restartCount: 0 });
  const pod = {
    metadata: {},
    spec: {
      containers: [{ name: 'app' }, { name: 'beside' }],
      initContainers: [{ name: 'first' }, { name: 'proxy', restartPolicy: 'Always' }],
    },
    status: { containerStatuses: [status('beside'), status('app')], initContainerStatuses: [status('proxy')] },
  };
  assert.equal(
    containersOf(pod).map(({ spec, kind, status: own }) => [spec.name, kind, own?.name]),
    [
      ['first', 'init', undefined],
      ['proxy', 'sidecar', 'proxy'],
      ['app', 'app', 'app'],
      ['beside', 'app', 'beside'],
    ],
  );
  assert.equal(ranImages({ metadata: {}, spec: { containers: [] } }), []);
});

test.run();

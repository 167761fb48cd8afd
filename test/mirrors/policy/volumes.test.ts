import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PodSpec, Volume } from '../../../src/crd/kubernetes.ts';
import { replaceUnshared } from '../../../src/mirrors/policy/volumes.ts';

const test = suite('volumes');

const mounting = (volume: Omit<Volume, 'name'>, ...mounts: { readOnly?: boolean }[]): PodSpec => ({
  containers: [{ name: 'app', volumeMounts: mounts.map((mount) => ({ name: 'v', mountPath: '/v', ...mount })) }],
  volumes: [{ name: 'v', ...volume }],
});
const claim = (claimName: string) => ({ persistentVolumeClaim: { claimName } });
const folder = { hostPath: { path: '/data' } };

const CASES: [what: string, spec: PodSpec, isReplaced: boolean][] = [
  ['a claim of one node or pod', mounting(claim('own'), {}), true],
  ['a claim of one node or pod that is only read', mounting(claim('own'), { readOnly: true }), true],
  ['a shared claim', mounting(claim('shared'), {}), false],
  ['a claim that does not exist', mounting(claim('missing'), {}), false],
  ['a folder of the node that is written to', mounting(folder, {}), true],
  ['a folder of the node that one reads and one writes', mounting(folder, { readOnly: true }, {}), true],
  ['a folder of the node that is only read', mounting(folder, { readOnly: true }), false],
  ['a folder of the node that nobody mounts', mounting(folder), false],
  ...[
    ...['awsElasticBlockStore', 'azureDisk', 'cinder', 'fc', 'gcePersistentDisk', 'iscsi'],
    ...['portworxVolume', 'rbd', 'scaleIO', 'storageos', 'vsphereVolume'],
  ].map((kind): [string, PodSpec, boolean] => [`a disk of one node: ${kind}`, mounting({ [kind]: {} }, { readOnly: true }), true]),
  ['a network folder', mounting({ nfs: { server: 'a', path: '/' } }, {}), false],
  ['an empty volume', mounting({ emptyDir: {} }, {}), false],
];
for (const [what, spec, isReplaced] of CASES)
  test(`${what} ${isReplaced ? 'is replaced' : 'stays'}`, () => {
    const before = structuredClone(spec);
    const made = replaceUnshared(spec, ['own']);
    assert.equal(made.replaced, isReplaced ? ['v'] : []);
    assert.equal(made.spec.volumes, isReplaced ? [{ name: 'v', emptyDir: {} }] : spec.volumes);
    assert.equal(made.spec.containers, spec.containers);
    assert.equal(spec, before);
  });

test('a raw device that cannot be shared is left out, in init containers too', () => {
  const container = {
    name: 'app',
    volumeDevices: [
      { name: 'raw', devicePath: '/dev/x' },
      { name: 'kept', devicePath: '/dev/y' },
    ],
  };
  const volumes = [
    { name: 'raw', ...claim('own') },
    { name: 'kept', ...claim('shared') },
  ];
  const { spec } = replaceUnshared({ containers: [container], initContainers: [{ ...container, name: 'init' }], volumes }, ['own']);
  for (const one of [...spec.containers, ...(spec.initContainers ?? [])]) assert.equal(one.volumeDevices, [container.volumeDevices[1]]);
});

test.run();

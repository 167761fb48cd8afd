import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diagnose } from '../../../src/diagnosis/diagnose.ts';
import { aCase, aPodManifest } from '../../support/builders/cases.ts';

const scheduling = suite('a pod that cannot be scheduled');

const told = (failure_message: string): string => diagnose(aCase({ failure_reason: 'Unschedulable', failure_message })).summary;

scheduling('each reason says for how many nodes it holds', () => {
  assert.match(
    told('0/3 nodes are available: 1 Insufficient cpu, 2 Insufficient memory.'),
    /\(1 of 3 nodes\).*\(2 of 3 nodes\)|\(2 of 3 nodes\).*\(1 of 3 nodes\)/,
  );
});

scheduling('a reason that is about the pod itself counts no nodes, and one node is not counted', () => {
  assert.not.match(told('0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.'), /nodes\)/);
  assert.not.match(told('0/1 nodes are available: 1 Insufficient cpu.'), /nodes\)/);
});

const waiting = (claim: object, volumes: object[], classes: string[] = []) =>
  diagnose(
    aCase({
      failure_reason: 'Unschedulable',
      failure_message: '0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.',
      manifest: aPodManifest({}, { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }] }),
      surroundings: {
        claims: [{ name: 'data', phase: 'Pending', storageClass: '', accessModes: ['ReadWriteMany'], size: '5Gi', ...claim }],
        volumes: volumes.map((one) => ({ name: 'disk', storageClass: '', accessModes: ['ReadWriteMany'], size: '5Gi', ...one })),
        storageClasses: classes.map((name) => ({ name, isDefault: false })),
      },
    }),
  );

scheduling('a volume that still belongs to a deleted claim of the same name can be freed', () => {
  const problem = 'volume "disk" already bound to a different claim.';
  const kept = waiting({ problem, volumeName: 'disk' }, [{ claim: 'shop/data' }]);
  assert.is(kept.culprit, 'PersistentVolumeClaim data: volume disk');
  assert.match(kept.summary, /belongs to a claim that was deleted/);
  assert.match(kept.advice.join(), /kubectl patch persistentvolume disk/);
  const others = waiting({ problem, volumeName: 'disk' }, [{ claim: 'shop/archive' }]);
  assert.match(others.summary, /belongs to the claim `shop\/archive`/);
  assert.not.match(others.advice.join(), /claimRef/);
});
scheduling('a volume that somebody may use is not freed', () => {
  const problem = 'volume "disk" already bound to a different claim.';
  // Volumes in use are not among those that are known.
  const used = waiting({ problem, volumeName: 'disk' }, []);
  assert.match(used.summary, /names the volume `disk`, which is bound to another claim/);
  assert.not.match([...used.advice, ...used.commands].join(), /kubectl patch/);
  assert.match(used.advice.join(), /Only if it was deleted/);
});
for (const [sentence, zones, culprit] of [
  ['no node has the topology key', [false, false], /topologyKey zone/],
  ['one node has the topology key', [true, false], /app=cache/],
  ['nothing is known of the nodes', undefined, /app=cache/],
] as const)
  scheduling(`a required affinity to other pods: ${sentence}`, () => {
    const term = { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'cache' } } };
    const nodes = zones?.map((isZone, index) => ({
      ...{ name: `node-${index}`, labels: isZone ? { zone: 'a' } : {}, allocatable: {}, taints: [] },
    }));
    const diagnosis = diagnose(
      aCase({
        failure_reason: 'Unschedulable',
        failure_message: "0/2 nodes are available: 2 node(s) didn't match pod affinity rules.",
        manifest: aPodManifest({}, { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } }),
        surroundings: nodes ? { nodes } : {},
      }),
    );
    assert.match(diagnosis.culprit ?? '', culprit);
  });
for (const [sentence, claim, volume, culprit] of [
  ['size', {}, { size: '1Gi' }, 'it has 1Gi and the claim asks for 5Gi'],
  ['access mode', {}, { accessModes: ['ReadWriteOnce'] }, 'it has not the access mode ReadWriteMany'],
  ['class', { storageClass: 'manual' }, {}, 'it has no storage class and the claim the storage class manual'],
  ['other claim', { volume: 'disk' }, { claim: 'shop/cache' }, 'it is kept for the claim shop/cache'],
] as const)
  scheduling(`the volume that does not fit its claim: ${sentence}`, () =>
    assert.is(waiting(claim, [volume]).culprit, `PersistentVolumeClaim data: ${culprit}`),
  );
for (const [sentence, claim, volumes, classes] of [
  ['it fits', {}, [{}], []],
  ['it differs in everything', {}, [{ size: '1Gi', accessModes: [] }], []],
  ['it belongs to another claim', {}, [{ size: '1Gi', claim: 'shop/cache' }], []],
  ['its class makes volumes', { storageClass: 'fast' }, [{}], ['fast']],
  ['there is none', {}, [], []],
] as [string, object, object[], string[]][])
  scheduling(`no volume is to blame: ${sentence}`, () => assert.not.match(waiting(claim, volumes, classes).summary, /does not fit/));

const LABELS = { 'kubernetes.io/os': 'linux', zone: 'a' };
const NODE = { name: 'one', labels: LABELS, allocatable: {}, taints: [] };
const requiring = (nodes: (typeof NODE)[], ...terms: object[][]) =>
  diagnose(
    aCase({
      failure_reason: 'Unschedulable',
      failure_message: "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.",
      manifest: aPodManifest(
        {},
        {
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: terms.map((matchExpressions) => ({ matchExpressions })),
              },
            },
          },
        },
      ),
      surroundings: { nodes },
    }),
  );
const OS = { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] };
const TYPE = { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m6i.xlarge', 'm6i.2xlarge'] };
const ZONE = { key: 'zone', operator: 'Exists' };
const TERM = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution';
const firstOf = ({ corrections: [first] }: ReturnType<typeof diagnose>) =>
  first && [first.confidence, first.changes.map(({ path, to }) => [path.replace(TERM, ''), to])];

scheduling('only the expression that no node meets is named and removed', () => {
  const told = requiring([NODE], [OS, TYPE]);
  assert.is(told.culprit, 'node.kubernetes.io/instance-type In m6i.xlarge,m6i.2xlarge');
  assert.equal(firstOf(told), ['likely', [['.nodeSelectorTerms[0].matchExpressions[1]', null]]]);
  assert.equal(firstOf(requiring([NODE], [TYPE, OS, { ...TYPE, key: 'gpu' }, ZONE])), [
    'likely',
    [['.nodeSelectorTerms[0].matchExpressions', [OS, ZONE]]],
  ]);
});
for (const [sentence, nodes, ...terms] of [
  ['it is the only one', [NODE], [TYPE]],
  ['there are several terms', [NODE], [OS, TYPE], [TYPE]],
  ['no node is known', [], [OS, TYPE]],
  [
    'no node meets the others together',
    [NODE, { ...NODE, name: 'two', labels: { ...LABELS, 'kubernetes.io/os': 'windows', disk: 'ssd' } }],
    [OS, TYPE, { key: 'disk', operator: 'In', values: ['ssd'] }],
  ],
] as [string, (typeof NODE)[], ...object[][]][])
  scheduling(`the whole affinity is removed: ${sentence}`, () =>
    assert.equal(firstOf(requiring(nodes, ...terms)), ['likely', [['', null]]]),
  );

scheduling.run();

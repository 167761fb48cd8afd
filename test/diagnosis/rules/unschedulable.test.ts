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
  scheduling(`the whole affinity goes: ${sentence}`, () => assert.equal(firstOf(requiring(nodes, ...terms)), ['likely', [['', null]]]));

scheduling.run();

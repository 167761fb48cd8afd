import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { choiceOfNodes } from '../../../../src/diagnosis/corrections/placement/node-choice.ts';
import { tolerate } from '../../../../src/diagnosis/corrections/placement/toleration.ts';
import { anInput } from '../../../support/builders/cases.ts';
import { correctionRows, guess, inWords, likely, NO_MIRROR } from '../../../support/builders/corrections.ts';

const test = suite('nodes that a pod chooses');
const rows = correctionRows(test);

const node = (labels: Record<string, string>, name = 'n', taints: object[] = []) => ({ name, labels, taints, allocatable: {} });
const chosen = (spec: object, ...nodes: object[]) => choiceOfNodes(anInput({}, spec, { surroundings: { nodes: nodes as never } }));
const TERMS = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution';
const affinity = (...terms: object[]) => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } },
});
const requires = (key: string, ...values: string[]) => ({ key, operator: 'In', values });
const ONLY = 'The pod may then run on any node. Do this only when it needs nothing that the label stands for.';

const selects = (key: string, value: string, ...labels: Record<string, string>[]) =>
  chosen({ nodeSelector: { [key]: value } }, ...labels.map((one) => node(one)));
rows('a node selector', {
  'with a slip in its value that two nodes have': [
    selects('disk', 'sdd', { disk: 'hdd' }, { disk: 'ssd' }).corrections.slice(0, 1),
    likely({ 'spec.nodeSelector.disk': 'ssd' }),
  ],
  'with more in its value than nodes have': [
    selects('pool', 'blue', { pool: 'blue-pool' }).corrections.slice(0, 1),
    likely({ 'spec.nodeSelector.pool': 'blue-pool' }),
  ],
  'with a slip in both': [
    selects('disk', 'sdd', { disk: 'ssd', dsik: 'sdd' }).corrections,
    [
      ...likely({ 'spec.nodeSelector.disk': 'ssd' }),
      ...likely({ 'spec.nodeSelector.disk': null, 'spec.nodeSelector.dsik': 'sdd' }),
      ...guess({ 'spec.nodeSelector.disk': null }),
    ],
  ],
  'with another key of another value': [selects('dsik', 'ssd', { disk: 'hdd' }).corrections, likely({ 'spec.nodeSelector.dsik': null })],
  'with the former name of its key': [
    selects('beta.kubernetes.io/arch', 'arm64', { 'kubernetes.io/arch': 'arm64' }).corrections.slice(0, 1),
    likely({ 'spec.nodeSelector["beta.kubernetes.io/arch"]': null, 'spec.nodeSelector["kubernetes.io/arch"]': 'arm64' }),
  ],
  'with the word of another processor': [
    selects('arch', 'amd64', { arch: 'arm64' }).corrections,
    likely({ 'spec.nodeSelector.arch': null }),
  ],
  'with another word for a processor that no node has': [
    selects('arch', 'x86_64', { arch: 'riscv' }).corrections,
    likely({ 'spec.nodeSelector.arch': null }),
  ],
  'of several labels on unknown nodes': [chosen({ nodeSelector: { a: 'b', c: 'd' } }).corrections, guess({ 'spec.nodeSelector': null })],
  'of several labels': [
    chosen({ nodeSelector: { gpu: 'yes', tpu: 'on' } }, node({ x: 'y' })).corrections,
    [...likely({ 'spec.nodeSelector.gpu': null }), ...likely({ 'spec.nodeSelector.tpu': null })],
  ],
});
test('a node selector, in words', () => {
  assert.equal(selects('disk', 'sdd', { disk: 'ssd', dsik: 'sdd' }).corrections.map(inWords), [
    ['Select `disk=ssd`', '`sdd` looks like a typo of `ssd`.', 'nodes have `disk=ssd`'],
    ['Select `dsik=sdd`', '`disk` looks like a typo of `dsik`.', 'no node has the label `disk`', 'nodes have `dsik=sdd`'],
    ['Remove `disk=sdd` from the node selector', ONLY, 'no node has this label'],
  ]);
  assert.equal(chosen({ nodeSelector: { a: 'b', c: 'd' } }).corrections.map(inWords), [
    ['Remove the node selector', 'The pod may then run on any node.', 'no node has all of these labels'],
  ]);
  assert.is(chosen({ nodeSelector: { a: 'b', c: 'd' } }).wanted, 'a=b, c=d');
  assert.is(chosen({ nodeSelector: { a: 'x'.repeat(300) } }).wanted.length, 200);
  assert.equal(choiceOfNodes(anInput({}, {}, { manifest: 'x' })), { wanted: '', corrections: [] });
});

rows('a required affinity', {
  'with a slip, of which the rest is met': [
    chosen(affinity({ matchExpressions: [requires('zone', 'a'), requires('disk', 'sdd')] }), node({ zone: 'a', disk: 'ssd' })).corrections,
    [
      ...likely({ [`${TERMS}.nodeSelectorTerms[0].matchExpressions[1].values[0]`]: 'ssd' }),
      ...guess({ [`${TERMS}.nodeSelectorTerms[0].matchExpressions[1]`]: null }),
      ...guess({ [TERMS]: null }),
    ],
  ],
  'with a slip in the second term': [
    chosen(affinity({ matchExpressions: [requires('x', 'y')] }, { matchExpressions: [requires('disk', 'sdd')] }), node({ disk: 'ssd' }))
      .corrections,
    [...likely({ [`${TERMS}.nodeSelectorTerms[1].matchExpressions[0].values[0]`]: 'ssd' }), ...guess({ [TERMS]: null })],
  ],
  'with two slips of one value': [
    chosen(affinity({ matchExpressions: [requires('disk', 'sdd', 'ssdd')] }), node({ disk: 'ssd' })).corrections.slice(0, 1),
    likely({ [`${TERMS}.nodeSelectorTerms[0].matchExpressions[0].values`]: ['ssd'] }),
  ],
  'to fields too, of which the rest is met': [
    chosen(
      affinity({ matchExpressions: [requires('zone', 'a'), requires('gpu', 'yes')], matchFields: [requires('metadata.name', 'n')] }),
      node({ zone: 'a' }),
    ).corrections,
    likely({ [TERMS]: null }),
  ],
  'of which everything is met': [
    chosen(affinity({ matchExpressions: [requires('zone', 'a')] }), node({ zone: 'a' })).corrections,
    likely({ [TERMS]: null }),
  ],
  'to a role under its former name': [
    chosen(
      affinity({ matchExpressions: [{ key: 'node-role.kubernetes.io/master', operator: 'Exists' }] }),
      node({ 'node-role.kubernetes.io/control-plane': '' }),
    ).corrections.slice(0, 1),
    likely({ [`${TERMS}.nodeSelectorTerms[0].matchExpressions[0].key`]: 'node-role.kubernetes.io/control-plane' }),
  ],
  'to a key with a slip': [
    chosen(affinity({ matchExpressions: [requires('dsik', 'ssd')] }), node({ disk: 'ssd' })).corrections.slice(0, 1),
    likely({ [`${TERMS}.nodeSelectorTerms[0].matchExpressions[0].key`]: 'disk' }),
  ],
  'to a key with a slip, of another value': [
    chosen(affinity({ matchExpressions: [requires('dsik', 'ssd')] }), node({ disk: 'hdd' })).corrections,
    likely({ [TERMS]: null }),
  ],
  'to a key that must not be there': [
    chosen(affinity({ matchExpressions: [{ key: 'dsik', operator: 'DoesNotExist' }] }), node({ dsik: 'a', disk: 'ssd' })).corrections,
    likely({ [TERMS]: null }),
  ],
  'without terms': [chosen(affinity(), node({})).corrections, []],
});
test('a required affinity, in words', () => {
  assert.equal(
    chosen(
      affinity({ matchExpressions: [requires('zone', 'a'), requires('disk', 'sdd')] }),
      node({ zone: 'a', disk: 'ssd' }),
    ).corrections.map(inWords),
    [
      ['Require `disk=ssd`', '`sdd` looks like a typo.', 'nodes have `disk=ssd`'],
      [
        'Remove `disk In sdd` from the required node affinity',
        'The pod may then run on any node that meets the rest. Do this only when it needs nothing that the label stands for.',
        'no node meets it',
      ],
      ['Remove the required node affinity', ONLY, 'no node meets it'],
    ],
  );
  const several = affinity({
    matchExpressions: [requires('zone', 'a'), { key: 'gpu', operator: 'Exists' }, requires('disk', 'ab-1', 'xy-1')],
  });
  assert.equal(
    chosen(several, node({ zone: 'a', disk: 'ab-2' }), node({ disk: 'xy-2' }))
      .corrections.slice(0, 2)
      .map(inWords),
    [
      ['Require `disk=ab-2` or `disk=xy-2`', '`ab-1` and `xy-1` are values that no node has.', 'nodes have `disk=ab-2` or `disk=xy-2`'],
      [
        'Remove `gpu Exists` and `disk In ab-1,xy-1` from the required node affinity',
        'The pod may then run on any node that meets the rest. Do this only when it needs nothing that the label stands for.',
        'no node meets the others',
      ],
    ],
  );
  assert.is(chosen(affinity({ matchFields: [requires('metadata.name', 'm')] }), node({}, 'n')).wanted, 'metadata.name In m');
  assert.is(
    chosen(affinity({ matchFields: [requires('metadata.name', 'n')], matchExpressions: [requires('a', 'b')] }), node({}, 'n')).wanted,
    'a In b',
  );
});

const tolerated = (taint: string, tolerations?: object[], taints: object[] = []) =>
  tolerate(anInput({}, tolerations ? { tolerations } : {}, { surroundings: { nodes: [node({}, 'n', taints)] as never } }), taint);
rows('a taint', {
  'with its effect': [
    tolerated('team=a', undefined, [
      { key: 'other', effect: 'NoExecute' },
      { key: 'team', effect: 'NoSchedule' },
      { key: 'team', effect: 'NoExecute' },
    ]),
    guess({ 'spec.tolerations': [{ key: 'team', operator: 'Equal', value: 'a', effect: 'NoSchedule' }] }, NO_MIRROR),
  ],
  'with an empty value': [tolerated('team=', []), guess({ 'spec.tolerations[0]': { key: 'team', operator: 'Exists' } }, NO_MIRROR)],
  'whose key is tolerated with another value': [
    tolerated('team=a', [{ key: 'team', operator: 'Equal', value: 'zzz' }]),
    guess({ 'spec.tolerations[1]': { key: 'team', operator: 'Equal', value: 'a' } }, NO_MIRROR),
  ],
  'without a value, whose key has a slip': [
    tolerated('dedicated', [
      { key: 'dedicatd', value: 'x' },
      { key: 'dedicatd', value: '' },
    ]).slice(0, 1),
    likely({ 'spec.tolerations[1].key': 'dedicated' }, NO_MIRROR),
  ],
  'with a slip in the key and another value': [tolerated('dedicated=gpu', [{ key: 'dedicatd', value: 'cpus' }]).slice(1), []],
  'of the control plane': [tolerated('node-role.kubernetes.io/control-plane'), []],
  'without a manifest': [tolerate(anInput({}, {}, { manifest: 'x' }), 'team=a'), []],
});
test('a taint, in words', () => {
  assert.equal(tolerated('dedicated=gpu', [{ key: 'dedicated', value: 'gpus' }]).map(inWords), [
    [
      'Tolerate `dedicated=gpu`, not `dedicated=gpus`',
      'The pod has a toleration with a typo. It was meant for these nodes.',
      'nodes have the taint `dedicated=gpu`',
    ],
    [
      'Tolerate `dedicated=gpu`',
      'Do this only when the pod belongs on these nodes: somebody set the taint to keep pods away.',
      'the nodes take no pods without it',
    ],
  ]);
  assert.is(tolerated('dedicated', [{ key: 'dedicatd', operator: 'Exists' }])[0]?.title, 'Tolerate `dedicated`, not `dedicatd`');
});

test.run();

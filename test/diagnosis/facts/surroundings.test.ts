import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import { recordedSurroundings } from '../../../src/diagnosis/facts/surroundings.ts';

const pod = { kind: 'Pod', metadata: { name: 'web', namespace: 'shop' } } as KubeObject;
const metrics = (containers: unknown, namespace = 'shop') =>
  ({ kind: 'PodMetrics', metadata: { name: 'web', namespace }, containers }) as unknown as KubeObject;

const surroundings = suite('recorded surroundings');
const CASES: [sentence: string, objects: KubeObject[], memoryUse: object | undefined][] = [
  [
    'PodMetrics say what containers use',
    [metrics([{ name: 'app', usage: { cpu: '1m', memory: '300Mi' } }])],
    [{ pod: 'web', container: 'app', memory: '300Mi' }],
  ],
  ['those of another namespace do not', [metrics([{ name: 'app', usage: { memory: '300Mi' } }], 'other')], undefined],
  ['a container without memory is left out', [metrics([{ name: 'app', usage: { cpu: '1m' } }, null, 7])], undefined],
  ['containers of another shape are none', [metrics('app')], undefined],
  ['without PodMetrics nothing is known', [], undefined],
];
for (const [sentence, objects, memoryUse] of CASES)
  surroundings(sentence, () => assert.equal(recordedSurroundings([pod, ...objects], pod).memoryUse, memoryUse));
surroundings.run();

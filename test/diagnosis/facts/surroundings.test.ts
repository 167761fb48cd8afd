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

const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
const labelled = (name: string, labels: Record<string, string>, status: object = ready) =>
  ({ kind: 'Pod', metadata: { name, namespace: 'shop', labels }, spec: { containers: [] }, status }) as unknown as KubeObject;
const service = (selector?: Record<string, string>) =>
  ({ kind: 'Service', metadata: { name: 'db', namespace: 'shop' }, spec: { ports: [{ port: 5432 }], selector } }) as unknown as KubeObject;
const leader = { app: 'pg', role: 'leader' };
const SELECTED: [sentence: string, objects: KubeObject[], selected: object][] = [
  [
    'a Service knows its pods',
    [service({ app: 'pg' }), labelled('a', leader), labelled('b', leader, {})],
    { selected: { pods: 2, ready: 1 } },
  ],
  [
    'one label of all pods keeps them from it',
    [service(leader), labelled('a', { ...leader, role: 'master' })],
    { selected: { pods: 0, ready: 0 }, almost: { key: 'role', has: 'master' } },
  ],
  [
    'pods that differ from each other say nothing',
    [service(leader), labelled('a', { ...leader, role: 'master' }), labelled('b', { ...leader, role: 'replica' })],
    { selected: { pods: 0, ready: 0 } },
  ],
  [
    'a selector of one label wants other pods',
    [service({ app: 'pg' }), labelled('a', { app: 'web' })],
    { selected: { pods: 0, ready: 0 } },
  ],
  [
    'a selector of one label has a slip',
    [service({ app: 'postgress' }), labelled('a', { app: 'postgres' })],
    { selected: { pods: 0, ready: 0 }, almost: { key: 'app', has: 'postgres' } },
  ],
  [
    'pods that are called like the Service are meant',
    [service({ app: 'database' }), labelled('a', { app: 'db' })],
    { selected: { pods: 0, ready: 0 }, almost: { key: 'app', has: 'db' } },
  ],
  ['a Service without a selector gets its addresses elsewhere', [service()], {}],
];
for (const [sentence, objects, expected] of SELECTED)
  surroundings(sentence, () => {
    const {
      name: _name,
      ports: _ports,
      selector: _selector,
      ...rest
    } = recordedSurroundings([pod, ...objects], pod).services?.[0] ?? { name: '' };
    assert.equal(rest, expected);
  });
surroundings.run();

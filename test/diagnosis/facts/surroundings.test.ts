import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import {
  behindClaims,
  claimOf,
  hostPortsOf,
  limitRangesOf,
  quotaOf,
  recordedSurroundings,
  storageClassOf,
  volumeOf,
  withProblem,
  withUsers,
  withVolume,
} from '../../../src/diagnosis/facts/surroundings.ts';

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

const object = (spec: unknown, more: object = {}) =>
  ({ kind: 'X', metadata: { name: 'x', namespace: 'shop' }, spec, ...more }) as unknown as KubeObject;
surroundings('a claim', () => {
  assert.equal(
    claimOf(
      object(
        { storageClassName: '', accessModes: ['ReadWriteOnce', 7], resources: { requests: { storage: '1Gi' } }, volumeName: 'pv' },
        { status: { phase: 'Bound' } },
      ),
    ),
    { name: 'x', phase: 'Bound', storageClass: '', accessModes: ['ReadWriteOnce'], size: '1Gi', volume: 'pv' },
  );
  assert.equal(claimOf(object({ accessModes: 'x' })), { name: 'x', phase: 'Unknown' });
});
surroundings('a volume', () => {
  const spec = {
    storageClassName: 'fast',
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '1Gi' },
    claimRef: { namespace: 'shop', name: 'c' },
  };
  assert.equal(volumeOf(object(spec)), { name: 'x', storageClass: 'fast', accessModes: ['ReadWriteOnce'], size: '1Gi', claim: 'shop/c' });
  assert.equal(volumeOf(object(undefined)), { name: 'x', storageClass: '', accessModes: [] });
});
surroundings('what a claim has from its volume', () => {
  const need = (key: unknown, operator: string, ...values: unknown[]) => ({ key, operator, values });
  const behind = (claim: string, terms: unknown, more: object = {}) =>
    object({ claimRef: { namespace: 'shop', name: claim }, nodeAffinity: { required: { nodeSelectorTerms: terms } }, ...more });
  const term = (...matchExpressions: unknown[]) => ({ matchExpressions });
  const found = behindClaims([
    behind('a', [term(need('zone', 'In', 'b', 'c'), need('disk', 'In', 'ssd'))], { capacity: {}, hostPath: {} }),
    behind('b', [term(need('zone', 'In', 'b')), term(need('zone', 'In', 'c'))], { csi: {} }),
    behind('c', [term(need('zone', 'NotIn', 'b'), need(7, 'In', 'b'), need('x', 'In'), 7, null)]),
    behind('d', 'x'),
    object({ nfs: {} }),
  ]);
  assert.equal(Object.fromEntries(found), {
    'shop/a': { source: 'hostPath', nodes: 'zone=b|c, disk=ssd' },
    'shop/b': { source: 'csi' },
    'shop/c': {},
    'shop/d': {},
  });
  const claim = { name: 'a', phase: 'Bound' };
  assert.equal(withVolume(claim, found, 'shop'), { ...claim, source: 'hostPath', nodes: 'zone=b|c, disk=ssd' });
  assert.equal(withVolume(claim, found, 'other'), claim);
});
surroundings('the pods that use a claim', () => {
  const claim = { name: 'c', phase: 'Bound' };
  const user = (nodeName: string | undefined, phase = 'Running', claimName = 'c') =>
    object({ nodeName, volumes: [{ persistentVolumeClaim: { claimName } }] }, { status: { phase } }) as never;
  assert.equal(withUsers(claim, [user('a'), user('b'), user('a')]), { ...claim, usedOn: ['a', 'b'] });
  assert.equal(withUsers(claim, [user(undefined), user('a', 'Succeeded'), user('a', 'Failed'), user('a', 'Running', 'd')]), claim);
});
surroundings('the problem of a claim', () => {
  const about = (message: string, reason = 'ProvisioningFailed', name = 'c', kind = 'PersistentVolumeClaim') =>
    ({ reason, message, involvedObject: { kind, name } }) as never;
  const of = (phase: string, ...events: never[]) => withProblem({ name: 'c', phase }, events).problem;
  assert.is(of('Pending', about('old'), about('new')), 'new');
  for (const reason of ['ProvisioningFailed', 'FailedBinding', 'VolumeMismatch']) assert.is(of('Pending', about('m', reason)), 'm', reason);
  assert.equal(
    [
      of('Bound', about('m')),
      of('Pending', about('m', 'Other')),
      of('Pending', about('m', undefined, 'd')),
      of('Pending', about('m', undefined, 'c', 'Pod')),
    ],
    [undefined, undefined, undefined, undefined],
  );
});
surroundings('the ports of the node that a pod has', () => {
  const of = (spec: object, phase?: string) => hostPortsOf(object(spec, { status: { phase } }) as never);
  const containers = [{ ports: [{ hostPort: 80 }, { containerPort: 1 }] }, {}, { ports: [{ hostPort: 81 }] }];
  assert.equal(of({ nodeName: 'n', containers }), [
    { pod: 'shop/x', node: 'n', port: 80 },
    { pod: 'shop/x', node: 'n', port: 81 },
  ]);
  assert.equal(
    [of({ containers }), of({ nodeName: 'n', containers }, 'Succeeded'), of({ nodeName: 'n', containers }, 'Failed')],
    [[], [], []],
  );
});
surroundings('a quota, a range and a class', () => {
  assert.equal(
    quotaOf(
      object(
        { scopes: ['A'], scopeSelector: { matchExpressions: [{ scopeName: 'B' }] }, hard: { pods: '9' } },
        { status: { hard: { pods: 1 }, used: { pods: '0' } } },
      ),
    ),
    { name: 'x', scopes: ['A', 'B'], hard: { pods: '1' }, used: { pods: '0' } },
  );
  assert.equal(quotaOf(object({ hard: { pods: '9' } })), { name: 'x', scopes: [], hard: { pods: '9' }, used: {} });
  assert.equal(
    limitRangesOf(
      object({
        limits: [
          { type: 'Pod', max: { cpu: '1' } },
          { type: 'Container', min: { cpu: 1 }, max: { cpu: '2' } },
        ],
      }),
    ),
    [{ name: 'x', min: { cpu: '1' }, max: { cpu: '2' } }],
  );
  const classOf = (value: string) =>
    storageClassOf({
      kind: 'StorageClass',
      metadata: { name: 's', annotations: { 'storageclass.kubernetes.io/is-default-class': value } },
    } as never);
  assert.equal(
    [classOf('true'), classOf('false')],
    [
      { name: 's', isDefault: true },
      { name: 's', isDefault: false },
    ],
  );
});
surroundings('what a recording has of each kind', () => {
  const of = (kind: string, name: string, more: object = {}, namespace = 'shop') =>
    ({ kind, metadata: { name, namespace }, ...more }) as unknown as KubeObject;
  const found = recordedSurroundings(
    [
      pod,
      of('ConfigMap', 'c', { data: { a: '1' }, binaryData: { b: 'x' } }),
      of('ConfigMap', 'far', {}, 'other'),
      of('Secret', 's', { type: 'Opaque', data: { k: 'x' }, stringData: { l: 'y' } }),
      of('Node', 'n', {
        spec: {
          taints: [
            { key: 'a', effect: 'NoSchedule' },
            { key: 'b', value: 'v', effect: 'NoExecute' },
          ],
        },
        status: { allocatable: { cpu: 2 }, images: [{ names: ['web:1', 'web@sha256:a'] }] },
        podmendRequested: { cpu: 1 },
      }),
      of('ServiceAccount', 'default'),
      of('Namespace', 'shop', { metadata: { name: 'shop', labels: {} } }),
      of('Pod', 'old', {
        spec: { nodeName: 'n', containers: [{ name: 'a', image: 'old:1', ports: [{ hostPort: 80 }] }] },
        status: { containerStatuses: [{ name: 'a', image: 'old:1', imageID: 'x' }] },
      }),
    ],
    pod,
  );
  assert.equal(found.configMaps, [{ name: 'c', keys: ['a', 'b'] }]);
  assert.equal(found.settings, [{ object: 'c', key: 'a', value: '1' }]);
  assert.equal(found.secrets, [{ name: 's', keys: ['k', 'l'], type: 'Opaque' }]);
  assert.equal(found.nodes, [
    {
      name: 'n',
      labels: {},
      allocatable: { cpu: '2' },
      used: { cpu: 1 },
      taints: [
        { key: 'a', effect: 'NoSchedule' },
        { key: 'b', effect: 'NoExecute', value: 'v' },
      ],
    },
  ] as never);
  assert.equal(
    [found.serviceAccounts, found.podSecurity, found.hostPorts],
    [['default'], null, [{ pod: 'shop/old', node: 'n', port: 80 }]],
  );
  assert.ok(found.images?.includes('web:1') && !found.images.includes('web@sha256:a'));
  assert.equal([found.quotas, found.services, found.claims], [undefined, undefined, undefined], 'kinds that it lacks stay unknown');
});
surroundings.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { otherClaim, waitingClaim } from '../../../../src/diagnosis/corrections/placement/claims.ts';
import { hostPorts } from '../../../../src/diagnosis/corrections/placement/host-ports.ts';
import { choiceOfNodes } from '../../../../src/diagnosis/corrections/placement/node-choice.ts';
import { candidates, freeOf, isSystemTaint, nodesWithout } from '../../../../src/diagnosis/corrections/placement/node-fit.ts';
import { ownNetwork } from '../../../../src/diagnosis/corrections/placement/own-network.ts';
import { podAffinity } from '../../../../src/diagnosis/corrections/placement/pod-affinity.ts';
import { fitRequests, scaled } from '../../../../src/diagnosis/corrections/placement/requests.ts';
import { tolerate } from '../../../../src/diagnosis/corrections/placement/toleration.ts';
import { spread } from '../../../../src/diagnosis/corrections/placement/topology-spread.ts';
import type { Surroundings } from '../../../../src/diagnosis/case.ts';
import { aPlace, anInput, type CaseParts, inShort } from '../../../support/builders/cases.ts';
import { correctionRows, guess, likely, NO_MIRROR, type Short } from '../../../support/builders/corrections.ts';

const test = suite('where a pod may run');
const rows = correctionRows(test);

const node = (name: string, labels: Record<string, string> = {}, more: object = {}) => ({
  name,
  labels,
  allocatable: { cpu: '4', memory: '8Gi' },
  taints: [],
  ...more,
});
const around = (surroundings: Surroundings): CaseParts => ({ surroundings });
const onNodes = (spec: object, nodes: object[], parts: CaseParts = {}) =>
  anInput({}, spec, { surroundings: { nodes: nodes as never }, ...parts });

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const affinity = (...terms: object[]) => ({ affinity: { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: terms } } } });
const TERMS = `spec.affinity.nodeAffinity.${REQUIRED}`;
const REMOVED = { [TERMS]: null };
const requires = (key: string, ...values: string[]) => ({ key, operator: 'In', values });
const choice = (spec: object, ...nodes: object[]): Short => inShort(choiceOfNodes(onNodes(spec, nodes)).corrections);
rows('labels of nodes', {
  'with a slip in the value': [
    choice({ nodeSelector: { disk: 'sdd', zone: 'a' } }, node('n', { disk: 'ssd', zone: 'a' })),
    [...likely({ 'spec.nodeSelector.disk': 'ssd' }), ...guess({ 'spec.nodeSelector.disk': null })],
  ],
  'with a slip in the key': [
    choice({ nodeSelector: { dsik: 'ssd' } }, node('n', { disk: 'ssd' })),
    [...likely({ 'spec.nodeSelector.dsik': null, 'spec.nodeSelector.disk': 'ssd' }), ...guess({ 'spec.nodeSelector.dsik': null })],
  ],
  'that no node has': [choice({ nodeSelector: { gpu: 'yes' } }, node('n')), likely({ 'spec.nodeSelector.gpu': null })],
  'that a node has': [choice({ nodeSelector: { gpu: 'yes' } }, node('m'), node('n', { gpu: 'yes' })), []],
  'that nobody knows': [choice({ nodeSelector: { gpu: 'yes' } }), likely({ 'spec.nodeSelector.gpu': null })],
  'of which nobody knows several': [choice({ nodeSelector: { gpu: 'yes', disk: 'ssd' } }), guess({ 'spec.nodeSelector': null })],
  'with another word for the processor': [
    choice({ nodeSelector: { arch: 'x86_64' } }, node('n', { arch: 'amd64' })),
    [...likely({ 'spec.nodeSelector.arch': 'amd64' }), ...guess({ 'spec.nodeSelector.arch': null })],
  ],
});
for (const [word, name] of [
  ['x86-64', 'amd64'],
  ['x64', 'amd64'],
  ['Intel', 'amd64'],
  ['aarch64', 'arm64'],
  ['armv8', 'arm64'],
  ['arm64v8', 'arm64'],
  ['graviton', 'arm64'],
] as const)
  test(`${word} is ${name}`, () =>
    assert.equal(choice({ nodeSelector: { arch: word } }, node('n', { arch: name }))[0]?.[1], { 'spec.nodeSelector.arch': name }));
const VALUES = `${TERMS}.nodeSelectorTerms[0].matchExpressions`;
rows('a required affinity to nodes', {
  'with a slip': [
    choice(affinity({ matchExpressions: [requires('zone', 'eu-1a')] }), node('n', { zone: 'eu-1b' })),
    [...likely({ [`${VALUES}[0].values[0]`]: 'eu-1b' }), ...guess(REMOVED)],
  ],
  'with two slips': [
    choice(
      affinity({ matchExpressions: [requires('zone', 'eu-1a', 'us-1a')] }),
      node('n', { zone: 'eu-1b' }),
      node('m', { zone: 'us-1b' }),
    ),
    [...likely({ [`${VALUES}[0].values`]: ['eu-1b', 'us-1b'] }), ...guess(REMOVED)],
  ],
  'with a slip in the name of a node': [
    choice(affinity({ matchFields: [requires('metadata.name', 'node-aa')] }), node('node-ab')),
    [...likely({ [`${TERMS}.nodeSelectorTerms[0].matchFields[0].values[0]`]: 'node-ab' }), ...guess(REMOVED)],
  ],
  'of which one value is there': [
    choice(affinity({ matchExpressions: [requires('zone', 'eu-1a', 'eu-1b')] }), node('n', { zone: 'eu-1b' })),
    likely(REMOVED),
  ],
  'of another kind': [
    choice(affinity({ matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['eu-1b'] }] }), node('n', { zone: 'eu-1b' })),
    likely(REMOVED),
  ],
  'of which the rest is met': [
    choice(affinity({ matchExpressions: [requires('zone', 'a'), requires('gpu', 'yes')] }), node('n', { zone: 'a' })),
    [...likely({ [`${VALUES}[1]`]: null }), ...guess(REMOVED)],
  ],
  'of which one of three is met': [
    choice(
      affinity({ matchExpressions: [requires('zone', 'a'), requires('gpu', 'yes'), requires('tpu', 'yes')] }),
      node('n', { zone: 'a' }),
    ),
    [...likely({ [VALUES]: [requires('zone', 'a')] }), ...guess(REMOVED)],
  ],
  'of which no node meets the rest together': [
    choice(
      affinity({ matchExpressions: [requires('zone', 'a'), requires('disk', 's'), requires('gpu', 'yes')] }),
      node('n', { zone: 'a' }),
      node('m', { disk: 's' }),
    ),
    likely(REMOVED),
  ],
  'of several terms': [
    choice(
      affinity({ matchExpressions: [requires('zone', 'a'), requires('gpu', 'yes')] }, { matchExpressions: [requires('x', 'y')] }),
      node('n', { zone: 'a' }),
    ),
    likely(REMOVED),
  ],
  'that a pod does not have': [choice({}, node('n')), []],
});
test('what a pod wants of nodes, in words', () => {
  const wanted = (spec: object, ...nodes: object[]) => choiceOfNodes(onNodes(spec, nodes)).wanted;
  assert.is(
    wanted(
      {
        nodeSelector: { gpu: 'yes', zone: 'a' },
        ...affinity({ matchExpressions: [requires('disk', 's', 't'), { key: 'x', operator: 'Exists' }] }),
      },
      node('n', { zone: 'a', x: '1' }),
    ),
    'gpu=yes, disk In s,t',
  );
  assert.is(
    wanted(
      affinity({ matchExpressions: [requires('zone', 'a'), requires('disk', 's')] }),
      node('n', { zone: 'a' }),
      node('m', { disk: 's' }),
    ),
    'zone In a, disk In s',
  );
  assert.is(wanted(affinity({ matchExpressions: [requires('zone', 'a')] })), 'zone In a');
});

rows('a taint', {
  'that is tolerated': [
    tolerate(
      onNodes({ tolerations: [{ key: 'x' }] }, [
        node(
          'n',
          {},
          {
            taints: [
              { key: 'a', effect: 'NoExecute' },
              { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' },
            ],
          },
        ),
      ]),
      'dedicated=gpu',
    ),
    guess({ 'spec.tolerations[1]': { key: 'dedicated', operator: 'Equal', value: 'gpu', effect: 'NoSchedule' } }, NO_MIRROR),
  ],
  'without a value': [
    tolerate(onNodes({}, []), 'dedicated'),
    guess({ 'spec.tolerations': [{ key: 'dedicated', operator: 'Exists' }] }, NO_MIRROR),
  ],
  'with a slip in its value': [
    tolerate(onNodes({ tolerations: [{ key: 'x' }, { key: 'dedicated', value: 'gpus' }] }, []), 'dedicated=gpu').slice(0, 1),
    likely({ 'spec.tolerations[1].value': 'gpu' }, NO_MIRROR),
  ],
  'with a slip in its key': [
    tolerate(onNodes({ tolerations: [{ key: 'dedicatd', value: 'gpu' }] }, []), 'dedicated=gpu').slice(0, 1),
    likely({ 'spec.tolerations[0].key': 'dedicated' }, NO_MIRROR),
  ],
  'with a slip in its key, for all values': [
    tolerate(onNodes({ tolerations: [{ key: 'dedicatd', operator: 'Exists' }] }, []), 'dedicated=gpu').slice(0, 1),
    likely({ 'spec.tolerations[0].key': 'dedicated' }, NO_MIRROR),
  ],
  'of Kubernetes itself': [tolerate(onNodes({}, []), 'node.kubernetes.io/not-ready'), []],
  'without a key': [tolerate(onNodes({}, []), ''), []],
});
test('another key and another value are no slip', () =>
  assert.is(
    tolerate(
      onNodes(
        {
          tolerations: [
            { key: 'dedicatd', value: 'cpu-only' },
            { key: 'dedicated', operator: 'Exists', value: 'gpus' },
          ],
        },
        [],
      ),
      'dedicated=gpu',
    ).length,
    1,
  ));
test('taints that Kubernetes sets', () =>
  assert.equal(
    [
      'node.kubernetes.io/x',
      'node.cloudprovider.kubernetes.io/x',
      'node-role.kubernetes.io/control-plane',
      'node-role.kubernetes.io/master',
      'node-role.kubernetes.io/worker',
      'dedicated',
    ].map(isSystemTaint),
    [true, true, true, true, false, false],
  ));

const constraint = (more: object = {}) => ({ topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', ...more });
const zones = (spec: object, ...names: string[]) =>
  onNodes(
    spec,
    names.map((zone, index) => node(`n${index}`, { zone, gpu: zone === 'c' ? 'no' : 'yes' })),
  );
const AT = (index: number, field: string) => `spec.topologySpreadConstraints[${index}].${field}`;
rows('a spread over zones', {
  'may be uneven': [
    spread(zones({ topologySpreadConstraints: [constraint({ whenUnsatisfiable: 'ScheduleAnyway' }), constraint()] })),
    likely({ [AT(1, 'whenUnsatisfiable')]: 'ScheduleAnyway' }, NO_MIRROR),
  ],
  'of more than there are': [
    spread(zones({ topologySpreadConstraints: [constraint({ minDomains: 3 })] }, 'a', 'b', 'b')),
    [
      ...likely({ [AT(0, 'minDomains')]: 2 }, NO_MIRROR),
      ...likely({ [AT(0, 'whenUnsatisfiable')]: 'ScheduleAnyway', [AT(0, 'minDomains')]: null }, NO_MIRROR),
    ],
  ],
  'of as many as there are': [
    spread(zones({ topologySpreadConstraints: [constraint({ minDomains: 2 })] }, 'a', 'b')).slice(0, 1),
    likely({ [AT(0, 'whenUnsatisfiable')]: 'ScheduleAnyway', [AT(0, 'minDomains')]: null }, NO_MIRROR),
  ],
  'of nodes that it may not use': [
    spread(zones({ nodeSelector: { gpu: 'yes' }, topologySpreadConstraints: [constraint({ minDomains: 3 })] }, 'a', 'b', 'c')).slice(0, 1),
    likely({ [AT(0, 'minDomains')]: 2 }, NO_MIRROR),
  ],
  'beside another one': [
    spread(zones({ topologySpreadConstraints: [constraint({ minDomains: 3 }), constraint()] }, 'a')).slice(0, 1),
    guess({ [AT(0, 'minDomains')]: 1 }, NO_MIRROR),
  ],
  'of nodes that nobody knows': [
    spread(zones({ topologySpreadConstraints: [constraint({ minDomains: 3 })] })),
    likely({ [AT(0, 'whenUnsatisfiable')]: 'ScheduleAnyway', [AT(0, 'minDomains')]: null }, NO_MIRROR),
  ],
  'that a pod does not have': [spread(zones({}, 'a')), []],
});

const asks = (requests: object, limits: object = {}) => ({ resources: { requests, limits } });
const fits = (container: object, resource: string, nodes: object[] = [node('n')], spec: object = {}, room?: number) =>
  fitRequests(anInput(container, spec, { surroundings: { nodes: nodes as never } }), resource, room);
const CPU = 'resources.requests.cpu';
const few = (found: { corrections: Parameters<typeof inShort>[0] }) => inShort(found.corrections);
test('a request that does not fit', () => {
  for (const [sentence, found, expected] of [
    ['no node can meet it', fits(asks({ cpu: '8' }), 'cpu'), likely({ [CPU]: '2' })],
    ['a node could meet it', fits(asks({ cpu: '3' }), 'cpu'), guess({ [CPU]: '1500m' })],
    ['a slip in its unit', fits(asks({ cpu: '500' }), 'cpu'), [...likely({ [CPU]: '500m' }), ...likely({ [CPU]: '2' })]],
    [
      'a slip in its unit, on unknown nodes',
      fits(asks({ cpu: '64' }), 'cpu', []),
      [...likely({ [CPU]: '64m' }), ...guess({ [CPU]: '32' })],
    ],
    ['it may be meant, on unknown nodes', fits(asks({ cpu: '63' }), 'cpu', []), guess({ [CPU]: '31500m' })],
    [
      'memory with a slip in its unit',
      fits(asks({ memory: '512Gi' }), 'memory'),
      [...likely({ 'resources.requests.memory': '512Mi' }), ...likely({ 'resources.requests.memory': '4Gi' })],
    ],
    ['a limit alone', fits(asks({}, { cpu: '8' }), 'cpu'), likely({ [CPU]: '2' })],
    [
      'the pod as a whole',
      fits(asks({ cpu: '1' }), 'cpu', [node('n')], { resources: { requests: { cpu: '8' } } }),
      likely({ 'spec.resources.requests.cpu': '2' }),
    ],
    [
      'an init container',
      fits(asks({ cpu: '1' }), 'cpu', [node('n')], { initContainers: [{ name: 'i', ...asks({ cpu: '8' }) }] }),
      likely({ 'spec.initContainers[0].resources.requests.cpu': '2' }),
    ],
    ['the room that is left', fits(asks({ cpu: '3' }), 'cpu', [node('n')], {}, 1), likely({ [CPU]: '500m' })],
    ['nodes in use', fits(asks({ cpu: '3' }), 'cpu', [node('n', {}, { used: { cpu: 3 } })]), likely({ [CPU]: '500m' })],
    [
      'nodes that the pod may use',
      fits(asks({ cpu: '3' }), 'cpu', [node('n'), node('m', { gpu: 'yes' }, { allocatable: { cpu: '2' } })], {
        nodeSelector: { gpu: 'yes' },
      }),
      likely({ [CPU]: '1' }),
    ],
    [
      'a device that nodes have under another name',
      fits(asks({}, { 'a.com/gpus': '1' }), 'a.com/gpus', [node('n', {}, { allocatable: { cpu: '1', 'a.com/gpu': '1' } })]),
      [
        ...likely({ 'resources.limits["a.com/gpus"]': null, 'resources.limits["a.com/gpu"]': '1' }),
        ...guess({ 'resources.limits["a.com/gpus"]': null }),
      ],
    ],
    ['huge pages', fits(asks({ 'hugepages-2Mi': '2Mi' }), 'hugepages-2Mi'), guess({ 'resources.requests.hugepages-2Mi': null })],
    ['nobody makes one', fits({}, 'cpu'), []],
  ] as const)
    assert.equal(few(found), expected, sentence);
});
test('two requests that are too large only together', () => {
  const spec = {
    containers: [
      { name: 'app', image: 'a', ...asks({ cpu: '3' }) },
      { name: 'b', image: 'b', ...asks({}, { cpu: '1500m' }) },
    ],
  };
  const { asked, corrections } = fits({}, 'cpu', [node('n')], spec);
  assert.equal(asked, { total: '4500m', written: '3', most: '4', isFree: false });
  assert.equal(inShort(corrections), [
    ...likely({ [CPU]: '1333m', 'spec.containers[1].resources.requests.cpu': '666m' }),
    ...guess({ [CPU]: '1500m' }),
  ]);
});
test('how much was asked and how much there is', () => {
  assert.equal(fits(asks({ cpu: '8' }), 'cpu').asked, { total: null, written: '8', most: '4', isFree: false });
  assert.equal(fits(asks({ cpu: '8' }), 'cpu', [node('n', {}, { used: { cpu: 4 } })]).asked, {
    total: null,
    written: '8',
    most: '0',
    isFree: true,
  });
  assert.equal(fits({}, 'cpu', []).asked, { total: null, written: null, most: null, isFree: false });
  assert.is(fits(asks({ cpu: '8' }), 'cpu', [], {}, 1).asked.isFree, true);
});
const shares = (field: 'limits' | 'requests', to: number, ...containers: object[]) =>
  scaled(aPlace({}, { containers: containers.map((one, index) => ({ name: `c${index}`, image: 'a', ...one })) }), {
    field,
    resource: 'cpu',
    to,
  }).map(({ path, to: value }) => [path.replace('spec.containers', ''), value]);
test('what containers ask for, each by the same share', () => {
  assert.equal(shares('requests', 2, asks({ cpu: '3' }), {}, asks({}, { cpu: '1' })), [
    ['[0].resources.requests.cpu', '1500m'],
    ['[2].resources.requests.cpu', '500m'],
  ]);
  assert.equal(shares('limits', 2, asks({ cpu: '3' }, { cpu: '3' }), asks({ cpu: '100m' }, { cpu: '1' })), [
    ['[0].resources.limits.cpu', '1500m'],
    ['[0].resources.requests.cpu', '1500m'],
    ['[1].resources.limits.cpu', '500m'],
  ]);
  assert.equal([shares('requests', 3, asks({ cpu: '3' })), shares('requests', 0, asks({ cpu: '3' }))], [[], []]);
});
test('what is free on a node', () => {
  const of = (resource: string, used?: object) =>
    freeOf(node('n', {}, { allocatable: { cpu: '4', 'a/b': '2' }, ...(used ? { used } : {}) }) as never, resource);
  assert.equal([of('cpu'), of('cpu', { cpu: 1 }), of('cpu', { cpu: 9 }), of('memory'), of('a/b'), of('c/d')], [4, 3, 0, Infinity, 2, 0]);
});
test('the nodes that take a pod, or all', () => {
  const all = [node('a', { x: '1' }), node('b')] as never[];
  const of = (nodeSelector: object) => candidates({ containers: [], nodeSelector } as never, all).map(({ name }) => name);
  assert.equal([of({ x: '1' }), of({ y: '1' }), of({})], [['a'], ['a', 'b'], ['a', 'b']]);
});
test('what the failing pod holds is free for it', () => {
  const used = { cpu: 3, pods: 5 };
  const of = (spec: object, state: string) =>
    nodesWithout(
      anInput(asks({ cpu: '2' }), spec, {
        status: { state } as never,
        surroundings: { nodes: [node('n', {}, { used }), node('m', {}, { used })] as never },
      }),
    ).map((one) => one.used);
  assert.equal(of({ nodeName: 'n' }, 'running'), [{ cpu: 1, pods: 4 }, used]);
  assert.equal(of({ nodeName: 'n' }, 'waiting'), [{ cpu: 1, pods: 4 }, used]);
  assert.equal(of({ nodeName: 'n' }, 'terminated'), [used, used]);
  assert.equal(of({}, 'running'), [used, used]);
});

const ports = (...all: object[]) => ({ ports: all });
const hosts = (spec: object, container: object = ports({ containerPort: 1 }, { containerPort: 80, hostPort: 8080 }), held: object[] = []) =>
  hostPorts(anInput(container, spec, around({ hostPorts: held as never })));
rows('a port of the node', {
  'is given up': [hosts({}).corrections, likely({ 'ports[1].hostPort': null }, NO_MIRROR)],
  'is given up with the network': [
    hosts({ hostNetwork: true }).corrections,
    likely({ 'spec.hostNetwork': null, 'ports[1].hostPort': null }, NO_MIRROR),
  ],
  'that it does not have': [hosts({}, ports({ containerPort: 1 })).corrections, []],
});
test('who holds a port of the node', () => {
  const held = [
    { pod: 'a/x', node: 'n', port: 8080 },
    { pod: 'b/y', node: '', port: 8080 },
    { pod: 'c/z', node: 'm', port: 1 },
  ];
  assert.equal([hosts({}).culprit, hosts({}, {}).culprit, hosts({}).because], ['hostPort 8080', 'hostPort', undefined]);
  assert.is(hosts({}, undefined, held).because, 'its host port is taken: `a/x` has port `8080` of node `n`, `b/y` has port `8080`');
});
rows('a network of its own', {
  'for a pod on that of the node': [
    ownNetwork(
      anInput(ports({ containerPort: 80, hostPort: 80 }, { containerPort: 1 }, { containerPort: 2, hostPort: 3 }), {
        hostNetwork: true,
        dnsPolicy: 'ClusterFirstWithHostNet',
      }),
      '80',
    ),
    guess({ 'spec.hostNetwork': null, 'spec.dnsPolicy': null, 'ports[0].hostPort': null }, NO_MIRROR),
  ],
  'with its own DNS': [
    ownNetwork(anInput({}, { hostNetwork: true, dnsPolicy: 'Default' }), ''),
    guess({ 'spec.hostNetwork': null }, NO_MIRROR),
  ],
  'that it has': [ownNetwork(anInput(), '80'), []],
});

const toPods = (kind: 'podAffinity' | 'podAntiAffinity', terms: object[], services: object[] = []) =>
  podAffinity(anInput({}, { affinity: { [kind]: { [REQUIRED]: terms } } }, around({ services: services as never })), kind);
const term = (labels: object, more: object = {}) => ({ labelSelector: { matchLabels: labels }, topologyKey: 'zone', ...more });
const soft = (kind: string, ...terms: object[]) =>
  likely(
    {
      [`spec.affinity.${kind}.${REQUIRED}`]: null,
      [`spec.affinity.${kind}.preferredDuringSchedulingIgnoredDuringExecution`]: terms.map((podAffinityTerm) => ({
        weight: 100,
        podAffinityTerm,
      })),
    },
    NO_MIRROR,
  );
const POD = `spec.affinity.podAffinity.${REQUIRED}[0]`;
const [CACHE, SERVICE] = [term({ app: 'cache' }), { name: 's', selector: { app: 'redis-cache' } }];
rows('an affinity to pods', {
  'becomes a preference': [toPods('podAffinity', [CACHE]), soft('podAffinity', CACHE)],
  'against pods becomes a preference': [toPods('podAntiAffinity', [CACHE], [SERVICE]), soft('podAntiAffinity', CACHE)],
  'that are called otherwise': [
    toPods('podAffinity', [CACHE], [SERVICE]).slice(0, 1),
    likely({ [`${POD}.labelSelector.matchLabels.app`]: 'redis-cache' }, NO_MIRROR),
  ],
  'that are called so': [toPods('podAffinity', [CACHE], [SERVICE, { name: 't', selector: { app: 'cache' } }]), soft('podAffinity', CACHE)],
  'of a Service without pods': [
    toPods('podAffinity', [CACHE], [{ ...SERVICE, selected: { pods: 0, ready: 0 } }]),
    soft('podAffinity', CACHE),
  ],
  'of two terms': [toPods('podAffinity', [CACHE, CACHE], [SERVICE]), soft('podAffinity', CACHE, CACHE)],
  'of two labels': [
    toPods('podAffinity', [term({ app: 'cache', x: 'y' })], [SERVICE]),
    soft('podAffinity', term({ app: 'cache', x: 'y' })),
  ],
  'in another namespace': [
    toPods('podAffinity', [term({ app: 'cache' }, { namespaces: ['prod'] })], [{ name: 's', selector: { app: 'cache' } }]).slice(0, 1),
    likely({ [`${POD}.namespaces`]: null }, NO_MIRROR),
  ],
  'in its own namespace': [
    toPods('podAffinity', [term({ app: 'cache' }, { namespaces: ['shop'] })], [{ name: 's', selector: { app: 'cache' } }]),
    soft('podAffinity', term({ app: 'cache' }, { namespaces: ['shop'] })),
  ],
  'that a pod does not have': [toPods('podAffinity', []), []],
});

const volume = (name: string, more: object = {}) => ({ name, storageClass: '', accessModes: ['ReadWriteOnce'], size: '1Gi', ...more });
const claimed = (claim: object, surroundings: object = {}) =>
  waitingClaim(
    anInput(
      {},
      { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }] },
      around({ claims: [{ name: 'data', phase: 'Pending', ...claim }], ...surroundings } as never),
    ),
  );
const MANUAL = { storageClass: '', accessModes: ['ReadWriteOnce'], size: '1Gi' };
const BOUND = 'volume "pv" already bound to a different claim.';
for (const [sentence, claim, surroundings, because] of [
  [
    'too small a volume',
    { ...MANUAL, size: '2Gi' },
    { volumes: [volume('pv')], storageClasses: [] },
    '`pv` does not fit, because it has `1Gi` and the claim asks for `2Gi`',
  ],
  [
    'another class',
    { ...MANUAL, storageClass: 'x' },
    { volumes: [volume('pv')], storageClasses: [] },
    'it has no storage class and the claim the storage class `x`',
  ],
  [
    'another class of the volume',
    MANUAL,
    { volumes: [volume('pv', { storageClass: 'y' })], storageClasses: [] },
    'it has the storage class `y` and the claim no storage class',
  ],
  [
    'another access mode',
    { ...MANUAL, accessModes: ['ReadWriteMany'] },
    { volumes: [volume('pv')], storageClasses: [] },
    'it has not the access mode `ReadWriteMany`',
  ],
  [
    'a volume of another claim',
    { ...MANUAL, volume: 'pv' },
    { volumes: [volume('pv', { claim: 'shop/other' })], storageClasses: [] },
    'it is kept for the claim `shop/other`',
  ],
  [
    'the nearest of two volumes',
    { ...MANUAL, size: '2Gi' },
    { volumes: [volume('a', { storageClass: 'z' }), volume('b')], storageClasses: [] },
    '`b` does not fit',
  ],
  [
    'two misses',
    { ...MANUAL, size: '2Gi', accessModes: ['ReadWriteMany'] },
    { volumes: [volume('pv')], storageClasses: [] },
    'names no storage class, so it can only use a volume that somebody created',
  ],
  [
    'two misses of the volume that is meant',
    { ...MANUAL, size: '2Gi', accessModes: ['ReadWriteMany'], volume: 'pv' },
    { volumes: [volume('pv')], storageClasses: [] },
    'asks for `2Gi`, and it has not the access mode',
  ],
  ['a volume that fits', MANUAL, { volumes: [volume('pv')], storageClasses: [] }, 'names no storage class'],
  [
    'volumes that are made when they are needed',
    { storageClass: 'fast', size: '2Gi' },
    { volumes: [volume('pv')], storageClasses: [{ name: 'fast', isDefault: false }] },
    'waits for a volume of storage class `fast`',
  ],
  ['a volume of nobody that is known', { ...MANUAL, problem: BOUND }, {}, 'names the volume `pv`, which is bound to another claim'],
  [
    'a volume of somebody else',
    { ...MANUAL, problem: BOUND },
    { volumes: [volume('pv', { claim: 'shop/other' })] },
    'which belongs to the claim `shop/other`',
  ],
  [
    'a volume of an older self',
    { ...MANUAL, problem: BOUND },
    { volumes: [volume('pv', { claim: 'shop/data' })] },
    'which still belongs to a claim that was deleted',
  ],
  [
    'a class that its event says is not there',
    { storageClass: 'fast', problem: 'storageclass.storage.k8s.io "fast" not found' },
    {},
    'names the storage class `fast`, which does not exist',
  ],
  ['a problem of its class', { storageClass: 'fast', problem: 'quota' }, {}, 'gets no volume: `quota`'],
  [
    'no class',
    { storageClass: '', accessModes: ['ReadWriteOnce'] },
    {},
    'has no storage class, and no existing volume fits it (access mode `ReadWriteOnce`)',
  ],
  ['no class, and what its event says', { storageClass: '', problem: 'node affinity' }, {}, 'gets no volume: `node affinity`'],
  ['nothing that anybody knows', {}, {}, undefined],
] as const)
  test(`a claim that waits, for ${sentence}`, () => {
    const found = claimed(claim, surroundings);
    if (because === undefined) assert.is(found, undefined);
    else assert.match(found?.because ?? '', because);
  });
test('the claim of an ephemeral volume is called after the pod', () => {
  const of = (name: string) =>
    waitingClaim(
      anInput({}, { volumes: [{ name: 'd', ephemeral: {} }] }, around({ claims: [{ name, phase: 'Pending', storageClass: '' }] })),
    );
  assert.equal([of('web-d')?.culprit, of('d')], ['PersistentVolumeClaim web-d', undefined]);
});
const used = (claim: string, ...claims: string[]) =>
  usedOf(
    claim,
    claims.map((name) => ({ name, phase: 'Bound', usedOn: ['a'] })),
  );
const usedOf = (claim: string, claims: NonNullable<Surroundings['claims']>) =>
  otherClaim(
    anInput(
      {},
      {
        volumes: [
          { name: 'x', emptyDir: {} },
          { name: 'd', persistentVolumeClaim: { claimName: 'dta' } },
        ],
      },
      around({ claims }),
    ),
    claim,
  );
rows('a claim that is not there', {
  'has a near one': [used('dta', 'other', 'data'), likely({ 'spec.volumes[1].persistentVolumeClaim.claimName': 'data' }, NO_MIRROR)],
  'has none': [used('dta', 'other'), []],
  'has that of a pod of a StatefulSet': [
    used('dta', 'other', 'data-0'),
    likely({ 'spec.volumes[1].persistentVolumeClaim.claimName': 'data-0' }, NO_MIRROR),
  ],
  'has two of a StatefulSet': [used('dta', 'data-0', 'data-1'), []],
  'has one that no pod uses': [
    usedOf('dta', [{ name: 'other', phase: 'Bound' }]),
    guess({ 'spec.volumes[1].persistentVolumeClaim.claimName': 'other' }, NO_MIRROR),
  ],
  'has two that no pod uses': [
    usedOf(
      'dta',
      ['other', 'more'].map((name) => ({ name, phase: 'Bound' })),
    ),
    [],
  ],
  'has one that has no volume yet': [usedOf('dta', [{ name: 'other', phase: 'Pending' }]), []],
  'is not named by the pod': [used('dat', 'data'), []],
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { ClusterUnavailable, KindNotServed, KubeError } from '../../src/kube/errors.ts';
import type { Kind } from '../../src/kube/kinds.ts';
import { secretNamesOf } from '../../src/kube/secret-names.ts';
import { surroundingsOf } from '../../src/kube/surroundings.ts';
import { aDeployment, aSet } from '../support/builders/revisions.ts';

const around = suite('what is around a failing pod');

const run = (image: string) => ({ containers: [{ name: 'app', image }] });
const two = [
  { number: 1, spec: run('web:1'), ready: 1 },
  { number: 2, spec: run('web:2') },
];
const selecting = (workload: KubeObject) => ({ ...workload, spec: { selector: { matchLabels: { app: 'web' } } } });

/** A cluster with one workload and its revisions. Resources in `refused` may not be listed. */
function cluster({ workload, history }: ReturnType<typeof aDeployment>, refused: string[] = []) {
  const asked: string[] = [];
  const client = {
    read: async (kind: Kind, namespace?: string, name?: string) => {
      asked.push(`get ${kind.plural} ${namespace}/${name}`);
      return (kind.kind === workload.kind && name === 'web' ? selecting(workload) : undefined) as never;
    },
    list: async (kind: Kind, selection?: { namespace?: string; labelSelector?: string }) => {
      asked.push(`list ${kind.plural} ${selection?.namespace ?? '*'} ${selection?.labelSelector ?? ''}`.trimEnd());
      if (refused.includes(kind.plural)) throw new KubeError(403, 'Forbidden', 'no');
      // The items of a list have no kind.
      return history.filter((object) => object.kind === kind.kind).map(({ kind: _, ...object }) => object) as never[];
    },
    page: async () => ({ items: [], resourceVersion: '1' }) as never,
  };
  return { asked, of: surroundingsOf({ client, watchNamespaces: [], now: () => new Date(0) }) };
}

around('the memory that containers use is known where the metrics API serves it', async () => {
  const metrics = { metadata: { name: 'web-1' }, containers: [{ name: 'app', usage: { memory: '40Mi' } }] };
  const read = (answer: () => Promise<KubeObject[]>) =>
    surroundingsOf({
      client: {
        read: async () => undefined,
        list: async (kind: Kind) => (kind.kind === 'PodMetrics' ? answer() : []) as never,
        page: async () => ({ items: [], resourceVersion: '1' }) as never,
      },
      watchNamespaces: [],
      now: () => new Date(0),
    })('shop');
  assert.equal((await read(async () => [metrics])).memoryUse, [{ pod: 'web-1', container: 'app', memory: '40Mi' }]);
  for (const error of [new KindNotServed('pods'), new ClusterUnavailable('503'), new KubeError(403, 'Forbidden', 'no')])
    assert.is((await read(() => Promise.reject(error))).memoryUse, undefined);
});

around('Services know their pods, when all pods are known', async () => {
  const pod = { metadata: { name: 'db-0', namespace: 'shop', labels: { app: 'pg' } }, spec: { containers: [] } };
  const service = { metadata: { name: 'db' }, spec: { selector: { app: 'pg' }, ports: [] } };
  const read = async (page: object) => {
    const client = {
      read: async () => undefined,
      list: async (kind: Kind) => (kind.kind === 'Service' ? [service] : []) as never,
      page: async () => ({ items: [pod], resourceVersion: '1', ...page }) as never,
    };
    return (await surroundingsOf({ client, watchNamespaces: [], now: () => new Date(0) })('shop')).services?.[0];
  };
  assert.equal((await read({}))?.selected, { pods: 1, ready: 0 });
  assert.is((await read({ continueToken: 'more' }))?.selected, undefined);
});

around('servers of the namespace say what they were set up with, and ConfigMaps have their values', async () => {
  const env = [
    { name: 'POSTGRES_DB', value: 'orders' },
    { name: 'POSTGRES_PASSWORD', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } },
    { name: 'OTHER', value: 'x' },
  ];
  const pod = (namespace: string) => ({
    metadata: { name: 'db-0', namespace, labels: { app: 'pg' } },
    spec: { containers: [{ name: 'pg', image: 'postgres', env }] },
  });
  const maps = [
    { metadata: { name: 'web' }, data: { REALM: 'staff', huge: 'x'.repeat(10_000) } },
    { metadata: { name: 'kube-root-ca.crt' }, data: { 'ca.crt': 'x' } },
  ];
  const client = {
    read: async () => undefined,
    list: async (kind: Kind) => (kind.kind === 'ConfigMap' ? maps : []) as never,
    page: async () => ({ items: [pod('shop'), pod('other')], resourceVersion: '1' }) as never,
  };
  const { servers, settings, configMaps } = await surroundingsOf({ client, watchNamespaces: [], now: () => new Date(0) })('shop');
  assert.equal(servers, [{ labels: { app: 'pg' }, names: { database: 'orders' }, password: { secret: 'db', key: 'password' } }]);
  assert.equal(settings, [{ object: 'web', key: 'REALM', value: 'staff' }]);
  assert.equal(
    configMaps?.map(({ name, keys }) => [name, keys]),
    [
      ['web', ['REALM', 'huge']],
      ['kube-root-ca.crt', ['ca.crt']],
    ],
  );
});

around('a Deployment’s ReplicaSets are found by its labels, and read once for many pods', async () => {
  const { asked, of } = cluster(aDeployment(two));
  const owner = { kind: 'Deployment', name: 'web' };
  const [first] = await Promise.all([of('shop', owner), of('shop', owner)]);
  assert.equal([first?.revisions?.before, first?.revisions?.serving], [1, 1]);
  assert.equal(
    asked.filter((line) => /deployments|replicasets/.test(line)),
    ['get deployments shop/web', 'list replicasets shop app=web'],
  );
});

for (const kind of ['StatefulSet', 'DaemonSet'] as const)
  around(`a ${kind} keeps ControllerRevisions`, async () => {
    const { asked, of } = cluster(aSet(kind, two, {}));
    const { revisions } = await of('shop', { kind, name: 'web' });
    assert.is(revisions?.previous.containers[0]?.image, 'web:1');
    assert.ok(asked.includes('list controllerrevisions shop app=web'));
  });

around('no revisions are read without a workload, or if it keeps none or is gone', async () => {
  const { asked, of } = cluster(aDeployment(two));
  for (const workload of [undefined, null, { kind: 'Job', name: 'web' }, { kind: 'Deployment', name: 'gone' }])
    assert.is((await of('shop', workload)).revisions, undefined);
  assert.not.ok(asked.some((line) => /list (?:replicasets|controllerrevisions)/.test(line)));
});

around('quotas come with their usage; with the scopes of each, malformed ones are empty', async () => {
  const { of } = cluster({
    workload: { kind: 'Pod', metadata: {} },
    history: [
      { kind: 'ResourceQuota', metadata: { name: 'team' }, status: { hard: { pods: '5' }, used: { pods: 3 } } },
      { kind: 'ResourceQuota', metadata: { name: 'new' }, spec: { scopes: ['BestEffort'], hard: { pods: '1' } } },
      {
        kind: 'ResourceQuota',
        metadata: { name: 'dear' },
        spec: {
          scopeSelector: { matchExpressions: [{ operator: 'In', scopeName: 'PriorityClass', values: ['high'] }] },
          hard: { pods: '1' },
        },
      },
      { kind: 'ResourceQuota', metadata: { name: 'odd' }, spec: 'x', status: [1] },
    ],
  } as never);
  assert.equal((await of('shop')).quotas, [
    { name: 'team', scopes: [], hard: { pods: '5' }, used: { pods: '3' } },
    { name: 'new', scopes: ['BestEffort'], hard: { pods: '1' }, used: {} },
    { name: 'dear', scopes: ['PriorityClass'], hard: { pods: '1' }, used: {} },
    { name: 'odd', scopes: [], hard: {}, used: {} },
  ]);
});

around('claims come with their storage class, and classes say which one is the default', async () => {
  const key = 'storageclass.kubernetes.io/is-default-class';
  const { of } = cluster({
    workload: { kind: 'Pod', metadata: {} },
    history: [
      { kind: 'PersistentVolumeClaim', metadata: { name: 'data' }, spec: { storageClassName: 'fats' }, status: { phase: 'Pending' } },
      { kind: 'PersistentVolumeClaim', metadata: { name: 'new' } },
      { kind: 'StorageClass', metadata: { name: 'fast', annotations: { [key]: 'true' } } },
      { kind: 'StorageClass', metadata: { name: 'slow' } },
    ],
  } as never);
  const { claims, storageClasses } = await of('shop');
  assert.equal(claims, [
    { name: 'data', phase: 'Pending', storageClass: 'fats' },
    { name: 'new', phase: 'Unknown' },
  ]);
  assert.equal(storageClasses, [
    { name: 'fast', isDefault: true },
    { name: 'slow', isDefault: false },
  ]);
});

around('a claim comes with what its newest event says, and with the nodes on which pods use it', async () => {
  const about = (name: string, message: string) => ({
    metadata: {},
    reason: 'ProvisioningFailed',
    message,
    involvedObject: { kind: 'PersistentVolumeClaim', name },
  });
  const pod = (nodeName: string, phase = 'Running') => ({
    metadata: { name: `on-${nodeName}`, namespace: 'shop' },
    spec: {
      nodeName,
      containers: [{ name: 'app', resources: { requests: { cpu: '500m' } } }],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'held' } }],
    },
    status: { phase },
  });
  const lists: Record<string, object[]> = {
    PersistentVolumeClaim: [
      { metadata: { name: 'data' }, spec: { storageClassName: 'fats' }, status: { phase: 'Pending' } },
      { metadata: { name: 'held' }, spec: { accessModes: ['ReadWriteOnce'] }, status: { phase: 'Bound' } },
    ],
    Event: [about('data', 'storageclass.storage.k8s.io "fats" not found'), about('other', 'x')],
    LimitRange: [{ metadata: { name: 'sizes' }, spec: { limits: [{ type: 'Container', max: { memory: '1Gi' } }, { type: 'Pod' }] } }],
    NetworkPolicy: [{ metadata: { name: 'quiet' }, spec: { podSelector: {} } }, { metadata: { name: 'empty' } }],
    Namespace: [{ metadata: { name: 'shop', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } }],
    Node: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }],
  };
  const asked: unknown[] = [];
  const read = (watchNamespaces: string[]) =>
    surroundingsOf({
      client: {
        read: async () => undefined,
        list: async (kind: Kind, selection?: object) => {
          asked.push([kind.kind, selection]);
          return (lists[kind.kind] ?? []) as never;
        },
        page: async () => ({ items: [pod('a'), pod('b', 'Succeeded')], resourceVersion: '1' }) as never,
      },
      watchNamespaces,
      now: () => new Date(0),
    })('shop');
  const whole = await read([]);
  assert.equal(whole.claims, [
    { name: 'data', phase: 'Pending', storageClass: 'fats', problem: 'storageclass.storage.k8s.io "fats" not found' },
    { name: 'held', phase: 'Bound', accessModes: ['ReadWriteOnce'], usedOn: ['a'] },
  ]);
  assert.equal(whole.limitRanges, [{ name: 'sizes', min: {}, max: { memory: '1Gi' } }]);
  assert.equal(whole.networkPolicies, [
    { name: 'quiet', spec: { podSelector: {} } },
    { name: 'empty', spec: {} },
  ]);
  assert.equal(whole.podSecurity, { level: 'restricted', minor: Infinity });
  assert.equal(
    whole.nodes?.map(({ used }) => used),
    [{ pods: 1, cpu: 0.5 }, {}],
  );
  assert.ok(
    asked.some(
      (one) => JSON.stringify(one) === '["Event",{"namespace":"shop","fieldSelector":"involvedObject.kind=PersistentVolumeClaim"}]',
    ),
  );
  assert.equal(
    (await read(['shop'])).nodes?.map(({ used }) => used),
    [undefined, undefined],
    'pods of other namespaces are not known',
  );
});

around('if revisions may not be read, everything else is still there', async () => {
  const { revisions, services } = await cluster(aDeployment(two), ['replicasets']).of('shop', { kind: 'Deployment', name: 'web' });
  assert.equal([revisions, services], [undefined, []]);
});

const SECRETS = [
  { metadata: { name: 'db', namespace: 'shop' }, data: { password: 'aHVudGVyMg==', user: 'cm9vdA==' }, type: 'Opaque' },
  { metadata: { name: 'empty', namespace: 'shop' } },
];

/** A cluster that lists one Secret per page, or refuses to list them. */
function vault(error?: Error) {
  const asked: string[] = [];
  const told: string[] = [];
  const client = {
    read: async () => undefined,
    list: async () => [],
    page: async (kind: Kind, { namespace }: { namespace?: string | undefined }, query: { continue?: string }) => {
      if (kind.kind !== 'Secret') return { items: [], resourceVersion: '1' } as never;
      asked.push(`${namespace} ${query.continue ?? ''}`.trim());
      if (error) throw error;
      const at = Number(query.continue ?? 0);
      return { items: [SECRETS[at]], resourceVersion: '1', ...(at === 0 ? { continueToken: '1' } : {}) } as never;
    },
  };
  const secretNames = secretNamesOf({ client, log: { warn: (fields, text) => told.push(JSON.stringify([fields, text])) } });
  const of = (granted: boolean) =>
    surroundingsOf({ client, watchNamespaces: [], now: () => new Date(0), ...(granted ? { secretNames } : {}) });
  return { asked, told, of };
}

around('Secrets are not read unless the installation wants it', async () => {
  const { asked, of } = vault();
  assert.is((await of(false)('shop')).secrets, undefined);
  assert.equal(asked, []);
});

around('only names, types and key names of Secrets are kept', async () => {
  const { asked, told, of } = vault();
  assert.equal((await of(true)('shop')).secrets, [
    { name: 'db', keys: ['password', 'user'], type: 'Opaque' },
    { name: 'empty', keys: [] },
  ]);
  assert.equal([asked, told], [['shop', 'shop 1'], []]);
});

around('if Secrets may not be read, that is reported once, and everything else is still there', async () => {
  const { told, of } = vault(new KubeError(403, 'Forbidden', 'no'));
  const ask = of(true);
  for (const namespace of ['shop', 'bank']) {
    const { secrets, services } = await ask(namespace);
    assert.equal([secrets, services], [undefined, []]);
  }
  assert.is(told.length, 1);
  assert.match(told[0] ?? '', /READ_SECRET_NAMES/);
});

around('images are known from containers that have run them, not from pods that only name them', async () => {
  const pod = (name: string, state: object, imageID: string) => ({
    metadata: { name },
    spec: { containers: [{ name: 'app', image: name }] },
    status: { containerStatuses: [{ name: 'app', imageID, state }] },
  });
  const pods = [
    pod('web:1', { running: { startedAt: '2026-05-01T10:00:00Z' } }, 'sha256:1'),
    pod('web:11', { waiting: { reason: 'ImagePullBackOff' } }, ''),
  ];
  const client = {
    read: async () => undefined as never,
    list: async () => [] as never[],
    page: async () => ({ items: pods, resourceVersion: '1' }) as never,
  };
  const { images } = await surroundingsOf({ client, watchNamespaces: [], now: () => new Date(0) })('shop');
  assert.equal(images, ['web:1']);
});

around('what is said of a case names no pod, image or claim of a hidden namespace, but what they take is taken', async () => {
  const pod = (name: string, namespace: string) => ({
    metadata: { name, namespace },
    spec: {
      nodeName: 'a',
      containers: [{ name: 'app', image: `${name}:1`, ports: [{ hostPort: 80 }], resources: { requests: { cpu: '1' } } }],
    },
    status: { phase: 'Running', containerStatuses: [{ name: 'app', imageID: 'sha256:1', state: { running: {} } }] },
  });
  const volume = (namespace: string) => ({ metadata: { name: `pv-${namespace}` }, spec: { claimRef: { namespace, name: 'data' } } });
  const lists: Record<string, unknown[]> = {
    Node: [{ metadata: { name: 'a' } }],
    PersistentVolume: [volume('shop'), volume('vault')],
  };
  const client = {
    read: async () => undefined as never,
    list: async (kind: Kind) => (lists[kind.kind] ?? []) as never[],
    page: async () => ({ items: [pod('web', 'shop'), pod('safe', 'vault')], resourceVersion: '1' }) as never,
  };
  const { images, hostPorts, nodes, volumes } = await surroundingsOf({
    ...{ client, watchNamespaces: [], hiddenNamespaces: ['vault'], now: () => new Date(0) },
  })('shop');
  assert.equal(images, ['web:1']);
  assert.equal(
    hostPorts?.map((one) => one.pod),
    ['shop/web', '***'],
  );
  assert.equal(
    volumes?.map((one) => one.claim),
    ['shop/data', '***'],
  );
  assert.is(nodes?.[0]?.used?.['cpu'], 2);
});

/** Reads the pods of a cluster in these pages. */
async function withPages(pages: (object[] | Error)[], watchNamespaces: string[] = []) {
  const asked: string[] = [];
  const image = (name: string) => ({
    metadata: { name, namespace: 'shop' },
    spec: { nodeName: 'a', containers: [{ name: 'app', image: `${name}:1`, resources: { requests: { cpu: '1' } } }] },
    status: { phase: 'Running', containerStatuses: [{ name: 'app', imageID: 'sha256:1', state: { running: {} } }] },
  });
  const client = {
    read: async () => undefined as never,
    list: async (kind: Kind) => (kind.kind === 'Node' ? [{ metadata: { name: 'a' } }] : []) as never[],
    page: async (kind: Kind, { namespace }: { namespace?: string }, { limit, continue: token }: { limit: number; continue?: string }) => {
      if (kind.kind !== 'Pod') return { items: [], resourceVersion: '1' } as never;
      asked.push(`${namespace ?? '*'} ${limit} ${token ?? ''}`.trim());
      const page = pages.shift() ?? [];
      if (page instanceof Error) throw page;
      const items = page.map((one) => ('name' in one ? image(String(one.name)) : one));
      return { items, resourceVersion: '1', ...(pages.length > 0 && watchNamespaces.length === 0 ? { continueToken: 'x' } : {}) } as never;
    },
  };
  const { images, nodes } = await surroundingsOf({ client, watchNamespaces, now: () => new Date(0) })('shop');
  return { asked, images, used: nodes?.[0]?.used?.['cpu'] };
}
const named = (...names: string[]) => names.map((name) => ({ name }));

around('all pages of pods are read, and then it is known what nodes have to give', async () => {
  assert.equal(await withPages([named('a'), named('b')]), { asked: ['* 500', '* 500 x'], images: ['a:1', 'b:1'], used: 2 });
});

around('no more than 2,000 pods are read; then nothing is known of what nodes have to give', async () => {
  const many = Array.from({ length: 1_000 }, () => ({ name: 'a' }));
  const { asked, used } = await withPages([many, many, named('b')]);
  assert.equal([asked.length, used], [2, undefined]);
});

around('pods that may not be read say nothing, and a namespace that may not be read does not hide the others', async () => {
  const denied = () => new KubeError(403, 'Forbidden', 'no');
  assert.equal(await withPages([denied()]), { asked: ['* 500'], images: undefined, used: undefined });
  assert.equal(await withPages([denied(), named('b')], ['one', 'shop']), {
    asked: ['one 500', 'shop 500'],
    images: ['b:1'],
    used: undefined,
  });
});

/** The Services that a case in namespace `shop` knows of other namespaces. */
async function elsewhereOf(services: object[] | Error, { watch = [], hidden = [] }: { watch?: string[]; hidden?: string[] } = {}) {
  const client = {
    read: async () => undefined as never,
    list: async () => [] as never[],
    page: async (kind: Kind, { namespace }: { namespace?: string }) => {
      if (kind.kind !== 'Service') return { items: [], resourceVersion: '1' } as never;
      if (services instanceof Error) throw services;
      const items = services.filter((one) => namespace === undefined || (one as KubeObject).metadata.namespace === namespace);
      return { items, resourceVersion: '1' } as never;
    },
  };
  const around = surroundingsOf({ client, watchNamespaces: watch, hiddenNamespaces: hidden, now: () => new Date(0) });
  return (await around('shop')).servicesElsewhere;
}
const inNamespace = (name: string, namespace: string) => ({ metadata: { name, namespace } });

around('Services of other namespaces are known by their names', async () => {
  const services = [inNamespace('db', 'two'), inNamespace('db', 'one'), inNamespace('web', 'shop'), inNamespace('mail', 'one')];
  assert.equal(await elsewhereOf(services), [
    { name: 'db', namespaces: ['one', 'two'] },
    { name: 'mail', namespaces: ['one'] },
  ]);
  assert.equal(await elsewhereOf(services, { watch: ['shop', 'two'] }), [{ name: 'db', namespaces: ['two'] }]);
  assert.equal(await elsewhereOf(services, { hidden: ['one'] }), [{ name: 'db', namespaces: ['two'] }]);
  assert.is(await elsewhereOf(new KubeError(403, 'Forbidden', 'no')), undefined);
});

around('a node comes with its labels, taints and what it offers', async () => {
  const node = {
    metadata: { name: 'a', labels: { zone: 'x' } },
    spec: {
      taints: [
        { key: 'gpu', value: 'yes', effect: 'NoSchedule' },
        { key: 'old', effect: 'NoExecute' },
      ],
    },
    status: { allocatable: { cpu: '2' } },
  };
  const client = {
    read: async () => undefined as never,
    list: async (kind: Kind) => (kind.kind === 'Node' ? [node, { metadata: { name: 'b' } }] : []) as never[],
    page: async () => Promise.reject(new KubeError(403, 'Forbidden', 'no')),
  };
  const { nodes } = await surroundingsOf({ client, watchNamespaces: [], now: () => new Date(0) })('shop');
  assert.equal(nodes, [
    {
      name: 'a',
      labels: { zone: 'x' },
      allocatable: { cpu: '2' },
      taints: [
        { key: 'gpu', effect: 'NoSchedule', value: 'yes' },
        { key: 'old', effect: 'NoExecute' },
      ],
    },
    { name: 'b', labels: {}, allocatable: {}, taints: [] },
  ]);
});

around('a bound volume fits no other claim; a Service has its selector and the numbers of its ports', async () => {
  const lists: Record<string, object[]> = {
    PersistentVolume: [
      { metadata: { name: 'free' }, status: { phase: 'Available' } },
      { metadata: { name: 'bound' }, status: { phase: 'Bound' } },
    ],
    Service: [
      { metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80 }] } },
      { metadata: { name: 'bare' } },
    ],
  };
  const client = {
    read: async () => undefined as never,
    list: async (kind: Kind) => (lists[kind.kind] ?? []) as never[],
    page: async () => Promise.reject(new KubeError(403, 'Forbidden', 'no')),
  };
  const { volumes, services } = await surroundingsOf({ client, watchNamespaces: [], now: () => new Date(0) })('shop');
  assert.equal(
    volumes?.map(({ name }) => name),
    ['free'],
  );
  assert.equal(services, [
    { name: 'web', selector: { app: 'web' }, ports: [80] },
    { name: 'bare', ports: [] },
  ]);
});

around.run();

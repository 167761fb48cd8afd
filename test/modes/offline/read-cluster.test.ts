import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import { ClusterUnavailable, KubeError } from '../../../src/kube/errors.ts';
import type { Kind } from '../../../src/kube/kinds.ts';
import { InputError } from '../../../src/modes/mode.ts';
import { NoSuchPod, readLive } from '../../../src/modes/offline/read-cluster.ts';

const test = suite('what is read of a cluster');

type Object = KubeObject & Record<string, unknown>;
const LAST = 'kubectl.kubernetes.io/last-applied-configuration';
const anObject = (kind: string, name: string, over: object = {}, metadata: object = {}): Object =>
  ({
    kind,
    metadata: { name, namespace: 'shop', uid: `${kind}-${name}`, managedFields: [{}], ...metadata },
    spec: {},
    ...over,
  }) as unknown as Object;
const ownedBy = (kind: string, name: string, apiVersion = 'apps/v1') => ({
  ownerReferences: [{ apiVersion, kind, name, uid: `${kind}-${name}`, controller: true }],
});
const status = (state: object, restartCount = 0) => ({
  phase: 'Running',
  containerStatuses: [{ name: 'app', image: 'web:1', ready: false, restartCount, state, ...(restartCount ? { lastState: ended(3) } : {}) }],
});
const ended = (exitCode: number) => ({ terminated: { exitCode, reason: 'Error' } });
const crashed = status({ waiting: { reason: 'CrashLoopBackOff' } }, 4);
const spec = { containers: [{ name: 'app', image: 'web:1', env: [] }] };
const aPod = (name: string, over: object = {}, metadata: object = {}): Object =>
  anObject('Pod', name, { spec, status: crashed, ...over }, metadata);

interface World {
  objects?: Object[];
  /** The codes with which collections are refused, by plural name. */
  refused?: Record<string, number>;
  /** The log of each run, as `pod container previous`. */
  logs?: Record<string, string | Error>;
  /** Whether there are more pods than one page. */
  more?: boolean;
}
function aCluster({ objects = [], refused = {}, logs = {}, more = false }: World) {
  const asked: string[] = [];
  const check = ({ plural, apiVersion }: Kind) => {
    const code = refused[plural] ?? refused[`${plural}.${apiVersion}`];
    if (code === 0) throw new ClusterUnavailable('away');
    if (code) throw new KubeError(code, 'x', 'no');
  };
  const find = (kind: Kind, namespace?: string) =>
    objects.filter(
      (one) => one.kind === kind.kind && (namespace === undefined || !kind.namespaced || one.metadata.namespace === namespace),
    );
  const client = {
    async read(kind: Kind, namespace: string | undefined, name: string) {
      asked.push(`read ${kind.plural} ${name}`);
      check(kind);
      return find(kind, namespace).find(({ metadata }) => metadata.name === name);
    },
    async list(kind: Kind, { namespace, fieldSelector }: { namespace?: string; fieldSelector?: string } = {}) {
      asked.push(`list ${kind.kind === 'PodMetrics' ? 'metrics of ' : ''}${kind.plural}${fieldSelector ? ` ${fieldSelector}` : ''}`);
      check(kind);
      return find(kind, namespace);
    },
    async page(kind: Kind, { namespace }: { namespace?: string }, { limit }: { limit: number }) {
      asked.push(`page ${kind.plural} ${namespace ?? '*'} ${limit}`);
      check(kind);
      return { items: find(kind, namespace), resourceVersion: '1', ...(more ? { continueToken: 'x' } : {}) };
    },
    async logs(namespace: string, pod: string, options: { container: string; previous: boolean; tailLines: number; limitBytes: number }) {
      const { container, previous, tailLines, limitBytes } = options;
      asked.push(`log ${namespace} ${tailLines} ${limitBytes}`);
      const text = logs[`${pod} ${container} ${String(previous)}`];
      if (text instanceof Error) throw text;
      return text ?? '';
    },
  };
  return { asked, client: client as never };
}
const names = (objects: readonly KubeObject[]) => objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
const refusal = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error('it was read'),
    (error: Error) => error,
  );

test('a pod, its owners and their history; the CronJobs of its Job; its events; nothing is asked twice', async () => {
  const job = anObject('Job', 'nightly-1', {}, ownedBy('CronJob', 'nightly', 'batch/v1'));
  const pod = aPod('web', {}, ownedBy('ReplicaSet', 'web-1'));
  const objects = [
    pod,
    aPod('nightly-x', {}, ownedBy('Job', 'nightly-1', 'batch/v1')),
    job,
    anObject('CronJob', 'nightly'),
    anObject('ReplicaSet', 'web-1', {}, ownedBy('Deployment', 'web')),
    anObject('ReplicaSet', 'web-0', {}, ownedBy('Deployment', 'web')),
    anObject('Deployment', 'web'),
    anObject('StatefulSet', 'db'),
  ];
  const web = aCluster({ objects });
  const live = await readLive(web.client, { namespace: 'shop', name: 'web' });
  assert.equal(names(live.recording.objects.slice(0, 4)), ['Pod web', 'ReplicaSet web-1', 'Deployment web', 'ReplicaSet web-0']);
  assert.equal(names(live.recording.objects.filter(live.isAsked)), ['Pod web'], 'the rest are surroundings');
  assert.ok(web.asked.includes('list events involvedObject.name=web'));
  assert.ok(web.asked.includes('list events involvedObject.kind=PersistentVolumeClaim'));
  assert.not.ok(
    web.asked.some((one) => /secrets|cronjobs|controllerrevisions/.test(one)),
    web.asked.join(),
  );

  const nightly = await readLive(aCluster({ objects }).client, { namespace: 'shop', name: 'nightly-x' });
  assert.equal(names(nightly.recording.objects.slice(0, 3)), ['Pod nightly-x', 'Job nightly-1', 'CronJob nightly']);
});

test('a namespace: all pods, workloads, schedules and their histories', async () => {
  const objects = [
    aPod('a'),
    aPod('b'),
    aPod('other', {}, { namespace: 'bank' }),
    ...['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'ControllerRevision', 'Event'].map((kind) =>
      anObject(kind, 'x'),
    ),
  ];
  const { client, asked } = aCluster({ objects });
  const { recording, isAsked } = await readLive(client, { namespace: 'shop', name: undefined });
  const found = names(recording.objects);
  assert.equal(names(recording.objects.filter(isAsked)), [
    ...['Pod a', 'Pod b', 'Deployment x', 'ReplicaSet x', 'StatefulSet x', 'DaemonSet x', 'Job x', 'CronJob x'],
  ]);
  assert.equal(found.slice(7, 10), ['ControllerRevision x', 'CronJob x', 'Event x']);
  assert.is(found.filter((one) => one === 'ReplicaSet x').length, 1);
  assert.ok(found.includes('Pod other'), 'pods of other namespaces are surroundings');
  assert.ok(asked.includes('list events'));
  assert.match(recording.takenAt ?? '', /^\d{4}-.*Z$/);
});

test('what explains nothing is not kept', async () => {
  const notes = { annotations: { [LAST]: '{}', note: 'kept' } };
  const objects = [
    aPod('a', {}, notes),
    anObject('CronJob', 'c', {}, notes),
    anObject('Event', 'e'),
    anObject('ControllerRevision', 'r', {}, notes),
  ];
  const { recording } = await readLive(aCluster({ objects }).client, { namespace: 'shop', name: undefined });
  for (const { kind, metadata } of recording.objects.slice(0, 4)) {
    assert.not.ok('managedFields' in metadata, kind);
    assert.equal(metadata.annotations, kind === 'Event' ? undefined : { note: 'kept' }, kind);
  }
  const cronJob = recording.objects.find(({ kind }) => kind === 'CronJob');
  assert.is(cronJob?.apiVersion, 'batch/v1', 'objects of a list have no version of their own');
});

test('the surroundings: what else is in the namespace and the cluster; Secrets only if asked for', async () => {
  const kinds = [
    'ConfigMap',
    'Secret',
    'ResourceQuota',
    'LimitRange',
    'Namespace',
    'Service',
    'NetworkPolicy',
    'PersistentVolumeClaim',
    'ServiceAccount',
    'PodMetrics',
  ];
  const objects = [
    aPod('web'),
    ...kinds.map((kind) => anObject(kind, kind === 'Namespace' ? 'shop' : 'x')),
    anObject('StorageClass', 'x'),
    anObject('PersistentVolume', 'free', { status: { phase: 'Available' } }),
    anObject('PersistentVolume', 'bound', { status: { phase: 'Bound' } }),
    anObject('Node', 'n'),
  ];
  const around = async (secretNames?: boolean) => {
    const question = { namespace: 'shop', name: 'web', ...(secretNames === undefined ? {} : { secretNames }) };
    return names((await readLive(aCluster({ objects }).client, question)).recording.objects.slice(1));
  };
  const cluster = ['StorageClass x', 'PersistentVolume free', 'Node n'];
  const all = kinds.map((kind) => `${kind} ${kind === 'Namespace' ? 'shop' : 'x'}`);
  assert.equal(await around(), [...all.filter((one) => one !== 'Secret x'), ...cluster]);
  assert.equal(await around(true), [...all, ...cluster]);
});

test('what nodes are asked for is known only when all pods are known; else pods of the namespace are read', async () => {
  const objects = [
    aPod('web'),
    aPod('near', { spec: { nodeName: 'n', containers: [{ name: 'a', resources: { requests: { cpu: '1' } } }] } }),
    anObject('Node', 'n'),
  ];
  const read = async (world: World, name: string | undefined = 'web') => {
    const { client, asked } = aCluster({ objects, ...world });
    const { recording } = await readLive(client, { namespace: 'shop', name });
    const node = recording.objects.find(({ kind }) => kind === 'Node') as { podmendRequested?: { cpu?: number } } | undefined;
    return { asked, requested: node?.podmendRequested, others: names(recording.objects).filter((one) => one === 'Pod near').length };
  };
  const whole = await read({});
  assert.equal([whole.requested?.cpu !== undefined, whole.others, whole.asked.includes('list pods')], [true, 1, false]);
  const part = await read({ more: true });
  assert.equal([part.requested, part.others, part.asked.includes('list pods')], [undefined, 1, true]);
});

test('logs: of failing pods, the run before a restart and the present one, as far as they are there', async () => {
  const running = status({ running: {} });
  const well = {
    ...running,
    conditions: [{ type: 'Ready', status: 'True' }],
    containerStatuses: [{ ...running.containerStatuses[0], ready: true }],
  };
  const objects = [aPod('web'), aPod('well', { status: well }), aPod('once', { status: { ...status(ended(1)), phase: 'Failed' } })];
  const logs = {
    'web app true': `${'x'.repeat(99)}\n`,
    'web app false': 'unable to retrieve container logs for containerd://x',
    'once app false': '',
  };
  const { client, asked } = aCluster({ objects, logs });
  const { recording } = await readLive(client, { namespace: 'shop', name: undefined });
  assert.equal(recording.logs, [
    { pod: 'web', container: 'app', previous: true, namespace: 'shop', text: 'x'.repeat(99) },
    { pod: 'once', container: 'app', previous: false, namespace: 'shop', text: '' },
  ]);
  assert.equal(
    asked.filter((one) => one.startsWith('log')),
    Array.from({ length: 3 }, () => 'log shop 100 1048576'),
  );
});

test('the logs of a Job that failed are those of its pods', async () => {
  const failed = { status: { conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded' }] } };
  const done = { ...status(ended(1)), phase: 'Failed' };
  const objects = [
    anObject('Job', 'pay', failed),
    aPod('pay-x', { status: done }, ownedBy('Job', 'pay', 'batch/v1')),
    aPod('apart', { status: { phase: 'Running' } }, ownedBy('ReplicaSet', 'pay')),
  ];
  const { recording } = await readLive(aCluster({ objects, logs: { 'pay-x app false': 'why\n' } }).client, {
    namespace: 'shop',
    name: undefined,
  });
  assert.equal(
    recording.logs.map(({ pod, text }) => [pod, text]),
    [['pay-x', 'why']],
  );
});

test('what may not be read is left out and named; another refusal is left out; without a cluster there is no answer', async () => {
  const objects = [aPod('web')];
  const read = (refused: Record<string, number>, logs = {}) =>
    readLive(aCluster({ objects, refused, logs }).client, { namespace: 'shop', name: 'web' });
  const told = await read(
    { services: 403, configmaps: 403, nodes: 500, namespaces: 403 },
    { 'web app true': new KubeError(403, 'x', 'no') },
  );
  assert.equal(told.refused, ['configmaps', 'logs', 'namespaces', 'services', 'services of other namespaces']);
  assert.instance(await refusal(read({ services: 0 })), ClusterUnavailable);
});

test('without the metrics API there are no figures, and nothing is named', async () => {
  for (const code of [0, 403, 404]) {
    const refused = { 'pods.metrics.k8s.io/v1beta1': code };
    const { refused: named } = await readLive(aCluster({ objects: [aPod('web')], refused }).client, { namespace: 'shop', name: 'web' });
    assert.equal(named, [], String(code));
  }
});

const BELOW = [
  anObject('Deployment', 'web'),
  anObject('ReplicaSet', 'web-1', {}, ownedBy('Deployment', 'web')),
  aPod('web-1-a', {}, ownedBy('ReplicaSet', 'web-1')),
  anObject('StatefulSet', 'web', {}, { uid: 's' }),
  aPod('apart'),
  anObject('CronJob', 'nightly'),
  anObject('Job', 'nightly-1', {}, ownedBy('CronJob', 'nightly')),
];
const WORKLOADS: [kind: string | undefined, name: string, asked: string[]][] = [
  ['Deployment', 'web', ['Pod web-1-a', 'Deployment web', 'ReplicaSet web-1']],
  ['StatefulSet', 'web', ['StatefulSet web']],
  ['ReplicaSet', 'web-1', ['Pod web-1-a', 'ReplicaSet web-1']],
  ['Job', 'nightly-1', ['Job nightly-1']],
  [undefined, 'web', ['Pod web-1-a', 'Deployment web', 'ReplicaSet web-1', 'StatefulSet web']],
  [undefined, 'nightly', ['Job nightly-1', 'CronJob nightly']],
];
for (const [kind, name, asked] of WORKLOADS)
  test(`a workload is asked about with all below it: ${kind ?? 'of any kind'} ${name}`, async () => {
    const { recording, isAsked } = await readLive(aCluster({ objects: BELOW }).client, {
      namespace: 'shop',
      name: undefined,
      of: { kind, name },
    });
    assert.equal(names(recording.objects.filter(isAsked)), asked);
  });

const SHOP = [
  ...BELOW,
  ...['shop', 'shops', 'bank'].map((name) => anObject('Namespace', name)),
  ...['b1', 'b2', 'b3', 'b4'].map((name) => aPod(name)),
];
const MISSING: [what: string, question: Parameters<typeof readLive>[1], world: World, says: string][] = [
  [
    'no such workload of a kind',
    { namespace: 'shop', name: undefined, of: { kind: 'Deployment', name: 'wep' } },
    { objects: SHOP },
    'there is no Deployment "wep" in namespace "shop"; similar: "web"',
  ],
  [
    'no such workload, and no pod; pods are similar names too',
    { namespace: 'shop', name: undefined, of: { kind: undefined, name: 'apartt' } },
    { objects: SHOP },
    'there is no pod "apartt" in namespace "shop", and no workload of this name; similar: "apart"',
  ],
  [
    'no such pod: at most three names',
    { namespace: 'shop', name: 'b5' },
    { objects: SHOP },
    'there is no pod "b5" in namespace "shop"; similar: "b1", "b2", "b3"',
  ],
  ['no such namespace', { namespace: 'shopp', name: 'web' }, { objects: SHOP }, 'there is no namespace "shopp"; similar: "shop", "shops"'],
  [
    'no pod, and names that may not be read',
    { namespace: 'x', name: 'y' },
    { refused: { namespaces: 403 } },
    'there is no pod "y" in namespace "x"',
  ],
];
for (const [what, question, world, says] of MISSING)
  test(`refused: ${what}`, async () => {
    const { client, asked } = aCluster(world);
    const error = await refusal(readLive(client, question));
    assert.instance(error, InputError);
    assert.is(error.message, says);
    assert.is(error instanceof NoSuchPod, question.name !== undefined && !says.includes('no namespace'));
    if (asked.some((one) => one.startsWith('page pods shop'))) assert.ok(asked.includes('page pods shop 500'));
  });

test('names that may not be listed are no similar names; a namespace without pods is asked about', async () => {
  const hidden = aCluster({ objects: [anObject('Namespace', 'shop')] });
  const { recording, isAsked } = await readLive(hidden.client, { namespace: 'shop', name: undefined });
  assert.equal(recording.objects.filter(isAsked), []);
  const namespaces = aCluster({ refused: { namespaces: 500 } });
  assert.is(((await refusal(readLive(namespaces.client, { namespace: 'x', name: 'y' }))) as KubeError).code, 500);
});

test.run();

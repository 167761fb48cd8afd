import { globSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rbacObjectsOf } from '../../src/access/objects.ts';
import { accessIndex } from '../../src/access/rights.ts';
import { requesterOf } from '../../src/access/subjects.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { loadManifests } from '../../src/crd/manifest.ts';
import { ClusterUnavailable, KindNotServed, KubeError } from '../../src/kube/errors.ts';
import { graphReader } from '../../src/kube/graph-reader.ts';
import { type Kind, KINDS } from '../../src/kube/kinds.ts';
import type { Query } from '../../src/kube/transport.ts';

const reader = suite('what graphs read');

interface Asked {
  kind: Kind;
  namespace?: string | undefined;
  fieldSelector?: string | undefined;
}

/** A cluster with these objects in `shop`. It records what it is asked. */
function world(
  objects: KubeObject[] = [],
  { watchNamespaces = [] as string[], unserved = [] as string[], denied = [] as string[], perPage = Infinity } = {},
) {
  const asked: Asked[] = [];
  let at = 0;
  const trouble: { error?: Error } = {};
  const all: KubeObject[] = [
    { kind: 'Namespace', metadata: { name: 'shop' } },
    { kind: 'Namespace', metadata: { name: 'bank' } },
    ...objects,
  ];
  const page = async (kind: Kind, { namespace, fieldSelector }: Omit<Asked, 'kind'>, query: Query = {}) => {
    asked.push({ kind, namespace, fieldSelector });
    if (trouble.error) throw trouble.error;
    if (unserved.includes(kind.plural)) throw new KindNotServed(kind.plural);
    if (denied.includes(kind.plural)) throw new KubeError(403, 'Forbidden', 'no');
    const from = Number(query['continue'] ?? 0);
    const name = fieldSelector?.replace('metadata.name=', '');
    const items = all.filter(
      (one) =>
        one.kind === kind.kind &&
        (namespace === undefined || one.metadata.namespace === namespace) &&
        (name === undefined || one.metadata.name === name),
    );
    const more = items.length > from + perPage ? { continueToken: String(from + perPage) } : {};
    return { items: structuredClone(items.slice(from, from + perPage)), resourceVersion: '1', ...more } as never;
  };
  const graces = { pendingSeconds: 120, unreadySeconds: 60 };
  const graphs = graphReader({ client: { page }, watchNamespaces, graces, now: () => new Date(at) });
  return { graphs, asked, trouble, advance: (ms: number) => void (at += ms) };
}

const POD = { kind: 'Pod', metadata: { name: 'a', namespace: 'shop', uid: 'u' }, spec: { containers: [] } };

reader('requests for the same namespace share one answer for five seconds', async () => {
  const { graphs, asked, advance } = world([POD]);
  const [one, two] = await Promise.all([graphs.namespace('shop'), graphs.namespace('shop')]);
  assert.is(one, two);
  const count = asked.length;
  advance(4_999);
  await graphs.namespace('shop');
  assert.is(asked.length, count);
  advance(1);
  await graphs.namespace('shop');
  assert.is(asked.length, 2 * count);
});

reader('nothing is read before somebody asks, and then only that namespace', async () => {
  const { graphs, asked } = world([POD]);
  assert.equal(asked, []);
  await graphs.namespace('shop');
  const elsewhere = asked.filter(({ kind, namespace }) => kind.namespaced && namespace !== 'shop');
  assert.equal(elsewhere, []);
});

reader('if a namespace does not exist, nothing else is read', async () => {
  const { graphs, asked } = world();
  assert.is(await graphs.namespace('shop2'), undefined);
  assert.equal(
    asked.map(({ kind }) => kind.plural),
    ['namespaces'],
  );
});

reader('a failure is not cached', async () => {
  const { graphs, trouble } = world([POD]);
  trouble.error = new ClusterUnavailable('test');
  await graphs.namespace('shop').then(
    () => assert.unreachable(),
    (error: unknown) => assert.instance(error, ClusterUnavailable),
  );
  delete trouble.error;
  assert.is((await graphs.namespace('shop'))?.items.length, 1);
});

reader('a kind that the API server does not have is empty, and no right is missing', async () => {
  const { graphs } = world([POD], { unserved: ['mirrorpods'] });
  const { missingRights = [], known } = (await graphs.namespace('shop')) ?? {};
  assert.equal([missingRights, known?.has('MirrorPod')], [[], true]);
});

reader('no command of a pod is kept, except for harmless options of an API server', async () => {
  const pod = (name: string, ...command: string[]): KubeObject =>
    ({ kind: 'Pod', metadata: { name, namespace: 'kube-system' }, spec: { containers: [{ name, image: 'x', command }] } }) as KubeObject;
  const { graphs } = world([
    pod('api', 'kube-apiserver', '--token=secret', '--enable-bootstrap-token-auth=true'),
    pod('other', 'sh', '-c', 'password=secret'),
  ]);
  const { objects } = await graphs.around();
  const commands = objects
    .filter(({ kind }) => kind === 'Pod')
    .map((one) => (one as unknown as { spec: { containers: { command?: string[] }[] } }).spec.containers[0]?.command);
  assert.equal(commands, [['kube-apiserver', '--enable-bootstrap-token-auth=true'], undefined]);
});

reader('with WATCH_NAMESPACES, nothing namespaced is read elsewhere, and namespaces are not listed', async () => {
  const { graphs, asked } = world([POD], { watchNamespaces: ['shop'] });
  assert.equal(await graphs.namespaces(), ['shop']);
  assert.is(await graphs.namespace('bank'), undefined);
  assert.is(await graphs.manifest('Pod', 'bank', 'a'), undefined);
  await graphs.namespace('shop');
  const { hasAccount } = await graphs.access();
  assert.equal(
    asked.filter(({ kind, namespace }) => kind.plural === 'namespaces' || (kind.namespaced && namespace !== 'shop')),
    [],
  );
  assert.equal([hasAccount('shop', 'x'), hasAccount('bank', 'x')], [false, undefined], 'nothing is known of accounts elsewhere');
});

reader('Secrets are never read', async () => {
  const { graphs, asked } = world([POD]);
  await Promise.all([graphs.namespaces(), graphs.namespace('shop'), graphs.access(), graphs.pods('shop')]);
  assert.not(asked.some(({ kind }) => kind === KINDS.secret));
  for (const kind of ['Secret', 'secrets']) {
    const message = await graphs.manifest(kind, 'shop', 'a').catch((error: Error) => error.message);
    assert.is(message, `Manifests of kind ${kind} are not shown`);
  }
});

reader('the roles of deploy/ let the operator list every kind that it reads', async () => {
  const { graphs, asked } = world([POD]);
  await Promise.all([graphs.namespaces(), graphs.namespace('shop'), graphs.access(), graphs.pods('shop')]);
  const root = new URL('../../', import.meta.url);
  const files = globSync('deploy/base/*.yaml', { cwd: root.pathname });
  const objects = files.flatMap((file) => loadManifests(readFileSync(new URL(file, root), 'utf8')) as KubeObject[]);
  const index = accessIndex(rbacObjectsOf(objects));
  const operator = requesterOf({ kind: 'ServiceAccount', namespace: 'podmend', name: 'podmend-operator' });
  const lacking = asked.filter(({ kind: { apiVersion, plural: resource }, namespace }) => {
    const [group = '', version] = apiVersion.split('/');
    return !index.decide(operator, { verb: 'list', group: version ? group : '', resource, namespace }).allowed;
  });
  assert.equal(
    lacking.map(({ kind }) => kind.plural),
    [],
  );
  assert.is(index.decide(operator, { verb: 'list', group: '', resource: 'secrets', namespace: 'shop' }).allowed, false);
});

const NAMED = (kind: string, name: string, namespace?: string, over: object = {}): KubeObject =>
  ({
    kind,
    metadata: { name, ...(namespace ? { namespace } : {}), labels: { app: name }, annotations: { note: 'x' } },
    ...over,
  }) as KubeObject;
const told = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: Error) => error.message,
  );

reader('namespaces are sorted, also when they come in pages', async () => {
  const { graphs } = world([NAMED('Namespace', 'alpha'), NAMED('Namespace', 'zeta')], { perPage: 1 });
  assert.equal(await graphs.namespaces(), ['alpha', 'bank', 'shop', 'zeta']);
  assert.equal(await world([], { watchNamespaces: ['b', 'a', 'b'] }).graphs.namespaces(), ['a', 'b']);
});

reader('what may not be read is named as a right; what nothing can do without is refused', async () => {
  const { graphs } = world([POD], { denied: ['ingresses', 'configmaps', 'serviceaccounts', 'roles', 'resourcequotas'] });
  const { missingRights, known } = (await graphs.namespace('shop'))!;
  assert.equal(missingRights, ['list ingresses.networking.k8s.io', 'list configmaps', 'list serviceaccounts']);
  assert.not(known.has('Ingress'));
  const { missingRights: ofAccess, hasAccount, objects } = await graphs.access();
  assert.equal(ofAccess, ['list roles.rbac.authorization.k8s.io', 'list serviceaccounts']);
  assert.equal([hasAccount('shop', 'x'), objects.roles], [undefined, []]);
  assert.equal((await graphs.around()).missingRights, ['list resourcequotas', 'list serviceaccounts']);
  const blind = world([POD], { denied: ['namespaces', 'pods'] }).graphs;
  assert.is(await told(blind.namespaces()), 'Podmend lacks the right to list namespaces');
  assert.is(await told(blind.namespace('shop')), 'Podmend lacks the right to list namespaces');
  assert.is(await told(blind.manifest('pod', 'shop', 'a')), 'Podmend lacks the right to list pods');
  assert.is(
    await told(blind.network({ namespace: 'shop', name: 'a' }, { namespace: 'shop', name: 'a' })),
    'Podmend lacks the right to list pods',
  );
  assert.equal(await blind.pods('shop'), []);
});

reader('a manifest: by kind or plural in any case, of its namespace, and without one only for kinds that have none', async () => {
  const { graphs, asked } = world([POD, NAMED('Node', 'n,1'), NAMED('Deployment', 'web', 'shop')]);
  const found = async (kind: string, namespace: string, name: string) => (await graphs.manifest(kind, namespace, name))?.metadata.name;
  assert.equal([await found('Pod', 'shop', 'a'), await found('DEPLOYMENTS', 'shop', 'web')], ['a', 'web']);
  assert.is(await found('Pod', 'bank', 'a'), undefined);
  asked.length = 0;
  await found('Node', 'cluster-wide', 'n,1');
  assert.equal(
    asked.map(({ namespace, fieldSelector }) => [namespace, fieldSelector]),
    [[undefined, 'metadata.name=n\\,1']],
  );
  asked.length = 0;
  for (const [kind, namespace, name] of [
    ['Node', 'shop', 'n'],
    ['Pod', '..', 'a'],
    ['Pod', 'shop', 'a/b'],
    ['Node', 'cluster-wide', '..'],
  ] as const)
    assert.is(await graphs.manifest(kind, namespace, name), undefined, `${kind} ${namespace}/${name}`);
  assert.equal(asked, [], 'nothing is asked');
});

reader('two pods with the policies and the labels of both namespaces', async () => {
  const pod = (name: string, namespace: string) => NAMED('Pod', name, namespace, { spec: { containers: [] } });
  const policies = ['shop', 'bank', 'other'].map((namespace) => NAMED('NetworkPolicy', 'deny', namespace));
  const { graphs } = world([pod('a', 'shop'), pod('b', 'bank'), ...policies]);
  const network = await graphs.network({ namespace: 'shop', name: 'a' }, { namespace: 'bank', name: 'b' });
  assert.equal([network?.from.name, network?.to.name], ['a', 'b']);
  assert.equal(
    network?.view.policies.map(({ metadata }) => metadata.namespace),
    ['shop', 'bank'],
  );
  assert.equal([...(network?.view.namespaces.keys() ?? [])], ['shop', 'bank']);
  const same = await graphs.network({ namespace: 'shop', name: 'a' }, { namespace: 'shop', name: 'a' });
  assert.is(same?.view.policies.length, 1);
  for (const [namespace, name] of [
    ['shop', 'gone'],
    ['a/b', 'a'],
    ['shop', '..'],
  ] as const)
    assert.is(await graphs.network({ namespace: 'shop', name: 'a' }, { namespace, name }), undefined);
});

reader('of roles and bindings only what decides is kept', async () => {
  const rules = [{ verbs: ['get'] }];
  const { graphs } = world([
    NAMED('Role', 'r', 'shop', { rules }),
    NAMED('ClusterRole', 'c', undefined, { rules: null, aggregationRule: {} }),
    NAMED('RoleBinding', 'b', 'shop', { roleRef: { kind: 'Role', name: 'r' } }),
    NAMED('ClusterRoleBinding', 'd', undefined, { roleRef: { kind: 'ClusterRole', name: 'c' }, subjects: [{ kind: 'User', name: 'ann' }] }),
    NAMED('ServiceAccount', 'bot', 'shop'),
  ]);
  const { objects, hasAccount, missingRights } = await graphs.access();
  assert.equal(objects, {
    roles: [{ metadata: { name: 'r', namespace: 'shop', labels: { app: 'r' } }, rules }],
    clusterRoles: [{ metadata: { name: 'c', labels: { app: 'c' } }, aggregationRule: {} }],
    roleBindings: [{ metadata: { name: 'b', namespace: 'shop' }, roleRef: { kind: 'Role', name: 'r' }, subjects: [] }],
    clusterRoleBindings: [
      { metadata: { name: 'd' }, roleRef: { kind: 'ClusterRole', name: 'c' }, subjects: [{ kind: 'User', name: 'ann' }] },
    ],
  } as never);
  assert.equal([hasAccount('shop', 'bot'), hasAccount('bank', 'bot'), missingRights], [true, false, []]);
});

reader('of what is around rights only what decides is kept', async () => {
  const owners = { ownerReferences: [{ kind: 'Job', name: 'j' }] };
  const template = (name: string) => ({ metadata: { labels: {} }, spec: { serviceAccountName: name, containers: [{ name: 'x' }] } });
  const pod = {
    kind: 'Pod',
    metadata: {
      name: 'p',
      namespace: 'shop',
      uid: 'u',
      labels: { a: 'b' },
      ...owners,
      deletionTimestamp: 't',
      annotations: { 'kubernetes.io/config.mirror': 'm', note: 'x' },
    },
    spec: {
      nodeName: 'n',
      serviceAccountName: 'bot',
      securityContext: { runAsUser: 1 },
      containers: [{ name: 'c', image: 'x', env: [], securityContext: { privileged: true }, volumeMounts: [{ name: 'v' }] }],
      initContainers: [{ name: 'i', image: 'x' }],
      volumes: [
        { name: 'v', hostPath: { path: '/' } },
        { name: 'w', projected: {} },
        { name: 's', secret: {} },
      ],
      priority: 5,
    },
    status: { phase: 'Running', podIP: '1', containerStatuses: [{ name: 'c', state: { running: {} }, image: 'x' }] },
  };
  const { graphs } = world([
    pod as unknown as KubeObject,
    NAMED('Deployment', 'd', 'shop', { spec: { replicas: 1, template: template('bot') } }),
    NAMED('CronJob', 'j', 'shop', { spec: { schedule: 'x', jobTemplate: { spec: { template: template('bot') } } } }),
    NAMED('ResourceQuota', 'q', 'shop', { spec: { hard: {} }, status: { used: {} } }),
    NAMED('ServiceAccount', 's', 'shop', { automountServiceAccountToken: false, secrets: [{ name: 'x' }] }),
    NAMED('Namespace', 'n'),
    NAMED('MutatingWebhookConfiguration', 'w', undefined, { webhooks: [{ clientConfig: {} }] }),
  ]);
  const { objects } = await graphs.around();
  const of = (kind: string, name: string) =>
    JSON.parse(JSON.stringify(objects.find((one) => one.kind === kind && one.metadata.name === name)));
  assert.equal(of('Pod', 'p'), {
    kind: 'Pod',
    metadata: {
      name: 'p',
      namespace: 'shop',
      uid: 'u',
      ...owners,
      deletionTimestamp: 't',
      annotations: { 'kubernetes.io/config.mirror': 'm' },
    },
    spec: {
      containers: [{ name: 'c', securityContext: { privileged: true }, volumeMounts: [{ name: 'v' }] }],
      initContainers: [{ name: 'i' }],
      volumes: [
        { name: 'v', hostPath: { path: '/' } },
        { name: 'w', projected: {} },
      ],
      nodeName: 'n',
      serviceAccountName: 'bot',
      securityContext: { runAsUser: 1 },
    },
    status: { phase: 'Running', containerStatuses: [{ name: 'c', state: { running: {} } }] },
  });
  const account = { spec: { serviceAccountName: 'bot' } };
  const metadata = (name: string) => ({ name, namespace: 'shop' });
  assert.equal(of('Deployment', 'd'), { kind: 'Deployment', metadata: metadata('d'), spec: { template: account } });
  assert.equal(of('CronJob', 'j'), { kind: 'CronJob', metadata: metadata('j'), spec: { jobTemplate: { spec: { template: account } } } });
  assert.equal(of('ResourceQuota', 'q'), { kind: 'ResourceQuota', metadata: metadata('q'), spec: { hard: {} }, status: { used: {} } });
  assert.equal(of('ServiceAccount', 's'), { kind: 'ServiceAccount', metadata: metadata('s'), automountServiceAccountToken: false });
  assert.equal(of('Namespace', 'n'), { kind: 'Namespace', metadata: { name: 'n', labels: { app: 'n' } } });
  assert.equal(of('MutatingWebhookConfiguration', 'w'), { kind: 'MutatingWebhookConfiguration', metadata: { name: 'w' } });
});

reader('names of Secrets come with a namespace if the installation grants them', async () => {
  const page = async (kind: Kind) =>
    ({ items: kind.kind === 'Namespace' ? [{ metadata: { name: 'shop' } }] : [], resourceVersion: '1' }) as never;
  const graces = { pendingSeconds: 120, unreadySeconds: 60 };
  const secretNames = async () => [{ name: 's', keys: ['k'] }];
  const graphs = graphReader({ client: { page }, watchNamespaces: [], graces, now: () => new Date(0), secretNames });
  assert.equal((await graphs.namespace('shop'))?.secrets, [{ name: 's', keys: ['k'] }]);
});

reader.run();

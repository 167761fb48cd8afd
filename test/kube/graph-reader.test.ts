import { globSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rbacObjectsOf } from '../../src/access/objects.ts';
import { accessIndex } from '../../src/access/rights.ts';
import { requesterOf } from '../../src/access/subjects.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { loadManifests } from '../../src/crd/manifest.ts';
import { ClusterUnavailable, KindNotServed } from '../../src/kube/errors.ts';
import { graphReader } from '../../src/kube/graph-reader.ts';
import { type Kind, KINDS } from '../../src/kube/kinds.ts';

const reader = suite('what graphs read');

interface Asked {
  kind: Kind;
  namespace?: string | undefined;
  fieldSelector?: string | undefined;
}

/** A cluster with these objects in `shop`. It records what it is asked. */
function world(objects: KubeObject[] = [], { watchNamespaces = [] as string[], unserved = [] as string[] } = {}) {
  const asked: Asked[] = [];
  let at = 0;
  const trouble: { error?: Error } = {};
  const all: KubeObject[] = [
    { kind: 'Namespace', metadata: { name: 'shop' } },
    { kind: 'Namespace', metadata: { name: 'bank' } },
    ...objects,
  ];
  const page = async (kind: Kind, { namespace, fieldSelector }: Omit<Asked, 'kind'>) => {
    asked.push({ kind, namespace, fieldSelector });
    if (trouble.error) throw trouble.error;
    if (unserved.includes(kind.plural)) throw new KindNotServed(kind.plural);
    const name = fieldSelector?.replace('metadata.name=', '');
    const items = all.filter(
      (one) =>
        one.kind === kind.kind &&
        (namespace === undefined || one.metadata.namespace === namespace) &&
        (name === undefined || one.metadata.name === name),
    );
    return { items: structuredClone(items), resourceVersion: '1' } as never;
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

reader.run();

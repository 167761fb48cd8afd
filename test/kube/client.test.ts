import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Pod } from '../../src/crd/kubernetes.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { ClusterUnavailable, KubeError, kubeErrorOf, retryAfterOf } from '../../src/kube/errors.ts';
import { KINDS, pathOf } from '../../src/kube/kinds.ts';
import { type Cluster, clusters } from '../support/cluster/clusters.ts';
import { fakeApi } from '../support/cluster/fake-api.ts';

const paths = suite('paths');
paths('of core, group and cluster-scoped kinds', () => {
  assert.is(pathOf(KINDS.pod), '/api/v1/pods');
  assert.is(pathOf(KINDS.pod, 'shop', 'web-1'), '/api/v1/namespaces/shop/pods/web-1');
  assert.is(pathOf(KINDS.mirrorPod, 'shop'), '/apis/podmend.dev/v1alpha1/namespaces/shop/mirrorpods');
  assert.is(pathOf(KINDS.node, 'ignored', 'n'), '/api/v1/nodes/n');
  assert.is(pathOf(KINDS.pod, 'a b', 'c?watch=1#d'), '/api/v1/namespaces/a%20b/pods/c%3Fwatch%3D1%23d');
});
paths('no name leads to another path', () => {
  for (const name of ['', '.', '..', '../c', 'a/b', '%2e%2e', '\ud800']) {
    assert.throws(() => pathOf(KINDS.pod, 'shop', name), /no object can have that name/, name);
    if (name) assert.throws(() => pathOf(KINDS.pod, name), /no object can have that name/, name);
  }
});
paths('refusals say what the Status says, or what there is', () => {
  const { code, reason, message } = kubeErrorOf(409, '{"kind":"Status","reason":"Conflict","message":"changed meanwhile"}');
  assert.equal([code, reason, message], [409, 'Conflict', 'changed meanwhile']);
  assert.is(kubeErrorOf(502, '<html>').message, '<html>');
  assert.is(kubeErrorOf(502, '').message, 'the API server answered 502');
  assert.is(kubeErrorOf(500, 'null').reason, 'Unknown');
});
paths('a refusal says when to retry, in its header or its Status, and the wait is capped', () => {
  const header = (value: string) => new Headers({ 'retry-after': value });
  assert.is(kubeErrorOf(429, '', header('3')).retryAfterMs, 3_000);
  assert.is(kubeErrorOf(429, '{"details":{"retryAfterSeconds":2}}').retryAfterMs, 2_000);
  assert.is(kubeErrorOf(429, '', header('86400')).retryAfterMs, 60_000);
  for (const nothing of ['', 'Fri, 31 Dec 1999 23:59:59 GMT', '-1']) assert.is(kubeErrorOf(429, '', header(nothing)).retryAfterMs, 0);
  assert.equal([kubeErrorOf(500, '').retryAfterMs, retryAfterOf(new Error('no'))], [0, 0]);
});
paths.run();

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** A kubeconfig for plain HTTP at this address. */
const configFor = (server: string) =>
  `{current-context: c, contexts: [{name: c, context: {cluster: c, user: c}}], users: [{name: c, user: {token: t}}],
    clusters: [{name: c, cluster: {server: "${server}", insecure-skip-tls-verify: true}}]}`;

const away = suite('no cluster');
away('nobody listens: every method throws ClusterUnavailable with the network\u2019s own code', async () => {
  const client = connect({ kubeconfigText: configFor('http://127.0.0.1:1') });
  for (const work of [client.read(KINDS.pod, 'a', 'b'), client.list(KINDS.pod), client.healthy(), client.logs('a', 'b', {})]) {
    const error = await failure(work);
    assert.instance(error, ClusterUnavailable);
    assert.is((error as Error).message, 'Kubernetes client not available');
    assert.match((error as ClusterUnavailable).why, /ECONNREFUSED|bad port/);
  }
  client.close();
});
away('a server that never answers is given up in time', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect({ kubeconfigText: configFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), timeoutMs: 100 });
  const error = await failure(client.list(KINDS.pod));
  assert.instance(error, ClusterUnavailable);
  assert.is((error as ClusterUnavailable).why, 'no answer in time');
  client.close();
  server.close();
});
away('a hanging API server counts as away long before the deadline; a slow one is waited for', async () => {
  let isHanging = false;
  const server = createHttpServer((request, response) => {
    if (isHanging) return;
    const answer = (): unknown => response.end('{"items":[],"metadata":{"resourceVersion":"1"}}');
    if (request.url === '/readyz') answer();
    else setTimeout(answer, 1_200);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The deadline of the request is an hour. The client gives up earlier, because the API server does not answer the probe.
  const kubeconfigText = configFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const client = connect({ kubeconfigText, timeoutMs: 3_600_000 });
  try {
    assert.equal(await client.list(KINDS.pod), []);
    isHanging = true;
    const error = await failure(client.list(KINDS.pod));
    assert.equal(
      [(error as ClusterUnavailable).message, (error as ClusterUnavailable).why],
      ['Kubernetes client not available', 'no answer in time'],
    );
    isHanging = false;
    assert.equal(await client.list(KINDS.pod), [], 'and it is there again at once');
  } finally {
    client.close();
    server.closeAllConnections();
    server.close();
  }
});
away('watches keep no call waiting, however many there are', async () => {
  const api = await fakeApi();
  const client = connect({ kubeconfigText: api.kubeconfigText, timeoutMs: 5_000 });
  const stopped = new AbortController();
  await Promise.all(Array.from({ length: 100 }, () => client.watch(KINDS.pod, {}, {}, stopped.signal)));
  assert.equal(await client.list(KINDS.pod), []);
  stopped.abort();
  client.close();
  await api.close();
});
away('a cluster that does not serve our kinds counts as unavailable', async () => {
  const server = createHttpServer((_request, response) => response.writeHead(404).end('404 page not found'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect({ kubeconfigText: configFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`) });
  assert.instance(await failure(client.list(KINDS.mirrorPod)), ClusterUnavailable);
  assert.is(await client.read(KINDS.pod, 'shop', 'web'), undefined);
  client.close();
  server.close();
});
away('a kubeconfig that cannot be read stops the start', () => {
  assert.throws(() => connect({ kubeconfig: '/does/not/exist' }), /ENOENT/);
});
away('of several kubeconfigs the first one\u2019s context counts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'podmend-kubeconfig-'));
  const named = (name: string) =>
    configFor(`http://${name}.example`)
      .replaceAll(' c,', ` ${name},`)
      .replaceAll('name: c', `name: ${name}`)
      .replace('user: c}', `user: ${name}}`);
  await writeFile(join(folder, 'a'), named('first'));
  await writeFile(join(folder, 'b'), named('second'));
  const client = connect({ kubeconfig: `${join(folder, 'a')}:${join(folder, 'b')}` });
  assert.is(client.server, 'http://first.example');
  client.close();
  await rm(folder, { recursive: true });
});
away.run();

/** A request as the API server received it. */
interface Received {
  line: string;
  query: Record<string, string>;
  type: string | undefined;
  accept: string | undefined;
  body?: unknown;
}
/** Sends one request to a server that answers with `code` and `answer`. */
async function received(
  send: (client: KubeClient) => Promise<unknown>,
  code = 200,
  answer = '{"metadata":{"name":"a","managedFields":[]}}',
) {
  const all: Received[] = [];
  const server = createHttpServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
      const { 'content-type': type, accept } = request.headers;
      const query = Object.fromEntries(searchParams);
      all.push({ line: `${request.method} ${pathname}`, query, type, accept, ...(text ? { body: JSON.parse(text) } : {}) });
      response.writeHead(code).end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect({ kubeconfigText: configFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), timeoutMs: 60_000 });
  try {
    const result = await send(client).catch((error: unknown) => error);
    return { result, all };
  } finally {
    client.close();
    server.closeAllConnections();
    server.close();
  }
}

const requests = suite('requests');
const POD = { metadata: { name: 'a', namespace: 'shop' }, spec: { containers: [] } } as Pod;
const SENT = { apiVersion: 'v1', kind: 'Pod', ...POD };
const PODS = '/api/v1/namespaces/shop/pods';
const BY_US = { fieldManager: 'podmend' };
const DELETION = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' };
const patched =
  (options: Parameters<KubeClient['patch']>[4], body: unknown = { metadata: { labels: { a: 'b' } } }) =>
  (client: KubeClient) =>
    client.patch(KINDS.pod, 'shop', 'a', body, options);
const LABELS = { metadata: { labels: { a: 'b' } } };
const { signal: goesOn } = new AbortController();
const REQUESTS: [what: string, send: (client: KubeClient) => Promise<unknown>, wanted: Partial<Received>][] = [
  ['create', (client) => client.create(KINDS.pod, POD), { line: `POST ${PODS}`, query: BY_US, body: SENT }],
  ['create as a trial', (client) => client.create(KINDS.pod, POD, { dryRun: true }), { query: { ...BY_US, dryRun: 'All' } }],
  ['replace', (client) => client.replace(KINDS.pod, POD), { line: `PUT ${PODS}/a`, query: BY_US, body: SENT }],
  ['replace as a trial', (client) => client.replace(KINDS.pod, POD, { dryRun: true }), { query: { ...BY_US, dryRun: 'All' } }],
  [
    'a merge patch',
    patched({ type: 'merge' }),
    { line: `PATCH ${PODS}/a`, query: BY_US, type: 'application/merge-patch+json', body: LABELS },
  ],
  ['a JSON patch', patched({ type: 'json' }, []), { query: BY_US, type: 'application/json-patch+json', body: [] }],
  ['apply', patched({ type: 'apply' }), { query: { ...BY_US, force: 'true' }, type: 'application/apply-patch+yaml' }],
  ['a patch of the status', patched({ type: 'merge', subresource: 'status' }), { line: `PATCH ${PODS}/a/status` }],
  ['a patch as a trial', patched({ type: 'merge', dryRun: true }), { query: { ...BY_US, dryRun: 'All' } }],
  [
    'a patch of one version',
    patched({ type: 'merge', resourceVersion: '7' }),
    { body: { metadata: { labels: { a: 'b' }, resourceVersion: '7' } } },
  ],
  ['remove', (client) => client.remove(KINDS.pod, 'shop', 'a'), { line: `DELETE ${PODS}/a`, body: DELETION }],
  [
    'remove one object at once',
    (client) => client.remove(KINDS.pod, 'shop', 'a', { uid: 'u', graceSeconds: 0 }),
    { body: { ...DELETION, preconditions: { uid: 'u' }, gracePeriodSeconds: 0 } },
  ],
  [
    'logs',
    (client) => client.logs('shop', 'a', { container: 'app', tailLines: 5, previous: true, limitBytes: 9 }),
    { line: `GET ${PODS}/a/log`, query: { container: 'app', tailLines: '5', previous: 'true', limitBytes: '9' } },
  ],
  [
    'following logs',
    (client) => client.followLogs('shop', 'a', { container: 'app', sinceTime: 't' }, goesOn),
    { line: `GET ${PODS}/a/log`, query: { container: 'app', sinceTime: 't', follow: 'true', timestamps: 'true' } },
  ],
  ['any path', (client) => client.raw('/version'), { line: 'GET /version', accept: 'application/json', type: 'application/json' }],
  ['a review', (client) => client.post('/apis/x', { a: 1 }), { line: 'POST /apis/x', body: { a: 1 } }],
  ['whether it is ready', (client) => client.healthy(), { line: 'GET /readyz' }],
];
for (const [what, send, wanted] of REQUESTS)
  requests(what, async () => {
    const { all, result } = await received(send);
    assert.is(all.length, 1);
    const [sent] = all as [Received];
    assert.equal(Object.fromEntries(Object.keys(wanted).map((key) => [key, sent[key as keyof Received]])), wanted);
    if (/^(?:create|replace|.* patch|apply)/.test(what)) assert.equal(result, { metadata: { name: 'a' } }, 'without managed fields');
    if (what.startsWith('remove')) assert.is(result, true);
  });
requests('an object without a name replaces nothing', async () => {
  const { all, result } = await received((client) => client.replace(KINDS.pod, { metadata: { namespace: 'shop' } } as Pod));
  assert.equal([all, (result as KubeError).code], [[], 400]);
});
requests('what is gone was not removed; another refusal is thrown', async () => {
  const remove = (client: KubeClient) => client.remove(KINDS.pod, 'shop', 'a');
  assert.is((await received(remove, 404)).result, false);
  assert.is(((await received(remove, 409)).result as KubeError).code, 409);
});
const READINESS: [answer: string, code: number, why: string][] = [
  [
    '[+]ping ok\n[-]etcd failed: reason withheld\n[-]shutdown failed\nreadyz check failed',
    500,
    '[-]etcd failed: reason withheld, [-]shutdown failed',
  ],
  ['denied', 403, 'the API server answered 403'],
];
for (const [answer, code, why] of READINESS)
  requests(`a server that is not ready: ${why}`, async () => {
    const { result } = await received((client) => client.healthy(), code, answer);
    assert.instance(result, ClusterUnavailable);
    assert.is((result as ClusterUnavailable).why, why);
  });
requests('a stream that is refused is an error with the words of the Status', async () => {
  const status = '{"kind":"Status","reason":"Expired","message":"too old"}';
  const { result } = await received((client) => client.watch(KINDS.pod, {}, {}, goesOn), 410, status);
  assert.equal([(result as KubeError).code, (result as KubeError).reason, (result as KubeError).message], [410, 'Expired', 'too old']);
});
requests('a kubeconfig without a cluster is no cluster, and its context has a namespace', async () => {
  const none = connect({
    kubeconfigText: '{current-context: c, contexts: [{name: c, context: {cluster: gone, user: u, namespace: shop}}], users: [{name: u}]}',
  });
  assert.equal([none.server, none.namespace], ['no cluster', 'shop']);
  assert.is(((await failure(none.raw('/'))) as ClusterUnavailable).why, 'the kubeconfig names no cluster');
  none.close();
});
requests.run();

for (const { name, start } of clusters('connect')) {
  const test = suite(`connect to ${name}`);
  let cluster: Cluster;
  let client: KubeClient;
  const aConfigMap = (object: string, data: Record<string, string> = {}, labels: Record<string, string> = {}) => ({
    metadata: { name: object, namespace: 'default', labels },
    data,
  });

  test.before(async () => {
    cluster = await start();
    client = connect({ kubeconfigText: cluster.kubeconfigText });
  });
  test.after(async () => {
    client.close();
    await cluster.close();
  });

  test('it is healthy, and its paths can be read raw', async () => {
    await client.healthy();
    assert.ok((await client.raw('/version')) as { gitVersion: string });
  });

  test('create, read, replace, remove; what is not there is undefined, not an error', async () => {
    assert.is(await client.read(KINDS.configMap, 'default', 'a'), undefined);
    const made = await client.create(KINDS.configMap, aConfigMap('a', { key: '1' }));
    assert.equal([made.kind, made.data, made.metadata.managedFields], ['ConfigMap', { key: '1' }, undefined]);
    const read = (await client.read(KINDS.configMap, 'default', 'a'))!;
    assert.equal(read, made);
    assert.equal((await client.replace(KINDS.configMap, { ...read, data: { key: '2' } })).data, { key: '2' });
    const stale = await failure(client.replace(KINDS.configMap, read));
    assert.instance(stale, KubeError);
    assert.equal([(stale as KubeError).code, (stale as KubeError).reason], [409, 'Conflict']);
    assert.is(await client.remove(KINDS.configMap, 'default', 'a'), true);
    assert.is(await client.remove(KINDS.configMap, 'default', 'a'), false);
  });

  test('an object with an invalid name is not found, and an invalid namespace is empty', async () => {
    for (const name of ['', '.', '..', '../secrets', 'a/b', '%2e']) {
      assert.is(await client.read(KINDS.configMap, 'default', name), undefined, name);
      assert.is(await client.remove(KINDS.configMap, 'default', name), false, name);
      if (name) assert.equal(await client.list(KINDS.configMap, { namespace: name }), [], name);
    }
  });

  test('a second create is a 409 of reason AlreadyExists, a dry run creates nothing', async () => {
    await client.create(KINDS.configMap, aConfigMap('b'), { dryRun: true });
    assert.is(await client.read(KINDS.configMap, 'default', 'b'), undefined);
    await client.create(KINDS.configMap, aConfigMap('b'));
    assert.is(((await failure(client.create(KINDS.configMap, aConfigMap('b')))) as KubeError).reason, 'AlreadyExists');
  });

  test('the three kinds of patch, and a resource version that must still be current', async () => {
    const { metadata } = await client.create(KINDS.configMap, aConfigMap('c', { one: '1' }));
    const { resourceVersion } = metadata;
    const at = (body: unknown, options: Parameters<KubeClient['patch']>[4]) => client.patch(KINDS.configMap, 'default', 'c', body, options);
    assert.equal((await at({ data: { two: '2' } }, { type: 'merge', resourceVersion })).data, { one: '1', two: '2' });
    assert.is(((await failure(at({ data: {} }, { type: 'merge', resourceVersion }))) as KubeError).code, 409);
    assert.equal((await at([{ op: 'remove', path: '/data/one' }], { type: 'json' })).data, { two: '2' });
    const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'default' }, data: { two: '3' } };
    assert.equal((await at(applied, { type: 'apply' })).data, { two: '3' });
  });

  test('only the object with that uid is removed', async () => {
    await client.create(KINDS.configMap, aConfigMap('d'));
    const error = await failure(client.remove(KINDS.configMap, 'default', 'd', { uid: '00000000-0000-0000-0000-000000000000' }));
    assert.is((error as KubeError).code, 409);
    assert.ok(await client.read(KINDS.configMap, 'default', 'd'));
  });

  test('a list is whole however many pages it takes, and holds to selectors', async () => {
    for (let index = 0; index < 5; index++)
      await client.create(KINDS.configMap, aConfigMap(`page-${index}`, {}, { page: String(index % 2) }));
    const even = await client.list(KINDS.configMap, { namespace: 'default', labelSelector: 'page=0' });
    assert.equal(
      even.map(({ metadata, kind }) => `${kind} ${metadata.name}`),
      ['ConfigMap page-0', 'ConfigMap page-2', 'ConfigMap page-4'],
    );
    const first = await client.page(KINDS.configMap, { labelSelector: 'page' }, { limit: 2 });
    const rest = await client.page(KINDS.configMap, { labelSelector: 'page' }, { limit: 10, continue: first.continueToken });
    assert.equal([first.items.length, rest.items.length, rest.continueToken], [2, 3, undefined]);
  });

  test('a client for some namespaces lists nothing elsewhere', async () => {
    for (const namespace of ['one', 'two', 'other']) {
      await client.create(KINDS.namespace, { metadata: { name: namespace } });
      await client.create(KINDS.configMap, { metadata: { name: 'here', namespace, labels: { narrow: 'yes' } } });
    }
    const narrow = connect({ kubeconfigText: cluster.kubeconfigText, namespaces: ['one', 'two'] });
    const places = async (namespace?: string) =>
      (await narrow.list(KINDS.configMap, { labelSelector: 'narrow', namespace })).map(({ metadata }) => metadata.namespace);
    assert.equal(await places(), ['one', 'two']);
    assert.equal(await places('other'), ['other'], 'a namespace that is named is meant');
    assert.ok((await narrow.list(KINDS.namespace)).length >= 3, 'what has no namespace is listed as ever');
    narrow.close();
  });

  test('a refused object says why', async () => {
    const error = await failure(
      client.create(KINDS.pod, { metadata: { name: 'bad', namespace: 'default' }, spec: { containers: [] } } as Pod),
    );
    assert.instance(error, KubeError);
    assert.equal([(error as KubeError).code, (error as KubeError).reason], [422, 'Invalid']);
    assert.match((error as KubeError).message, /spec\.containers/);
  });
  test.run();
}

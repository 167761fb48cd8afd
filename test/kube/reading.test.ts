import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { KindNotServed, KubeError } from '../../src/kube/errors.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { reading } from '../../src/kube/reading.ts';
import { secretNamesOf } from '../../src/kube/secret-names.ts';
import type { Call } from '../../src/kube/transport.ts';

const test = suite('reading objects');

interface Page {
  items: object[];
  metadata: { resourceVersion: string; continue?: string };
}
/** A reader whose answers are given, and the calls that it makes. */
function reader(answers: unknown[], namespaces?: readonly string[]) {
  const calls: (Call & { path: string })[] = [];
  const answer = async (path: string, call: Call = {}) => {
    calls.push({ path, ...call });
    const next = answers.shift();
    if (next instanceof Error) throw next;
    return next as never;
  };
  return { calls, ...reading({ json: answer, stream: answer }, namespaces) };
}
const page = (names: string[], more?: string): Page => ({
  items: names.map((name) => ({ metadata: { name, managedFields: [{}] } })),
  metadata: { resourceVersion: '7', ...(more === undefined ? {} : { continue: more }) },
});
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: Error) => error,
  );

test('a list is read in pages of 500, and each object has its kind and no managed fields', async () => {
  const { list, calls } = reader([page(['a'], 'next'), page(['b'], '')]);
  const found = await list(KINDS.deployment, { namespace: 'shop', labelSelector: 'a=b', fieldSelector: 'c=d' });
  assert.equal(
    found,
    ['a', 'b'].map((name) => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name } })) as unknown as KubeObject[],
  );
  const path = '/apis/apps/v1/namespaces/shop/deployments';
  const query = { labelSelector: 'a=b', fieldSelector: 'c=d', limit: 500 };
  assert.equal(calls, [
    { path, query: { ...query, continue: undefined } },
    { path, query: { ...query, continue: 'next' } },
  ]);
});

test('managed fields are kept when they are asked for; metadata alone is asked for by its media type', async () => {
  const { page: read, calls } = reader([page(['a']), page(['a']), page(['a'], 'x')]);
  const signal = new AbortController().signal;
  const kept = async (selection: object) => {
    const { items, ...rest } = await read(KINDS.pod, selection, { limit: 2 }, signal);
    return [items[0]?.metadata.managedFields !== undefined, rest];
  };
  assert.equal(await kept({}), [false, { resourceVersion: '7' }]);
  assert.equal(await kept({ withManagedFields: true }), [true, { resourceVersion: '7' }]);
  assert.equal(await kept({ metadataOnly: true }), [true, { resourceVersion: '7', continueToken: 'x' }]);
  const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
  assert.equal(calls, [
    { path: '/api/v1/pods', query: { limit: 2 }, signal },
    { path: '/api/v1/pods', query: { limit: 2 }, signal },
    { path: '/api/v1/pods', query: { limit: 2 }, accept, signal },
  ]);
});

const NARROW: [what: string, kind: (typeof KINDS)[keyof typeof KINDS], namespace: string | undefined, paths: string[]][] = [
  ['a namespaced kind in each of its namespaces', KINDS.pod, undefined, ['/api/v1/namespaces/a/pods', '/api/v1/namespaces/b/pods']],
  ['another namespace if that is named', KINDS.pod, 'c', ['/api/v1/namespaces/c/pods']],
  ['a kind without namespaces once', KINDS.node, undefined, ['/api/v1/nodes']],
];
for (const [what, kind, namespace, paths] of NARROW)
  test(`a reader of some namespaces lists ${what}`, async () => {
    const { list, calls } = reader([page(['x']), page(['y'])], ['a', 'b']);
    assert.is((await list<KubeObject>(kind, { namespace })).length, paths.length);
    assert.equal(
      calls.map(({ path }) => path),
      paths,
    );
  });

test('a namespace that cannot exist is empty, and nothing is asked', async () => {
  const { page: read, calls } = reader([]);
  assert.equal(await read(KINDS.pod, { namespace: 'a/b' }, {}), { items: [], resourceVersion: '' });
  assert.is(calls.length, 0);
});

test('an object that is not there is undefined; other refusals are thrown; a kind that is not served is told by its name', async () => {
  const denied = new KubeError(403, 'Forbidden', 'no');
  const gone = new KubeError(404, 'NotFound', 'no');
  const { read, list } = reader([gone, denied, { metadata: { name: 'a', managedFields: [] } }, gone, denied]);
  assert.is(await read(KINDS.pod, 'shop', 'a'), undefined);
  assert.is(await failure(read(KINDS.pod, 'shop', 'a')), denied);
  assert.equal(await read(KINDS.pod, 'shop', 'a'), { metadata: { name: 'a' } } as never);
  const error = await failure(list(KINDS.mirrorPod));
  assert.instance(error, KindNotServed);
  assert.match((error as KindNotServed).why, 'mirrorpods');
  assert.is(await failure(list(KINDS.mirrorPod)), denied);
});

test('a watch has the selectors and its own parameters', async () => {
  const { watch, calls } = reader([{}]);
  const { signal } = new AbortController();
  await watch(
    KINDS.pod,
    { namespace: 'shop', labelSelector: 'a', metadataOnly: true, withManagedFields: true },
    { resourceVersion: '7' },
    signal,
  );
  assert.equal(calls, [{ path: '/api/v1/namespaces/shop/pods', query: { labelSelector: 'a', resourceVersion: '7', watch: true }, signal }]);
});

test('of Secrets only names, types and keys are kept, page by page', async () => {
  const asked: unknown[] = [];
  const pages = [
    {
      items: [{ metadata: { name: 'a' }, type: 'Opaque', data: { x: 'c2VjcmV0', y: 'c2VjcmV0' } }],
      resourceVersion: '1',
      continueToken: 'next',
    },
    { items: [{ metadata: { name: 'b' } }], resourceVersion: '1' },
  ];
  const ask = async (...call: unknown[]) => (asked.push(call), pages.shift());
  const names = secretNamesOf({ client: { page: ask as never }, log: { warn: () => assert.unreachable() } });
  assert.equal(await names('shop'), [
    { name: 'a', keys: ['x', 'y'], type: 'Opaque' },
    { name: 'b', keys: [] },
  ]);
  assert.equal(asked, [
    [KINDS.secret, { namespace: 'shop' }, { limit: 100, continue: undefined }],
    [KINDS.secret, { namespace: 'shop' }, { limit: 100, continue: 'next' }],
  ]);
});

test('Secrets that may not be listed are left out, which is logged once; other errors of the API server are not', async () => {
  const errors: Error[] = [403, 500, 403, 403].map((code) => new KubeError(code, 'x', 'no'));
  errors.push(new Error('away'));
  const told: object[] = [];
  const page = async () => {
    throw errors.shift() as Error;
  };
  const names = secretNamesOf({ client: { page }, log: { warn: (fields) => void told.push(fields) } });
  for (const namespace of ['a', 'b', 'c', 'd']) assert.is(await names(namespace), undefined);
  assert.equal(told, [{ namespace: 'a' }]);
  assert.is((await failure(names('e')))?.message, 'away');
  const server = secretNamesOf({
    client: { page: async () => Promise.reject(new KubeError(500, 'x', 'no')) },
    log: { warn: () => assert.unreachable() },
  });
  assert.is(await server('a'), undefined);
});

test.run();

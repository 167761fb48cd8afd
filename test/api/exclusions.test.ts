import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Suppression } from '../../src/crd/suppression.ts';
import { exclusions } from '../../src/suppressions/exclusions.ts';
import { suppressionWrites } from '../../src/suppressions/writes.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { type Cache, watchKind } from '../../src/kube/watch.ts';
import { testApp, type TestApp } from '../support/worlds/app.ts';
import { aNamespace, type Cluster, clusters, installDefinitions } from '../support/cluster/clusters.ts';
import { aSuppression } from '../support/builders/suppression.ts';

for (const { name, start } of clusters('exclusions')) {
  const test = suite(`exclusions on ${name}`);
  let cluster: Cluster;
  let client: KubeClient;
  let cache: Cache<Suppression>;
  let it: TestApp;
  const writes: string[] = [];

  test.before(async () => {
    cluster = await start();
    client = connect({ kubeconfigText: cluster.kubeconfigText });
    cache = watchKind(client, KINDS.suppression, { project: (one) => one });
    // A client that notes every write.
    const counted: Parameters<typeof suppressionWrites>[0]['client'] = {
      create: (...given) => (writes.push('create'), client.create(...given)),
      patch: (...given) => (writes.push('patch'), client.patch(...given)),
      remove: (...given) => (writes.push('remove'), client.remove(...given)),
    };
    const makeWrites = suppressionWrites({ client: counted, cache, operatorNamespace: 'podmend' });
    const deps = { writes: makeWrites, cache, operatorNamespace: 'podmend', hiddenNamespaces: ['hidden'] };
    it = await testApp(({ now }) => ({ exclusions: exclusions({ ...deps, now }) }));
  });
  test.after(async () => {
    await it.close();
    await cache.stop();
    client.close();
    await cluster.close();
  });

  const NAMESPACES = '/api/admin/excluded-namespaces';
  const PODS = '/api/admin/excluded-pods';
  const REGISTRIES = '/api/security/trusted-registries';
  const post = (url: string, payload: object) => it.send('write', { method: 'POST', url, payload });
  const remove = (url: string) => it.send('write', { method: 'DELETE', url });
  const entries = async (url: string) => {
    const listed = (await it.send('write', { method: 'GET', url })).json() as Record<string, string>[];
    return listed.map((one) => `${one['namespace'] ?? one['pod_name'] ?? one['registry']} ${one['source']}`);
  };
  const named = (object: string, match: Suppression['spec']['match'], labels: Record<string, string> = {}) => {
    const { metadata, ...rest } = aSuppression(match);
    return { ...rest, metadata: { name: object, namespace: metadata.namespace!, labels } };
  };
  /** Creates a Suppression as kubectl or GitOps would, and waits until the cache has it. */
  const apply = async (...given: Parameters<typeof named>) => {
    await client.create(KINDS.suppression, named(...given));
    assert.ok(await cache.seen(() => cache.get('podmend', given[0]) !== undefined, 2_000));
  };

  test('before the Suppressions are known, the answer is 503', async () => {
    const answer = await it.send('write', { method: 'GET', url: NAMESPACES });
    assert.is(answer.statusCode, 503);
    assert.equal(answer.json(), { detail: 'Kubernetes client not available' });
    assert.is((await post(NAMESPACES, { namespace: 'shop' })).statusCode, 503);
    assert.is((await remove(`${NAMESPACES}/shop`)).statusCode, 503);
    await Promise.all([installDefinitions(client), aNamespace(client, 'podmend')]);
    await cache.start();
    assert.equal(await entries(NAMESPACES), []);
  });

  test('an entry is made, listed at once, made again without change, and removed', async () => {
    const made = await post(NAMESPACES, { namespace: 'shop-*' });
    assert.is(made.statusCode, 200);
    const { created_at, ...rest } = made.json() as Record<string, string>;
    assert.equal(rest, { namespace: 'shop-*', source: 'api' });
    assert.not.type(created_at && Date.parse(created_at), 'undefined');
    assert.equal(await entries(NAMESPACES), ['shop-* api']);
    // printf %s 'shop-*' | sha256sum | cut -c1-10
    const object = await client.read(KINDS.suppression, 'podmend', 'api-namespace-2a9b65930a');
    assert.equal(object?.spec, {
      reason: 'Excluded namespace, set through the API',
      owner: 'the-write',
      match: { namespaces: ['shop-*'] },
    });
    assert.equal(object?.metadata.labels, { 'app.kubernetes.io/managed-by': 'podmend' });
    assert.equal((await post(NAMESPACES, { namespace: 'shop-*' })).json(), made.json());
    assert.is((await client.read(KINDS.suppression, 'podmend', 'api-namespace-2a9b65930a'))?.metadata.generation, 1);
    assert.is((await remove(`${NAMESPACES}/shop-*`)).statusCode, 204);
    assert.equal(await entries(NAMESPACES), []);
    const again = await remove(`${NAMESPACES}/shop-*`);
    assert.is(again.statusCode, 404);
    assert.equal(again.json(), { detail: 'Excluded namespace not found' });
  });

  for (const pattern of ['web-*', 'a/b:c*', '*/x', 'plain', '50%', 'a%2Fb'])
    test(`the pod pattern ${pattern} works encoded${pattern.includes('%') ? '' : ' and plain'}`, async () => {
      const paths = [encodeURIComponent(pattern), ...(pattern.includes('%') ? [] : [pattern])];
      for (const path of paths) {
        assert.is((await post(PODS, { pod_name: pattern })).json().pod_name, pattern);
        assert.equal(await entries(PODS), [`${pattern} api`]);
        assert.is((await remove(`${PODS}/${path}`)).statusCode, 204);
        assert.equal(await entries(PODS), []);
      }
    });

  for (const registry of ['ghcr.io', 'registry.example:5000/team', '*.dkr.ecr.*.amazonaws.com', 'a/b:c*'])
    test(`the registry ${registry} works encoded and plain`, async () => {
      for (const path of [encodeURIComponent(registry), registry]) {
        const made = (await post(REGISTRIES, { registry })).json() as Record<string, string>;
        assert.equal([made['registry'], made['source']], [registry, 'api']);
        assert.equal(await entries(REGISTRIES), [`${registry} api`]);
        const [object] = cache.list('podmend').filter(({ metadata }) => metadata.name?.startsWith('api-registry-'));
        assert.equal(object?.spec, {
          reason: 'Trusted registry, set through the API',
          owner: 'the-write',
          match: { checks: ['untrusted-registry'], images: [`${registry}/*`] },
        });
        assert.is((await remove(`${REGISTRIES}/${path}`)).statusCode, 204);
        assert.equal(await entries(REGISTRIES), []);
      }
      const again = await remove(`${REGISTRIES}/${registry}`);
      assert.equal([again.statusCode, again.json()], [404, { detail: 'Trusted registry not found' }]);
    });

  test('each request is one write, and none when nothing is to be changed', async () => {
    writes.length = 0;
    await post(REGISTRIES, { registry: 'ghcr.io' });
    await post(REGISTRIES, { registry: 'ghcr.io' });
    await remove(`${REGISTRIES}/ghcr.io`);
    await remove(`${REGISTRIES}/ghcr.io`);
    assert.equal(writes, ['create', 'remove']);
  });

  for (const [url, payload, prefix] of [
    [NAMESPACES, { namespace: 'crowd' }, 'api-namespace-'],
    [PODS, { pod_name: 'crowd-*' }, 'api-pod-'],
    [REGISTRIES, { registry: 'crowd.example' }, 'api-registry-'],
  ] as const)
    test(`twenty who add the same entry to ${url} at once get the same good answer, and there is one object`, async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => post(url, payload)));
      assert.equal([...new Set(answers.map(({ statusCode }) => statusCode))], [200]);
      assert.is(new Set(answers.map(({ payload: text }) => text)).size, 1);
      const made = (await client.list(KINDS.suppression, { namespace: 'podmend' })).filter(({ metadata }) =>
        metadata.name?.startsWith(prefix),
      );
      assert.equal(
        made.map(({ metadata }) => metadata.generation),
        [1],
      );
      const removals = await Promise.all(Array.from({ length: 20 }, () => remove(`${url}/${Object.values(payload)[0]}`)));
      assert.ok(removals.every(({ statusCode }) => statusCode === 204 || statusCode === 404));
      assert.ok(removals.some(({ statusCode }) => statusCode === 204));
      assert.equal(await entries(url), []);
    });

  test('deleting several entries of one object at once deletes no others', async () => {
    const names = Array.from({ length: 10 }, (_, n) => `pod-${n}`);
    await apply('many', { pods: [...names, 'stays'] });
    const answers = await Promise.all(names.map((one) => remove(`${PODS}/${one}`)));
    assert.equal([...new Set(answers.map(({ statusCode }) => statusCode))], [204]);
    assert.equal(await entries(PODS), ['stays kubectl']);
    assert.is((await remove(`${PODS}/stays`)).statusCode, 204);
  });

  test('an object of our name that somebody changed gets its reason back', async () => {
    await post(NAMESPACES, { namespace: 'turned' });
    const [{ metadata }] = cache.list('podmend').filter(({ spec }) => spec.match.namespaces?.[0] === 'turned') as [Suppression];
    const change = { spec: { ticket: 'T-1', match: { pods: ['x'], labelSelector: { matchLabels: { a: 'b' } } } } };
    await client.patch(KINDS.suppression, 'podmend', metadata.name!, change, { type: 'merge' });
    assert.ok(await cache.seen(() => cache.byUid(metadata.uid!)?.spec.ticket === 'T-1', 2_000));
    assert.equal(await entries(NAMESPACES), []);
    assert.is((await post(NAMESPACES, { namespace: 'turned' })).statusCode, 200);
    assert.equal((await client.read(KINDS.suppression, 'podmend', metadata.name!))?.spec, {
      reason: 'Excluded namespace, set through the API',
      owner: 'the-write',
      match: { namespaces: ['turned'] },
    });
    await remove(`${NAMESPACES}/turned`);
  });

  test('a hidden namespace is no entry, whoever made it', async () => {
    await apply('with-hidden', { namespaces: ['hidden', 'seen'] });
    assert.equal(await entries(NAMESPACES), ['seen kubectl']);
    const refused = await post(NAMESPACES, { namespace: 'hidden' });
    assert.equal([refused.statusCode, refused.json()], [400, { detail: 'namespace must not be a hidden one' }]);
    assert.is((await remove(`${NAMESPACES}/hidden`)).statusCode, 404);
    assert.is((await remove(`${NAMESPACES}/seen`)).statusCode, 204);
    assert.equal((await client.read(KINDS.suppression, 'podmend', 'with-hidden'))?.spec.match, { namespaces: ['hidden'] });
    await client.remove(KINDS.suppression, 'podmend', 'with-hidden');
  });

  for (const [url, payload, detail] of [
    [NAMESPACES, {}, /namespace/],
    [NAMESPACES, { namespace: '' }, /namespace/],
    [NAMESPACES, { namespace: 7 }, /namespace/],
    [NAMESPACES, { namespace: 'Shop' }, /namespace/],
    [NAMESPACES, { namespace: 'x'.repeat(64) }, /namespace/],
    [NAMESPACES, { namespace: '*' }, /namespace must not be only \*/],
    [PODS, { pod_name: '**' }, /pod_name must not be only \*/],
    [PODS, { pod_name: 'a b' }, /pod_name/],
    [PODS, { pod_name: 'a\u0000' }, /pod_name/],
    [PODS, { pod_name: 'x'.repeat(254) }, /pod_name/],
    [REGISTRIES, {}, /registry is required/],
    [REGISTRIES, { registry: 'https://ghcr.io' }, /registry must be a host without a scheme/],
    [REGISTRIES, { registry: 'ghcr.io/' }, /registry must not end in/],
    [REGISTRIES, { registry: 'ghcr.io/*' }, /registry must not end in/],
    [REGISTRIES, { registry: '*/*' }, /registry must not be only \*/],
    [REGISTRIES, { registry: 'a b' }, /registry/],
  ] as const)
    test(`${url.slice(11)} ${JSON.stringify(payload).slice(0, 40)}: 400`, async () => {
      const answer = await post(url, payload);
      assert.is(answer.statusCode, 400);
      assert.match(answer.json().detail, detail);
    });

  test('what kubectl made is listed and may go; of several entries only that one', async () => {
    await apply('by-hand', { pods: ['one', 'two'] });
    assert.equal(await entries(PODS), ['one kubectl', 'two kubectl']);
    assert.is((await remove(`${PODS}/one`)).statusCode, 204);
    assert.equal(await entries(PODS), ['two kubectl']);
    assert.is((await remove(`${PODS}/two`)).statusCode, 204);
    assert.is(await client.read(KINDS.suppression, 'podmend', 'by-hand'), undefined);
  });

  test('what Git manages is listed by its manager and stays', async () => {
    await apply('from-git', { namespaces: ['bank'] }, { 'kustomize.toolkit.fluxcd.io/name': 'apps' });
    assert.equal(await entries(NAMESPACES), ['bank Flux']);
    assert.equal((await post(NAMESPACES, { namespace: 'bank' })).json().source, 'Flux');
    const answer = await remove(`${NAMESPACES}/bank`);
    assert.is(answer.statusCode, 409);
    assert.equal(answer.json(), { detail: 'Managed by Flux: change it at its source' });
    assert.equal(await entries(NAMESPACES), ['bank Flux']);
    await client.remove(KINDS.suppression, 'podmend', 'from-git');
    assert.ok(await cache.seen(() => cache.get('podmend', 'from-git') === undefined, 2_000));
  });

  test('Suppressions of another form or in another namespace are not entries', async () => {
    await aNamespace(client, 'team');
    await apply('both', { namespaces: ['a'], pods: ['b'] });
    const { metadata, ...rest } = named('team-pods', { pods: ['c'] });
    await client.create(KINDS.suppression, { ...rest, metadata: { ...metadata, namespace: 'team' } });
    assert.ok(await cache.seen(() => cache.get('team', 'team-pods') !== undefined, 2_000));
    await apply('other-check', { checks: ['privileged'], images: ['ghcr.io/*'] });
    assert.equal([await entries(NAMESPACES), await entries(PODS), await entries(REGISTRIES)], [[], [], []]);
    assert.is((await remove(`${PODS}/c`)).statusCode, 404);
  });

  test('a suspended Suppression is no entry, and is active again when the entry is created', async () => {
    await post(PODS, { pod_name: 'sleepy' });
    const [{ metadata }] = cache.list('podmend').filter(({ spec }) => spec.match.pods?.[0] === 'sleepy') as [Suppression];
    const change = { spec: { suspend: true, expirationTime: '2020-01-01T00:00:00Z' } };
    await client.patch(KINDS.suppression, 'podmend', metadata.name!, change, { type: 'merge' });
    assert.ok(await cache.seen(() => cache.byUid(metadata.uid!)?.spec.suspend === true, 2_000));
    assert.equal(await entries(PODS), []);
    assert.is((await post(PODS, { pod_name: 'sleepy' })).statusCode, 200);
    assert.equal(await entries(PODS), ['sleepy api']);
    await remove(`${PODS}/sleepy`);
  });

  test('every change is a row of the audit log', async () => {
    await post(PODS, { pod_name: 'audited' });
    await remove(`${PODS}/audited`);
    const rows = await it.store.db
      .selectFrom('audit')
      .select(['action', 'target', 'username'])
      .where('target', '=', 'audited')
      .orderBy('id')
      .execute();
    assert.equal(rows, [
      { action: 'excluded-pod.add', target: 'audited', username: 'the-write' },
      { action: 'excluded-pod.remove', target: 'audited', username: 'the-write' },
    ]);
  });

  for (const url of [NAMESPACES, PODS, REGISTRIES])
    test(`${url} takes role write, also for reading`, async () => {
      for (const method of ['GET', 'POST'] as const) {
        const answer = await it.send('read', {
          method,
          url,
          ...(method === 'POST' ? { payload: { namespace: 'a', pod_name: 'a', registry: 'a' } } : {}),
        });
        assert.is(answer.statusCode, 403);
        assert.equal(answer.json(), { detail: 'Requires the write role' });
      }
    });
  test.run();
}

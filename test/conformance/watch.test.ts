import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '../support/runner/wait.ts';
import { startServers } from './servers.ts';

// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

const MAPS = '/api/v1/namespaces/default/configmaps';
const map = (name: string, labels: Record<string, string> = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } });

for (const { name, client, close } of await startServers('conformance of watches')) {
  const test = suite(`watches as Podmend relies on them: ${name}`);
  test.after(close);

  /** Watches a path. `seen` returns the events as `TYPE name`. */
  function watching(path: string) {
    const events: { type: string; object: Loose }[] = [];
    const stop = client.watch(path, (event) => events.push(event));
    return { events, stop, seen: () => events.filter((e) => e.type !== 'BOOKMARK').map((e) => `${e.type} ${e.object.metadata.name}`) };
  }

  test('a watch from a list misses nothing and repeats nothing', async () => {
    await client.create(map('before', { watch: 'a' }));
    const { metadata } = await client.get(`${MAPS}?labelSelector=watch%3Da`);
    await client.create(map('between', { watch: 'a' }));
    const { seen, stop } = watching(`${MAPS}?labelSelector=watch%3Da&resourceVersion=${metadata.resourceVersion}`);
    await client.request('PATCH', `${MAPS}/before`, { data: { k: 'v' } }, 'application/merge-patch+json');
    await client.request('DELETE', `${MAPS}/between`);
    await until(() => seen().length >= 3, { what: 'three events' });
    stop();
    assert.equal(seen(), ['ADDED between', 'MODIFIED before', 'DELETED between']);
  });

  test('what leaves a selector is deleted, what enters it is added', async () => {
    await client.create(map('moves', { watch: 'out' }));
    const { metadata } = await client.get(MAPS);
    const { seen, stop } = watching(`${MAPS}?labelSelector=watch%3Din&resourceVersion=${metadata.resourceVersion}`);
    for (const value of ['in', 'out'])
      await client.request('PATCH', `${MAPS}/moves`, { metadata: { labels: { watch: value } } }, 'application/merge-patch+json');
    await until(() => seen().length >= 2, { what: 'two events' });
    stop();
    assert.equal(seen(), ['ADDED moves', 'DELETED moves']);
  });

  test('a streaming list ends with a bookmark', async () => {
    const { events, seen, stop } = watching(
      `${MAPS}?labelSelector=watch%3Da&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    );
    const end = await until(() => events.find((e) => e.type === 'BOOKMARK'), { what: 'the bookmark' });
    stop();
    assert.equal(seen(), ['ADDED before']);
    assert.is(end.object.metadata.annotations['k8s.io/initial-events-end'], 'true');
    assert.match(end.object.metadata.resourceVersion, /^\d+$/);
  });

  test('a watch without a version begins with everything there is', async () => {
    const { seen, stop } = watching(`${MAPS}?fieldSelector=metadata.name%3Dbefore`);
    await until(() => seen().length > 0, { what: 'the object' });
    stop();
    assert.equal(seen(), ['ADDED before']);
  });

  test('timeoutSeconds ends a watch', async () => {
    const started = performance.now();
    const { status } = await client.request('GET', `${MAPS}?watch=true&timeoutSeconds=1&resourceVersion=0&labelSelector=watch%3Dnothing`);
    assert.is(status, 200);
    assert.ok(performance.now() - started > 900);
  });

  if (name === 'sandbox')
    test('a version that is forgotten is expired', async () => {
      const { metadata } = await client.create(map('busy'));
      for (let i = 0; i < 1200; i += 1)
        await client.request('PATCH', `${MAPS}/busy`, { data: { i: String(i) } }, 'application/merge-patch+json');
      const { events, stop } = watching(`${MAPS}?resourceVersion=${metadata.resourceVersion}`);
      const { type, object } = await until(() => events[0], { what: 'the error' });
      stop();
      assert.is(type, 'ERROR');
      assert.equal([object.code, object.reason], [410, 'Expired']);
    });

  test.run();
}

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../src/kube/connect.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { type Cache, watchKind, type WatchTiming } from '../../src/kube/watch.ts';
import type { Pod } from '../../src/crd/kubernetes.ts';
import { type FakeApi, fakeApi } from '../support/fake-api.ts';
import { until } from '../support/wait.ts';

interface World {
  api: FakeApi;
  cache: Cache<Pod>;
  told: string[];
  end(): Promise<void>;
}

const watch = suite<World>('watch');

/** Starts a cache over a fake API that holds a, b and c; its own troubles are short ones. */
async function begin(prepare: (api: FakeApi) => void = () => undefined, over: Partial<WatchTiming> = {}): Promise<World> {
  const api = await fakeApi();
  for (const name of ['a', 'b', 'c']) api.put(name);
  prepare(api);
  const client = connect({ kubeconfigText: api.kubeconfigText });
  const timing = { backoffMs: 10, maxBackoffMs: 40, quietMs: 60_000, ...over };
  const cache = watchKind<Pod>(client, KINDS.pod, { project: (pod) => pod, timing });
  const told: string[] = [];
  cache.onChange(({ type, object, previous }) => void told.push(`${type} ${object.metadata.name}${previous ? ' again' : ''}`));
  const end = async () => {
    await cache.stop();
    client.close();
    await api.close();
  };
  return { api, cache, told, end };
}

const names = (cache: Cache<Pod>) =>
  cache
    .list()
    .map(({ metadata }) => metadata.name ?? '')
    .toSorted((one, other) => one.localeCompare(other))
    .join();
const watching = ({ api }: World) => until(() => api.open.length === 1, { what: 'a watch' });

watch('lists in pages, then follows', async () => {
  const world = await begin();
  const { api, cache, told } = world;
  assert.is(cache.synced, false);
  await cache.start();
  assert.is(cache.synced, true);
  assert.is(names(cache), 'a,b,c');
  assert.is(api.lists, 2);
  await watching(world);
  api.put('d');
  api.put('a');
  api.remove('b');
  await until(() => told.length === 6, { what: 'three changes' });
  assert.equal(told.slice(3), ['ADDED d', 'MODIFIED a again', 'DELETED b again']);
  assert.is(names(cache), 'a,c,d');
  assert.is(cache.get('default', 'd')?.metadata.managedFields, undefined);
  assert.is(cache.byUid('d'), cache.get('default', 'd'));
  assert.is(cache.byUid('b'), undefined);
  await world.end();
});

watch('another object of the same name is an end and a beginning', async () => {
  const world = await begin();
  await world.cache.start();
  await watching(world);
  world.api.put('a', 'another');
  await until(() => world.told.length === 5, { what: 'two changes' });
  assert.equal(world.told.slice(3), ['DELETED a again', 'ADDED a']);
  await world.end();
});

const troubles: { says: string; cause: (api: FakeApi) => void; relists: boolean }[] = [
  { says: 'a cut', cause: (api) => api.open[0]!.destroy(), relists: false },
  { says: 'a clean end', cause: (api) => api.open[0]!.end(), relists: false },
  {
    says: 'half a line and a cut',
    cause: (api) => (api.open[0]!.write('{"type":"ADDED","obj'), setTimeout(() => api.open[0]?.destroy(), 20)),
    relists: false,
  },
  { says: 'a line that is no JSON', cause: (api) => api.open[0]!.write('<html>\n'), relists: false },
  { says: 'a 500 in the stream', cause: (api) => api.emit({ type: 'ERROR', object: { code: 500, message: 'etcd' } }), relists: false },
  { says: 'a 410 in the stream', cause: (api) => api.emit({ type: 'ERROR', object: { code: 410, reason: 'Expired' } }), relists: true },
  { says: 'a 410 as the answer', cause: (api) => (api.refuse('watch', 410), api.open[0]!.destroy()), relists: true },
  {
    says: 'answers of 500 and 403 for a while',
    cause: (api) => (api.refuse('watch', 500, 403, 500), api.open[0]!.destroy()),
    relists: false,
  },
  {
    says: 'a failing list after a 410',
    cause: (api) => (api.refuse('watch', 410), api.refuse('list', 500, 503), api.open[0]!.destroy()),
    relists: true,
  },
];
for (const { says, cause, relists } of troubles)
  watch(`survives ${says}`, async () => {
    const world = await begin();
    const { api, cache, told } = world;
    await cache.start();
    await watching(world);
    const before = { watches: api.watches, lists: api.lists };
    cause(api);
    await until(() => api.watches > before.watches && api.open.length === 1, { what: 'the watch to come back' });
    assert.is(api.lists > before.lists, relists);
    api.put('later');
    await until(() => told.includes('ADDED later'), { what: 'a change after the trouble' });
    assert.is(names(cache), 'a,b,c,later');
    await world.end();
  });

watch('comes again no sooner than the API server asked', async () => {
  const world = await begin();
  await world.cache.start();
  await watching(world);
  world.api.refuse('watch', 429);
  const { watches } = world.api;
  world.api.open[0]!.destroy();
  await until(() => world.api.watches === watches + 1, { what: 'the refused one' });
  const refusedAt = performance.now();
  await until(() => world.api.watches === watches + 2, { what: 'the next one' });
  assert.ok(performance.now() - refusedAt > 950);
  await world.end();
});

watch('lists soon when the API server is back with another history, however long it was away', async () => {
  const world = await begin(undefined, { backoffMs: 10, maxBackoffMs: 60_000 });
  await world.cache.start();
  await watching(world);
  world.api.refuse('watch', ...Array.from({ length: 8 }, () => 503), 410);
  const { watches, lists } = world.api;
  world.api.open[0]!.destroy();
  await until(() => world.api.watches === watches + 9, { what: 'the 410', timeoutMs: 10_000 });
  const backAt = performance.now();
  await until(() => world.api.lists > lists, { what: 'a list', timeoutMs: 10_000 });
  // The wait had grown to more than two seconds.
  assert.ok(performance.now() - backAt < 1_000);
  await world.end();
});

watch('is soon back after a cut when it lived longer than it had waited before', async () => {
  const world = await begin(undefined, { backoffMs: 50, maxBackoffMs: 60_000 });
  await world.cache.start();
  await watching(world);
  world.api.refuse('watch', 503, 503, 503, 503);
  world.api.open[0]!.destroy();
  await until(() => world.api.watches === 6 && world.api.open.length === 1, { what: 'the watch to come back', timeoutMs: 10_000 });
  // Longer than the last wait, which was 800 ms give or take a quarter.
  await new Promise((wake) => setTimeout(wake, 1_300));
  world.api.open[0]!.destroy();
  const cutAt = performance.now();
  await until(() => world.api.watches === 7, { what: 'the next watch', timeoutMs: 10_000 });
  // The wait would have grown to 1200 ms at least.
  assert.ok(performance.now() - cutAt < 1_000);
  await world.end();
});

watch('tells what happened during a gap', async () => {
  const world = await begin();
  const { api, cache, told } = world;
  await cache.start();
  await watching(world);
  api.refuse('watch', 410);
  const [response] = api.open.splice(0);
  api.put('a');
  api.remove('b');
  api.put('d');
  response!.destroy();
  await until(() => told.length === 6, { what: 'the gap to be told' });
  assert.equal(told.slice(3).sort(), ['ADDED d', 'DELETED b again', 'MODIFIED a again']);
  await world.end();
});

watch('gives up a connection that has gone silent', async () => {
  const world = await begin(undefined, { quietMs: 50 });
  await world.cache.start();
  await until(() => world.api.watches > 2, { what: 'new watches' });
  assert.is(names(world.cache), 'a,b,c');
  await world.end();
});

watch('keeps a quiet connection that sends bookmarks, and moves on with them', async () => {
  const world = await begin(undefined, { quietMs: 150 });
  await world.cache.start();
  await watching(world);
  for (let version = 100; version < 110; version++) {
    world.api.emit({ type: 'BOOKMARK', object: { kind: 'Pod', metadata: { resourceVersion: String(version) } } });
    await new Promise((wake) => setTimeout(wake, 30));
  }
  assert.is(world.api.watches, 1);
  assert.is(names(world.cache), 'a,b,c');
  await world.end();
});

watch('waits for a cluster that is away, and is synced when it comes', async () => {
  const world = await begin((api) => api.refuse('list', 500, 500, 500));
  await world.cache.start();
  assert.is(names(world.cache), 'a,b,c');
  await world.end();
});

watch('listeners that throw or reject harm nobody', async () => {
  const world = await begin();
  world.cache.onChange(() => {
    throw new Error('thrown');
  });
  world.cache.onChange(async () => {
    await Promise.reject(new Error('rejected'));
  });
  const heard: string[] = [];
  world.cache.onChange(({ object }) => void heard.push(object.metadata.name!));
  await world.cache.start();
  assert.equal(heard, ['a', 'b', 'c']);
  await world.end();
});

watch('stops at once, also before it is synced, and is not revived', async () => {
  const world = await begin((api) => api.refuse('list', ...Array.from({ length: 1000 }, () => 500)));
  const started = world.cache.start();
  await until(() => world.api.lists > 1, { what: 'attempts' });
  await world.cache.stop();
  await started;
  assert.is(world.cache.synced, false);
  const { lists } = world.api;
  await new Promise((wake) => setTimeout(wake, 100));
  assert.is(world.api.lists, lists);
  await world.end();
});

watch('says when something has been seen, or that it was not', async () => {
  const world = await begin();
  await world.cache.start();
  await watching(world);
  const has = (name: string) => () => world.cache.get('default', name) !== undefined;
  assert.is(await world.cache.seen(has('a'), 0), true);
  const seen = world.cache.seen(has('new'), 2000);
  world.api.put('new');
  assert.is(await seen, true);
  assert.is(await world.cache.seen(has('never'), 20), false);
  await world.end();
});

watch.run();

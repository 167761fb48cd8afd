import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../src/kube/client.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { type Cache, watchKind, type WatchTiming } from '../../src/kube/watch.ts';
import type { Pod } from '../../src/crd/kubernetes.ts';
import { createLog } from '../../src/log.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { installDefinitions } from '../support/cluster/clusters.ts';
import { type FakeApi, fakeApi } from '../support/cluster/fake-api.ts';
import { until } from '../support/runner/wait.ts';

interface World {
  api: FakeApi;
  cache: Cache<Pod>;
  told: string[];
  /** The waits that the cache asks for after failures. The test really waits only for a moment. */
  waits: number[];
  /** Moves the cache's clock. */
  jump(ms: number): void;
}

const watch = suite<World>('watch');
const ends: (() => Promise<void>)[] = [];

// Also after a failed test: an open watch would keep the process alive.
watch.after.each(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Starts a cache over a fake API that holds a, b and c. It waits only briefly after an error. It is closed after the test. */
async function begin(prepare: (api: FakeApi) => void = () => undefined, over: Partial<WatchTiming> = {}): Promise<World> {
  const api = await fakeApi();
  for (const name of ['a', 'b', 'c']) api.put(name);
  prepare(api);
  const client = connect({ kubeconfigText: api.kubeconfigText });
  const timing = { backoffMs: 10, maxBackoffMs: 40, quietMs: 60_000, ...over };
  const waits: number[] = [];
  const pause = async (ms: number, signal: AbortSignal) => {
    waits.push(ms);
    await sleep(Math.min(ms, 20), undefined, { signal }).catch(() => undefined);
  };
  let skipped = 0;
  const clock = () => performance.now() + skipped;
  const cache = watchKind<Pod>(client, KINDS.pod, { project: (pod) => pod, timing, pause, clock });
  const told: string[] = [];
  cache.onChange(({ type, object, previous }) => void told.push(`${type} ${object.metadata.name}${previous ? ' again' : ''}`));
  ends.push(async () => {
    await cache.stop();
    client.close();
    await api.close();
  });
  return { api, cache, told, waits, jump: (ms) => void (skipped += ms) };
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
});

watch('another object of the same name is a deletion and an addition', async () => {
  const world = await begin();
  await world.cache.start();
  await watching(world);
  world.api.put('a', 'another');
  await until(() => world.told.length === 5, { what: 'two changes' });
  assert.equal(world.told.slice(3), ['DELETED a again', 'ADDED a']);
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
  });

watch('retries no sooner than the API server asked', async () => {
  const world = await begin();
  await world.cache.start();
  await watching(world);
  world.api.refuse('watch', 429);
  const { watches } = world.api;
  world.api.open[0]!.destroy();
  await until(() => world.api.watches === watches + 2, { what: 'the refused one and the next one' });
  // The first wait follows the cut. The second one follows the refusal, which asks for one second.
  assert.is(world.waits.length, 2);
  assert.ok((world.waits[0] ?? 0) < 100 && (world.waits[1] ?? 0) >= 1_000, world.waits.join());
});

watch('lists soon when the API server is back with another history, however long it was away', async () => {
  const world = await begin(undefined, { backoffMs: 10, maxBackoffMs: 60_000 });
  await world.cache.start();
  await watching(world);
  world.api.refuse('watch', ...Array.from({ length: 8 }, () => 503), 410);
  const { watches, lists } = world.api;
  world.api.open[0]!.destroy();
  // The next watch may have begun before the test looks.
  await until(() => world.api.watches >= watches + 9, { what: 'the 410' });
  await until(() => world.api.lists > lists, { what: 'a list' });
  const [last = 0, ...before] = world.waits.toReversed();
  // The eighth wait is 1,280 ms minus up to 25 %.
  assert.ok(Math.max(...before) >= 960, `the waits had grown: ${before.join()}`);
  assert.ok(last < 20, `the last one is a first one: ${last} ms`);
});

watch('retries soon after a cut if it had lived longer than its last wait', async () => {
  const world = await begin(undefined, { backoffMs: 50, maxBackoffMs: 60_000 });
  await world.cache.start();
  await watching(world);
  world.api.refuse('watch', 503, 503, 503, 503);
  world.api.open[0]!.destroy();
  await until(() => world.api.watches === 6 && world.api.open.length === 1, { what: 'the watch to come back' });
  const longest = Math.max(...world.waits);
  assert.ok(longest >= 250, `the waits have grown: ${world.waits.join()}`);
  world.jump(longest + 1_000);
  world.api.open[0]!.destroy();
  await until(() => world.api.watches === 7, { what: 'the next watch' });
  assert.ok((world.waits.at(-1) ?? 0) < 100, `the next wait is a first one: ${world.waits.join()}`);
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
});

watch('gives up a connection that has gone silent', async () => {
  const world = await begin(undefined, { quietMs: 50 });
  await world.cache.start();
  await until(() => world.api.watches > 2, { what: 'new watches' });
  assert.is(names(world.cache), 'a,b,c');
});

watch('keeps a quiet connection that sends bookmarks, and moves on with them', async () => {
  const quietMs = 300;
  const world = await begin(undefined, { quietMs });
  await world.cache.start();
  let version = 100;
  /** Sends bookmarks for longer than the cache accepts silence. Returns undefined if this machine was too busy to send them in time. */
  const kept = async () => {
    await watching(world);
    const { watches } = world.api;
    let longestGap = 0;
    for (let sentAt = performance.now(), count = 0; count < 20; count++) {
      world.api.emit({ type: 'BOOKMARK', object: { kind: 'Pod', metadata: { resourceVersion: String(version++) } } });
      await sleep(30);
      longestGap = Math.max(longestGap, performance.now() - sentAt);
      sentAt = performance.now();
    }
    return longestGap < quietMs / 2 ? { isKept: world.api.watches === watches } : undefined;
  };
  const { isKept } = await until(kept, { what: 'a round without a pause of this machine', timeoutMs: 60_000 });
  assert.ok(isKept);
  assert.is(names(world.cache), 'a,b,c');
});

watch('waits for a cluster that is away, and is synced when it comes', async () => {
  const world = await begin((api) => api.refuse('list', 500, 500, 500));
  await world.cache.start();
  assert.is(names(world.cache), 'a,b,c');
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
});

watch('stops at once, also before it is synced, and is not revived', async () => {
  const world = await begin((api) => api.refuse('list', ...Array.from({ length: 1000 }, () => 500)));
  const started = world.cache.start();
  await until(() => world.api.lists > 1, { what: 'attempts' });
  await world.cache.stop();
  await started;
  assert.is(world.cache.synced, false);
  const { lists } = world.api;
  // Several times the wait after a failure here.
  await sleep(100);
  assert.is(world.api.lists, lists);
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
});

watch('says so when our own kinds are not installed, and follows them once they are', async () => {
  const sandbox = await startSandbox();
  const client = connect({ kubeconfigText: sandbox.kubeconfig });
  const lines: { msg: string; kind: string }[] = [];
  const log = createLog({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) });
  const cache = watchKind(client, KINDS.mirrorPod, { project: (mirror) => mirror, log, timing: { backoffMs: 10, maxBackoffMs: 40 } });
  try {
    void cache.start();
    await until(() => lines.length > 0, { what: 'a line in the log' });
    assert.equal([lines[0]?.msg, lines[0]?.kind], ['the custom resources are not installed', 'MirrorPod']);
    await installDefinitions(client);
    await until(() => cache.synced, { what: 'the cache' });
  } finally {
    await cache.stop();
    client.close();
    await sandbox.close();
  }
});

watch('an optional kind that is not served is an empty, synced cache', async () => {
  const sandbox = await startSandbox();
  const client = connect({ kubeconfigText: sandbox.kubeconfig });
  const unserved = { ...KINDS.pod, plural: 'nothings' };
  const cache = watchKind<Pod>(client, unserved, { project: (pod) => pod, mayBeUnserved: true });
  ends.push(async () => {
    await cache.stop();
    client.close();
    await sandbox.close();
  });
  await cache.start();
  assert.equal([cache.synced, cache.list()], [true, []]);
});

watch.run();

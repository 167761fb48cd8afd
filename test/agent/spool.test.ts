import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { messageSpool, SPOOL_LIMITS, type SpooledMessage } from '../../src/agent/spool.ts';

const message = (uid: string, over: Partial<SpooledMessage> = {}): SpooledMessage => ({
  ...{ key: uid, node: 'n1', seenAt: null, path: '/x', body: 'ten bytes.' },
  pod: { pod_uid: uid, pod_name: uid, namespace: 'shop' } as SpooledMessage['pod'],
  ...over,
});
const uids = (pods: { pod_uid?: string | null }[]) => pods.map(({ pod_uid }) => pod_uid);

test('messages leave in the order in which they came', () => {
  const spool = messageSpool(SPOOL_LIMITS);
  const [one, two] = [message('a'), message('b')];
  assert.equal([spool.add(one), spool.add(two), spool.first()], [0, 0, one]);
  spool.remove(two);
  assert.is(spool.first(), one, 'only the first one is removed');
  spool.remove(one);
  assert.is(spool.first(), two);
  assert.equal(spool.stats(), { spooled: 1, dropped: 0 });
});

test('more than so many drop the oldest, and say how many', () => {
  const spool = messageSpool({ items: 2, bytes: 1_000 });
  assert.equal(
    ['a', 'b', 'c', 'd'].map((uid) => spool.add(message(uid))),
    [0, 0, 1, 1],
  );
  assert.equal([spool.first()?.key, spool.stats()], ['c', { spooled: 2, dropped: 2 }]);
});

test('more than so many bytes drop the oldest, but never the newest', () => {
  const spool = messageSpool({ items: 10, bytes: 20 });
  assert.equal([spool.add(message('a')), spool.add(message('b'))], [0, 0]);
  assert.is(spool.add(message('large', { body: 'x'.repeat(21) })), 2);
  assert.equal([spool.first()?.key, spool.stats().dropped], ['large', 2]);
});

test('what is removed or replaced makes room', () => {
  const spool = messageSpool({ items: 10, bytes: 20 });
  const first = message('a');
  spool.add(first);
  spool.remove(first);
  spool.add(message('b'));
  const third = message('c');
  assert.is(spool.add(third), 0);
  spool.replace(third, '');
  assert.equal([third.body, spool.add(message('d'))], ['', 0]);
  spool.replace(third, 'ten bytes.');
  assert.is(spool.add(message('e', { body: '' })), 1);
});

test('a message is replaced by its key, but not the first one, which may be on its way', () => {
  const spool = messageSpool(SPOOL_LIMITS);
  for (const uid of ['a', 'b']) spool.add(message(uid));
  assert.equal([spool.replaceable('a'), spool.replaceable('b')?.key, spool.replaceable('c')], [undefined, 'b', undefined]);
});

test('the messages about a pod, and the pods of a node, each once', () => {
  const spool = messageSpool(SPOOL_LIMITS);
  for (const one of [message('a'), message('b', { node: 'n2' }), message('a'), message('c', { node: undefined })]) spool.add(one);
  assert.equal([spool.about('a').length, spool.about('b').length, spool.about('x').length], [2, 1, 0]);
  assert.equal([uids(spool.podsOf('n1')), uids(spool.podsOf('n2')), uids(spool.podsOf('n3'))], [['a', 'c'], ['b', 'c'], ['c']]);
});

test('a thousand messages of 32 MiB are kept', () => assert.equal(SPOOL_LIMITS, { items: 1_000, bytes: 33_554_432 }));

test.run();

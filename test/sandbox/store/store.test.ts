import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventFromCore, eventToCore } from '../../../src/sandbox/store/events.ts';
import { isMap, isSame, keyOf, microTimeText, type Stored, timeText } from '../../../src/sandbox/store/object.ts';
import { type Change, Store } from '../../../src/sandbox/store/store.ts';

const stores = suite('the store of the sandbox');

const object = (name: string, namespace = 'shop', more: object = {}): Stored =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...(namespace && { namespace }) }, ...more }) as never;
const names = (objects: Stored[]) => objects.map((one) => keyOf(one));

stores('objects are kept by storage, and listed by namespace in the order of their keys', () => {
  const store = new Store();
  for (const [name, namespace] of [
    ['b', 'shop'],
    ['a', 'shop'],
    ['c', 'shop-2'],
    ['d', ''],
  ] as const)
    store.put('x', object(name, namespace));
  store.put('y', object('e'));
  assert.equal(names(store.list('x')), ['d', 'shop-2/c', 'shop/a', 'shop/b']);
  assert.equal([names(store.list('x', 'shop')), names(store.list('x', 'none')), store.list('z')], [['shop/a', 'shop/b'], [], []]);
  assert.equal([store.get('x', 'shop/a')?.metadata.name, store.get('y', 'shop/a'), store.get('z', 'shop/a')], ['a', undefined, undefined]);
});

stores('every write has the next revision, and is told before it returns', () => {
  const store = new Store();
  const told: string[] = [];
  const forget = store.onChange(({ type, storage, object: one, previous, revision }: Change) =>
    told.push(
      `${type} ${storage} ${one.metadata.name} ${revision} ${one.metadata.resourceVersion} was ${previous?.metadata.resourceVersion}`,
    ),
  );
  assert.is(store.revision, 1);
  const first = object('a');
  const stored = store.put('x', first);
  assert.equal([stored.metadata.resourceVersion, first.metadata.resourceVersion, store.revision], ['2', undefined, 2]);
  store.put('x', object('a'));
  store.put('y', object('a'));
  assert.is(store.remove('x', 'shop/a')?.metadata.resourceVersion, '5');
  assert.is(store.remove('x', 'shop/a'), undefined);
  assert.equal(told, ['ADDED x a 2 2 was undefined', 'MODIFIED x a 3 3 was 2', 'ADDED y a 4 4 was undefined', 'DELETED x a 5 5 was 3']);
  forget();
  store.put('x', object('b'));
  assert.is(told.length, 4);
});

stores('changes since a revision, and the list as it was then', () => {
  const store = new Store();
  store.put('x', object('a', 'shop', { data: 1 }));
  store.put('x', object('b', 'other'));
  const then = store.revision;
  store.put('x', object('a', 'shop', { data: 2 }));
  store.put('x', object('c'));
  store.remove('x', 'other/b');
  const since = (revision: number) => store.since('x', revision)?.map(({ type }) => type);
  assert.equal(
    [since(then), since(then + 1), since(store.revision), store.since('none', 1)],
    [['MODIFIED', 'ADDED', 'DELETED'], ['ADDED', 'DELETED'], [], []],
  );
  assert.equal(
    store.listAt('x', then).map((one) => [keyOf(one), one['data']]),
    [
      ['other/b', undefined],
      ['shop/a', 1],
    ],
  );
  assert.equal(names(store.listAt('x', then, 'shop')), ['shop/a']);
  assert.equal(names(store.listAt('x', store.revision)), ['shop/a', 'shop/c']);
});

stores('of more than a thousand changes the older half is forgotten', () => {
  const store = new Store();
  for (let count = 0; count < 1000; count += 1) store.put('x', object('a'));
  assert.equal([store.oldest('x'), store.since('x', 0)?.length, store.oldest('none')], [0, 1000, 0]);
  store.put('x', object('a'));
  assert.equal([store.oldest('x'), store.since('x', 500), store.since('x', 501)?.length], [501, undefined, 501]);
});

stores('equality of values', () => {
  for (const [one, other, expected] of [
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1, b: undefined }, { a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [[], {}, false],
    [null, {}, false],
    [{}, null, false],
    [{ a: [{ b: 1 }] }, { a: [{ b: 1 }] }, true],
    [{ a: [{ b: 1 }] }, { a: [{ b: '1' }] }, false],
    ['a', 'a', true],
    [1, '1', false],
  ])
    assert.is(isSame(one, other), expected, JSON.stringify([one, other]));
  assert.equal([{}, [], null, 'x'].map(isMap), [true, false, false, false]);
});

stores('times and keys as text', () => {
  const at = new Date('2030-01-01T01:02:03.456Z');
  assert.equal([timeText(at), microTimeText(at)], ['2030-01-01T01:02:03Z', '2030-01-01T01:02:03.456000Z']);
  assert.equal([keyOf(object('a')), keyOf(object('a', ''))], ['shop/a', 'a']);
});

stores('an event of events.k8s.io and the same one of core', () => {
  const newer = {
    ...{ apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: { name: 'e' }, regarding: { name: 'a' }, note: 'n', type: 'Normal' },
    ...{ reportingController: 'c', reportingInstance: 'i', deprecatedSource: { component: 's' }, deprecatedCount: 2 },
    ...{ deprecatedFirstTimestamp: 'f', deprecatedLastTimestamp: 'l', eventTime: 't', action: 'x' },
  };
  const core = {
    ...{ apiVersion: 'v1', kind: 'Event', metadata: { name: 'e' }, involvedObject: { name: 'a' }, message: 'n', type: 'Normal' },
    ...{ reportingComponent: 'c', reportingInstance: 'i', source: { component: 's' }, count: 2 },
    ...{ firstTimestamp: 'f', lastTimestamp: 'l', eventTime: 't', action: 'x' },
  };
  assert.equal(eventToCore(newer), core);
  assert.equal(eventFromCore(core as never), newer);
  assert.is(eventToCore(core), core);
  const bare = { apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: { name: 'e' } };
  const stored = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e' },
    involvedObject: {},
    reportingComponent: '',
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
  };
  assert.equal(eventToCore(bare), stored);
  assert.equal(eventFromCore(stored as never), {
    ...bare,
    regarding: {},
    deprecatedSource: {},
    deprecatedFirstTimestamp: null,
    deprecatedLastTimestamp: null,
  });
});

stores.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { createLog } from '../../src/log.ts';
import { keyOf, objectStore, partsOf } from '../../src/kube/store.ts';

const test = suite('the content of a cache');

const anObject = (
  name: string,
  { namespace = 'shop', uid = name, resourceVersion = '1' }: Partial<KubeObject['metadata']> = {},
): KubeObject => ({
  metadata: { name, uid, resourceVersion, ...(namespace ? { namespace } : {}) },
});

/** A store, and its changes as `TYPE name@version`, with the version before. */
function aStore() {
  const store = objectStore();
  const told: string[] = [];
  const version = (one: KubeObject | undefined) => one?.metadata.resourceVersion ?? '-';
  const end = store.onChange(
    ({ type, object, previous }) => void told.push(`${type} ${object.metadata.name} ${version(previous)} ${version(object)}`),
  );
  return { store, told, end };
}

const KEYS: [key: string, parts: { namespace: string; name: string }][] = [
  ['shop/web', { namespace: 'shop', name: 'web' }],
  ['node-1', { namespace: '', name: 'node-1' }],
  ['shop/a/b', { namespace: 'shop', name: 'a/b' }],
];
for (const [key, parts] of KEYS) test(`the key ${key}`, () => assert.equal([partsOf(key), keyOf(parts)], [parts, key]));
test('a key without anything', () => assert.is(keyOf({}), ''));

test('tells what was added, changed and deleted; the same version is no change', () => {
  const { store, told, end } = aStore();
  assert.is(store.put(anObject('web')), 'shop/web');
  assert.is(store.put(anObject('web')), 'shop/web');
  store.put(anObject('web', { resourceVersion: '2' }));
  store.drop(anObject('web', { resourceVersion: '9' }));
  store.drop(anObject('web'));
  assert.equal(told, ['ADDED web - 1', 'MODIFIED web 1 2', 'DELETED web 2 2']);
  end();
  store.put(anObject('web'));
  assert.is(told.length, 3, 'after the end of the subscription');
});

test('an object of the same name and another uid replaces the old one, whose late deletion does nothing', () => {
  const { store, told } = aStore();
  store.put(anObject('web', { uid: 'old' }));
  store.put(anObject('web', { uid: 'new' }));
  store.drop(anObject('web', { uid: 'old' }));
  assert.equal(told, ['ADDED web - 1', 'DELETED web 1 1', 'ADDED web - 1']);
  assert.is(store.byUid('old'), undefined);
  assert.is(store.byUid('new')?.metadata.name, 'web');
});

test('finds by name, by uid and by namespace', () => {
  const { store } = aStore();
  const all = [anObject('a'), anObject('b', { namespace: 'bank' }), anObject('n', { namespace: '' })];
  all.forEach((one) => store.put(one));
  assert.equal(store.list(), all);
  assert.equal(store.list('bank'), [all[1]]);
  assert.is(store.get('shop', 'a'), all[0]);
  assert.is(store.get('shop', 'b'), undefined);
  assert.is(store.get(undefined, 'n'), all[2]);
  assert.is(store.get('', 'n'), all[2]);
  store.drop(all[0] as KubeObject);
  assert.equal([store.get('shop', 'a'), store.byUid('a')], [undefined, undefined]);
});

test('keeps only what was listed, in the namespace of the list', () => {
  const { store, told } = aStore();
  for (const one of [anObject('a'), anObject('b'), anObject('c', { namespace: 'bank' })]) store.put(one);
  told.length = 0;
  store.keepOnly(new Set(['shop/a']), 'shop');
  assert.equal(told, ['DELETED b 1 1']);
  store.keepOnly(new Set(['shop/a']), undefined);
  assert.equal(told, ['DELETED b 1 1', 'DELETED c 1 1']);
});

test('a listener that fails, now or later, is logged, and the others are told', async () => {
  const lines: string[] = [];
  const store = objectStore(createLog({ level: 'error' }, { write: (line) => void lines.push(line) }));
  const told: string[] = [];
  store.onChange(() => {
    throw new Error('now');
  });
  store.onChange(() => Promise.reject(new Error('later')));
  store.onChange(({ object }) => void told.push(object.metadata.name ?? ''));
  store.put(anObject('web'));
  assert.equal(told, ['web']);
  await new Promise(setImmediate);
  assert.equal(
    lines.map((line) => [JSON.parse(line).msg, JSON.parse(line).err.message]),
    ['now', 'later'].map((message) => ['change listener failed', message]),
  );
});

test('waits for a condition over the changes, or until the time is up', async () => {
  const { store } = aStore();
  assert.ok(await store.seen(() => true, 0));
  const waits = store.seen(() => store.get('shop', 'web') !== undefined, 60_000);
  store.put(anObject('other'));
  store.put(anObject('web'));
  assert.ok(await waits);
  assert.not(await store.seen(() => false, 1));
  let asked = 0;
  assert.ok(await store.seen(() => ++asked > 1, 1), 'it is asked once more at the end');
  store.put(anObject('more'));
  assert.is(asked, 2, 'and no longer');
});

test.run();

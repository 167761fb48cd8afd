import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Stored } from '../../../src/sandbox/store/object.ts';
import { keyErrors, labelErrors, labelsErrors, metaErrors } from '../../../src/sandbox/validate/names.ts';

const test = suite('names that the sandbox takes');

const count = (errors: Iterable<unknown>): number => [...errors].length;
const long = (length: number): string => 'a'.repeat(length);

for (const [name, wrong] of [
  ['web-1', 0],
  ['1', 0],
  ['Web', 1],
  ['-web', 1],
  ['web-', 1],
  ['a.b', 1],
  [long(63), 0],
  [long(64), 1],
  ['', 1],
] as const)
  test(`a label ${name.slice(0, 10)} of ${name.length} has ${wrong} faults`, () =>
    assert.is(count(labelErrors('metadata.name', name)), wrong));

for (const [key, wrong] of [
  ['app', 0],
  ['App_1.x', 0],
  ['example.com/app', 0],
  ['example.com/a/b', 1],
  ['/app', 1],
  ['Example.com/app', 1],
  ['example.com/', 1],
  ['-app', 1],
] as const)
  test(`the key ${key} has ${wrong} faults`, () => assert.is(count(keyErrors('metadata.labels', key)), wrong));

test('values of labels may be empty, and have at most 63 characters', () => {
  for (const [value, wrong] of [
    ['', 0],
    ['a_b.C', 0],
    [long(63), 0],
    [long(64), 1],
    ['a b', 1],
    ['-a', 1],
  ] as const)
    assert.is(count(labelsErrors('metadata.labels', { app: value })), wrong, value);
});

const object = (kind: string, metadata: object): Stored => ({ kind, metadata }) as Stored;
const owner = (over: object = {}) => ({ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u', ...over });
const OBJECTS: [sentence: string, object: Stored, wrong: number][] = [
  ['a name with dots', object('Pod', { name: 'a.b' }), 0],
  ['a Service with dots', object('Service', { name: 'a.b' }), 1],
  ['no name', object('Pod', {}), 1],
  ['a name of 253 characters', object('Pod', { name: long(253) }), 0],
  ['a name of 254 characters', object('Pod', { name: long(254) }), 1],
  ['a role with colons', object('Role', { name: 'system:node' }), 0],
  ['a role with a slash', object('Role', { name: 'a/b' }), 1],
  ['a name to be made', object('Pod', { name: 'a-x', generateName: 'a-' }), 0],
  ['a bad name to be made', object('Pod', { name: 'a', generateName: 'A-' }), 1],
  ['an owner', object('Pod', { name: 'a', ownerReferences: [owner()] }), 0],
  ['an owner without uid', object('Pod', { name: 'a', ownerReferences: [owner({ uid: '' })] }), 1],
  ['one controller of two owners', object('Pod', { name: 'a', ownerReferences: [owner(), owner({ controller: true })] }), 0],
  ['two controllers', object('Pod', { name: 'a', ownerReferences: [owner({ controller: true }), owner({ controller: true })] }), 1],
  ['a standard finalizer', object('Pod', { name: 'a', finalizers: ['orphan', 'example.com/x'] }), 0],
  ['a finalizer without a domain', object('Pod', { name: 'a', finalizers: ['x'] }), 1],
];
for (const [sentence, one, wrong] of OBJECTS)
  test(`${sentence}: ${wrong} faults`, () => assert.is(count(metaErrors(one, undefined)), wrong));

test('what is being deleted takes no new finalizers, and keeps the old ones', () => {
  const old = object('Pod', { name: 'a', deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['a.b/c'] });
  assert.is(count(metaErrors(old, old)), 0);
  assert.is(count(metaErrors(object('Pod', { name: 'a', finalizers: ['a.b/c', 'a.b/d'] }), old)), 2);
  const living = object('Pod', { name: 'a', finalizers: [] });
  assert.is(count(metaErrors(object('Pod', { name: 'a', finalizers: ['a.b/d'] }), living)), 0);
});

test.run();

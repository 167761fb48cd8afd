import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mergeDifference } from '../../src/crd/merge-difference.ts';

const test = suite('difference merged into another object');

const TABLE: [what: string, target: object, before: object, after: object, merged: object | undefined][] = [
  ['a field', { image: '1', own: true }, { image: '1' }, { image: '2' }, { image: '2', own: true }],
  [
    'a default that only the pod has',
    {},
    { limits: { cpu: '1', memory: '1' } },
    { limits: { cpu: '1', memory: '2' } },
    {
      limits: { memory: '2' },
    },
  ],
  ['the removal of a missing field', { a: 1 }, { a: 1, b: { c: 1 } }, { a: 1 }, { a: 1 }],
  [
    'an entry at another index',
    { list: [{ name: 'b', image: '1' }] },
    { list: [{ name: 'a' }, { name: 'b', image: '1' }] },
    { list: [{ name: 'a' }, { name: 'b', image: '2' }] },
    { list: [{ name: 'b', image: '2' }] },
  ],
  ['an entry that only the pod has', { list: [] }, { list: [{ name: 'a', image: '1' }] }, { list: [{ name: 'a', image: '2' }] }, undefined],
  [
    'a new entry',
    { list: [{ name: 'a' }] },
    { list: [{ name: 'a' }] },
    { list: [{ name: 'a' }, { name: 'b' }] },
    {
      list: [{ name: 'a' }, { name: 'b' }],
    },
  ],
  [
    'a new entry that the target has already',
    { list: [{ name: 'a' }, { name: 'b', image: '1' }] },
    { list: [{ name: 'a' }] },
    { list: [{ name: 'a' }, { name: 'b', image: '2' }] },
    { list: [{ name: 'a' }, { name: 'b', image: '2' }] },
  ],
  ['an entry that goes and that the target lacks', { list: [] }, { list: [{ name: 'a' }] }, { list: [] }, undefined],
  [
    'a field that goes, in an entry that the target lacks',
    { list: [] },
    { list: [{ name: 'a', x: 1 }] },
    { list: [{ name: 'a' }] },
    { list: [] },
  ],
  ['fields below one that is missing', {}, { a: { b: { c: 1 } } }, { a: { b: { c: 2 } } }, { a: { b: { c: 2 } } }],
  ['no difference at the top', { own: 1 }, { a: 1 }, { a: 1 }, { own: 1 }],
  ['a new list', {}, {}, { list: [{ name: 'b' }] }, { list: [{ name: 'b' }] }],
  ['an entry that goes', { list: [{ name: 'a' }, { name: 'b' }] }, { list: [{ name: 'b' }] }, { list: [] }, { list: [{ name: 'a' }] }],
  [
    'a list without names keeps what only the target has',
    { tolerations: [{ key: 'x' }] },
    { tolerations: [{ key: 'x' }, { key: 'admitted' }] },
    { tolerations: [{ key: 'x' }, { key: 'admitted' }, { key: 'new' }] },
    { tolerations: [{ key: 'x' }, { key: 'new' }] },
  ],
  ['arguments that somebody else changed', { args: ['x'] }, { args: ['a'] }, { args: ['a', 'b'] }, undefined],
  ['arguments that only somebody else has set', { args: ['x'] }, { args: [] }, { args: ['a'] }, undefined],
  ['arguments that are already changed', { args: ['a', 'b'] }, { args: ['a'] }, { args: ['a', 'b'] }, { args: ['a', 'b'] }],
  ['a list of words', { args: ['a'] }, { args: ['a'] }, { args: ['a', 'b'] }, { args: ['a', 'b'] }],
  [
    'another order keeps what only the target has in its place',
    { list: [{ name: 'x' }, { name: 'a', own: 1 }, { name: 'b' }] },
    { list: [{ name: 'a' }, { name: 'b' }] },
    { list: [{ name: 'b' }, { name: 'a' }] },
    { list: [{ name: 'x' }, { name: 'b' }, { name: 'a', own: 1 }] },
  ],
  [
    'another order without an entry that the target lacks',
    { list: [{ name: 'a' }, { name: 'c', own: 1 }] },
    { list: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
    { list: [{ name: 'c' }, { name: 'b' }, { name: 'a' }] },
    { list: [{ name: 'c', own: 1 }, { name: 'a' }] },
  ],
  [
    'a new entry before another',
    { list: [{ name: 'a' }] },
    { list: [{ name: 'a' }] },
    { list: [{ name: 'b' }, { name: 'a' }] },
    { list: [{ name: 'b' }, { name: 'a' }] },
  ],
  ['a value of another type', { spec: 'text' }, { spec: { a: 1 } }, { spec: { a: 2 } }, undefined],
];
for (const [what, target, before, after, merged] of TABLE)
  test(what, () => {
    const given = structuredClone(target);
    assert.equal(mergeDifference(target, before, after), merged);
    assert.equal(target, given, 'the target stays as it is');
  });

test.run();

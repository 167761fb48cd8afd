import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isSuspect, json, storable, storableText } from '../../src/db/json.ts';

const HALF = '\ud83d';

test('a text is stored without NUL, and without halves of characters', () => {
  assert.is(storableText('a\0b\0'), 'ab');
  assert.is(storableText(`a${HALF}b`), 'a\ufffdb');
  assert.is(storableText('ü🚀\n\u0001'), 'ü🚀\n\u0001');
});

test('all texts of a value are made storable, keys too, and all else stays', () => {
  const at = new Date(0);
  const value = { 'a\0': ['b\0', { c: `${HALF}` }], n: 1, t: true, nothing: null, at, missing: undefined };
  assert.equal(storable(value), { a: ['b', { c: '\ufffd' }], n: 1, t: true, nothing: null, at, missing: undefined });
  assert.is(storable(value).at, at);
});

test('JSON holds nothing that a database refuses, whatever is escaped beside it', () => {
  const rows: [value: unknown, text: string, isSuspect: boolean][] = [
    [['a', 1, null], '["a",1,null]', false],
    ['a\0b', '"ab"', true],
    [{ a: HALF }, '{"a":"\ufffd"}', true],
    ['\udc00', '"\ufffd"', true],
    ['🚀', '"🚀"', false],
    ['\u0001', '"\\u0001"', false],
    ['\\u0000', '"\\\\u0000"', true],
    ['\\\0', '"\\\\"', true],
  ];
  for (const [value, text, suspect] of rows) {
    assert.is(json(value), text);
    assert.is(isSuspect(JSON.stringify(value)), suspect, JSON.stringify(value));
  }
});

test.run();

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { canonical } from '../../src/crd/canonical.ts';

const ROWS: [what: string, value: unknown, text: string][] = [
  ['keys are sorted at every level', { b: { d: 1, c: 2 }, a: [{ f: 1, e: 2 }] }, '{"a":[{"e":2,"f":1}],"b":{"c":2,"d":1}}'],
  ['lists keep their order', ['b', 'a', 2, 1], '["b","a",2,1]'],
  ['absent, undefined and null fields are the same', { a: undefined, b: null, c: 0 }, '{"c":0}'],
  ['false, zero and empty values are values', { a: false, b: '', c: 0, d: [], e: {} }, '{"a":false,"b":"","c":0,"d":[],"e":{}}'],
  ['null in a list keeps its place', [null, undefined, 1], '[null,null,1]'],
  ['texts are quoted', { 'a"b': 'c\nd' }, '{"a\\"b":"c\\nd"}'],
  ['nothing', undefined, 'null'],
];
for (const [what, value, text] of ROWS) test(what, () => assert.is(canonical(value), text));

test.run();

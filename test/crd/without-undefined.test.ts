import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withoutUndefined } from '../../src/crd/without-undefined.ts';

test('only fields that are undefined are left out', () => {
  const fields = { a: undefined, b: null, c: false, d: 0, e: '' };
  assert.equal(Object.keys(withoutUndefined(fields)), ['b', 'c', 'd', 'e']);
  assert.equal(Object.keys(fields), ['a', 'b', 'c', 'd', 'e'], 'the original is as it was');
});

test.run();

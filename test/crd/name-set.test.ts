import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nameSet } from '../../src/crd/name-set.ts';

test('names are separated by any white space, and nothing between them is no name', () => {
  assert.equal([...nameSet('\n  one two\n\tthree  one\n')], ['one', 'two', 'three']);
  assert.is(nameSet(' \n ').size, 0);
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rowSlots } from '../../src/dashboard/components/row-slots.ts';

// Which elements show the rows of a long list.

const test = suite('elements of rows');
const told = ({ of, generation }: ReturnType<ReturnType<typeof rowSlots>>) => `${[...of].join(' ')} | ${generation}`;

test('a row keeps its element while it is shown, and a row that comes gets a new one', () => {
  const slots = rowSlots(() => true);
  assert.is(told(slots(['a', 'b'])), 'a,0 b,1 | 0');
  assert.is(told(slots(['b', 'c'])), 'b,1 c,2 | 0');
  assert.is(told(slots(['a', 'b', 'c'])), 'a,3 b,1 c,2 | 0');
});

test('after a jump the elements show the new rows, in the same order', () => {
  const slots = rowSlots(() => true);
  slots(['a', 'b', 'c']);
  assert.is(told(slots(['x', 'y'])), 'x,0 y,1 | 1');
  assert.is(told(slots(['p', 'q', 'r'])), 'p,0 q,1 r,3 | 2');
});

test('the same rows in another order change nothing', () => {
  const slots = rowSlots(() => true);
  assert.is(slots(['a', 'b']), slots(['b', 'a']));
});

test('an element with the focus shows no other row', () => {
  const slots = rowSlots(() => false);
  slots(['a']);
  assert.is(told(slots(['x'])), 'x,1 | 0');
});

test.run();

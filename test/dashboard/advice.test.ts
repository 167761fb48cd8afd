import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Advice } from '../../src/contract/advice.ts';
import { groupsOf } from '../../src/dashboard/advice/group.ts';

const test = suite('the list of advice');

const piece = (id: number, title: string, severity: Advice['severity'] = 'low') => ({ id, title, severity }) as Advice;
const ids = (list: Advice[]) => groupsOf(list).map((group) => group.map(({ id }) => id));

test('the same advice for several workloads is one group, at the place of the first one', () => {
  const list = [
    piece(1, 'No probe', 'high'),
    piece(2, 'No limit'),
    piece(3, 'No probe', 'high'),
    piece(4, 'No limit'),
    piece(5, 'Old API'),
  ];
  assert.equal(ids(list), [[1, 3], [2, 4], [5]]);
});

test('a title with two severities is two groups, because the worse one comes first', () => {
  assert.equal(ids([piece(1, 'No probe', 'high'), piece(2, 'No probe')]), [[1], [2]]);
});

test('nothing makes no group', () => assert.equal(ids([]), []));

test.run();

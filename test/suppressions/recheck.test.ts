import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SuppressionChange } from '../../src/db/suppressible.ts';
import { recheckRecords } from '../../src/suppressions/recheck.ts';

const RECORDS = [
  { id: 1, suppressed_by: null, failure_reason: 'Error' },
  { id: 2, suppressed_by: 'a', severity: 'high' },
  { id: 3, suppressed_by: 'a' },
  { id: 4, suppressed_by: null },
];

/** Checks the records again. `stored` has the ids that the database reports as changed. */
async function looked(names: Record<number, string | null>, stored: number[]) {
  const changes: SuppressionChange[][] = [];
  const set = async (some: SuppressionChange[]) => {
    changes.push(some);
    return stored;
  };
  const found = await recheckRecords(RECORDS, ({ id, suppressed_by }) => names[id] ?? (id in names ? null : suppressed_by), { set });
  return { changes, found: found.map(({ record, name, isStored }) => ({ id: record.id, name, isStored })) };
}

test('records that another Suppression hides now are stored and answered, in their order', async () => {
  const { changes, found } = await looked({ 1: 'b', 2: null }, [2, 1]);
  assert.equal(found, [
    { id: 1, name: 'b', isStored: true },
    { id: 2, name: null, isStored: true },
  ]);
  assert.equal(
    changes.map((some) =>
      some.map(({ id, suppressed_by, name, failure_reason, severity }) => [id, suppressed_by, name, failure_reason, severity]),
    ),
    [
      [
        [1, null, 'b', 'Error', undefined],
        [2, 'a', null, undefined, 'high'],
      ],
    ],
  );
});

test('a record that somebody else changed meanwhile is answered as not stored', async () => {
  const { found } = await looked({ 3: 'b', 4: 'b' }, [4]);
  assert.equal(found, [
    { id: 3, name: 'b', isStored: false },
    { id: 4, name: 'b', isStored: true },
  ]);
});

test('without a change nothing is written', async () => {
  assert.equal(await looked({}, []), { changes: [], found: [] });
});

test.run();

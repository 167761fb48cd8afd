import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureDetail } from '../../src/contract/failure.ts';
import { internalBus } from '../../src/events.ts';
import { unsuppressedSolutions } from '../../src/failures/solve-unsuppressed.ts';
import { createLog } from '../../src/log.ts';

const test = suite('solutions of unsuppressed records');

/** Records in memory, with their Suppression and their solution. */
function world(...ids: number[]) {
  const rows = new Map(ids.map((id) => [id, { id, suppressed_by: null, solution: null as string | null }]));
  const tried: number[] = [];
  let isAway = false;
  const bus = internalBus();
  const solutions = unsuppressedSolutions({
    bus,
    failures: { detail: async (id) => rows.get(id) as FailureDetail | undefined },
    failureSuppressions: {
      async unsolved() {
        if (isAway) throw new Error('Database not available');
        return [...rows.values()].filter(({ solution }) => solution === null).map(({ id }) => id);
      },
      async solve(id, solution) {
        rows.get(id)!.solution = solution;
      },
    },
    async solve({ id }) {
      tried.push(id);
      if (id === 13) throw new Error('a rule broke');
      return { solution: `solution of ${id}`, isFallback: true };
    },
    log: createLog({ level: 'silent' }),
  });
  const settle = async () => {
    await bus.emit('recordsUnsuppressed', {});
    await solutions.idle();
  };
  return { rows, tried, bus, solutions, settle, away: (away: boolean) => void (isAway = away) };
}

test('each record that lacks a solution gets one, even beside one that breaks a rule, which is tried once', async () => {
  const it = world(1, 13, 2);
  await it.settle();
  await it.settle();
  assert.equal(
    [...it.rows.values()].map(({ solution }) => solution),
    ['solution of 1', null, 'solution of 2'],
  );
  assert.equal(it.tried, [1, 13, 2]);
});

test('a request during a pass causes one more pass', async () => {
  const it = world(1);
  void it.bus.emit('recordsUnsuppressed', {});
  it.rows.set(2, { id: 2, suppressed_by: null, solution: null });
  void it.bus.emit('recordsUnsuppressed', {});
  await it.solutions.idle();
  assert.is(it.rows.get(2)?.solution, 'solution of 2');
});

test('it continues after an outage of the database', async () => {
  const it = world(1);
  it.away(true);
  await it.settle();
  it.away(false);
  await it.settle();
  assert.is(it.rows.get(1)?.solution, 'solution of 1');
});

test('stopped, it looks no more', async () => {
  const it = world(1);
  await it.solutions.stop();
  await it.settle();
  assert.equal(it.tried, []);
});
test.run();

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { every } from '../../src/async/repeat.ts';
import { createLog } from '../../src/log.ts';
import { until } from '../support/runner/wait.ts';

const silent = createLog({ level: 'silent' });

test('a turn waits for the one before, however long it takes', async () => {
  const ends: (() => void)[] = [];
  let together = 0;
  let most = 0;
  const repeated = every(
    1,
    async () => {
      most = Math.max(most, (together += 1));
      await new Promise<void>((resolve) => ends.push(resolve));
      together -= 1;
    },
    silent,
  );
  const other = { turns: 0 };
  const beside = every(1, async () => void (other.turns += 1), silent);
  try {
    await until(() => ends.length > 0 && other.turns > 5, { what: 'a turn that lasts while another task has some' });
    assert.is(ends.length, 1);
    ends[0]?.();
    await until(() => ends.length > 1, { what: 'the next turn' });
    assert.is(most, 1);
  } finally {
    repeated.stop();
    beside.stop();
    for (const end of ends) end();
  }
});

test('a failure is logged, and the next turn comes', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  let turns = 0;
  const repeated = every(
    1,
    async () => {
      turns += 1;
      if (turns === 1) throw new Error('no database');
    },
    log,
  );
  await until(() => turns > 2, { what: 'turns after the failed one' });
  repeated.stop();
  assert.is(lines.length, 1);
  assert.match(lines[0] ?? '', /a periodic task failed.*no database|no database.*a periodic task failed/);
});

test('no turn begins after the end', async () => {
  let [turns, others] = [0, 0];
  const ended = every(1, async () => void (turns += 1), silent);
  ended.stop();
  const other = every(1, async () => void (others += 1), silent);
  await until(() => others > 5, { what: 'turns of another task' });
  other.stop();
  assert.is(turns, 0);
});

test.run();

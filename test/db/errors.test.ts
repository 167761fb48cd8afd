import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { DatabaseUnavailable, FolderLocked, retryDeadlock, sqlState, StaleLeader } from '../../src/db/errors.ts';

const failing = (code: unknown): Error => Object.assign(new Error('it failed'), { code });

test('an SQLSTATE is five digits or capitals; codes of the network are none', () => {
  for (const code of ['40P01', '23505', '57014', 'XX000']) assert.is(sqlState(failing(code)), code);
  for (const code of ['EPIPE', 'ECONNREFUSED', 'ENOENT', '4000', '400000', '40p01', 40_001, undefined])
    assert.is(sqlState(failing(code)), undefined, String(code));
  for (const error of [undefined, null, '40P01', new Error('40P01')]) assert.is(sqlState(error), undefined);
  assert.is(sqlState({ code: '40P01' }), '40P01');
});

test('work that ends in a deadlock is repeated twice, all other failures are not', async () => {
  const rows: [what: string, failures: string[], runs: number, ends: string][] = [
    ['none', [], 1, 'done'],
    ['one deadlock', ['40P01'], 2, 'done'],
    ['two deadlocks', ['40P01', '40P01'], 3, 'done'],
    ['three deadlocks', ['40P01', '40P01', '40P01', '40P01'], 3, '40P01'],
    ['another failure', ['23505', '23505'], 1, '23505'],
    ['another failure after a deadlock', ['40P01', '23505', '23505'], 2, '23505'],
  ];
  for (const [what, failures, runs, ends] of rows) {
    let ran = 0;
    const work = async (): Promise<string> => {
      const code = failures[ran];
      ran += 1;
      if (code) throw failing(code);
      return 'done';
    };
    assert.is(await retryDeadlock(work).catch((error: { code: string }) => error.code), ends, what);
    assert.is(ran, runs, what);
  }
});

test('errors say what is wrong, and what to do about it', () => {
  const cause = new Error('ECONNREFUSED');
  const away = new DatabaseUnavailable(cause);
  assert.equal([away.name, away.message, away.cause], ['DatabaseUnavailable', 'Database not available', cause]);
  const locked = new FolderLocked('/data', 7);
  assert.equal([locked.name, locked.pid], ['FolderLocked', 7]);
  assert.is(locked.message, 'DATA_DIR /data is in use by process 7: stop that one, or give this one its own DATA_DIR');
  const stale = new StaleLeader(3);
  assert.equal([stale.name, stale.message], ['StaleLeader', 'the leader of epoch 3 may not write any more: there is a newer one']);
});

test.run();

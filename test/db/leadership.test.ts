import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { leadershipRepository } from '../../src/db/leadership.ts';
import { settingRepository } from '../../src/db/settings.ts';
import { longOr } from '../support/runner/long.ts';
import { engines } from '../support/database/store.ts';

const NOW = new Date('2026-05-01T10:00:00Z');
/** An earlier version had a deadlock in about one of 250 races. */
const RACES = longOr(2_000, 20);
const noted = (): { stale(): void; times: number } => {
  const note = { times: 0, stale: () => void note.times++ };
  return note;
};

for (const engine of engines('leadership')) {
  const store = await engine.open();
  const { db } = store;
  const test = suite(`leadership on ${engine.name}`);
  let leases = 0;
  let fence: ReturnType<typeof leadershipRepository>;
  test.before.each(() => void (fence = leadershipRepository(db, `lease-${++leases}`)));
  test.after(() => store.close());
  const settings = settingRepository(db);
  const ada = { epoch: 1, holder: 'ada' };
  const bob = { epoch: 2, holder: 'bob' };
  const as = (term: typeof ada, note = noted()) => fence.fenced({ ...term, stale: note.stale }, settingRepository, ['set', 'get']);
  const nameOf = (work: Promise<unknown>) =>
    work.then(
      () => 'written',
      (error: Error) => error.name,
    );

  test('a claim is valid until a higher one, and never again', async () => {
    assert.is(await fence.newest(), 0);
    assert.ok(await fence.claim(ada));
    assert.ok(await fence.claim(ada), 'twice is once');
    assert.not(await fence.claim({ ...ada, holder: 'eve' }), 'the same epoch is one process’s');
    assert.ok(await fence.claim(bob));
    assert.is(await fence.newest(), 2);
    assert.not(await fence.claim(ada));
  });

  test('a former leader writes nothing, and gets an error', async () => {
    const note = noted();
    const stale = as(ada, note);
    await stale.set('key', 'ada', NOW);
    await fence.claim(bob);
    assert.is(await nameOf(stale.set('key', 'ada again', NOW)), 'StaleLeader');
    assert.is(note.times, 1);
    await as(bob).set('key', 'bob', NOW);
    assert.is(await settings.get('key'), 'bob');
  });

  test('a leader that could not claim (the database was away) does so by its first write', async () => {
    await fence.claim(ada);
    await as(bob).set('key', 'bob', NOW);
    assert.is(await nameOf(as(ada).set('key', 'ada', NOW)), 'StaleLeader');
    assert.is(await as(bob).get('key'), 'bob');
  });

  test('another Lease over this database has epochs of its own', async () => {
    await fence.claim(bob);
    const other = leadershipRepository(db, 'another cluster');
    assert.ok(await other.claim(ada));
    assert.is(await nameOf(as(bob).set('key', 'bob', NOW)), 'written');
  });

  const race = async (): Promise<void> => {
    fence = leadershipRepository(db, `lease-${++leases}`);
    await fence.claim(ada);
    const old = as(ada);
    // Fewer statements than connections in the pool: a statement that waits over two seconds for a connection fails.
    const results = await Promise.all([
      ...Array.from({ length: 4 }, (_, n) => nameOf(old.set('raced', `ada ${n}`, NOW))),
      fence.claim(bob).then(() => as(bob).set('raced', 'bob', NOW)),
      ...Array.from({ length: 4 }, (_, n) => nameOf(old.set('raced', `ada late ${n}`, NOW))),
    ]);
    assert.is(await settings.get('raced'), 'bob');
    assert.ok(
      results.every((one) => one === undefined || ['written', 'StaleLeader'].includes(one as string)),
      String(results),
    );
    assert.is(await nameOf(old.set('raced', 'ada', NOW)), 'StaleLeader');
  };
  test('both write during a hand-over: no write of the old leader comes after the first one of the new leader', async () => {
    for (let n = 0; n < RACES; n++) await race();
  });

  test('first writes of one leader at once are all written', async () => {
    await fence.claim(ada);
    const results = await Promise.all(Array.from({ length: 4 }, (_, n) => nameOf(as(bob).set('first', `bob ${n}`, NOW))));
    assert.equal(results, ['written', 'written', 'written', 'written']);
  });
  test.run();
}

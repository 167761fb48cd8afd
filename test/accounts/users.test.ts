import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { accounts } from '../../src/accounts/users.ts';
import { attemptRepository } from '../../src/db/attempts.ts';
import { userRepository } from '../../src/db/users.ts';
import { engines } from '../support/store.ts';

const T0 = new Date('2026-05-01T10:00:00Z');
const after = (seconds: number): Date => new Date(T0.getTime() + seconds * 1000);
const ADA = { username: 'Ada', password: 'correct horse' };

for (const engine of engines('accounts')) {
  const store = await engine.open();
  const { db } = store;
  const { exist, signup, add, setPassword, login } = accounts({ users: userRepository(db), attempts: attemptRepository(db) });
  const tries = async (attempt: { username: string; password: string; address: string }, at: Date) => (await login(attempt, at)).kind;

  const test = suite(`accounts on ${engine.name}`);
  test.before.each(async () => {
    for (const table of ['users', 'login_attempts'] as const) await db.deleteFrom(table).execute();
  });
  test.after(() => store.close());

  test('the first visitor becomes the administrator, exactly once, whoever comes at the same time', async () => {
    assert.is(await exist(), false);
    const made = await Promise.all(['a', 'b', 'c', 'd'].map((username) => signup({ username, password: 'long enough' }, T0)));
    const [admin, ...more] = made.filter((user) => user !== undefined);
    assert.equal(more, []);
    assert.is(admin?.role, 'admin');
    assert.is(admin?.created_at, T0.toISOString());
    assert.is(await signup(ADA, T0), undefined);
    assert.is(await exist(), true);
  });

  test('name and password let in, whatever the case of the name; anything else does not', async () => {
    const user = await signup(ADA, T0);
    assert.equal(await login({ ...ADA, username: 'ADA', address: '1' }, T0), { kind: 'welcome', user });
    const wrong = [
      { password: 'wrong' },
      { username: 'nobody' },
      { password: '' },
      { password: 'correct horse\0' },
      { username: "' or 1=1" },
    ];
    for (const [n, over] of wrong.entries())
      assert.equal(await login({ ...ADA, ...over, address: `a${n}` }, T0), { kind: 'refused' }, JSON.stringify(over));
  });

  test('further users have the role they are given, and a name once', async () => {
    const user = await add({ ...ADA, role: 'write' }, T0);
    assert.is(user?.role, 'write');
    assert.is(await add({ ...ADA, username: 'ada', role: 'admin' }, T0), undefined);
    assert.is(await setPassword('ADA', 'another one'), true);
    assert.is(await tries({ ...ADA, address: '1' }, T0), 'refused');
    assert.is(await tries({ ...ADA, password: 'another one', address: '1' }, T0), 'welcome');
    assert.is(await setPassword('nobody', 'another one'), false);
  });

  test('a user without a password, whom an identity provider vouches for, cannot log in with one', async () => {
    await userRepository(db).insert({ username: 'sso', password_hash: null, role: 'read', external_id: 'x', created_at: T0 });
    assert.is(await tries({ username: 'sso', password: '', address: '1' }, T0), 'refused');
  });

  test('the sixth attempt from an address within 30 s is limited, right or wrong, and another address is not', async () => {
    await signup(ADA, T0);
    const attempt = { ...ADA, password: 'wrong', address: '1' };
    for (let n = 0; n < 5; n++) assert.is(await tries({ ...attempt, username: `user-${n}` }, after(n)), 'refused');
    assert.equal(await login({ ...ADA, address: '1' }, after(5)), { kind: 'limited', retryAfterSeconds: 25 });
    assert.is(await tries({ ...ADA, address: '2' }, after(5)), 'welcome');
    assert.is(await tries({ ...ADA, address: '1' }, after(31)), 'welcome');
  });

  test('fifty failures with one user from anywhere lock that user for a while; successes do not count', async () => {
    await signup(ADA, T0);
    const limit = { limit: 50, windowSeconds: 900 };
    assert.is(await tries({ ...ADA, address: 'home' }, T0), 'welcome');
    for (let n = 0; n < 49; n++) await attemptRepository(db).admit('user:ada', limit, after(1));
    assert.is(await tries({ ...ADA, password: 'wrong', address: 'x' }, after(2)), 'refused');
    assert.equal(await login({ ...ADA, address: 'y' }, after(3)), { kind: 'limited', retryAfterSeconds: 898 });
    assert.is(await tries({ ...ADA, address: 'z' }, after(902)), 'welcome');
  });

  test('an unknown name takes about as long as a wrong password', async () => {
    await signup(ADA, T0);
    const median = async (username: string) => {
      const times: number[] = [];
      for (let n = 0; n < 5; n++) {
        const begun = performance.now();
        await login({ username, password: 'wrong', address: `${username}${n}` }, T0);
        times.push(performance.now() - begun);
      }
      return times.sort((a, b) => a - b)[2]!;
    };
    const [known, unknown] = [await median('ada'), await median('nobody')];
    // Without the work for unknown names the ratio is about twenty.
    assert.ok(unknown > known / 4, `${unknown} ms against ${known} ms`);
  });

  test.run();
}

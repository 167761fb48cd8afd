import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { accounts } from '../../src/accounts/users.ts';
import { loginAttemptRepository } from '../../src/db/login-attempts.ts';
import { sessionRepository } from '../../src/db/sessions.ts';
import { tokenRepository } from '../../src/db/tokens.ts';
import { userRepository } from '../../src/db/users.ts';
import { engines } from '../support/database/store.ts';

const T0 = new Date('2026-05-01T10:00:00Z');
const after = (seconds: number): Date => new Date(T0.getTime() + seconds * 1000);
const ADA = { username: 'Ada', password: 'correct horse' };

for (const engine of engines('accounts')) {
  const store = await engine.open();
  const { db } = store;
  const { exist, signup, admitSignup, isNewLimit, add, setPassword, login, list, change, remove, changePassword } = accounts({
    users: userRepository(db),
    attempts: loginAttemptRepository(db),
    sessions: sessionRepository(db),
  });
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

  test('exactly one is created when all are hashed and inserted at the same time', async () => {
    const users = userRepository(db);
    const visitor = (n: number) => ({
      username: `visitor-${n}`,
      password_hash: 'x',
      role: 'admin' as const,
      external_id: null,
      created_at: T0,
    });
    // Open all connections first. Otherwise the first insert ends before the others have a connection.
    await Promise.all(Array.from({ length: 50 }, () => users.any()));
    const made = await Promise.all(Array.from({ length: 200 }, (_, n) => users.insertFirst(visitor(n))));
    assert.is(made.filter((user) => user !== undefined).length, 1);
    assert.is((await list()).length, 1);
  });

  test('visitors of two replicas at the same time make one administrator', async () => {
    const other = accounts({
      users: userRepository(db),
      attempts: loginAttemptRepository(db),
      sessions: sessionRepository(db),
    });
    const [here, there] = await Promise.all([
      signup({ username: 'here', password: 'long enough' }, T0),
      other.signup({ username: 'there', password: 'long enough' }, T0),
    ]);
    assert.is([here, there].filter((user) => user !== undefined).length, 1);
    assert.is((await list()).length, 1);
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

  test('a name is stored in one form, found in every form that looks the same, and never found by a part of it', async () => {
    const composed = (await signup({ ...ADA, username: 'Ren\u00e9' }, T0))!;
    assert.is(composed.username, 'Ren\u00e9');
    assert.equal(await login({ ...ADA, username: 'Rene\u0301', address: '1' }, T0), { kind: 'welcome', user: composed });
    assert.is(await add({ ...ADA, username: 'rene\u0301', role: 'read' }, T0), undefined, 'the name is taken');
    assert.is(await tries({ ...ADA, username: 'Ren\u00e9\0', address: '2' }, T0), 'refused');
    assert.is(await setPassword('Ren\u00e9\0', 'another one'), false);
    for (const username of ['ad\0min', '\u202eadmin'])
      await add({ ...ADA, username, role: 'admin' }, T0).then(
        () => assert.unreachable(),
        (error: Error) => assert.match(error.message, /^username must be/),
      );
    assert.equal(
      (await list()).map(({ username }) => username),
      ['Ren\u00e9'],
    );
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

  test('a user of an identity provider, who has no password, cannot log in with one', async () => {
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
    for (let n = 0; n < 49; n++) await loginAttemptRepository(db).admit('user:ada', limit, after(1));
    assert.is(await tries({ ...ADA, password: 'wrong', address: 'x' }, after(2)), 'refused');
    assert.equal(await login({ ...ADA, address: 'y' }, after(3)), { kind: 'limited', retryAfterSeconds: 898 });
    assert.is(await tries({ ...ADA, address: 'z' }, after(902)), 'welcome');
  });

  test('failed attempts of others do not lock a user out at an address with a session of that user', async () => {
    const user = await signup(ADA, T0);
    const session = { user_id: user!.id, address: 'home', created_at: T0, seen_at: T0, expires_at: after(3600) };
    await sessionRepository(db).insert({ ...session, id: 'at-home' });
    for (let n = 0; n < 50; n++) await loginAttemptRepository(db).admit('user:ada', { limit: 50, windowSeconds: 900 }, after(1));
    assert.is(await tries({ ...ADA, address: 'elsewhere' }, after(2)), 'limited');
    assert.is(await tries({ ...ADA, address: 'home' }, after(2)), 'welcome');
    for (let n = 0; n < 4; n++) assert.is(await tries({ ...ADA, password: 'guess', address: 'home' }, after(3)), 'refused');
    assert.is(await tries({ ...ADA, password: 'guess', address: 'home' }, after(3)), 'limited', 'guesses from there have the usual limit');
  });

  test('a changed role or password ends the sessions; the last administrator keeps the role and stays', async () => {
    const ada = (await signup(ADA, T0))!;
    const bob = (await add({ username: 'bob', password: 'long enough', role: 'admin' }, T0))!;
    const sessions = sessionRepository(db);
    const begin = (id: string, user_id: number) =>
      sessions.insert({ id, user_id, address: '::1', created_at: T0, seen_at: T0, expires_at: after(60) });
    await begin('ada', ada.id);
    await begin('bob', bob.id);
    assert.equal(await change(bob.id, { role: 'write' }), { kind: 'changed', user: { ...bob, role: 'write' } });
    assert.equal(await sessions.stillLive(['ada', 'bob'], T0), ['ada']);
    assert.equal(await change(ada.id, { role: 'read' }), { kind: 'last-admin' });
    assert.equal(await remove(ada.id), { kind: 'last-admin' });
    assert.is((await change(ada.id, { password: 'another one' })).kind, 'changed');
    assert.is(await tries({ ...ADA, password: 'another one', address: '1' }, T0), 'welcome');
    assert.equal(await change(999_999, { role: 'read' }), { kind: 'missing' });
    assert.is((await remove(bob.id)).kind, 'changed');
    assert.equal(await remove(bob.id), { kind: 'missing' });
    assert.equal(
      (await list()).map(({ username }) => username),
      ['Ada'],
    );
  });

  test('two administrators who remove each other at once leave one', async () => {
    const ada = (await signup(ADA, T0))!;
    const bob = (await add({ username: 'bob', password: 'long enough', role: 'admin' }, T0))!;
    const ended = await Promise.all([remove(ada.id), change(bob.id, { role: 'read' })]);
    assert.equal(ended.map(({ kind }) => kind).sort(), ['changed', 'last-admin']);
  });

  test('who knows the present password sets a new one; guessing it is limited', async () => {
    const { id } = (await signup(ADA, T0))!;
    const guess = { current: 'wrong', password: 'another one' };
    for (let n = 0; n < 5; n++) assert.equal(await changePassword(id, guess, T0), { kind: 'refused' });
    const right = { current: ADA.password, password: 'another one' };
    assert.equal(await changePassword(id, right, after(1)), { kind: 'limited', retryAfterSeconds: 29 });
    assert.is((await changePassword(id, right, after(31))).kind, 'changed');
    assert.is(await tries({ ...ADA, password: 'another one', address: '1' }, after(31)), 'welcome');
    assert.equal(await changePassword(999_999, right, after(31)), { kind: 'refused' });
  });

  test('a new password ends the API tokens unless they are kept; a new role does not', async () => {
    const { id } = (await signup(ADA, T0))!;
    await add({ ...ADA, username: 'bob', role: 'admin' }, T0);
    const tokens = tokenRepository(db);
    const token = { name: 'ci', role: 'read' as const, created_at: T0, expires_at: null, used_at: null };
    const own = { current: ADA.password, password: ADA.password };
    const rows: [what: string, work: () => Promise<unknown>, left: number][] = [
      ['another role', () => change(id, { role: 'write' }), 1],
      ['a password by an administrator', () => change(id, { password: ADA.password }), 0],
      ['the same, with the tokens kept', () => change(id, { password: ADA.password, keepTokens: true }), 1],
      ['a password by its owner', () => changePassword(id, own, T0), 0],
      ['the same, with the tokens kept', () => changePassword(id, { ...own, keepTokens: true }, T0), 1],
      ['a password from a shell', () => setPassword('ada', ADA.password), 0],
    ];
    for (const [what, work, left] of rows) {
      await tokens.insert({ ...token, user_id: id, digest: what });
      await work();
      assert.is((await tokens.ofUser(id)).length, left, what);
      await db.deleteFrom('tokens').execute();
    }
  });

  test('the first signup is tried five times in 30 s, and the audit log hears of a limit once in 30 s', async () => {
    for (let n = 0; n < 5; n++) assert.is(await admitSignup('home', after(n)), 0);
    assert.is(await admitSignup('home', after(5)), 25);
    assert.is(await admitSignup('elsewhere', after(5)), 0);
    assert.equal(
      [await isNewLimit('home', T0), await isNewLimit('home', after(29)), await isNewLimit('other', after(29))],
      [true, false, true],
    );
    assert.is(await isNewLimit('home', after(31)), true);
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
    // If unknown names skip the password hash, a known name takes about twenty times as long.
    assert.ok(unknown > known / 4, `${unknown} ms against ${known} ms`);
  });

  test.run();
}

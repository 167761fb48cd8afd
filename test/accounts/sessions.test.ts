import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sessions as sessionStory } from '../../src/accounts/sessions.ts';
import { sessionRepository } from '../../src/db/sessions.ts';
import { userRepository } from '../../src/db/users.ts';
import { engines } from '../support/database/store.ts';

const T0 = new Date('2026-05-01T10:00:00Z');
const hours = (count: number): Date => new Date(T0.getTime() + count * 3_600_000);

for (const engine of engines('sessions')) {
  const store = await engine.open();
  const { db } = store;
  const { begin, find, end, ended } = sessionStory(sessionRepository(db));
  const user = await userRepository(db).insert({ username: 'ada', password_hash: null, role: 'write', external_id: null, created_at: T0 });
  const ada = { id: user!.id, username: 'ada', role: 'write', created_at: T0.toISOString() };

  const test = suite(`sessions on ${engine.name}`);
  test.after(() => store.close());

  test('a token finds its session and user; the table does not know the token', async () => {
    const { id, token } = await begin(ada.id, '::1', T0);
    assert.equal(await find(token, T0), { id, user: ada, renewed: false });
    assert.is(await find(`${token}x`, T0), undefined);
    assert.is(await find(id, T0), undefined);
    assert.not(JSON.stringify(await db.selectFrom('sessions').selectAll().execute()).includes(token));
  });

  test('seven days without use end it; use within them prolongs it, written down at most hourly', async () => {
    const { token } = await begin(ada.id, '::1', T0);
    assert.is((await find(token, hours(0.5)))?.renewed, false);
    assert.is((await find(token, hours(6 * 24)))?.renewed, true);
    assert.is((await find(token, hours(6 * 24 + 0.5)))?.renewed, false);
    assert.ok(await find(token, hours(12 * 24)));
    assert.is(await find(token, hours(19 * 24 + 1)), undefined);
    const fresh = await begin(ada.id, '::1', T0);
    assert.is((await find(fresh.token, hours(0.99)))?.renewed, false);
    assert.is((await find(fresh.token, hours(1)))?.renewed, true);
    assert.ok(await find(fresh.token, hours(7 * 24 + 0.99)), 'seven days from that use on');
    const unused = await begin(ada.id, '::1', T0);
    assert.is(await find(unused.token, hours(7 * 24)), undefined);
  });

  test('an ended session stays ended, and its sockets are closed', async () => {
    const [a, b] = [await begin(ada.id, '::1', T0), await begin(ada.id, '::1', T0)];
    await end(a.id);
    assert.is(await find(a.token, T0), undefined);
    assert.equal([...(await ended([a.id, b.id, 'never'], T0))], [a.id, 'never']);
    await end(a.id);
  });

  test.run();
}

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_TOKENS, tokens as tokenStory } from '../../src/accounts/tokens.ts';
import type { Role, UserRecord } from '../../src/contract/auth.ts';
import { settingRepository } from '../../src/db/settings.ts';
import { tokenRepository } from '../../src/db/tokens.ts';
import { userRepository } from '../../src/db/users.ts';
import { engines } from '../support/database/store.ts';

const T0 = new Date('2026-05-01T10:00:00Z');
const hours = (count: number): Date => new Date(T0.getTime() + count * 3_600_000);
const days = (count: number): Date => hours(count * 24);

for (const engine of engines('API tokens')) {
  const store = await engine.open();
  const { db } = store;
  const [users, settings] = [userRepository(db), settingRepository(db)];
  const { make, list, revoke, find, ended } = tokenStory(tokenRepository(db), settings);
  const test = suite(`API tokens on ${engine.name}`);
  let ada: UserRecord;
  const person = async (username: string, role: Role): Promise<UserRecord> => {
    const row = await users.insert({ username, password_hash: null, role, external_id: null, created_at: T0 });
    return { id: row!.id, username, role, created_at: T0.toISOString() };
  };
  const made = async (over: Partial<Parameters<typeof make>[1]> = {}, owner = ada) => (await make(owner, { name: 'ci', ...over }, T0))!;
  const refusalOf = (work: Promise<unknown>) =>
    work.then(
      () => 'taken',
      (error: { kind: string; message: string }) => `${error.kind}: ${error.message}`,
    );
  test.before.each(async () => {
    for (const table of ['users', 'settings'] as const) await db.deleteFrom(table).execute();
    ada = await person('ada', 'write');
  });
  test.after(() => store.close());

  test('a token has the role of its owner and the longest life, unless less is wished', async () => {
    const { token, id, ...record } = await made();
    assert.match(token, /^podmend_[\w-]{43}$/);
    const expires_at = days(90).toISOString();
    assert.equal(record, { name: 'ci', role: 'write', created_at: T0.toISOString(), expires_at, last_used_at: null });
    assert.equal(await list(ada), [{ id, ...record }], 'the token itself is not stored');
    assert.not.ok(JSON.stringify(await db.selectFrom('tokens').selectAll().execute()).includes(token.slice(8)));
    const less = await made({ role: 'read', expiresInDays: 1, name: 'less' });
    assert.equal([less.name, less.role, less.expires_at], ['less', 'read', days(1).toISOString()]);
  });

  test('no token is stronger than its owner, or lives longer than an administrator allows', async () => {
    assert.is(await make(ada, { name: 'ci', role: 'admin' }, T0), undefined);
    assert.is(
      await refusalOf(made({ expiresInDays: 91 })),
      'invalid: expires_in_days must be at most 90, unless an administrator allows more',
    );
    await settings.set('api_token_max_days', '7', T0);
    assert.is((await made()).expires_at, days(7).toISOString());
    assert.match(await refusalOf(made({ expiresInDays: 8 })), 'at most 7,');
    assert.match(await refusalOf(made({ name: 'a\nb' })), /^invalid: name must be at most 128 visible characters/);
    assert.is((await list(ada)).length, 1);
  });

  test('a user has fifty tokens that have not expired', async () => {
    assert.is(MAX_TOKENS, 50);
    for (let n = 0; n < 50; n++) await made({ expiresInDays: 1 });
    assert.is(await refusalOf(made()), 'conflict: You have 50 API tokens: revoke one first');
    assert.ok(await make(ada, { name: 'ci' }, days(1)), 'the others have expired');
    assert.ok(await made({}, await person('bob', 'read')));
  });

  test('a token finds its owner until it expires or is revoked by its owner', async () => {
    const { id, token } = await made({ expiresInDays: 1 });
    assert.equal(await find(token, T0), { id, user: ada });
    for (const wrong of [`${token}x`, token.slice(8), `xpodmend_${token.slice(8)}`, '']) assert.is(await find(wrong, T0), undefined, wrong);
    assert.ok(await find(token, hours(23)));
    assert.is(await find(token, days(1)), undefined);
    assert.is(await revoke(id, await person('bob', 'admin')), false);
    assert.ok(await find(token, T0));
    assert.is(await revoke(id, ada), true);
    assert.is(await find(token, T0), undefined);
    assert.is(await revoke(id, ada), false);
  });

  test('a token has the lower of its own role and its owner’s present one', async () => {
    const { token } = await made();
    const weak = await made({ role: 'read' });
    for (const [role, strong] of [
      ['read', 'read'],
      ['admin', 'write'],
    ] as const) {
      await db.updateTable('users').set({ role }).where('id', '=', ada.id).execute();
      assert.equal([(await find(token, T0))?.user.role, (await find(weak.token, T0))?.user.role], [strong, 'read']);
    }
  });

  test('the last use is written down at most hourly', async () => {
    const { token } = await made();
    const lastUse = async (at: Date) => {
      await find(token, at);
      return (await list(ada))[0]?.last_used_at;
    };
    assert.equal([await lastUse(T0), await lastUse(hours(0.99))], [T0.toISOString(), T0.toISOString()]);
    assert.is(await lastUse(hours(1)), hours(1).toISOString());
  });

  test('the newest token comes first, and of some tokens those are told that are over', async () => {
    const [short, gone, live] = [await made({ expiresInDays: 1 }), await made(), await made()];
    await revoke(gone.id, ada);
    assert.equal(
      (await list(ada)).map(({ id }) => id),
      [live.id, short.id],
    );
    assert.equal([...(await ended([short.id, gone.id, live.id], T0))], [gone.id]);
    assert.equal([...(await ended([short.id, gone.id, live.id], days(1)))], [short.id, gone.id]);
    assert.equal([...(await ended([], T0))], []);
  });

  test.run();
}

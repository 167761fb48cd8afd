import { createHook } from 'node:async_hooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { testApp, type TestApp } from '../support/worlds/app.ts';

const ADA = { username: 'ada', password: 'correct horse' };
/** The number of login attempts that an address has in 30 seconds. */
const LIMIT = 5;

/** Runs the work. Returns how many times argon2 ran in this process meanwhile. */
async function derivations(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({ init: (_id, type) => void (type === 'ARGON2REQUEST' && count++) }).enable();
  try {
    await work();
  } finally {
    hook.disable();
  }
  return count;
}

const login = suite('login');
let it: TestApp;
/** An app behind a proxy on 127.0.0.1, the address of injected requests. */
let proxied: TestApp;
login.before(async () => {
  it = await testApp();
  proxied = await testApp(({ config }) => ({ config: { ...config, trustProxy: ['127.0.0.1'] } }));
});
login.before.each(async () => {
  for (const { store, deps } of [it, proxied]) {
    await store.db.deleteFrom('login_attempts').execute();
    await store.db.deleteFrom('users').execute();
    await deps.accounts.signup(ADA, deps.now());
  }
});
login.after(async () => {
  await it.close();
  await proxied.close();
});

const attempt = (app: TestApp, payload: object, forwarded?: string) => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return app.send('nobody', { method: 'POST', url: '/api/auth/login', payload, headers });
};
const statuses = async (app: TestApp, forwarded: (n: number) => string, count: number): Promise<number[]> => {
  const all: number[] = [];
  for (let n = 0; n < count; n++) all.push((await attempt(app, { ...ADA, password: 'wrong' }, forwarded(n))).statusCode);
  return all;
};
const REFUSED = Array.from({ length: LIMIT }, () => 401);

login('without TRUST_PROXY, X-Forwarded-For does not change the address', async () => {
  assert.equal(await statuses(it, (n) => `203.0.113.${n}`, LIMIT + 2), [...REFUSED, 429, 429]);
  const rows = await it.store.db.selectFrom('audit').select('address').execute();
  assert.ok(rows.every(({ address }) => address === '127.0.0.1'));
});

login('behind a trusted proxy, a visitor’s own X-Forwarded-For does not change the address', async () => {
  assert.equal(await statuses(proxied, (n) => `10.9.8.${n}, 203.0.113.7`, LIMIT + 1), [...REFUSED, 429]);
});

login('behind a trusted proxy visitors do not share an address', async () => {
  assert.equal(await statuses(proxied, () => '203.0.113.7', LIMIT + 1), [...REFUSED, 429]);
  assert.is((await attempt(proxied, ADA, '203.0.113.8')).statusCode, 200);
});

const WRONG: [string, object][] = [
  ['a wrong password', { ...ADA, password: 'wrong' }],
  ['an unknown user', { username: 'nobody', password: 'wrong' }],
  ['a name that no database stores', { username: 'a\0\ud800', password: 'wrong' }],
];
for (const [what, payload] of WRONG) {
  login(`${what} costs one password hash and gets the same answer as others`, async () => {
    let answer: { statusCode: number; body: string; headers: Record<string, unknown> } | undefined;
    assert.is(await derivations(async () => (answer = await attempt(it, payload))), 1);
    assert.is(answer?.statusCode, 401);
    assert.is(answer?.body, '{"detail":"Invalid username or password"}');
    assert.equal(Object.keys(answer?.headers ?? {}).sort(), Object.keys((await attempt(it, WRONG[0]![1])).headers).sort());
  });
}

login('a user without a password costs one password hash too', async () => {
  const created_at = it.deps.now();
  await it.users.insert({ username: 'sso', password_hash: null, role: 'read', external_id: 'x', created_at });
  assert.is(await derivations(() => attempt(it, { username: 'sso', password: 'guess' })), 1);
});

login('who is limited costs none', async () => {
  await statuses(it, () => '', LIMIT);
  assert.is(await derivations(() => attempt(it, ADA)), 0);
});

login.run();

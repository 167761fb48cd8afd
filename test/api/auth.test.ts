import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SESSION_COOKIE } from '../../src/contract/auth.ts';
import { testApp, type TestApp } from '../support/worlds/app.ts';

let it: TestApp;
const auth = suite('auth');
auth.before(async () => {
  it = await testApp();
});
auth.before.each(async () => {
  for (const table of ['users', 'login_attempts', 'audit'] as const) await it.store.db.deleteFrom(table).execute();
});
auth.after(() => it.close());

const ADA = { username: 'ada', password: 'correct horse' };
const post = (url: string, payload: object, headers = {}) => it.send('nobody', { method: 'POST', url, payload, headers });
const cookieOf = (answer: { headers: Record<string, unknown> }): string => String(answer.headers['set-cookie']).split(';', 1)[0] ?? '';
const status = async (headers = {}) => (await it.send('nobody', { url: '/api/auth/status', headers })).json();

auth('the first visitor becomes the administrator, once', async () => {
  assert.equal(await status(), { setup_required: true, authenticated: false });
  const first = await post('/api/auth/signup', ADA);
  assert.is(first.statusCode, 200);
  const { id, created_at, ...user } = first.json();
  assert.equal(user, { username: 'ada', role: 'admin' });
  assert.type(id, 'number');
  assert.is(new Date(created_at).toISOString(), created_at);
  const cookie = cookieOf(first);
  assert.equal(await status({ cookie }), { setup_required: false, authenticated: true });
  assert.equal((await it.send('nobody', { url: '/api/auth/me', headers: { cookie } })).json(), first.json());

  const second = await post('/api/auth/signup', { username: 'eve', password: 'long enough' });
  assert.is(second.statusCode, 409);
  assert.equal(second.json(), { detail: 'Users exist already: an administrator creates the others' });
});

auth('of several first visitors at once one wins', async () => {
  const answers = await Promise.all(['a', 'b', 'c'].map((username) => post('/api/auth/signup', { username, password: 'long enough' })));
  assert.equal(
    answers.map((answer) => answer.statusCode).sort((one, other) => one - other),
    [200, 409, 409],
  );
});

auth('the sixth signup in 30 s answers 429 and when to come back, whatever token it carries; after that it is let in', async () => {
  it.deps.config.setupToken = 'a token of the installer';
  try {
    const guess = (setup_token: string) => post('/api/auth/signup', { ...ADA, setup_token });
    for (let n = 1; n <= 5; n++) assert.is((await guess(`guess ${n}`)).statusCode, 403);
    const limited = await guess('a token of the installer');
    assert.equal([limited.statusCode, limited.json()], [429, { detail: 'Too many signup attempts' }]);
    const seconds = Number(limited.headers['retry-after']);
    assert.ok(seconds >= 1 && seconds <= 30, String(seconds));
    it.advance(30_000);
    assert.is((await guess('a token of the installer')).statusCode, 200);
    for (let n = 1; n <= 7; n++) assert.is((await guess('again')).statusCode, 409, 'there is nothing left to guess');
  } finally {
    it.deps.config.setupToken = undefined;
  }
});

auth('with SETUP_TOKEN the signup must carry it', async () => {
  it.deps.config.setupToken = 'open sesame';
  try {
    assert.is((await post('/api/auth/signup', ADA)).statusCode, 403);
    assert.equal((await post('/api/auth/signup', { ...ADA, setup_token: 'guess' })).json(), { detail: 'setup_token is missing or wrong' });
    assert.is((await post('/api/auth/signup', { ...ADA, setup_token: 'open sesame' })).statusCode, 200);
  } finally {
    it.deps.config.setupToken = undefined;
  }
});

const BAD: [object, string][] = [
  [{}, 'username is required'],
  [{ username: 'ada' }, 'password is required'],
  [{ username: '', password: 'long enough' }, 'username must not be blank'],
  [{ username: 'ada', password: 'short' }, 'password must not have fewer than 8 characters'],
  [{ username: 5, password: 'long enough' }, 'username must be string'],
  [[], 'The body must be object'],
];
for (const [body, detail] of BAD) {
  auth(`signup with ${JSON.stringify(body)} answers 400 ${detail}`, async () => {
    const answer = await post('/api/auth/signup', body);
    assert.is(answer.statusCode, 400);
    assert.equal(answer.json(), { detail });
  });
}

auth('login sets a cookie that scripts of a page cannot read', async () => {
  await post('/api/auth/signup', ADA);
  const answer = await post('/api/auth/login', { ...ADA, unknown: 'ignored' });
  assert.is(answer.statusCode, 200);
  assert.match(String(answer.headers['set-cookie']), /^monitor_session=[^;]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
});

auth('a cookie over plain http is not Secure, or no browser would send it back', async () => {
  const { baseUrl } = it.deps.config;
  it.deps.config.baseUrl = undefined;
  try {
    assert.not.match(String((await post('/api/auth/signup', ADA)).headers['set-cookie']), 'Secure');
  } finally {
    it.deps.config.baseUrl = baseUrl;
  }
});

auth('a wrong password and an unknown user answer alike', async () => {
  await post('/api/auth/signup', ADA);
  for (const attempt of [
    { ...ADA, password: 'wrong' },
    { username: 'nobody', password: 'wrong' },
  ]) {
    const answer = await post('/api/auth/login', attempt);
    assert.is(answer.statusCode, 401);
    assert.equal(answer.json(), { detail: 'Invalid username or password' });
    assert.is(answer.headers['set-cookie'], undefined);
  }
});

auth('the sixth login in 30 s answers 429 and when to come back; after that it is let in', async () => {
  await post('/api/auth/signup', ADA);
  for (let attempt = 1; attempt <= 5; attempt++) assert.is((await post('/api/auth/login', { ...ADA, password: 'wrong' })).statusCode, 401);
  const limited = await post('/api/auth/login', ADA);
  assert.is(limited.statusCode, 429);
  assert.equal(limited.json(), { detail: 'Too many login attempts' });
  const seconds = Number(limited.headers['retry-after']);
  assert.ok(seconds >= 1 && seconds <= 30, String(seconds));
  it.advance(30_000);
  assert.is((await post('/api/auth/login', ADA)).statusCode, 200);
});

auth('logout ends the session and deletes the cookie', async () => {
  const cookie = cookieOf(await post('/api/auth/signup', ADA));
  const answer = await post('/api/auth/logout', {}, { cookie });
  assert.is(answer.statusCode, 204);
  assert.is(answer.body, '');
  assert.match(String(answer.headers['set-cookie']), /^monitor_session=; .*Expires=Thu, 01 Jan 1970/);
  assert.is((await it.send('nobody', { url: '/api/auth/me', headers: { cookie } })).statusCode, 401);
});

auth('a session that is used stays valid; an unused one ends after 7 days', async () => {
  const cookie = cookieOf(await post('/api/auth/signup', ADA));
  const me = () => it.send('nobody', { url: '/api/auth/me', headers: { cookie } });
  const day = 24 * 60 * 60_000;
  it.advance(6 * day);
  const used = await me();
  assert.is(used.statusCode, 200);
  assert.match(String(used.headers['set-cookie']), new RegExp(`^${SESSION_COOKIE}=.*Max-Age=604800`));
  it.advance(6 * day);
  assert.is((await me()).statusCode, 200);
  it.advance(7 * day);
  assert.is((await me()).statusCode, 401);
});

auth('failed logins are in the audit log with the name that was tried, limited ones once in 30 s for an address', async () => {
  await post('/api/auth/signup', ADA);
  await it.store.db.deleteFrom('audit').execute();
  const names = ['ada', 'nobody', 'ad\0min', "'; drop table users", '\u202eada'];
  for (const username of names) assert.is((await post('/api/auth/login', { username, password: 'a wrong one' })).statusCode, 401);
  for (let n = 0; n < 20; n++) assert.is((await post('/api/auth/login', ADA)).statusCode, 429);
  const rows = await it.store.db.selectFrom('audit').selectAll().orderBy('id').execute();
  assert.equal(
    rows.map(({ action, target, address, username, user_id }) => [action, target, address, username, user_id]),
    [
      ...['ada', 'nobody', 'ad\\u{0}min', "'; drop table users", '\\u{202e}ada'].map((name) => [
        'auth.login_failed',
        name,
        '127.0.0.1',
        '',
        null,
      ]),
      ['auth.login_limited', 'ada', '127.0.0.1', '', null],
    ],
  );
  assert.not.match(JSON.stringify(rows), 'a wrong one');
  it.advance(31_000);
  assert.is((await post('/api/auth/login', ADA)).statusCode, 200);
});

auth('signup, login and logout are in the audit log with user and address', async () => {
  await post('/api/auth/signup', ADA);
  const cookie = cookieOf(await post('/api/auth/login', ADA));
  await post('/api/auth/logout', {}, { cookie });
  const rows = await it.store.db.selectFrom('audit').select(['username', 'address', 'action', 'target']).orderBy('id').execute();
  assert.equal(
    rows,
    ['auth.signup', 'auth.login', 'auth.logout'].map((action) => ({ username: 'ada', address: '127.0.0.1', action, target: 'ada' })),
  );
});

auth.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { testApp, type TestApp } from '../support/worlds/app.ts';

let it: TestApp;
const accounts = suite('accounts');
accounts.before(async () => {
  it = await testApp();
});
accounts.before.each(async () => void (await it.store.db.deleteFrom('login_attempts').execute()));
accounts.after(() => it.close());

type Who = 'read' | 'write' | 'admin' | 'nobody';
const send = (who: Who, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object, headers = {}) =>
  it.send(who, { method, url, headers, ...(payload && { payload }) });
const cookieOf = (answer: { headers: Record<string, unknown> }): string => String(answer.headers['set-cookie']).split(';', 1)[0] ?? '';
const login = async (username: string, password: string) => send('nobody', 'POST', '/api/auth/login', { username, password });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const me = async (headers: object) => (await send('nobody', 'GET', '/api/auth/me', undefined, headers)).statusCode;

accounts('an administrator creates a user, who logs in with the role given', async () => {
  const created = await send('admin', 'POST', '/api/admin/users', { username: 'ada', password: 'correct horse', role: 'write' });
  assert.is(created.statusCode, 200, created.body);
  const { id, created_at, ...user } = created.json();
  assert.equal(user, { username: 'ada', role: 'write' });
  const again = await send('admin', 'POST', '/api/admin/users', { username: 'ADA', password: 'correct horse', role: 'read' });
  assert.is(again.statusCode, 409);
  assert.equal(again.json(), { detail: 'There is a user of that name already' });
  assert.equal((await login('ada', 'correct horse')).json(), created.json());
  const listed = (await send('admin', 'GET', '/api/admin/users')).json() as { id: number }[];
  assert.ok(listed.some((one) => one.id === id));
  assert.type(created_at, 'string');
});

const BAD: [object, string][] = [
  [{}, 'username is required'],
  [{ username: ' ', password: 'long enough', role: 'read' }, 'username must not be blank'],
  [
    { username: 'ad\u202emin', password: 'long enough', role: 'read' },
    'username must be at most 128 visible characters, without blanks around them',
  ],
  [{ username: 'x', password: 'short', role: 'read' }, 'password must not have fewer than 8 characters'],
  [{ username: 'x', password: 'long enough', role: 'root' }, 'role must be one of read, write, admin'],
  [{ username: 'x', password: 'long enough' }, 'role is required'],
];
for (const [body, detail] of BAD) {
  accounts(`a new user like ${JSON.stringify(body)} is refused: ${detail}`, async () => {
    const answer = await send('admin', 'POST', '/api/admin/users', body);
    assert.is(answer.statusCode, 400);
    assert.equal(answer.json(), { detail });
  });
}

accounts('other fields in the body of a new user are ignored, also names of columns', async () => {
  const beside = { id: 4711, external_id: 'somebody', created_at: '2001-01-01T00:00:00Z', password_hash: 'x', 'no"column': {} };
  const created = await send('admin', 'POST', '/api/admin/users', { username: 'bea', password: 'correct horse', role: 'read', ...beside });
  assert.is(created.statusCode, 200, created.body);
  const row = await it.users.byUsername('bea');
  assert.ok(row && row.id !== beside.id && row.external_id === null && row.created_at.getFullYear() > 2001);
  assert.is((await login('bea', 'correct horse')).statusCode, 200);
});

accounts('a change of role or password ends what the user had open; a change of nothing is refused', async () => {
  const { id } = (await send('admin', 'POST', '/api/admin/users', { username: 'bob', password: 'long enough', role: 'read' })).json();
  const cookie = cookieOf(await login('bob', 'long enough'));
  assert.is(await me({ cookie }), 200);
  const changed = await send('admin', 'PATCH', `/api/admin/users/${id}`, { role: 'write' });
  assert.is(changed.json().role, 'write');
  assert.is(await me({ cookie }), 401);
  assert.is((await send('admin', 'PATCH', `/api/admin/users/${id}`, { password: 'another one' })).statusCode, 200);
  assert.is((await login('bob', 'another one')).statusCode, 200);
  assert.is((await send('admin', 'PATCH', `/api/admin/users/${id}`, {})).statusCode, 400);
  assert.is((await send('admin', 'PATCH', '/api/admin/users/999999', { role: 'read' })).statusCode, 404);
  assert.is((await send('admin', 'PATCH', '/api/admin/users/x', { role: 'read' })).statusCode, 400);
});

accounts('the last administrator keeps the role and stays', async () => {
  const users = (await send('admin', 'GET', '/api/admin/users')).json() as { id: number; role: string }[];
  const admin = users.find(({ role }) => role === 'admin');
  for (const [method, body] of [
    ['PATCH', { role: 'write' }],
    ['DELETE', undefined],
  ] as const) {
    const answer = await send('admin', method, `/api/admin/users/${admin?.id}`, body);
    assert.is(answer.statusCode, 409);
    assert.equal(answer.json(), { detail: 'The last administrator stays: make another one first' });
  }
});

accounts('a new password of your own keeps this session under a new cookie and ends the others', async () => {
  await send('admin', 'POST', '/api/admin/users', { username: 'eve', password: 'long enough', role: 'read' });
  const [one, other] = [cookieOf(await login('eve', 'long enough')), cookieOf(await login('eve', 'long enough'))];
  const change = (current_password: string, password: string) =>
    send('nobody', 'POST', '/api/auth/password', { current_password, password }, { cookie: one });
  const wrong = await change('not it', 'another one');
  assert.is(wrong.statusCode, 400);
  assert.equal(wrong.json(), { detail: 'current_password is not the present password' });
  const right = await change('long enough', 'another one');
  assert.is(right.statusCode, 200, right.body);
  assert.equal([await me({ cookie: one }), await me({ cookie: other }), await me({ cookie: cookieOf(right) })], [401, 401, 200]);
});

accounts('a new password ends the API tokens, whoever sets it, unless the request keeps them', async () => {
  const { id } = (await send('admin', 'POST', '/api/admin/users', { username: 'ivy', password: 'long enough', role: 'write' })).json();
  let cookie = cookieOf(await login('ivy', 'long enough'));
  const token = async () => bearer((await send('nobody', 'POST', '/api/tokens', { name: 'ci' }, { cookie })).json().token as string);
  const own = (password: string, more: object) => async () => {
    const body = { current_password: now, password, ...more };
    const answer = await send('nobody', 'POST', '/api/auth/password', body, { cookie });
    cookie = cookieOf(answer);
    return answer;
  };
  const another = (password: string, more: object) => async () => {
    const answer = await send('admin', 'PATCH', `/api/admin/users/${id}`, { password, ...more });
    cookie = cookieOf(await login('ivy', password));
    return answer;
  };
  let now = 'long enough';
  for (const [set, password, more, expected] of [
    [own, 'own, kept', { keep_tokens: true }, 200],
    [own, 'own, told', { keep_tokens: false }, 401],
    [own, 'own, not told', {}, 401],
    [another, 'another, kept', { keep_tokens: true }, 200],
    [another, 'another, not told', {}, 401],
  ] as const) {
    const headers = await token();
    assert.is((await set(password, more)()).statusCode, 200, password);
    now = password;
    assert.is(await me(headers), expected, password);
  }
  const headers = await token();
  assert.is((await send('admin', 'PATCH', `/api/admin/users/${id}`, { role: 'read' })).statusCode, 200);
  assert.is(await me(headers), 200, 'another role ends no token: it is lowered with it');
  await it.deps.accounts.setPassword('ivy', 'from a shell');
  assert.is(await me(headers), 401);
  const nothing = await send('admin', 'PATCH', `/api/admin/users/${id}`, { keep_tokens: true });
  assert.equal([nothing.statusCode, nothing.json()], [400, { detail: 'role or password is required' }]);
});

accounts('an API token acts as its owner, up to its own role, until it is revoked', async () => {
  const made = await send('write', 'POST', '/api/tokens', { name: 'ci', role: 'read' });
  assert.is(made.statusCode, 200, made.body);
  const { token, ...record } = made.json();
  assert.match(token, /^podmend_[\w-]{43}$/);
  assert.equal((await send('write', 'GET', '/api/tokens')).json(), [record]);
  assert.equal((await send('nobody', 'GET', '/api/auth/me', undefined, bearer(token))).json().role, 'read');
  assert.is((await send('nobody', 'DELETE', '/api/pods/failed/999999', undefined, bearer(token))).statusCode, 403);
  assert.is(await me({ authorization: `bearer  ${token}` }), 200, 'the scheme is read without regard to case');
  assert.is((await send('read', 'DELETE', `/api/tokens/${record.id}`)).statusCode, 404, "somebody else's");
  assert.is((await send('write', 'DELETE', `/api/tokens/${record.id}`)).statusCode, 204);
  assert.is(await me(bearer(token)), 401);
});

accounts('a token never has more rights than its owner, also later', async () => {
  const answer = await send('write', 'POST', '/api/tokens', { name: 'root', role: 'admin' });
  assert.is(answer.statusCode, 403);
  const user = { username: 'tom', password: 'long enough', role: 'admin' };
  const { id } = (await send('admin', 'POST', '/api/admin/users', user)).json();
  const cookie = cookieOf(await login('tom', 'long enough'));
  const { token } = (await send('nobody', 'POST', '/api/tokens', { name: 'all' }, { cookie })).json();
  assert.is((await send('nobody', 'GET', '/api/admin/users', undefined, bearer(token))).statusCode, 200);
  await send('admin', 'PATCH', `/api/admin/users/${id}`, { role: 'read' });
  assert.is((await send('nobody', 'GET', '/api/admin/users', undefined, bearer(token))).statusCode, 403);
  await send('admin', 'DELETE', `/api/admin/users/${id}`);
  assert.is(await me(bearer(token)), 401);
});

accounts('a token ends at its time', async () => {
  const { token, expires_at } = (await send('read', 'POST', '/api/tokens', { name: 'short', expires_in_days: 1 })).json();
  assert.is(Math.round((Date.parse(expires_at) - it.deps.now().getTime()) / 3_600_000), 24);
  assert.is(await me(bearer(token)), 200);
  it.advance(24 * 3_600_000);
  assert.is(await me(bearer(token)), 401);
  it.advance(-24 * 3_600_000);
});

accounts('a token lives for 90 days at most, unless an administrator allows more', async () => {
  const days = async (wish: object) => {
    const answer = await send('read', 'POST', '/api/tokens', { name: 'long', ...wish });
    if (answer.statusCode !== 200) return [answer.statusCode, answer.json().detail];
    await send('read', 'DELETE', `/api/tokens/${answer.json().id}`);
    return Math.round((Date.parse(answer.json().expires_at) - it.deps.now().getTime()) / 86_400_000);
  };
  const refusal = (max: number) => [400, `expires_in_days must be at most ${max}, unless an administrator allows more`];
  assert.equal([await days({}), await days({ expires_in_days: 90 }), await days({ expires_in_days: 91 })], [90, 90, refusal(90)]);
  const allow = (value: string) => send('admin', 'POST', '/api/admin/settings/api_token_max_days', { value });
  assert.is((await allow('365')).statusCode, 200);
  assert.equal([await days({}), await days({ expires_in_days: 365 }), await days({ expires_in_days: 366 })], [365, 365, refusal(365)]);
  assert.is((await allow('7')).statusCode, 200);
  assert.equal([await days({}), await days({ expires_in_days: 8 })], [7, refusal(7)]);
  assert.is((await allow('90')).statusCode, 200);
});

accounts('a user has fifty tokens at most, also when they are asked for at once; expired ones do not count', async () => {
  await send('admin', 'POST', '/api/admin/users', { username: 'kit', password: 'long enough', role: 'read' });
  const cookie = cookieOf(await login('kit', 'long enough'));
  const ask = (expires_in_days: number) => send('nobody', 'POST', '/api/tokens', { name: 'one of many', expires_in_days }, { cookie });
  const statuses = (await Promise.all(Array.from({ length: 53 }, () => ask(1)))).map(({ statusCode }) => statusCode);
  assert.equal([statuses.filter((one) => one === 200).length, statuses.filter((one) => one === 409).length], [50, 3]);
  assert.equal((await ask(1)).json(), { detail: 'You have 50 API tokens: revoke one first' });
  it.advance(24 * 3_600_000);
  assert.is((await ask(1)).statusCode, 200);
  it.advance(-24 * 3_600_000);
});

accounts('a token cannot make tokens, change the password or log out: those are for people', async () => {
  const { token } = (await send('admin', 'POST', '/api/tokens', { name: 'loop' })).json();
  const requests: ['GET' | 'POST' | 'DELETE', string, object | undefined][] = [
    ['GET', '/api/tokens', undefined],
    ['POST', '/api/tokens', { name: 'more' }],
    ['DELETE', '/api/tokens/1', undefined],
    ['POST', '/api/auth/password', { current_password: 'x', password: 'long enough' }],
    ['POST', '/api/auth/logout', undefined],
  ];
  for (const [method, url, body] of requests) {
    const answer = await send('nobody', method, url, body, bearer(token));
    assert.is(answer.statusCode, 403, `${method} ${url}`);
    assert.equal(answer.json(), { detail: 'An API token may not do this: log in' });
  }
});

for (const authorization of ['Bearer', 'Bearer ', 'Bearer podmend_invented', 'Basic YTpi', 'bearer', '']) {
  accounts(`Authorization: ${JSON.stringify(authorization)} answers 401, even beside a good cookie`, async () => {
    assert.is(await me({ authorization, cookie: it.cookie('admin') }), 401);
  });
}

accounts.run();

import { sign } from '@fastify/cookie';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AccessEntry } from '../../src/api/access.ts';
import { ROLES, SESSION_COOKIE, type Role } from '../../src/contract/auth.ts';
import { OLD_SERVICE_TOKEN, SERVICE_TOKEN, testApp, type TestApp } from '../support/worlds/app.ts';

// Every kind of caller at every route. The routes come from the app itself, so that the test also covers a new route.

const DAY_MS = 24 * 60 * 60_000;
/** How the app should identify the caller. API tokens may not use the routes that are for people only. */
type Standing = { kind: 'session' | 'token'; role: Role } | { kind: 'service'; in: 'header' | 'query' | 'bearer' } | { kind: 'nobody' };
/** What a caller sends. Each caller gets new credentials, because some requests end a session or a token. */
interface Sent {
  headers?: Record<string, string>;
  query?: string;
}
interface Caller {
  name: string;
  standing: Standing;
  make(): Promise<Sent>;
}

let it: TestApp;
let count = 0;
const begin = async (role: Role) => {
  const user = await it.users.insert({
    username: `caller-${++count}`,
    password_hash: null,
    external_id: null,
    role,
    created_at: it.deps.now(),
  });
  const session = await it.deps.sessions.begin(user!.id, '127.0.0.1', it.deps.now());
  return { user: { ...user!, created_at: user!.created_at.toISOString() }, ...session };
};
const cookie = (token: string, signed = it.app.signCookie(token)): Sent => ({ headers: { cookie: `${SESSION_COOKIE}=${signed}` } });
const bearer = (token: string): Sent => ({ headers: { authorization: `Bearer ${token}` } });
const aToken = async (role: Role, owner: Role = role) => {
  const { user } = await begin(owner);
  return { user, ...(await it.deps.tokens.make(user, { name: 'script', role, expiresInDays: 1 }, it.deps.now()))! };
};
const nobody: Standing = { kind: 'nobody' };

/** Callers with a role. */
const PEOPLE = ROLES.flatMap((role): Caller[] => [
  { name: `a session of role ${role}`, standing: { kind: 'session', role }, make: async () => cookie((await begin(role)).token) },
  { name: `an API token of role ${role}`, standing: { kind: 'token', role }, make: async () => bearer((await aToken(role)).token) },
]);
const OTHERS: Caller[] = [
  {
    name: 'an administrator’s token of role read',
    standing: { kind: 'token', role: 'read' },
    make: async () => bearer((await aToken('read', 'admin')).token),
  },
  {
    name: 'the token of an administrator who is one no more',
    standing: { kind: 'token', role: 'read' },
    async make() {
      const { user, token } = await aToken('admin');
      await it.users.change(user.id, { role: 'read' });
      return bearer(token);
    },
  },
  {
    name: 'the service token',
    standing: { kind: 'service', in: 'header' },
    make: async () => ({ headers: { 'x-service-token': SERVICE_TOKEN } }),
  },
  {
    name: 'the service token before',
    standing: { kind: 'service', in: 'header' },
    make: async () => ({ headers: { 'x-service-token': OLD_SERVICE_TOKEN } }),
  },
  {
    name: 'the service token in the query',
    standing: { kind: 'service', in: 'query' },
    make: async () => ({ query: `?token=${SERVICE_TOKEN}` }),
  },
  { name: 'the service token as a bearer', standing: { kind: 'service', in: 'bearer' }, make: async () => bearer(SERVICE_TOKEN) },
];
/** Callers without valid credentials. */
const STRANGERS: Omit<Caller, 'standing'>[] = [
  { name: 'nobody', make: async () => ({}) },
  { name: 'a wrong service token', make: async () => ({ headers: { 'x-service-token': `${SERVICE_TOKEN}x` } }) },
  { name: 'a wrong service token in the query', make: async () => ({ query: `?token=${SERVICE_TOKEN}x` }) },
  { name: 'the service token as a cookie', make: async () => cookie(SERVICE_TOKEN) },
  { name: 'an invented API token', make: async () => bearer('podmend_invented') },
  { name: 'an API token in the query', make: async () => ({ query: `?token=${(await aToken('admin')).token}` }) },
  {
    name: 'a revoked API token',
    async make() {
      const { id, token, user } = await aToken('admin');
      await it.deps.tokens.revoke(id, user);
      return bearer(token);
    },
  },
  {
    name: 'the API token of a deleted user',
    async make() {
      const { token, user } = await aToken('admin');
      await it.users.delete(user.id);
      return bearer(token);
    },
  },
  { name: 'a session cookie without a signature', make: async () => cookie('', (await begin('admin')).token) },
  {
    name: 'a session cookie signed with another secret',
    make: async () => cookie('', sign((await begin('admin')).token, 'the secret before')),
  },
  {
    name: 'a session that was logged out of',
    async make() {
      const { id, token } = await begin('admin');
      await it.deps.sessions.end(id);
      return cookie(token);
    },
  },
  {
    name: 'a session of a deleted user',
    async make() {
      const { token, user } = await begin('admin');
      await it.users.delete(user.id);
      return cookie(token);
    },
  },
  {
    name: 'a session from before a change of password',
    async make() {
      const { token, user } = await begin('admin');
      await it.deps.accounts.change(user.id, { password: 'another one' });
      return cookie(token);
    },
  },
  {
    name: 'a session from before a change of role',
    async make() {
      const { token, user } = await begin('read');
      await it.deps.accounts.change(user.id, { role: 'admin' });
      return cookie(token);
    },
  },
  {
    name: 'a wrong bearer beside a good session',
    make: async () => ({ headers: { ...cookie((await begin('admin')).token).headers, ...bearer('podmend_invented').headers } }),
  },
];

const matrix = suite('access matrix');
matrix.before(async () => {
  it = await testApp();
});
matrix.after(() => it.close());

/** Slack may verify the address before the signing secret is set. So its routes first check whether a secret is set. */
const NOT_SET_UP = 'This chat is not set up: no provider of its type has the key signingSecret';

/** Routes for people's own sessions, passwords and tokens. API tokens may not use them. */
const PEOPLE_ONLY = new Set(['/api/auth/logout', '/api/auth/password', '/api/tokens', '/api/tokens/:id']);

function refusal({ access, url }: AccessEntry, standing: Standing): { status: number; detail: string } | undefined {
  const unknown = { status: 401, detail: 'Not authenticated' };
  // Chats authenticate by signature only. No chat is set up here.
  const isSlack = url.includes('team_chat_a') || url.includes('slack');
  if (url.startsWith('/api/chatops/')) return { status: 401, detail: isSlack ? NOT_SET_UP : 'The request is not signed' };
  if (access === 'public') return undefined;
  // Alertmanager can send only this header.
  if (standing.kind === 'service' && standing.in === 'bearer') return url === '/api/alerts/alertmanager' ? undefined : unknown;
  if (access === 'service') return standing.kind === 'service' && standing.in === 'header' ? undefined : unknown;
  if (standing.kind === 'service') return access === 'stream' && standing.in === 'query' ? undefined : unknown;
  if (standing.kind === 'nobody') return unknown;
  const needed = access === 'stream' ? 'read' : access;
  if (ROLES.indexOf(standing.role) < ROLES.indexOf(needed)) return { status: 403, detail: `Requires the ${needed} role` };
  if (standing.kind === 'token' && PEOPLE_ONLY.has(url)) return { status: 403, detail: 'An API token may not do this: log in' };
  return undefined;
}

/** Minimal valid bodies, so that a token is refused because it is a token, and for no other reason. */
const BODIES: Record<string, object> = {
  'POST /api/auth/password': { current_password: 'wrong one', password: 'another one' },
  'POST /api/tokens': { name: 'script' },
};

/** Calls every route as the caller and compares each answer with the table. Returns how many routes let the caller in. */
async function askAll({ name, standing, make }: Caller): Promise<number> {
  let sent = await make();
  let letIn = 0;
  // HEAD has the same handler as GET. One caller is enough to show that HEAD is protected too.
  const routes = it.app.accessTable.filter(({ method }) => method !== 'HEAD' || name === 'nobody');
  assert.ok(routes.length >= 80, `${routes.length} routes`);
  for (const route of routes) {
    const { method, url } = route;
    const address = url.replaceAll(/:\w+|\*/g, '999999') + (sent.query ?? '');
    const payload = BODIES[`${method} ${url}`];
    const answer = await it.send('nobody', {
      method: method as 'GET',
      url: address,
      headers: sent.headers ?? {},
      ...(payload && { payload }),
    });
    const expected = refusal(route, standing);
    const what = `${method} ${url} (${route.access}) as ${name}`;
    if (expected) {
      assert.is(answer.statusCode, expected.status, what);
      if (method !== 'HEAD') assert.equal(answer.json(), { detail: expected.detail }, what);
    } else {
      assert.not([401, 403].includes(answer.statusCode), `${what}: ${answer.statusCode}`);
      letIn++;
      if (url === '/api/auth/logout' || url === '/api/auth/password') sent = await make();
    }
  }
  return letIn;
}

for (const caller of [...PEOPLE, ...OTHERS]) {
  matrix(`${caller.name} is let in where the table says so, and nowhere else`, async () => {
    assert.ok((await askAll(caller)) > 0);
  });
}

for (const stranger of STRANGERS) {
  matrix(`${stranger.name} is let in only to public routes, and leaves no trace`, async () => {
    const rows = async () => JSON.stringify(await it.store.db.selectFrom('audit').select('action').execute());
    const before = await rows();
    const letIn = await askAll({ ...stranger, standing: nobody });
    assert.ok(letIn > 0 && letIn <= it.app.accessTable.filter(({ access }) => access === 'public').length);
    assert.is(await rows(), before);
  });
}

// This test must be the last one, because it advances the clock for all sessions.
matrix('a session that nobody used for seven days, and an API token after its day, are nobody', async () => {
  const sent = [cookie((await begin('admin')).token), bearer((await aToken('admin')).token)];
  it.advance(7 * DAY_MS);
  for (const made of sent) await askAll({ name: 'expired', standing: nobody, make: async () => made });
});

matrix.run();

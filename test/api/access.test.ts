import { sign } from '@fastify/cookie';
import Fastify from 'fastify';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { guard, type Access } from '../../src/api/access.ts';
import { ROLES, SESSION_COOKIE, type Role } from '../../src/contract/auth.ts';
import { OLD_SERVICE_TOKEN, SERVICE_TOKEN, testApp, type TestApp } from '../support/worlds/app.ts';

/**
 * The access of each route, as section "Authentication" of the specification says. `test/contract/specification.test.ts` compares
 * the app with the specification itself.
 */
const TABLE: Record<string, Access> = {
  'GET /': 'public',
  'GET /*': 'public',
  'GET /health': 'public',
  'GET /ready': 'public',
  'GET /metrics': 'public',
  'GET /api/auth/status': 'public',
  'POST /api/auth/login': 'public',
  'POST /api/auth/signup': 'public',
  'POST /api/auth/logout': 'read',
  'GET /api/auth/me': 'read',
  'POST /api/auth/password': 'read',
  'GET /api/admin/users': 'admin',
  'POST /api/admin/users': 'admin',
  'PATCH /api/admin/users/:id': 'admin',
  'DELETE /api/admin/users/:id': 'admin',
  'GET /api/admin/audit': 'admin',
  'GET /api/tokens': 'read',
  'POST /api/tokens': 'read',
  'DELETE /api/tokens/:id': 'read',
  'GET /api/config': 'read',
  'POST /api/pods/failed': 'service',
  'POST /api/pods/dismiss-deleted': 'service',
  'GET /api/incidents': 'read',
  'GET /api/incidents/assignees': 'write',
  'PUT /api/incidents/:id/assignee': 'write',
  'GET /api/incidents/:id/comments': 'read',
  'POST /api/incidents/:id/comments': 'write',
  'PATCH /api/incidents/:id/comments/:comment_id': 'write',
  'DELETE /api/incidents/:id/comments/:comment_id': 'write',
  'GET /api/overview': 'read',
  'GET /api/history/workloads': 'read',
  'GET /api/history/workloads/:namespace/:kind/:name': 'read',
  'GET /api/pods/failed': 'read',
  'GET /api/pods/history': 'read',
  'GET /api/pods/ignored': 'read',
  'GET /api/pods/suppressed': 'read',
  'GET /api/pods/failed/:pod_id': 'read',
  'GET /api/pods/failed/:pod_id/diagnosis': 'read',
  'PUT /api/pods/:pod_id/status': 'write',
  'DELETE /api/pods/failed/:pod_id': 'write',
  'PUT /api/pods/ignored/:pod_id/restore': 'write',
  'POST /api/pods/failed/:pod_id/retry-solution': 'write',
  'GET /api/pods/:namespace/:pod_name/logs': 'read',
  'GET /api/pods/:namespace/:pod_name/logs/stream': 'stream',
  'POST /api/security/findings': 'service',
  'GET /api/security/findings': 'read',
  'DELETE /api/security/findings/:id': 'write',
  'PUT /api/security/findings/:id/restore': 'write',
  'POST /api/security/findings/:id/fix': 'write',
  'POST /api/security/scan/clear': 'service',
  'DELETE /api/security/findings/resource/:type/:ns/:name': 'service',
  'PUT /api/security/findings/resource/:type/:ns/:name': 'service',
  'POST /api/security/rescan': 'write',
  'POST /api/security/rescan-status': 'service',
  'POST /api/metrics/security-scan-duration': 'service',
  'GET /api/advice/findings': 'read',
  'POST /api/advice/findings/:id/explain': 'write',
  'PUT /api/advice/findings/:id/ignore': 'write',
  'PUT /api/advice/findings/:id/restore': 'write',
  'GET /api/advice/detectors': 'read',
  'PUT /api/agents/:node': 'service',
  'GET /api/agents': 'read',
  'POST /api/mirror/preview/:pod_id': 'write',
  'POST /api/mirror/deploy/:pod_id': 'write',
  'POST /api/mirror/check/:pod_id': 'write',
  'GET /api/mirror/status/:mirror_id': 'read',
  'GET /api/mirror/active': 'read',
  'GET /api/mirror/past': 'read',
  'GET /api/mirror/limits': 'read',
  'DELETE /api/mirror/:mirror_id': 'write',
  'GET /api/admin/excluded-namespaces': 'write',
  'POST /api/admin/excluded-namespaces': 'write',
  'DELETE /api/admin/excluded-namespaces/*': 'write',
  'GET /api/admin/excluded-pods': 'write',
  'POST /api/admin/excluded-pods': 'write',
  'DELETE /api/admin/excluded-pods/*': 'write',
  'GET /api/security/trusted-registries': 'write',
  'POST /api/security/trusted-registries': 'write',
  'DELETE /api/security/trusted-registries/*': 'write',
  'GET /api/suppressions': 'write',
  'POST /api/suppressions': 'write',
  'POST /api/suppressions/preview': 'write',
  'DELETE /api/suppressions/:name': 'write',
  'GET /api/about': 'read',
  'GET /api/admin/settings': 'admin',
  'GET /api/admin/settings/mirror-ttl': 'admin',
  'PUT /api/admin/settings/mirror-ttl': 'admin',
  'GET /api/admin/settings/:key': 'admin',
  'POST /api/admin/settings/:key': 'admin',
  'GET /api/ws': 'stream',
  'GET /api/diagram/namespaces': 'read',
  'GET /api/diagram/namespace/:namespace': 'read',
  'GET /api/diagram/workload/:namespace/:kind/:name': 'read',
  'GET /api/diagram/manifest/:namespace/:kind/:name': 'read',
  'GET /api/diagram/roles': 'read',
  'GET /api/diagram/role/:namespace/:name': 'read',
  'GET /api/diagram/clusterrole/:name': 'read',
  'GET /api/access/who-can': 'read',
  'GET /api/access/paths': 'read',
  'GET /api/access/rights': 'read',
  'GET /api/access/can-reach': 'read',
  'GET /api/admin/llm/status': 'admin',
  'POST /api/admin/llm/config': 'admin',
  'POST /api/admin/llm/test': 'admin',
  'DELETE /api/admin/llm/config': 'admin',
  'GET /api/pods/failed/:pod_id/prompt': 'admin',
  'GET /api/admin/notifications': 'admin',
  'POST /api/admin/notifications': 'admin',
  'PUT /api/admin/notifications/:provider': 'admin',
  'DELETE /api/admin/notifications/:provider': 'admin',
  'POST /api/admin/notifications/:provider/test': 'admin',
  'GET /api/admin/notifications/:provider/deliveries': 'admin',
  'POST /api/admin/notifications/:provider/deliveries/:id/resend': 'admin',
  'POST /api/admin/notifications/preview': 'admin',
  'GET /api/pods/failed/:pod_id/notifications': 'read',
  'POST /api/alerts/alertmanager': 'service',
  'GET /api/alerts': 'read',
  'POST /api/chatops/team_chat_a/events': 'public',
  'POST /api/chatops/team_chat_a/interact': 'public',
  'POST /api/chatops/team_chat_b/interact': 'public',
  'POST /api/chatops/slack/events': 'public',
  'POST /api/chatops/slack/interact': 'public',
  'POST /api/chatops/teams/interact': 'public',
};
const CALLERS = ['nobody', 'service', ...ROLES] as const;

let it: TestApp;
test.before(async () => {
  it = await testApp();
});
test.after(() => it.close());

test('every route has the access that the specification gives it, and no route is missing from this table', () => {
  const ofDocs = (url: string): boolean => /^\/(docs|redoc)(\/|$)/.test(url);
  const declared = it.app.accessTable.filter(({ method, url }) => method !== 'HEAD' && !ofDocs(url));
  const found = Object.fromEntries(declared.map(({ method, url, access }) => [`${method} ${url}`, access]));
  assert.equal(sorted(found), sorted(TABLE));
  for (const { url, access } of it.app.accessTable.filter((entry) => ofDocs(entry.url))) assert.is(access, 'public', url);
});

for (const [route, access] of Object.entries(TABLE)) {
  // These routes also accept a token in the query. The tests of streams cover them.
  if (access === 'stream') continue;
  for (const caller of CALLERS) {
    const expected = expectedRefusal(access, caller);
    if (!expected && route === 'POST /api/auth/logout') continue;
    test(`${route} as ${caller}: ${expected ? `${expected.status} ${expected.detail}` : 'let in'}`, async () => {
      const [method = '', url = ''] = route.split(' ');
      const answer = await it.send(caller, { method: method as 'GET', url: url.replace(/:\w+|\*/, '999999') });
      // Chats authenticate by signature. No other credentials are accepted.
      if (url.startsWith('/api/chatops/')) {
        assert.equal([answer.statusCode, /not (signed|set up)/.test(answer.payload)], [401, true], answer.payload);
      } else if (expected) {
        assert.is(answer.statusCode, expected.status);
        assert.equal(answer.json(), { detail: expected.detail });
      } else assert.not([401, 403].includes(answer.statusCode), String(answer.statusCode));
    });
  }
}

test('a token is checked before the body is read', async () => {
  const headers = { 'content-type': 'application/json' };
  const answer = await it.send('nobody', { method: 'POST', url: '/api/pods/failed', headers, payload: '{' });
  assert.is(answer.statusCode, 401);
});

test('each of several service tokens is accepted', async () => {
  for (const token of [SERVICE_TOKEN, OLD_SERVICE_TOKEN]) {
    const answer = await it.send('nobody', { method: 'POST', url: '/api/pods/failed', headers: { 'x-service-token': token }, payload: {} });
    assert.is(answer.statusCode, 400, token);
  }
});

const WRONG_TOKENS = {
  'of the right length': `${SERVICE_TOKEN.slice(0, -1)}X`,
  'that is a prefix': SERVICE_TOKEN.slice(0, -1),
  'that is empty': '',
  'that is both tokens': `${SERVICE_TOKEN},${OLD_SERVICE_TOKEN}`,
};
for (const [what, token] of Object.entries(WRONG_TOKENS)) {
  test(`a service token ${what} answers 401`, async () => {
    const answer = await it.send('nobody', { method: 'POST', url: '/api/pods/failed', headers: { 'x-service-token': token }, payload: {} });
    assert.is(answer.statusCode, 401);
    assert.equal(answer.json(), { detail: 'Not authenticated' });
  });
}

test('the service token in a query opens no ordinary route', async () => {
  assert.is((await it.send('nobody', { url: `/api/pods/failed?token=${SERVICE_TOKEN}` })).statusCode, 401);
});

async function me(cookie: string): Promise<number> {
  return (await it.send('nobody', { url: '/api/auth/me', headers: { cookie } })).statusCode;
}

test('a cookie signed with an old secret answers 401', async () => {
  const { token } = await it.deps.sessions.begin(1, '127.0.0.1', it.deps.now());
  assert.is(await me(`${SESSION_COOKIE}=${sign(token, 'the secret before')}`), 401);
  assert.is(await me(`${SESSION_COOKIE}=${token}`), 401, 'unsigned');
  assert.is(await me(`${SESSION_COOKIE}=${it.app.signCookie(token)}`), 200);
});

test('an invented, an empty and a broken cookie answer 401', async () => {
  for (const cookie of [
    `${SESSION_COOKIE}=${it.app.signCookie('invented')}`,
    `${SESSION_COOKIE}=`,
    `${SESSION_COOKIE}=%00.%FF`,
    SESSION_COOKIE,
  ]) {
    assert.is(await me(cookie), 401, cookie);
  }
});

test('a session ends with its user, and with a new password', async () => {
  for (const end of ['delete', 'password'] as const) {
    const { id } = await it.store.db
      .insertInto('users')
      .values({ username: end, password_hash: null, role: 'read', external_id: null, created_at: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { token } = await it.deps.sessions.begin(id, '127.0.0.1', it.deps.now());
    const cookie = `${SESSION_COOKIE}=${it.app.signCookie(token)}`;
    assert.is(await me(cookie), 200);
    if (end === 'delete') await it.store.db.deleteFrom('users').where('id', '=', id).execute();
    else await it.deps.accounts.setPassword(end, 'long enough');
    assert.is(await me(cookie), 401, end);
  }
});

const ORIGINS: [host: string, origin: string | undefined, status: number][] = [
  ['localhost:8000', undefined, 404],
  ['localhost:8000', 'http://localhost:8000', 404],
  ['localhost:8000', 'https://localhost:8000', 403],
  ['localhost:8000', 'http://localhost', 403],
  ['localhost:8000', 'https://podmend.example', 404],
  ['localhost:8000', 'http://podmend.example', 403],
  ['localhost:8000', 'https://podmend.example:8443', 403],
  ['localhost:8000', 'http://evil.example', 403],
  ['localhost:8000', 'https://podmend.example.evil.example', 403],
  ['localhost:8000', 'null', 403],
  ['localhost:8000', '', 403],
  // A proxy ends TLS and sends plain HTTP.
  ['podmend.example', 'https://podmend.example', 404],
  ['podmend.example', 'http://podmend.example', 403],
  ['10.0.0.7:8000', 'http://10.0.0.7:8000', 404],
  ['10.0.0.7', 'http://10.0.0.7:80', 404],
];
for (const [host, origin, status] of ORIGINS) {
  test(`a change at ${host} from the origin ${origin ?? '(none)'} answers ${status}`, async () => {
    const headers = { host, ...(origin === undefined ? {} : { origin }) };
    const answer = await it.send('write', { method: 'DELETE', url: '/api/pods/failed/999999', headers });
    assert.is(answer.statusCode, status);
  });
}

for (const [site, status] of [
  ['cross-site', 403],
  ['same-site', 404],
  ['same-origin', 404],
  ['none', 404],
] as const) {
  test(`a change that a browser calls ${site} answers ${status}, whatever its origin; reading is never refused`, async () => {
    for (const origin of [undefined, 'https://podmend.example']) {
      const headers = { 'sec-fetch-site': site, ...(origin === undefined ? {} : { origin }) };
      const change = await it.send('write', { method: 'DELETE', url: '/api/pods/failed/999999', headers });
      assert.is(change.statusCode, status, origin);
      assert.is((await it.send('read', { url: '/api/pods/failed', headers })).statusCode, 200);
    }
  });
}

const HOSTS: [host: string, isOwn: boolean][] = [
  ['podmend.example', true],
  ['PODMEND.example:443', true],
  ['localhost:8000', true],
  ['podmend.localhost', true],
  ['127.0.0.1:8000', true],
  ['[::1]:8000', true],
  ['10.244.0.17:8000', true],
  ['[fd00::17]', true],
  ['podmend:8000', true],
  ['podmend.podmend.svc:8000', true],
  ['podmend.podmend.svc.cluster.local.', true],
  ['evil.example', false],
  ['podmend.example.evil.example', false],
  ['localhost.evil.example', false],
  ['127.0.0.1.evil.example', false],
  ['podmend.podmend.svc.evil.example', false],
  ['podmend.cluster.local.evil', false],
  ['evil.example:8000@localhost', false],
];
for (const [host, isOwn] of HOSTS) {
  test(`the host ${host} is ${isOwn ? 'one of this installation' : 'a stranger’s'}`, async () => {
    const headers = { host };
    for (const [method, url] of [
      ['GET', '/api/auth/status'],
      ['POST', '/api/auth/signup'],
      ['GET', '/api/pods/failed'],
      ['GET', '/'],
    ] as const) {
      const answer = await it.send('read', { method, url, headers });
      assert.is(answer.statusCode === 421, !isOwn, `${method} ${url}: ${answer.statusCode}`);
    }
  });
}

test('probes, scrapes and programs with a token may use any name; a page of a stranger cannot pretend to be one', async () => {
  const headers = { host: 'podmend.of.a.mesh:8000' };
  const script = (await it.send('write', { method: 'POST', url: '/api/tokens', payload: { name: 'a script' } })).json().token as string;
  const bearer = { ...headers, authorization: `Bearer ${script}` };
  for (const url of ['/health', '/ready', '/metrics']) assert.is((await it.send('nobody', { url, headers })).statusCode, 200, url);
  assert.is((await it.send('nobody', { url: '/api/pods/failed', headers: bearer })).statusCode, 200);
  assert.is((await it.send('service', { method: 'POST', url: '/api/pods/failed', headers, payload: {} })).statusCode, 400);
  const stream = `/api/pods/shop/web-1/logs/stream?token=`;
  assert.is.not((await it.send('nobody', { url: stream + SERVICE_TOKEN, headers })).statusCode, 421);
  assert.is((await it.send('nobody', { url: `${stream}guess`, headers })).statusCode, 421);
  const invented = { ...headers, authorization: 'Bearer podmend_invented' };
  assert.is(
    (await it.send('read', { url: '/api/pods/failed', headers: invented })).statusCode,
    401,
    'and the cookie beside it says nothing',
  );
  const signup = {
    method: 'POST',
    url: '/api/auth/signup',
    headers: invented,
    payload: { username: 'eve', password: 'long enough' },
  } as const;
  assert.is((await it.send('nobody', signup)).statusCode, 421);
});

test('behind a trusted proxy both host names count: the requested one, and the one that the proxy sends', async () => {
  const proxied = await testApp(({ config }) => ({ config: { ...config, trustProxy: ['127.0.0.1'] } }));
  const status = async (host: string, forwarded: string) =>
    (await proxied.send('read', { url: '/api/pods/failed', headers: { host, 'x-forwarded-host': forwarded } })).statusCode;
  assert.equal(
    [
      await status('podmend.podmend.svc:8000', 'podmend.example'),
      await status('podmend.podmend.svc:8000', 'evil.example'),
      await status('evil.example', 'podmend.example'),
    ],
    [200, 421, 421],
  );
  await proxied.close();
});

test('reading from another origin is left to the browser: no header allows it', async () => {
  const answer = await it.send('read', { url: '/api/pods/failed', headers: { origin: 'http://evil.example' } });
  assert.is(answer.statusCode, 200);
  assert.is(answer.headers['access-control-allow-origin'], undefined);
});

test('an app with a route that declares no access does not start', async () => {
  const app = Fastify();
  guard(app, it.deps);
  app.get('/forgotten', async () => 'x');
  try {
    await app.ready();
    assert.unreachable();
  } catch (error) {
    assert.match((error as Error).message, 'route GET /forgotten declares no access');
  }
});

test.run();

function expectedRefusal(access: Access, caller: Role | 'service' | 'nobody'): { status: number; detail: string } | undefined {
  if (access === 'public' || access === caller) return undefined;
  const rank = ROLES.indexOf(caller as Role);
  if (access === 'service' || rank < 0) return { status: 401, detail: 'Not authenticated' };
  return rank < ROLES.indexOf(access as Role) ? { status: 403, detail: `Requires the ${access} role` } : undefined;
}

function sorted(table: Record<string, string>): [string, string][] {
  return Object.entries(table).sort(([one], [other]) => (one < other ? -1 : 1));
}

import type { InjectOptions } from 'fastify';
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROLES, type Role } from '../../src/contract/auth.ts';
import { testApp, type TestApp } from '../support/worlds/app.ts';
import { aFailureReport } from '../support/builders/report.ts';
import { aFindingReport } from '../support/builders/finding.ts';
import { ADDITIONAL, WAITING } from './routes.ts';
import { bare, fieldsOf, quoted, rows, section } from './tables.ts';

// Every row of the specification's tables is a case. This file is long, because it follows the document section by section.
// A comment names each part. The parts are independent.

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  required?: string[];
}
interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
  parameters?: { name: string; in: string; schema: Schema }[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
  security?: Record<string, string[]>[];
}

let it: TestApp;
let access: Map<string, string>;
let operations: Map<string, Operation>;
const spec = suite('specification');
spec.before(async () => {
  const broken = async (): Promise<never> => {
    throw new Error('the inside of a failure');
  };
  it = await testApp(({ logs }) => ({ logs: { ...logs, read: broken } }));
  access = new Map(it.app.accessTable.map((entry) => [bare(`${entry.method} ${entry.url}`), entry.access]));
  const { paths = {} } = it.app.swagger() as unknown as { paths?: Record<string, Record<string, Operation>> };
  operations = new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [bare(`${method.toUpperCase()} ${path}`), operation] as const),
    ),
  );
});
spec.after(() => it.close());

/** Values for the parameters of a route. */
const SAMPLES: Record<string, string> = { kind: 'Deployment', key: 'history_retention_minutes' };
const EXAMPLES: Record<string, object> = { '/api/admin/notifications': { provider: 'slack', enabled: true, config: {} } };

function ask(who: Role | 'service' | 'nobody', route: string, over: InjectOptions = {}) {
  const [method = '', path = ''] = route.split(' ');
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => SAMPLES[name] ?? '999999');
  const example = EXAMPLES[path.replace(/\/\{provider\}$/, '')];
  const payload = example && ['POST', 'PUT'].includes(method) && !path.endsWith('/test') ? example : undefined;
  return it.send(who, { method: method as 'GET', url, ...(payload && { payload }), ...over });
}

// Endpoints.

const ENDPOINTS = rows(section('Endpoints')).map(([method = '', path = '', ...rest]) => ({ route: `${method} ${path}`, rest }));
const ROUTES = [...ENDPOINTS.map(({ route }) => route), 'GET /api/ws'];
const NAMED = new Set([...ROUTES, ...ADDITIONAL.flatMap(([, routes]) => routes)].map(bare));

spec('the tables are read completely', () => {
  assert.is(ENDPOINTS.length, 68);
  for (const { route } of ENDPOINTS) assert.match(route, /^(GET|POST|PUT|DELETE) \/(api\/|health$|metrics$)/);
});

for (const route of namedRoutes()) {
  const waits = WAITING[route];
  spec(`${route} ${waits ? `waits: ${waits}` : 'is served'}`, async () => {
    assert.is(access.has(bare(route)), waits !== 'missing');
    if (waits === 'missing') return;
    const url = bare(route);
    // A logout would end the session that the other cases need.
    const who = access.get(url) === 'service' ? 'service' : url.endsWith('/logout') ? 'nobody' : 'admin';
    const answer = await ask(who, route);
    const isWaiting = answer.statusCode === 503 && /available in this version/.test(answer.body);
    assert.is(isWaiting, waits === 503, `${answer.statusCode} ${answer.body.slice(0, 200)}`);
    if (url !== 'GET /api/ws') assert.is.not(answer.body, '{"detail":"Not found"}');
  });
}

spec('every route that waits is in the specification or the design', () => {
  for (const route of Object.keys(WAITING)) assert.ok(NAMED.has(bare(route)), route);
});

spec('the app has no route that neither the specification nor the design names', () => {
  // The files of the API documentation, and the addresses of the dashboard's screens.
  const ofPages = /^(GET|HEAD) (\/(docs|redoc)(\/|$)|\/:$)/;
  const strangers = [...access.keys()].filter((route) => !ofPages.test(route) && !NAMED.has(route.replace(/^HEAD /, 'GET ')));
  assert.equal(strangers, []);
});

spec('the document describes every route of the API, and nothing else', () => {
  const served = [...access.keys()].filter((route) => /^\w+ (\/api\/|\/(health|metrics|ready)$)/.test(route) && !route.startsWith('HEAD '));
  assert.equal([...operations.keys()].sort(), served.sort());
});

// Fields of requests and answers.

const typesOf = (schema: Schema): (string | undefined)[] =>
  schema.anyOf ? schema.anyOf.flatMap(typesOf) : schema.enum ? [...new Set(schema.enum.map((one) => typeof one))] : [schema.type].flat();

/** The type of a field, without null. */
const typeOf = (schema: Schema): string =>
  typesOf(schema)
    .filter((type) => type !== 'null')
    .join('|');

/** Follows a path such as `nodes[].id`. If the answer is a list, the path starts in its items. */
function at(schema: Schema | undefined, path: string): Schema | undefined {
  return path.split('.').reduce<Schema | undefined>((here, step) => {
    const inside = here?.type === 'array' ? here.items : here;
    // With several alternatives, it is enough that one of them has the field.
    return (inside?.anyOf ?? [inside]).map((one) => one?.properties?.[step.replace('[]', '')]).find(Boolean);
  }, schema);
}

function operationOf(route: string): Operation {
  const operation = operations.get(bare(route));
  assert.ok(operation, `${route} is not described`);
  return operation;
}
const requestOf = (route: string) => operationOf(route).requestBody?.content['application/json']?.schema;
const answerOf = (route: string) => operationOf(route).responses['200']?.content?.['application/json']?.schema;

function field(where: string, schema: () => Schema | undefined, { path, type }: { path: string; type: string | undefined }): void {
  spec(`${where}: ${path}${type ? ` is ${type}` : ''}`, () => {
    const found = at(schema(), path);
    assert.ok(found, 'is missing');
    if (type) assert.is(typeOf(found), type);
  });
}

/** Words in the tables of endpoints that refer to a resource with its own table. */
const REQUESTS: [RegExp, string][] = [
  [/^failure report/, 'Failure report'],
  [/^security finding;/, 'Security finding'],
];
const ANSWERS: [RegExp, string][] = [
  [/^failure record$|failures$|^(resolved|ignored) pods$/, 'Failure record'],
  [/^mirror (record|status)$|^list of active mirrors$/, 'Mirror'],
  [/^mirror preview$/, 'Mirror preview'],
  [/^diagram graph/, 'Diagram graph'],
  [/^role listing$/, 'Role listing'],
];
const resourcesSeen = new Set<string>();
for (const { route, rest } of ENDPOINTS.filter(({ route: one }) => WAITING[one] !== 'missing')) {
  const [request = '', answer = request] = rest;
  const takes = REQUESTS.find(([words]) => words.test(request))?.[1];
  const gives = ANSWERS.find(([words]) => words.test(answer))?.[1];
  for (const one of [takes, gives]) if (one) resourcesSeen.add(one);
  for (const one of takes ? fieldsOf(takes) : []) field(`${route} takes`, () => requestOf(route), one);
  for (const one of gives ? fieldsOf(gives) : []) field(`${route} answers`, () => answerOf(route), one);

  // The row itself names the fields of the request: `status` string, `container` (string), or a plain list.
  if (rest.length < 2 || takes) continue;
  const marked = [...request.matchAll(/`(\w+)`(?: \(?(string|integer|boolean))?/g)].map(([, path = '', type]) => ({ path, type }));
  const listed = /^\w+(, \w+)+$/.test(request) ? request.split(', ').map((path) => ({ path, type: undefined })) : [];
  for (const { path, type } of [...marked, ...listed]) {
    const inQuery = request.startsWith('query');
    spec(`${route} takes ${path}${type ? `, ${type}` : ''}`, () => {
      const parameter = operationOf(route).parameters?.find((one) => one.name === path && one.in === 'query');
      const found = inQuery ? parameter?.schema : at(requestOf(route), path);
      // A token in the query is authentication, so the document has it under `security`.
      if (path === 'token' && !found) return assert.ok(operationOf(route).security?.some((way) => 'token' in way));
      assert.ok(found, 'is missing');
      if (type) assert.is(typeOf(found), type);
    });
  }
}

spec('every resource with a table is taken or answered somewhere', () => {
  const tables = ['Failure report', 'Failure record', 'Security finding', 'Mirror', 'Mirror preview', 'Diagram graph', 'Role listing'];
  const headings = [...section('Resources and their fields').matchAll(/^### (.+?)(?: \(.*)?$/gm)].map(([, name = '']) => name);
  assert.equal([...resourcesSeen].sort(), tables.sort());
  assert.equal(headings.sort(), [...tables, 'Other resources'].sort());
});

/** The route that accepts each of the "Other resources". */
const OTHERS: Record<string, string> = {
  'Trusted registry': 'POST /api/security/trusted-registries',
  'Excluded namespace': 'POST /api/admin/excluded-namespaces',
  'Excluded pod': 'POST /api/admin/excluded-pods',
  'Notification setting': 'POST /api/admin/notifications',
  'Language-model config': 'POST /api/admin/llm/config',
  'Application setting': 'GET /api/admin/settings/{key}',
  'Mirror TTL setting': 'PUT /api/admin/settings/mirror-ttl',
  User: 'POST /api/admin/users',
};
const [otherResources = '', settingKeys = ''] = section('Other resources').split('Known setting keys:');
for (const [resource = '', shape = ''] of rows(otherResources)) {
  const route = OTHERS[resource];
  spec(`${resource} has its route`, () => assert.ok(route));
  if (!route || WAITING[route] === 'missing') continue;
  const typed = [...shape.matchAll(/`(\w+)` \((\w+)/g)].map(([, path = '', type = '']) => ({ path, type }));
  const single = [...shape.matchAll(/^string `(\w+)`/g)].map(([, path = '']) => ({ path, type: 'string' }));
  const plain = resource === 'User' ? ['username', 'password', 'role'].map((path) => ({ path, type: 'string' })) : [];
  for (const one of [...typed, ...single, ...plain])
    field(resource, () => (route.startsWith('GET') ? answerOf(route) : requestOf(route)), one);
  if (resource !== 'User')
    field(`${resource}, answered`, () => answerOf(route), { path: [...typed, ...single][0]?.path ?? '', type: undefined });
  else spec('the roles are these', () => assert.equal(at(requestOf(route), 'role')?.enum, quoted(shape)));
}

// Settings, limits, states.

for (const [key = ''] of rows(settingKeys)) {
  spec(`the setting ${key} is known; 0 disables, and only whole numbers from there are taken`, async () => {
    const route = `/api/admin/settings/${key}`;
    assert.is((await it.send('admin', { url: route })).statusCode, 200);
    const set = async (value: string) => (await it.send('admin', { method: 'POST', url: route, payload: { value } })).statusCode;
    assert.equal([await set('0'), await set('90'), await set('-1'), await set('1.5')], [200, 200, 400, 400]);
  });
}

/** Checks each limit, with the numbers in its row. */
const LIMITS: Record<string, (numbers: number[]) => Promise<void>> = {
  async 'Login attempts'([count = 0, seconds = 0]) {
    const login = () => ask('nobody', 'POST /api/auth/login', { payload: { username: 'nobody-here', password: 'wrong' } });
    for (let attempt = 0; attempt < count; attempt++) assert.is((await login()).statusCode, 401);
    assert.is((await login()).statusCode, 429);
    it.advance((seconds + 1) * 1000);
    assert.is((await login()).statusCode, 401);
  },
  async 'Mirror TTL setting'([least = 0, most = 0]) {
    const set = async (value: number) =>
      (await ask('admin', 'PUT /api/admin/settings/mirror-ttl', { payload: { seconds: value } })).statusCode;
    assert.equal([await set(least - 1), await set(least), await set(most), await set(most + 1)], [400, 200, 200, 400]);
  },
  // The cases of the setting keys above check the values. This one checks that the row names all keys.
  async 'Retention settings'() {
    const retention = rows(section('Limits')).find(([limit]) => limit === 'Retention settings') ?? [];
    assert.equal(
      retention[2]?.split(', '),
      rows(settingKeys).map(([key]) => key),
    );
  },
};
for (const [limit = '', value = ''] of rows(section('Limits'))) {
  spec(`limit: ${limit}, ${value}`, async () => {
    const check = LIMITS[limit];
    assert.ok(check, 'is not known here');
    await check((value.match(/\d+/g) ?? []).map(Number));
  });
}

const STATUSES = quoted(/status values: (.+)/.exec(section('States and transitions'))?.[1] ?? '');
spec('the states of a failure are these', () => {
  assert.equal(at(requestOf('PUT /api/pods/{pod_id}/status'), 'status')?.enum, STATUSES);
  assert.equal(at(answerOf('GET /api/pods/failed'), 'status')?.enum, STATUSES);
});

const reported = async (): Promise<number> => (await ask('service', 'POST /api/pods/failed', { payload: aFailureReport() })).json().id;
const found = async (): Promise<number> => (await ask('service', 'POST /api/security/findings', { payload: aFindingReport() })).json().id;
const listed = async (path: string): Promise<number[]> =>
  ((await ask('read', `GET ${path}`)).json() as { id: number }[]).map(({ id }) => id);
async function done(route: string, payload?: object) {
  const answer = await ask('write', route, payload ? { payload } : {});
  assert.is(answer.statusCode, 200, answer.body);
  return answer.json();
}

/** Checks each transition. A transition that needs a cluster refers to the test that checks it. */
const TRANSITIONS: Record<string, (() => Promise<void>) | [file: string, sentence: string]> = {
  async 'PUT /api/pods/{pod_id}/status'() {
    const id = await reported();
    // From `new` through all other statuses and back.
    for (const status of [...STATUSES.slice(1), ...STATUSES.slice(0, 1)]) {
      assert.is((await done(`PUT /api/pods/${id}/status`, { status })).status, status);
      const told = it.messages.at(-1);
      assert.equal([told?.type, told?.data], ['pod_status_change', { id, status }]);
    }
    assert.is((await ask('write', `PUT /api/pods/${id}/status`, { payload: { status: 'other' } })).statusCode, 400);
  },
  async 'DELETE /api/pods/failed/{pod_id}'() {
    const id = await reported();
    assert.ok((await listed('/api/pods/failed')).includes(id));
    await done(`DELETE /api/pods/failed/${id}`);
    assert.not.ok((await listed('/api/pods/failed')).includes(id));
    assert.ok((await listed('/api/pods/ignored')).includes(id));
  },
  async 'PUT /api/pods/ignored/{pod_id}/restore'() {
    const id = await reported();
    await done(`DELETE /api/pods/failed/${id}`);
    await done(`PUT /api/pods/ignored/${id}/restore`);
    assert.ok((await listed('/api/pods/failed')).includes(id));
  },
  async 'DELETE /api/security/findings/{id}'() {
    const id = await found();
    assert.ok((await listed('/api/security/findings')).includes(id));
    await done(`DELETE /api/security/findings/${id}`);
    assert.not.ok((await listed('/api/security/findings')).includes(id));
  },
  async 'PUT /api/security/findings/{id}/restore'() {
    const id = await found();
    await done(`DELETE /api/security/findings/${id}`);
    await done(`PUT /api/security/findings/${id}/restore`);
    assert.ok((await listed('/api/security/findings')).includes(id));
  },
  'PUT /api/advice/findings/{id}/ignore': ['../api/advice.test.ts', 'ignored it leaves the list, restored it is back'],
  'POST /api/mirror/deploy/{pod_id}': ['../api/mirrors.test.ts', 'preview, deploy, status, active, delete'],
  'TTL expiry': ['../reconcilers/mirrorpod.passes.test.ts', 'time alone ends a mirror'],
  'DELETE /api/mirror/{mirror_id}': ['../api/mirrors.test.ts', 'preview, deploy, status, active, delete'],
};
for (const [state = '', trigger = ''] of rows(section('States and transitions'))) {
  const by = quoted(trigger)[0] ?? trigger;
  if (WAITING[by]) continue;
  spec(`${state}: ${trigger}`, async () => {
    const show = TRANSITIONS[by];
    assert.ok(show, 'is not known here');
    if (typeof show === 'function') return show();
    const [file, sentence] = show;
    assert.match(readFileSync(new URL(file, import.meta.url), 'utf8'), `test('${sentence}'`);
  });
}

// Access.

const authentication = section('Authentication');
const FOR_SERVICE = new Set(rows(section('Service token')).map(([route = '']) => route));
const [, always = ''] = /Endpoints that are always public: (.+?), and the `\/api\/chatops\/\*`/.exec(authentication) ?? [];
const FOR_ALL = new Set(quoted(always).map((one) => (one.startsWith('/') ? `GET ${one}` : one)));
/** Listed as public, but it answers 401 without a session, because it returns the session's user. */
const EXCEPTION = 'GET /api/auth/me';
const PUBLIC_TABLE = new Set(rows(section('Public')).map(([method, path]) => `${method} ${path}`));

spec('the tables of access are read completely', () => assert.equal([FOR_SERVICE.size, FOR_ALL.size, PUBLIC_TABLE.size], [7, 5, 9]));

for (const route of ROUTES.filter((one) => WAITING[one] !== 'missing')) {
  const isPublic = FOR_ALL.has(route) || route.includes(' /api/chatops/');
  const expected = isPublic ? 'public' : FOR_SERVICE.has(route) ? 'service' : (leastRole(route) ?? 'a session');
  spec(`${route} is for ${expected}`, async () => {
    const given = access.get(bare(route)) ?? '';
    if (expected === 'a session') assert.ok([...ROLES, 'stream'].includes(given), given);
    else assert.is(given, expected);
    assert.is(PUBLIC_TABLE.has(route), isPublic || route === EXCEPTION);
    const { statusCode, body } = await ask('nobody', route);
    const isRefused = statusCode === 401 && body === JSON.stringify({ detail: 'Not authenticated' });
    // A login without a body is refused too, but with another message.
    assert.is(isRefused, !isPublic, `${statusCode} ${body.slice(0, 100)}`);
  });
}

/** The permissions of the roles in words, with the routes that each one means. */
const PERMISSIONS: Record<string, [RegExp, Role]> = {
  'view pod failures and security findings': [/^GET \/api\/(pods\/(failed|history|ignored)|security\/findings)$/, 'read'],
  'no mutating actions': [/^(POST|PUT|DELETE) \/api\/(pods|security|mirror)\//, 'write'],
  'everything read can do': [/^$/, 'write'],
  'plus dismiss or resolve pods': [/^(DELETE \/api\/pods\/failed\/|PUT \/api\/pods\/)/, 'write'],
  'trigger rescans': [/^POST \/api\/security\/rescan$/, 'write'],
  'edit suppressions': [/^(POST|DELETE) \/api\/(admin\/excluded-|suppressions|security\/trusted)/, 'write'],
  'everything write can do': [/^$/, 'admin'],
  'plus user management': [/ \/api\/admin\/users/, 'admin'],
  'language-model config': [/ \/api\/admin\/llm\//, 'admin'],
  'notification settings': [/ \/api\/admin\/notifications/, 'admin'],
};
for (const [role = '', permissions = ''] of rows(section('User sessions')).slice(0, 3)) {
  for (const words of permissions.split(/[;,] /)) {
    spec(`role ${role}: ${words}`, () => {
      const [routes, needed] = PERMISSIONS[words] ?? [];
      assert.ok(routes, 'is not known here');
      for (const [route, given] of access) if (routes.test(route) && given !== 'service') assert.is(given, needed, route);
    });
  }
}

function leastRole(route: string): Role | undefined {
  if (route.includes(' /api/diagram/')) return 'read';
  if (/ \/api\/admin\/(llm|notifications|settings)/.test(route)) return 'admin';
  return undefined;
}

// Errors.

/** Requests for each row's condition, by the row's status and `detail`. */
const ERRORS: Record<string, [Role | 'service' | 'nobody', string, object?][]> = {
  '400 Pod name and namespace are required': [
    ['service', 'POST /api/pods/failed', {}],
    ['service', 'POST /api/pods/failed', { pod_name: 'web-1' }],
    ['service', 'POST /api/pods/failed', { namespace: 'shop' }],
  ],
  '400 message not given': ['Permission', 'Subject:User', 'Subject:Group'].map((kind) => [
    'read',
    `GET /api/diagram/manifest/shop/${kind}/some`,
  ]),
  '401 Not authenticated': [
    ['nobody', 'GET /api/pods/failed'],
    ['nobody', 'POST /api/pods/failed', {}],
    ['read', 'POST /api/pods/failed', {}],
    ['service', 'GET /api/pods/failed'],
  ],
  '403 Secret manifests are not readable by design.': [['admin', 'GET /api/diagram/manifest/shop/Secret/some']],
  '404 Pod failure not found': [
    ['read', 'GET /api/pods/failed/999999'],
    ['write', 'PUT /api/pods/999999/status', { status: 'new' }],
    ['write', 'DELETE /api/pods/failed/999999'],
    ['write', 'PUT /api/pods/ignored/999999/restore'],
    ['write', 'POST /api/pods/failed/999999/retry-solution'],
    ['write', 'POST /api/mirror/preview/999999'],
    ['write', 'POST /api/mirror/deploy/999999'],
  ],
  '500 Internal server error': [['read', 'GET /api/pods/shop/web-1/logs']],
  '503 Kubernetes client not available': [
    ['read', 'GET /api/mirror/active'],
    ['write', 'GET /api/admin/excluded-namespaces'],
  ],
};
for (const [status = '', said = ''] of rows(section('Errors'))) {
  const detail = quoted(said)[0];
  for (const [who, route, payload] of ERRORS[`${status} ${detail ?? said}`] ?? []) {
    spec(`${route} ${payload ? JSON.stringify(payload) : ''} by ${who} answers ${status} ${said}`, async () => {
      const answer = await ask(who, route, payload ? { payload } : {});
      const body = answer.json() as { detail: string };
      assert.equal([answer.statusCode, Object.keys(body)], [Number(status), ['detail']]);
      if (said.startsWith('begins')) assert.ok(body.detail.startsWith(detail ?? '?'));
      else if (detail) assert.is(body.detail, detail);
      assert.not.match(answer.body, 'the inside of a failure');
    });
  }
}
spec('every row of errors has its requests', () => {
  assert.equal(
    rows(section('Errors')).map(([status, said = '']) => `${status} ${quoted(said)[0] ?? said}`),
    Object.keys(ERRORS),
  );
});

spec.run();

/** The routes of the specification and then those of the design, without duplicates. */
function namedRoutes(): string[] {
  return [...ROUTES, ...ADDITIONAL.flatMap(([, routes]) => routes)].filter(
    (route, index, all) => all.findIndex((one) => bare(one) === bare(route)) === index,
  );
}

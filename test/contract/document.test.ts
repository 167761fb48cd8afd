import { createConfig, lintFromString } from '@redocly/openapi-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { EXAMPLES } from '../../src/api/examples.ts';
import { PATTERN_WORDS } from '../../src/contract/fields.ts';
import { testApp, type TestApp } from '../support/worlds/app.ts';
import { aFailureReport } from '../support/builders/report.ts';

// The OpenAPI document is complete and valid, and the app answers as it says.

interface Answer {
  description: string;
  content?: Record<string, { schema: TSchema; example?: unknown }>;
}
interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  parameters?: { name: string; in: string; required: boolean; schema: TSchema }[];
  requestBody?: Pick<Answer, 'content'> & { required: boolean };
  responses: Record<string, Answer>;
  security?: Record<string, string[]>[];
}
interface Document {
  openapi: string;
  info: { title: string; version: string };
  tags: { name: string; description: string }[];
  components: { securitySchemes: Record<string, object> };
  paths: Record<string, Record<string, Operation>>;
}

let it: TestApp;
let document: Document;
let operations: [name: string, path: string, operation: Operation][];
const spec = suite('OpenAPI document');
spec.before(async () => {
  it = await testApp();
  document = (await it.send('nobody', { url: '/docs/json' })).json<Document>();
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, string, Operation] => [`${method.toUpperCase()} ${path}`, path, operation]),
  );
});
spec.after(() => it.close());

spec('describes the API, and how to authenticate', () => {
  assert.is(document.openapi, '3.1.0');
  assert.equal([document.info.title, document.info.version], ['Podmend', '0.0.0-test']);
  assert.equal(document.components.securitySchemes['bearer'], {
    type: 'http',
    scheme: 'bearer',
    description: 'An API token of `POST /api/tokens`',
  });
  assert.equal(Object.keys(document.components.securitySchemes), ['session', 'bearer', 'service', 'serviceBearer', 'token']);
});

spec('says where it is served: at BASE_URL, else where the document itself is', async () => {
  const servers = (of: unknown) => (of as { servers: { url: string }[] }).servers.map(({ url }) => url);
  assert.equal(servers(document), ['https://podmend.example']);
  const homeless = await testApp(({ config }) => ({ config: { ...config, baseUrl: undefined } }));
  assert.equal(servers((await homeless.send('nobody', { url: '/docs/json' })).json()), ['/']);
  await homeless.close();
});

spec('every operation has a name of its own, which a program can use', () => {
  const names = operations.map(([, , { operationId }]) => operationId);
  for (const name of names) assert.match(name, /^(get|post|put|patch|delete)[A-Z][A-Za-z0-9]*$/);
  assert.is(new Set(names).size, names.length);
  const nameOf = (one: string) => operations.find(([name]) => name === one)?.[2].operationId;
  assert.is(nameOf('GET /api/pods/failed/{pod_id}'), 'getPodsFailedByPodId');
  assert.is(nameOf('PUT /api/admin/settings/mirror-ttl'), 'putAdminSettingsMirrorTtl');
});

spec('every pattern is explained in words, in the document and in the refusal', () => {
  const silent: string[] = [];
  const look = (of: unknown, path: string, said: string | undefined): void => {
    if (typeof of !== 'object' || of === null) return;
    const { description = said, pattern } = of as { description?: string; pattern?: unknown };
    if (typeof pattern === 'string' && !description?.includes(`must ${PATTERN_WORDS.get(pattern)}`)) silent.push(`${path} ${pattern}`);
    for (const [key, part] of Object.entries(of)) look(part, `${path}/${key}`, key === 'schema' ? description : undefined);
  };
  look(document.paths, '', undefined);
  assert.equal(silent, []);
});

spec('Redocly’s linter has no complaint but one', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  assert.equal(
    problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
    // The specification defines both paths. A router can distinguish them, because no pod id is `failed`.
    [
      'no-ambiguous-paths: Paths should resolve unambiguously. Found two ambiguous paths: `/api/pods/failed/{pod_id}` and `/api/pods/{pod_id}/status`.',
    ],
  );
});

spec('every used tag has a description, and every description has a used tag', () => {
  const used = new Set(operations.flatMap(([, , { tags }]) => tags));
  assert.equal(document.tags.map(({ name }) => name).sort(), [...used].sort());
  for (const { name, description } of document.tags) assert.ok(description.length > 10, name);
  for (const [name, , { tags }] of operations) assert.is(tags.length, 1, name);
});

/** Routes for people with a session: an API token must not extend its own time or rights. */
const PEOPLE_ONLY = ['POST /api/auth/logout', 'POST /api/auth/password', 'GET /api/tokens', 'POST /api/tokens', 'DELETE /api/tokens/{id}'];

spec('the document states the access of every route', () => {
  const declared = new Map(it.app.accessTable.map(({ method, url, access }) => [`${method} ${url.replaceAll(/:\w+|\*/g, '{}')}`, access]));
  for (const [name, , { security = [] }] of operations) {
    const ways = { public: [], service: ['service'], stream: ['session', 'bearer', 'token'] } as Record<string, string[]>;
    // Alertmanager can send only the header Authorization.
    if (name === 'POST /api/alerts/alertmanager') ways['service'] = ['service', 'serviceBearer'];
    const people = PEOPLE_ONLY.includes(name) ? ['session'] : ['session', 'bearer'];
    const access = declared.get(name.replaceAll(/\{\w+\}/g, '{}'));
    assert.ok(access, name);
    assert.equal(
      security.map((way) => Object.keys(way).join()),
      ways[access] ?? people,
      name,
    );
  }
});

spec('an API token may do just what the document says it may', async () => {
  const made = await it.send('admin', { method: 'POST', url: '/api/tokens', payload: { name: 'a script' } });
  const headers = { authorization: `Bearer ${made.json<{ token: string }>().token}` };
  for (const name of PEOPLE_ONLY) {
    const [method, url = ''] = name.split(' ');
    const payload = EXAMPLES[name];
    const answer = await it.send('nobody', {
      method: method as 'GET',
      url: url.replace('{id}', '1'),
      headers,
      ...(payload && { payload }),
    });
    assert.equal([name, answer.statusCode], [name, 403]);
  }
  assert.is((await it.send('nobody', { url: '/api/pods/failed', headers })).statusCode, 200);
});

spec('parameters are those of the path, by names that a path may hold', () => {
  for (const [name, path, { parameters = [] }] of operations) {
    const inPath = parameters.filter((one) => one.in === 'path');
    const wanted = [...path.matchAll(/\{([^}]*)\}/g)].map(([, parameter = '']) => parameter);
    assert.equal(inPath.map((one) => one.name).sort(), wanted.sort(), name);
    for (const one of inPath) assert.ok(one.required && /^\w+$/.test(one.name), `${name}: ${one.name}`);
    assert.is(new Set(parameters.map((one) => `${one.in} ${one.name}`)).size, parameters.length, name);
    for (const one of parameters) assertSchema(one.schema, `${name}: ${one.name}`);
  }
});

spec('integers in paths and queries have both bounds, and the largest id is a safe integer of JavaScript', () => {
  for (const [name, , { parameters = [] }] of operations)
    for (const { name: parameter, schema } of parameters) {
      const { type, minimum, maximum } = schema as { type?: string; minimum?: number; maximum?: number };
      if (type !== 'integer') continue;
      assert.type(minimum, 'number', `${name} ${parameter}`);
      assert.type(maximum, 'number', `${name} ${parameter}`);
      if (/(^|_)id$|^before$/.test(parameter)) assert.equal([minimum, maximum], [1, Number.MAX_SAFE_INTEGER], `${name} ${parameter}`);
    }
});

spec('every body that a route takes has an example, and the example is one', () => {
  const taking = operations.filter(([, , { requestBody }]) => requestBody);
  assert.equal(
    taking.map(([name]) => name.replaceAll(/\{\w+\}/g, ':')).sort(),
    Object.keys(EXAMPLES)
      .map((name) => name.replaceAll(/:\w+/g, ':'))
      .sort(),
  );
  for (const [name, , { requestBody }] of taking) {
    const { schema, example } = requestBody?.content?.['application/json'] ?? {};
    assert.ok(schema && example, name);
    assertSchema(schema, name);
    const check = Compile(schema);
    assert.ok(check.Check(example), `${name}: ${JSON.stringify(check.Errors(example))}`);
  }
});

spec('only bodies that are optional are described as optional', () => {
  const optional = operations.filter(([, , { requestBody }]) => requestBody?.required === false).map(([name]) => name);
  assert.equal(optional.sort(), [
    'POST /api/mirror/check/{pod_id}',
    'POST /api/mirror/deploy/{pod_id}',
    'POST /api/security/rescan',
    'PUT /api/advice/findings/{id}/ignore',
  ]);
});

spec('every answer is described, and every refusal is the one with `detail`', () => {
  for (const [name, , { responses, security }] of operations) {
    assert.ok(
      Object.keys(responses).some((status) => /^[12]/.test(status)),
      `${name} can go well`,
    );
    for (const needed of ['500', '503', ...(security?.length ? ['401'] : [])]) assert.ok(needed in responses, `${name} ${needed}`);
    for (const [status, { description, content }] of Object.entries(responses)) {
      assert.match(status, name === 'GET /api/ws' ? /^([1-5]\d\d|default)$/ : /^[1-5]\d\d$/);
      assert.ok(description && description !== 'Default Response', `${name} ${status}`);
      for (const one of Object.values(content ?? {})) assertSchema(one.schema, `${name} ${status}`);
      if (status < '400') continue;
      const refusal = content?.['application/json']?.schema as { required?: string[] } | undefined;
      assert.equal(refusal?.required, ['detail'], `${name} ${status}`);
    }
  }
});

/** Requests with answers other than 200. The document must declare each of these statuses. */
const MET: [name: string, status: number, () => Promise<{ statusCode: number }>][] = [
  [
    'POST /api/auth/login',
    401,
    () => it.send('nobody', { method: 'POST', url: '/api/auth/login', payload: { username: 'x', password: 'y' } }),
  ],
  [
    'POST /api/auth/login',
    403,
    () => it.send('nobody', { method: 'POST', url: '/api/auth/login', headers: { origin: 'http://evil.example' } }),
  ],
  [
    'POST /api/auth/signup',
    409,
    () => it.send('nobody', { method: 'POST', url: '/api/auth/signup', payload: EXAMPLES['POST /api/auth/signup']! }),
  ],
  [
    'POST /api/pods/failed',
    202,
    () => it.send('service', { method: 'POST', url: '/api/pods/failed', payload: aFailureReport({ namespace: 'quiet' }) }),
  ],
  [
    'POST /api/pods/failed',
    413,
    () => it.send('service', { method: 'POST', url: '/api/pods/failed', payload: aFailureReport({ logs: 'x'.repeat(6e6) }) }),
  ],
  [
    'POST /api/pods/failed',
    415,
    () => it.send('service', { method: 'POST', url: '/api/pods/failed', headers: { 'content-type': 'text/x' }, payload: 'x' }),
  ],
  [
    'POST /api/security/scan/clear',
    400,
    () =>
      it.send('service', {
        method: 'POST',
        url: '/api/security/scan/clear',
        headers: { 'content-type': 'application/json' },
        payload: '{',
      }),
  ],
  ['POST /api/security/rescan', 409, () => it.send('write', { method: 'POST', url: '/api/security/rescan' })],
  ['GET /api/ws', 426, () => it.send('read', { url: '/api/ws' })],
  [
    'GET /api/pods/failed',
    304,
    async () => {
      const { headers } = await it.send('read', { url: '/api/pods/failed' });
      return it.send('read', { url: '/api/pods/failed', headers: { 'if-none-match': String(headers.etag) } });
    },
  ],
];
for (const [name, status, ask] of MET) {
  spec(`${name} answers ${status}, and says so`, async () => {
    assert.is((await ask()).statusCode, status);
    assert.ok(operations.find(([one]) => one === name)?.[2].responses[status]);
  });
}

spec.run();

/** Asserts that a schema has only known types, and describes every required field. */
function assertSchema(schema: unknown, where: string): void {
  assert.ok(schema && typeof schema === 'object', where);
  const {
    type,
    required = [],
    properties = {},
    items,
    anyOf = [],
  } = schema as Record<string, never> & { required?: string[]; properties?: object; anyOf?: unknown[] };
  const types = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];
  for (const one of [type ?? 'null'].flat()) assert.ok(types.includes(one), `${where}: type ${String(one)}`);
  for (const name of required) assert.ok(name in properties, `${where}: ${String(name)} is required, but not described`);
  for (const [name, one] of Object.entries(properties)) assertSchema(one, `${where}.${name}`);
  for (const one of anyOf) assertSchema(one, where);
  if (items) assertSchema(items, `${where}[]`);
  assert.not.ok('nullable' in (schema as object), `${where}: nullable is no word of 3.1`);
}

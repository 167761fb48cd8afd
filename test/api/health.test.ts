import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { TIMED } from '../../src/api/metrics.ts';
import { DatabaseUnavailable } from '../../src/db/errors.ts';
import { ClusterUnavailable, KubeError } from '../../src/kube/errors.ts';
import { createLog } from '../../src/log.ts';
import { SERVICE_TOKEN, testApp, type TestApp } from '../support/worlds/app.ts';
import { aFailureReport } from '../support/builders/report.ts';

let it: TestApp;
const lines: string[] = [];
const away = { database: false, cluster: false, replicas: false, hangs: false };
test.before(async () => {
  const check = (part: 'database' | 'cluster' | 'replicas') => async () => {
    if (away.hangs) await new Promise(() => {});
    if (away[part]) throw new Error(`secret address of the ${part}`);
  };
  it = await testApp((deps) => ({
    log: createLog({ level: 'info' }, { write: (line) => void lines.push(line) }),
    checks: { database: check('database'), cluster: check('cluster'), replicas: check('replicas') },
    settings: {
      ...deps.settings,
      get: async (key) => {
        if (away.database) throw new DatabaseUnavailable(new Error('secret address'));
        return deps.settings.get(key);
      },
    },
    models: {
      ...deps.models,
      solve: async () => {
        if (away.cluster) throw new ClusterUnavailable('connect ECONNREFUSED');
        throw new TypeError('secret internals');
      },
    },
  }));
});
test.before.each(() => {
  Object.assign(away, { database: false, cluster: false, replicas: false, hangs: false });
  lines.length = 0;
});
test.after(() => it.close());

const get = (url: string) => it.send('nobody', { url });

test('liveness asks nobody', async () => {
  Object.assign(away, { database: true, cluster: true });
  const answer = await get('/health');
  assert.is(answer.statusCode, 200);
  assert.equal(answer.json(), { status: 'ok', version: '0.0.0-test' });
});

const OTHER_WORLD = 'Another replica holds the Lease, and this one has a database of its own: replicas need DATABASE_URL';
const READY: [Partial<typeof away>, number, object][] = [
  [{}, 200, { status: 'ready' }],
  [{ database: true }, 503, { detail: 'Database not available' }],
  [{ cluster: true }, 503, { detail: 'Kubernetes client not available' }],
  [{ database: true, cluster: true }, 503, { detail: 'Database not available; Kubernetes client not available' }],
  [{ replicas: true }, 503, { detail: OTHER_WORLD }],
  [{ hangs: true }, 503, { detail: `Database not available; Kubernetes client not available; ${OTHER_WORLD}` }],
];
for (const [parts, status, body] of READY) {
  test(`readiness with ${JSON.stringify(parts)} answers ${status}`, async () => {
    Object.assign(away, parts);
    const answer = await get('/ready');
    assert.is(answer.statusCode, status);
    assert.equal(answer.json(), body);
  });
}

test('every 503 says how soon to ask again', async () => {
  away.database = true;
  for (const url of ['/ready', '/api/config', '/api/mirror/active']) {
    const answer = await it.send('read', { url });
    assert.equal([answer.statusCode, answer.headers['retry-after']], [503, '2'], url);
  }
});

test('a database that is away answers 503, and 200 when it is back', async () => {
  away.database = true;
  const answer = await it.send('read', { url: '/api/config' });
  assert.is(answer.statusCode, 503);
  assert.equal(answer.json(), { detail: 'Database not available' });
  away.database = false;
  assert.is((await it.send('read', { url: '/api/config' })).statusCode, 200);
});

test('an API server that cannot answer is a cluster that is away; what it refuses otherwise is not', async () => {
  let code = 0;
  const active = async () => Promise.reject(new KubeError(code, 'Told', 'told to'));
  const { send, close } = await testApp(({ mirrors }) => ({ mirrors: { ...mirrors, active } }));
  for (const [answered, status] of [
    [429, 503],
    [500, 503],
    [503, 503],
    [403, 500],
  ] as const) {
    code = answered;
    assert.is((await send('read', { url: '/api/mirror/active' })).statusCode, status, String(code));
  }
  await close();
});

test('a cluster that is away answers 503 where it is needed, and nowhere else', async () => {
  for (const [method, url] of [
    ['GET', '/api/mirror/active'],
    ['GET', '/api/admin/excluded-pods'],
  ] as const) {
    const answer = await it.send('write', { method, url });
    assert.is(answer.statusCode, 503, url);
    assert.equal(answer.json(), { detail: 'Kubernetes client not available' });
  }
  assert.is((await it.send('read', { url: '/api/pods/failed' })).statusCode, 200);
});

test('an unexpected error answers 500 without internals; the log has them', async () => {
  const { id } = (await it.send('service', { method: 'POST', url: '/api/pods/failed', payload: aFailureReport() })).json();
  const answer = await it.send('write', { method: 'POST', url: `/api/pods/failed/${id}/retry-solution` });
  assert.is(answer.statusCode, 500);
  assert.equal(answer.json(), { detail: 'Internal server error' });
  assert.match(lines.join(''), 'secret internals');
});

test('each request is one line; a token in a query and a cookie are in none', async () => {
  await it.send('read', { url: `/api/config?token=${SERVICE_TOKEN}` });
  await get('/health');
  assert.is(lines.length, 1);
  const { method, path, status, user, msg } = JSON.parse(lines[0] ?? '');
  assert.equal({ method, path, status, user, msg }, { method: 'GET', path: '/api/config', status: 200, user: 'the-read', msg: 'request' });
  await it.app.injectWS(`/api/ws?token=${SERVICE_TOKEN}x`).catch(() => {});
  assert.not.match(lines.join(''), SERVICE_TOKEN);
  assert.not.match(lines.join(''), it.cookie('read').split('=')[1] ?? '');
});

test('metrics tell requests by route, reports by outcome, sockets, mirrors, the build and the event loop', async () => {
  await it.send('service', { method: 'POST', url: '/api/pods/failed', payload: aFailureReport({ pod_name: 'a', pod_uid: 'a' }) });
  await it.send('service', { method: 'POST', url: '/api/pods/failed', payload: aFailureReport({ pod_name: 'a', pod_uid: 'a' }) });
  await it.send('service', { method: 'POST', url: '/api/pods/failed', payload: aFailureReport({ namespace: 'quiet' }) });
  await it.send('service', { method: 'POST', url: '/api/pods/failed', payload: {} });
  await it.send('nobody', { method: 'POST', url: '/api/pods/failed', payload: {} });
  await it.send('read', { url: '/api/pods/failed/123456' });
  const socket = await it.app.injectWS(`/api/ws?token=${SERVICE_TOKEN}`);
  const answer = await get('/metrics');
  socket.terminate();
  assert.match(String(answer.headers['content-type']), /^text\/plain; version=0.0.4/);
  for (const line of [
    `podmend_build_info{version="0.0.0-test",node="${process.versions.node}"} 1`,
    'podmend_sockets 1',
    'podmend_mirrors{phase="Running",verdict="None"} 2',
    'podmend_mirrors{phase="Failed",verdict="StillFailing"} 1',
    'podmend_mirror_verdicts_total{verdict="Fixed"} 3',
    'podmend_mirror_verdict_revisions_total{reason="Regressed"} 1',
    'podmend_findings{severity="critical"} 0',
    'podmend_advice{severity="high"} 0',
    'podmend_queue_length{queue="reports"} 3',
    'podmend_database_connections{state="busy"} 1',
    'podmend_database_connections{state="idle"} 4',
    'podmend_database_waiting 0',
    'podmend_reports_total{outcome="refused"} 1',
    'podmend_reports_total{outcome="repeat"} 1',
    'podmend_reports_total{outcome="suppressed"} 1',
    'podmend_http_request_duration_seconds_count{method="GET",route="/api/pods/failed/:pod_id",status="404"} 1',
  ]) {
    assert.ok(answer.body.split('\n').includes(line), line);
  }
  assert.match(answer.body, /^nodejs_eventloop_lag_seconds /m);
  assert.match(answer.body, /^podmend_reports_total{outcome="new"} /m);
});

test('every request is counted; buckets are for the routes that somebody waits for, and each of those exists', async () => {
  await it.send('read', { url: '/api/pods/failed' });
  await it.send('read', { url: '/api/config' });
  await get('/api/nothing');
  const { body } = await get('/metrics');
  const routesOf = (metric: string) =>
    new Set(
      [...body.matchAll(new RegExp(`^${metric}{method="(\\w+)",route="([^"]+)"`, 'gm'))].map(([, method, route]) => `${method} ${route}`),
    );
  const [counted, timed] = [routesOf('podmend_http_requests_total'), routesOf('podmend_http_request_duration_seconds_count')];
  assert.ok(counted.has('GET /api/config') && counted.has('GET /api/pods/failed') && timed.has('GET /api/pods/failed'));
  assert.not.ok(timed.has('GET /api/config'));
  const routes = new Set(it.app.accessTable.map(({ method, url }) => `${method} ${url}`));
  for (const route of TIMED) assert.ok(routes.has(route), route);
});

test('every answer has security headers; pages allow no more than they need', async () => {
  for (const url of ['/health', '/api/pods/failed', '/nothing']) {
    const { headers } = await get(url);
    assert.is(headers['x-content-type-options'], 'nosniff', url);
    assert.is(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'", url);
    assert.is(headers['cache-control'], 'no-store', url);
  }
  const policyOf = async (url: string) => String((await get(url)).headers['content-security-policy']);
  assert.match(await policyOf('/docs'), "script-src 'self';");
  assert.not.match(await policyOf('/docs'), 'upgrade-insecure-requests');
});

test('with an https BASE_URL every answer tells browsers to keep to https, with another one none does', async () => {
  const plain = await testApp(({ config }) => ({ config: { ...config, baseUrl: 'http://podmend.example' } }));
  for (const url of ['/', '/docs', '/health', '/api/pods/failed', '/nothing']) {
    assert.is((await it.send('read', { url })).headers['strict-transport-security'], 'max-age=31536000', url);
    assert.is((await plain.send('read', { url })).headers['strict-transport-security'], undefined, url);
  }
  await plain.close();
});

test('the documentation is served from here alone', async () => {
  const page = await get('/docs');
  assert.is(page.statusCode, 200);
  const parts = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
  assert.ok(parts.length >= 4);
  assert.match(page.body, '<title>Podmend</title>');
  for (const part of parts) {
    assert.match(part, /^\/docs\/static\//);
    assert.is((await get(part)).statusCode, 200, part);
  }
});

test.run();

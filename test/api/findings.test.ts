import { loadManifests } from '../../src/crd/manifest.ts';
import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import WebSocket from 'ws';
import type { Finding } from '../../src/contract/finding.ts';
import { SERVICE_TOKEN, testApp, type TestApp } from '../support/worlds/app.ts';
import { aFindingReport } from '../support/builders/finding.ts';
import { modelServer, SAYS } from '../support/worlds/model-server.ts';
import { until } from '../support/runner/wait.ts';

let it: TestApp;
let live: object | undefined | null;
const findings = suite('findings');
findings.before(async () => {
  it = await testApp(() => ({ readResource: async () => live as never }));
});
findings.before.each(async () => {
  for (const table of ['findings', 'scanners', 'rescans', 'audit'] as const) await it.store.db.deleteFrom(table).execute();
  it.messages.length = 0;
  it.advance(60_000);
});
findings.after(() => it.close());

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
const send = (who: 'service' | 'read' | 'write', method: Method, url: string, payload?: unknown) =>
  it.send(who, { method, url, ...(payload === undefined ? {} : { payload: payload as object }) });
const report = async (over = {}) => (await send('service', 'POST', '/api/security/findings', aFindingReport(over))).json() as Finding;
const list = async (query = '') => (await send('read', 'GET', `/api/security/findings${query}`)).json() as Finding[];
const told = () => it.messages.map(({ type }) => type);

findings('a report is stored, told once and listed', async () => {
  const finding = await report();
  assert.equal([finding.status, finding.severity, finding.timestamp], ['open', 'high', finding.first_seen]);
  await report();
  assert.equal(told(), ['security_finding']);
  assert.equal(it.messages[0]?.data, finding as never);
  const [listed] = await list();
  assert.equal([listed?.id, listed?.first_seen], [finding.id, finding.first_seen]);
});

findings('dismissed it leaves the list for good, restored it is back', async () => {
  const { id } = await report();
  const dismissed = await send('write', 'DELETE', `/api/security/findings/${id}`);
  assert.equal([dismissed.statusCode, dismissed.json().status], [200, 'dismissed']);
  await report();
  assert.equal([(await list()).length, (await list('?status=dismissed')).length], [0, 1]);
  assert.is((await send('write', 'PUT', `/api/security/findings/${id}/restore`)).json().status, 'open');
  assert.is((await list()).length, 1);
  assert.equal(told(), ['security_finding', 'finding_deleted', 'security_finding']);
  for (const [method, path] of [
    ['DELETE', ''],
    ['PUT', '/restore'],
    ['POST', '/fix'],
  ] as const) {
    const answer = await send('write', method, `/api/security/findings/999999${path}`);
    assert.equal([answer.statusCode, answer.json()], [404, { detail: 'Finding not found' }]);
  }
});

findings('a deleted resource takes its findings along, and nobody else’s', async () => {
  await report();
  await report({ resource_name: 'web-2' });
  assert.is((await send('service', 'DELETE', '/api/security/findings/resource/Pod/shop/web-1')).statusCode, 204);
  assert.equal(
    (await list()).map(({ resource_name }) => resource_name),
    ['web-2'],
  );
  assert.is(told().at(-1), 'finding_deleted');
  assert.is((await send('service', 'DELETE', '/api/security/findings/resource/Pod/shop/none')).statusCode, 204);
});

findings('a new scan hides all findings; a finding that is reported again gets its old state back', async () => {
  const { id } = await report();
  assert.equal((await send('service', 'POST', '/api/security/scan/clear')).json(), { cleared: 1 });
  assert.equal(await list(), []);
  assert.is((await report()).id, id);
  assert.equal((await list())[0]?.status, 'open');
});

findings('no scanner clears, replaces or removes what another one found', async () => {
  await report({ check_name: 'CVE-1', source: 'trivy' });
  const ours = '?source=podmend';
  const resource = '/api/security/findings/resource/Pod/shop/web-1';
  const put = await send('service', 'PUT', resource, { source: 'podmend', findings: [{ check_name: 'root', severity: 'high' }] });
  assert.equal(
    put.json<Finding[]>().map(({ source }) => source),
    ['podmend'],
  );
  assert.equal((await send('service', 'POST', '/api/security/scan/clear')).json(), { cleared: 0 });
  assert.equal((await send('service', 'POST', `/api/security/scan/clear${ours}`)).json(), { cleared: 1 });
  await send('service', 'DELETE', resource + ours);
  assert.equal(
    (await list()).map(({ check_name, source }) => [check_name, source]),
    [['CVE-1', 'trivy']],
  );
  assert.is((await send('service', 'POST', `/api/security/scan/clear?source=${'x'.repeat(64)}`)).statusCode, 400);
});

findings('the table for spreadsheets keeps the filters, and no cell is a formula', async () => {
  await report({ check_name: 'one', message: '=1+1', remediation: 'say "no"' });
  await report({ check_name: 'two', message: '@SUM(A1)\n', severity: 'low' });
  const answer = await send('read', 'GET', '/api/security/findings?format=csv&severity=high');
  assert.equal([answer.statusCode, answer.headers['content-type']], [200, 'text/csv; charset=utf-8']);
  const [head = '', row = '', end, ...more] = answer.body.split('\r\n');
  assert.match(head, /^"id","severity","check_name"/);
  assert.match(row, `"'=1+1","say ""no""","open"`);
  assert.equal([end, more], ['', []]);
  const page = await send('read', 'GET', '/api/security/findings?format=csv&limit=1');
  assert.match(page.body, `"'@SUM(A1)\n"`);
  assert.match(String(page.headers['link']), 'format=csv');
});

findings('as reports of openreports.io, one for each object', async () => {
  await report({ check_name: 'one', source: 'trivy' });
  await report({ check_name: 'two' });
  await report({ resource_type: 'ClusterRole', resource_name: 'x', namespace: 'cluster-wide' });
  const { body } = await send('read', 'GET', '/api/security/findings?format=openreports');
  const reports = loadManifests(body) as {
    apiVersion: string;
    kind: string;
    scope: object;
    results: { policy: string; source: string }[];
  }[];
  assert.equal(
    reports.map(({ kind, scope, results }) => [kind, scope, results.map(({ policy, source }) => `${policy} ${source}`)]),
    [
      ['ClusterReport', { kind: 'ClusterRole', name: 'x' }, ['privileged ']],
      ['Report', { kind: 'Pod', name: 'web-1', namespace: 'shop' }, ['two ', 'one trivy']],
    ],
  );
  assert.ok(reports.every(({ apiVersion }) => apiVersion === 'openreports.io/v1alpha1'));
  assert.is((await send('read', 'GET', '/api/security/findings?format=xml')).statusCode, 400);
  assert.equal((await send('read', 'GET', '/api/security/findings?format=json')).json().length, 3);
});

findings('a report of all findings of a resource resolves its other findings', async () => {
  await report({ check_name: 'old' });
  const { resource_type: _1, resource_name: _2, namespace: _3, ...found } = aFindingReport();
  const put = (body: unknown) => send('service', 'PUT', '/api/security/findings/resource/Pod/shop/web-1', body);
  const answer = await put({ findings: [found, { ...found, severity: 'low' }, { ...found, check_name: 'root' }] });
  assert.is(answer.statusCode, 200, answer.body);
  assert.equal(
    (answer.json() as Finding[]).map(({ check_name, severity }) => [check_name, severity]),
    [
      ['privileged', 'low'],
      ['root', 'high'],
    ],
  );
  assert.equal((await list()).map(({ check_name }) => check_name).sort(), ['privileged', 'root']);
  assert.equal(
    (await list('?status=resolved')).map(({ check_name }) => check_name),
    ['old'],
  );
  assert.equal((await put({ findings: [] })).json(), []);
  assert.equal(await list(), []);
});

findings('reports that come together are all stored, each once', async () => {
  const names = Array.from({ length: 100 }, (_, n) => `web-${n % 50}`);
  await Promise.all(names.map((resource_name) => report({ resource_name })));
  assert.is((await list()).length, 50);
  assert.is(told().length, 50);
});

findings('what a Suppression hides is stored and listed apart, and nobody is told', async () => {
  const { suppressed_by } = await report({ namespace: 'quiet' });
  assert.is(suppressed_by, 'keep-quiet');
  assert.equal([await list(), (await list('?status=suppressed')).length, told()], [[], 1, []]);
});

findings('a hidden namespace is never shown', async () => {
  const { id } = await report({ namespace: 'hidden' });
  assert.equal(await list(), []);
  assert.is((await send('write', 'DELETE', `/api/security/findings/${id}`)).statusCode, 404);
});

const SHOWN = 'not be blank, and hold no control characters or invisible characters';
const BAD: [unknown, string][] = [
  [{}, 'resource_type is required'],
  [aFindingReport({ severity: 'HIGH' as never }), 'severity must be one of critical, high, medium, low, info'],
  [aFindingReport({ namespace: '' }), `namespace must ${SHOWN}`],
  [aFindingReport({ namespace: 'shop\0' }), `namespace must ${SHOWN}`],
  [aFindingReport({ resource_name: 'web\u202e1-' }), `resource_name must ${SHOWN}`],
  [aFindingReport({ check_name: 'privi\nleged' }), `check_name must ${SHOWN}`],
  [aFindingReport({ source: 'trivy\0' }), 'source must hold no control characters or invisible characters'],
  [aFindingReport({ details: [] as never }), 'details must be object'],
  [aFindingReport({ resource_name: 'x'.repeat(254) }), 'resource_name must not have more than 253 characters'],
];
for (const [body, detail] of BAD) {
  findings(`a report is refused: ${detail}`, async () => {
    const answer = await send('service', 'POST', '/api/security/findings', body);
    assert.equal([answer.statusCode, answer.json()], [400, { detail }]);
  });
}

findings('details may be nested a hundred times, one by one and by resource; deeper ones are refused', async () => {
  const nested = (levels: number): unknown => JSON.parse(`${'{"a":['.repeat(levels / 2)}1${']}'.repeat(levels / 2)}`);
  const { resource_type: _1, resource_name: _2, namespace: _3, ...found } = aFindingReport();
  const sent = async (details: unknown) => {
    const one = await send('service', 'POST', '/api/security/findings', { ...aFindingReport(), details });
    const all = await send('service', 'PUT', '/api/security/findings/resource/Pod/shop/web-1', {
      findings: [found, { ...found, details }],
    });
    return [one, all].map((answer) => [answer.statusCode, (answer.json() as { detail?: string }).detail]);
  };
  const refused = [400, 'details must not be nested more than 100 times'];
  assert.equal(await sent(nested(100)), [
    [200, undefined],
    [200, undefined],
  ]);
  for (const levels of [102, 1_000]) assert.equal(await sent(nested(levels)), [refused, refused]);
});

findings('a rescan needs a scanner that was heard in the last 90 seconds', async () => {
  const nobody = await send('write', 'POST', '/api/security/rescan');
  assert.equal([nobody.statusCode, nobody.json()], [409, { detail: 'No scanner is there: none was heard in the last 90 seconds' }]);
  await send('service', 'POST', '/api/metrics/security-scan-duration', { duration_seconds: 1.5 });
  const asked = await send('write', 'POST', '/api/security/rescan', { reason: 'new policy' });
  assert.equal([asked.statusCode, asked.json()], [200, {}]);
  assert.equal(it.messages.at(-1), { type: 'security_rescan_status', data: { status: 'requested', reason: 'new policy' } });
  for (const status of ['started', 'completed', 'failed'])
    assert.equal((await send('service', 'POST', '/api/security/rescan-status', { status })).json(), {});
  assert.equal(it.messages.at(-1)?.data, { status: 'failed', reason: '' } as never);
  assert.is((await send('service', 'POST', '/api/security/rescan-status', { status: 'done' })).statusCode, 400);
  it.advance(91_000);
  assert.is((await send('write', 'POST', '/api/security/rescan')).statusCode, 409);
});

findings('a scanner at its socket is heard too', async () => {
  const url = await it.app.listen({ host: '127.0.0.1', port: 0 });
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/ws?token=${SERVICE_TOKEN}&client=scanner`);
  // The server may know the scanner before the socket is open on this side. Closing a socket before it is open is an error.
  await once(socket, 'open');
  const isThere = async () => (await send('write', 'POST', '/api/security/rescan')).statusCode === 200;
  await until(isThere, { everyMs: 50, what: 'the scanner to be heard' });
  socket.terminate();
});

findings('a fix is the live manifest with the change that the check proposes, secrets masked', async () => {
  live = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-1', namespace: 'shop', uid: 'u' },
    spec: {
      containers: [{ name: 'app', image: 'web:1', env: [{ name: 'API_TOKEN', value: 'hunter2' }], securityContext: { privileged: true } }],
    },
  };
  const fix = [{ path: 'spec.containers[0].securityContext.privileged', from: true, to: false, why: 'It needs no host access.' }];
  const { id } = await report({ details: { container: 'app', fix } });
  const answer = (await send('write', 'POST', `/api/security/findings/${id}/fix`)).json();
  assert.match(answer.fixed_manifest, /privileged: false/);
  assert.match(answer.diff, /-\s+privileged: true\n\+\s+privileged: false/);
  assert.not.match(JSON.stringify(answer), /hunter2|uid/);
  assert.equal([answer.finding_id, answer.patch, answer.is_fallback], [id, fix, true]);
});

findings('a configured model explains the fix, and makes it stricter where the check proposes nothing', async () => {
  live = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-1', namespace: 'shop' },
    spec: { containers: [{ name: 'app', image: 'web:1', securityContext: { privileged: true } }] },
  };
  const changes = [{ path: 'containers[app].securityContext.privileged', to: false, why: 'It needs no host access.' }];
  const fake = await modelServer(() => ({ body: SAYS.anthropic.said(JSON.stringify({ explanation: 'It may leave.', changes })) }));
  const { setups } = it.deps.models;
  await setups.save({ provider: 'anthropic', api_key: 'sk-test-0123456789abcdef', model: 'm', base_url: fake.url }, it.deps.now());
  try {
    const { id } = await report();
    const answer = (await send('write', 'POST', `/api/security/findings/${id}/fix`)).json();
    assert.equal([answer.is_fallback, answer.patch.length], [false, 1]);
    assert.match(answer.explanation, 'It may leave.');
    assert.match(answer.fixed_manifest, 'privileged: false');
    assert.equal((await send('write', 'POST', `/api/security/findings/${id}/fix`)).json(), answer);
    assert.is(fake.asked.length, 1);
  } finally {
    await setups.remove();
    await fake.close();
  }
});

findings('without a proposal, or with one that does not fit, a fix changes nothing and says what to do', async () => {
  for (const fix of [undefined, 'all', [{ path: '' }], [{ path: 'spec.containers.x', to: 1 }], [{ path: '__proto__.x', to: 1 }], [null]]) {
    const { id } = await report({ details: { fix } });
    const answer = await send('write', 'POST', `/api/security/findings/${id}/fix`);
    assert.is(answer.statusCode, 200, answer.body);
    const { patch, diff, explanation } = answer.json();
    assert.equal([patch, diff, explanation], [[], '', 'Set privileged to false.'], JSON.stringify(fix));
  }
  live = null;
  const { id } = await report({ resource_type: 'ClusterRole', namespace: 'cluster-wide' });
  assert.is((await send('write', 'POST', `/api/security/findings/${id}/fix`)).json().fixed_manifest, '');
  live = undefined;
  const gone = await send('write', 'POST', `/api/security/findings/${id}/fix`);
  assert.equal([gone.statusCode, gone.json()], [404, { detail: 'The resource of the finding is gone' }]);
});

findings('/metrics counts active findings by severity, and none of a hidden namespace', async () => {
  await report();
  await report({ resource_name: 'web-2', severity: 'low' });
  await report({ namespace: 'hidden', severity: 'critical' });
  const { body } = await it.send('nobody', { url: '/metrics' });
  assert.match(body, /podmend_findings\{severity="high"\} 1\n/);
  assert.match(body, /podmend_findings\{severity="critical"\} 0\n/);
});

findings.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Advice } from '../../src/contract/advice.ts';
import type { Finding } from '../../src/contract/finding.ts';
import type { MirrorUse } from '../../src/contract/mirror.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { adviceRepository } from '../../src/db/advice.ts';
import { anAdviceRow } from '../support/builders/advice.ts';
import { aFindingReport } from '../support/builders/finding.ts';
import { aFailureReport } from '../support/builders/report.ts';
import { until } from '../support/runner/wait.ts';
import { SERVICE_TOKEN, testApp, type TestApp } from '../support/worlds/app.ts';

// Namespace `hidden` is hidden: no answer, message or count lets anybody conclude that it exists.

let it: TestApp;
let live: KubeObject | undefined;
const test = suite('hidden namespaces');
test.before(async () => {
  it = await testApp(({ mirrors }) => ({
    readResource: async () => live,
    mirrors: {
      ...mirrors,
      use: async (): Promise<MirrorUse> => ({
        ...{ enabled: true, live: 5, limit: 50, limit_per_namespace: 10, limit_per_incident: 3 },
        namespaces: [
          { namespace: 'hidden', live: 3 },
          { namespace: 'shop', live: 2 },
        ],
      }),
    },
  }));
});
test.after(() => it.close());

const report = async (over = {}) =>
  (await it.send('service', { method: 'POST', url: '/api/security/findings', payload: aFindingReport(over) })).json<Finding>();

/** How scanners file what they find on the namespace itself, or on an object that is named after it. */
const FILED = [
  { resource_type: 'Namespace', namespace: 'cluster-wide' },
  { resource_type: 'namespaces', namespace: 'default' },
  { resource_type: 'ClusterRole', namespace: 'cluster-wide' },
].map((place) => ({ ...place, resource_name: 'hidden', source: 'kubescape' }));

test('what other scanners find on the namespace is in no list, no message, no count, and cannot be changed', async () => {
  const socket = await it.app.injectWS(`/api/ws?token=${SERVICE_TOKEN}`);
  const heard: string[] = [];
  socket.on('message', (data: Buffer) => void heard.push(String(data)));
  try {
    for (const filed of FILED) {
      const { id } = await report(filed);
      for (const [method, path] of [
        ['DELETE', ''],
        ['PUT', '/restore'],
        ['POST', '/fix'],
      ] as const)
        assert.is((await it.send('write', { method, url: `/api/security/findings/${id}${path}` })).statusCode, 404, path);
    }
    const shown = await report({ resource_type: 'Namespace', namespace: 'cluster-wide', resource_name: 'open', severity: 'low' });
    await until(() => heard.some((text) => text.includes('"open"')), { what: 'the message about the other namespace' });
    assert.not.match(heard.join(), 'hidden');
    for (const query of ['', '?q=hidden', '?format=csv', '?format=openreports', '?namespace=cluster-wide'])
      assert.not.match((await it.send('read', { url: `/api/security/findings${query}` })).body, /hidden/, query);
    const listed = (await it.send('read', { url: '/api/security/findings' })).json<Finding[]>();
    assert.equal(
      listed.map(({ id }) => id),
      [shown.id],
    );
    const metrics = (await it.send('nobody', { url: '/metrics' })).body;
    assert.match(metrics, 'podmend_findings{severity="high"} 0\n');
    assert.match(metrics, 'podmend_findings{severity="low"} 1\n');
  } finally {
    socket.terminate();
  }
});

test('advice about a cluster-wide object that is named after it is not there', async () => {
  const rows = [anAdviceRow({ resource_kind: 'APIService', resource_name: 'hidden' })];
  const pass = { cluster: 'test', namespace: 'cluster-wide', detectors: ['limit-far-above-request'], rows, unreadable: [] };
  const [one] = await adviceRepository(it.store.db).store(pass, it.deps.now());
  assert.equal((await it.send('read', { url: '/api/advice/findings' })).json<Advice[]>(), []);
  assert.is((await it.send('write', { method: 'PUT', url: `/api/advice/findings/${one?.id}/ignore` })).statusCode, 404);
  assert.match((await it.send('nobody', { url: '/metrics' })).body, 'podmend_advice{severity="medium"} 0\n');
});

test('the manifest beside a finding names no hidden namespace, and no proposal takes out what is not shown', async () => {
  live = {
    kind: 'RoleBinding',
    metadata: { name: 'web-1', namespace: 'shop' },
    subjects: [
      { kind: 'ServiceAccount', name: 'bot', namespace: 'hidden' },
      { kind: 'User', name: 'ann' },
    ],
  } as KubeObject;
  const fix = [{ path: 'subjects[0]', to: null, why: 'it is not needed' }];
  const { id } = await report({ resource_type: 'RoleBinding', details: { fix } });
  const answer = await it.send('write', { method: 'POST', url: `/api/security/findings/${id}/fix` });
  assert.is(answer.statusCode, 200, answer.body);
  assert.match(answer.json().fixed_manifest, 'ann');
  assert.equal([answer.json().patch, answer.json().command], [[], '']);
  assert.not.match(answer.body, 'hidden');
});

test('the mirrors of a hidden namespace are in no count, while the limit holds', async () => {
  const { live: count, limit, namespaces } = (await it.send('read', { url: '/api/mirror/limits' })).json<MirrorUse>();
  assert.equal([count, limit, namespaces], [2, 50, [{ namespace: 'shop', live: 2 }]]);
});

test('no metric counts a report of a hidden namespace, stored or refused', async () => {
  const send = (payload: object) => it.send('service', { method: 'POST', url: '/api/pods/failed', payload });
  const counted = async () =>
    (await it.send('nobody', { url: '/metrics' })).body
      .split('\n')
      .filter((line) => line.startsWith('podmend_reports_total') || line.includes('method="POST",route="/api/pods/failed"'));
  await send(aFailureReport());
  const before = await counted();
  assert.ok(before.includes('podmend_reports_total{outcome="new"} 1'), before.join('\n'));
  assert.ok(before.includes('podmend_http_requests_total{method="POST",route="/api/pods/failed",status="200"} 1'), before.join('\n'));
  assert.is((await send(aFailureReport({ namespace: 'hidden' }))).statusCode, 200);
  assert.is((await send({ namespace: 'hidden' })).statusCode, 400);
  assert.equal(await counted(), before);
});

test.run();

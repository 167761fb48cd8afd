import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AgentRecord } from '../../../src/contract/agent.ts';
import { aFindingReport } from '../../support/builders/finding.ts';
import { aFailureReport } from '../../support/builders/report.ts';
import { apiClient, type Client } from '../../support/network/client.ts';
import { type OperatorProcess, startOperatorProcess, TOKEN } from '../../support/processes/operator.ts';

// The tests of the API build the app from its parts. This one has the whole operator, which hands HIDDEN_NAMESPACES to each part itself.

const service = { 'x-service-token': TOKEN };
const admin = { username: 'admin', password: 'correct horse' };
const NAMESPACES = ['shop', 'hidden'];

const test = suite('an operator with HIDDEN_NAMESPACES');
let folder = '';
let operator: OperatorProcess | undefined;

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podmend-hidden-'));
});
test.after(async () => {
  await operator?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function restart(env: Record<string, string>, way: 'signup' | 'login'): Promise<Client> {
  await operator?.stop();
  operator = await startOperatorProcess({ dataDir: folder, env });
  const client = apiClient(operator.url);
  assert.is((await client.send('POST', `/api/auth/${way}`, admin)).status, 200);
  return client;
}

const nameOf = (namespace: string) => `web-of-${namespace}`;

/** Agents, scanners and Alertmanager report the same of each namespace. */
async function report({ send }: Client): Promise<void> {
  const to = async (method: string, path: string, body: object) => {
    const { status, body: answer } = await send(method, path, body, service);
    assert.is(status, 200, `${path}: ${JSON.stringify(answer)}`);
  };
  const pods = NAMESPACES.map((namespace) => ({ pod_uid: nameOf(namespace), pod_name: nameOf(namespace), namespace }));
  for (const pod of pods) await to('POST', '/api/pods/failed', aFailureReport(pod));
  for (const namespace of NAMESPACES)
    await to('POST', '/api/security/findings', aFindingReport({ namespace, resource_name: nameOf(namespace) }));
  const alerts = NAMESPACES.map((namespace) => ({
    ...{ status: 'firing', labels: { alertname: nameOf(namespace), namespace }, annotations: {}, startsAt: new Date().toISOString() },
    ...{ endsAt: '0001-01-01T00:00:00Z', generatorURL: 'http://prometheus:9090', fingerprint: namespace },
  }));
  const group = { version: '4', groupKey: 'all', truncatedAlerts: 0, status: 'firing', receiver: 'podmend', externalURL: 'http://a:9093' };
  await to('POST', '/api/alerts/alertmanager', { ...group, groupLabels: {}, commonLabels: {}, commonAnnotations: {}, alerts });
  await to('PUT', '/api/agents/node-1', { version: '1.0.0', pods: 2, failing: pods, spooled: 0, dropped: 0 });
}

const LISTS = ['/api/pods/failed', '/api/incidents', '/api/security/findings', '/api/alerts'];
const COUNTS = ['/api/overview', '/api/history/workloads'];

test('what was stored before its namespace was hidden is shown nowhere, and what comes later neither', async () => {
  const before = await restart({}, 'signup');
  await report(before);
  for (const path of LISTS) assert.match(JSON.stringify(await before.get(path)), nameOf('hidden'), path);
  assert.is((await before.get<AgentRecord[]>('/api/agents'))[0]?.failing, 2);

  const after = await restart({ HIDDEN_NAMESPACES: 'hidden' }, 'login');
  const check = async () => {
    for (const path of [...LISTS, ...COUNTS]) assert.not.match(JSON.stringify(await after.get(path)), 'hidden', path);
    for (const path of LISTS) assert.match(JSON.stringify(await after.get(path)), nameOf('shop'), path);
  };
  await check();
  await report(after);
  await check();
  assert.is((await after.get<AgentRecord[]>('/api/agents'))[0]?.failing, 1);
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Advice } from '../../src/contract/advice.ts';
import type { AgentRecord } from '../../src/contract/agent.ts';
import type { FailureRecord } from '../../src/contract/failure.ts';
import type { Finding } from '../../src/contract/finding.ts';
import type { MirrorRecord } from '../../src/contract/mirror.ts';
import type { SocketData, SocketMessage } from '../../src/contract/socket.ts';
import type { SuppressionRecord } from '../../src/contract/suppression.ts';
import { adviceRepository } from '../../src/db/advice.ts';
import { failureHistoryRepository } from '../../src/db/failure-history.ts';
import { adviceSuppressionRepository, findingSuppressionRepository, failureSuppressionRepository } from '../../src/db/suppressible.ts';
import { exclusions } from '../../src/suppressions/exclusions.ts';
import { suppressionList } from '../../src/suppressions/list.ts';
import { suppressionWrites } from '../../src/suppressions/writes.ts';
import { adviser } from '../../src/advice/advise.ts';
import { internalBus } from '../../src/events.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { lastLogs } from '../../src/mirrors/last-log.ts';
import { mirrors } from '../../src/mirrors/deploy.ts';
import { mirrorController, type MirrorController } from '../../src/reconcilers/mirrorpod-controller.ts';
import { type Suppressions, suppressionController } from '../../src/reconcilers/suppression-controller.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { SERVICE_TOKEN, testApp, type TestApp } from '../support/worlds/app.ts';
import { aNamespace, installDefinitions } from '../support/cluster/clusters.ts';
import { aFindingReport } from '../support/builders/finding.ts';
import { aSourcePod, mirrorWorld, type MirrorWorld } from '../support/worlds/mirrors.ts';
import { aFailureReport } from '../support/builders/report.ts';
import { until } from '../support/runner/wait.ts';
import { quoted, rows, section } from './tables.ts';

// The table of messages: type, operation, data. A change with kubectl sends the same messages; the tests of the reconcilers cover that.

const PLACES = { operatorNamespace: 'podmend', hiddenNamespaces: ['hidden'] };
let sandbox: Sandbox;
let client: KubeClient;
let running: Suppressions;
let passes: ReturnType<Suppressions['lead']>;
let world: MirrorWorld;
let controller: MirrorController;
let advise: (namespace: string) => Promise<void>;
/** The app, and a second app on the database of the mirrors. `heard` is what a socket of each app received. */
let it: TestApp;
let mirrorApp: TestApp;
const heard: SocketMessage[] = [];

const table = suite('socket messages');
table.before(async () => {
  sandbox = await startSandbox({ speed: 20 });
  client = connect({ kubeconfigText: sandbox.kubeconfig });
  await installDefinitions(client);
  await Promise.all(['podmend', 'shop'].map((name) => aNamespace(client, name)));
  it = await testApp(({ hub, now, log, findings, settings }) => {
    const told = { hub, bus: internalBus(), settings };
    running = suppressionController({ client, ...PLACES, ...told, watchNamespaces: [], now, log });
    const { cache } = running;
    const writes = suppressionWrites({ client, cache, operatorNamespace: 'podmend' });
    const suppressible = {
      failures: {
        openIds: () => failureSuppressionRepository(it.store.db).openIds(),
        subjects: (ids: number[]) => failureSuppressionRepository(it.store.db).subjects(ids),
      },
      findings: {
        openIds: () => findingSuppressionRepository(it.store.db).openIds(),
        subjects: (ids: number[]) => findingSuppressionRepository(it.store.db).subjects(ids),
      },
    };
    return {
      exclusions: exclusions({ writes, cache, ...PLACES, now }),
      suppressions: suppressionList({ client, writes, cache, suppressible, findings, rules: running.rules, ...PLACES, now }),
    };
  });
  passes = running.lead(client, {
    failures: failureSuppressionRepository(it.store.db),
    findings: findingSuppressionRepository(it.store.db),
  });
  await running.start();
  const { hub: itsHub, now, log } = it.deps;
  const rows = {
    advice: adviceRepository(it.store.db),
    adviceSuppressions: adviceSuppressionRepository(it.store.db),
    failureHistory: failureHistoryRepository(it.store.db),
  };
  advise = adviser({
    client,
    ...rows,
    cluster: 'test',
    readSecretNames: false,
    suppressionOf: () => undefined,
    hub: itsHub,
    now,
    log,
  }).namespace;

  world = await mirrorWorld(sandbox.kubeconfig);
  const { deps, hub, failures, intake, previews, previewer } = world;
  controller = mirrorController(deps);
  const story = mirrors({ ...deps, lastLogs: lastLogs(deps), previews, previewer, locate: controller.locate, deniedNamespaces: [] });
  mirrorApp = await testApp(() => ({ failures, intake, previewer, mirrors: story, hub }));
  await controller.start();
  for (const { app } of [it, mirrorApp]) {
    const socket = await app.injectWS(`/api/ws?token=${SERVICE_TOKEN}&client=scanner`);
    socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString()) as SocketMessage));
  }
});
table.after(async () => {
  await controller?.stop();
  await passes?.stop();
  await running?.stop();
  await Promise.all([it?.close(), mirrorApp?.close()]);
  await world?.close();
  client?.close();
  await sandbox?.close();
});

type Who = 'service' | 'read' | 'write';
async function send<T>(who: Who, route: string, payload?: object, app = it): Promise<T> {
  const [method, url = ''] = route.split(' ');
  const answer = await app.send(who, { method: method as 'GET', url, ...(payload && { payload }) });
  assert.ok(answer.statusCode < 300, `${route}: ${answer.statusCode} ${answer.body}`);
  return (answer.body ? answer.json() : undefined) as T;
}

let pods = 0;
/** Reports a new failing pod. */
async function aFailure(over = {}): Promise<FailureRecord> {
  const name = `web-${++pods}`;
  // Each pod has its own workload, because the records of one workload share an incident and its status.
  const own = { pod_name: name, pod_uid: `uid-${name}`, workload: { kind: 'Deployment', name: `of-${name}` }, ...over };
  return send<FailureRecord>('service', 'POST /api/pods/failed', aFailureReport(own));
}
/** Reports a new failing pod. Returns the ids of its record and its incident. */
async function anIncident(): Promise<{ id: number; incident_id: number }> {
  const { id } = await aFailure();
  return it.store.db.selectFrom('failures').select(['id', 'incident_id']).where('id', '=', id).executeTakeFirstOrThrow();
}
const told = async <T>(work: Promise<T>): Promise<T> => {
  const done = await work;
  // Messages arrive later than the answer. Wait for those of this work, and drop them.
  await until(() => heard.length > 0, { what: 'the message before' });
  heard.length = 0;
  return done;
};
const aFinding = (over = {}) =>
  send<Finding>('service', 'POST /api/security/findings', aFindingReport({ resource_name: `web-${++pods}`, ...over }));
/** Creates a Job that gets advice, and returns that advice. */
async function anAdvice(): Promise<Advice[]> {
  const name = `batch-${++pods}`;
  const container = { name: 'app', image: 'web:1', resources: { requests: { cpu: '1m', memory: '1Mi' }, limits: { memory: '1Mi' } } };
  const template = { spec: { restartPolicy: 'Never', containers: [container] } };
  const job = { metadata: { name, namespace: 'shop' }, spec: { template, ttlSecondsAfterFinished: 60, suspend: true } };
  await client.create(KINDS.job, job);
  await advise('shop');
  return (await send<Advice[]>('read', 'GET /api/advice/findings')).filter(({ resource_name }) => resource_name === name);
}
const BEAT = { version: '1', pods: 1, failing: [], spooled: 0, dropped: 0 };
const SUPPRESSION = { reason: 'known and accepted', match: { pods: ['quiet-*'] } };
const RESOURCE = '/api/security/findings/resource/Pod/shop';
const found = (check_name: string) => ({ check_name, severity: 'low' });

type Rows = { [K in keyof SocketData]: Record<string, () => Promise<SocketData[K][]>> };
/** By type and operation: runs the operation, and returns the `data` of the messages of that type that it must send. */
const TABLE: Rows = {
  pod_failure: {
    async 'POST /api/pods/failed'() {
      const record = await aFailure();
      return [{ ...record, reason: record.failure_reason }];
    },
  },
  pod_status_change: {
    async 'PUT /api/pods/{pod_id}/status'() {
      const { id } = await told(aFailure());
      await send('write', `PUT /api/pods/${id}/status`, { status: 'investigating' });
      return [{ id, status: 'investigating' }];
    },
    async 'PUT /api/incidents/{id}/assignee'() {
      const { id, incident_id } = await told(anIncident());
      await send('write', `PUT /api/incidents/${incident_id}/assignee`, { username: 'the-write' });
      return [{ id, status: 'new', incident_id }];
    },
    async 'POST /api/incidents/{id}/comments'() {
      const { id, incident_id } = await told(anIncident());
      await send('write', `POST /api/incidents/${incident_id}/comments`, { text: 'Looking.' });
      return [{ id, status: 'new', incident_id }];
    },
    async 'DELETE /api/pods/failed/{pod_id}'() {
      const { id } = await told(aFailure());
      await send('write', `DELETE /api/pods/failed/${id}`);
      return [{ id, status: 'ignored' }];
    },
    async 'PUT /api/pods/ignored/{pod_id}/restore'() {
      const { id } = await told(aFailure());
      await told(send('write', `DELETE /api/pods/failed/${id}`));
      await send('write', `PUT /api/pods/ignored/${id}/restore`);
      return [{ id, status: 'new' }];
    },
    async 'POST /api/pods/dismiss-deleted with reason recovered'() {
      const { id, namespace, pod_name } = await told(aFailure());
      it.advance(1000);
      await send('service', 'POST /api/pods/dismiss-deleted', {
        namespace,
        pod_name,
        reason: 'recovered',
        observed_at: it.deps.now().toISOString(),
      });
      return [{ id, status: 'resolved' }];
    },
    async 'PUT /api/agents/{node} that names the pod no more'() {
      const { id } = await told(aFailure({ node_name: 'node-2' }));
      it.advance(1000);
      await send('service', 'PUT /api/agents/node-2', { ...BEAT, observed_at: it.deps.now().toISOString() });
      return [{ id, status: 'resolved' }];
    },
  },
  pod_deleted: {
    async 'POST /api/pods/dismiss-deleted'() {
      const { namespace, pod_name } = await told(aFailure());
      it.advance(1000);
      await send('service', 'POST /api/pods/dismiss-deleted', { namespace, pod_name, observed_at: it.deps.now().toISOString() });
      return [{ namespace, pod_name }];
    },
  },
  solution_updated: {
    async 'POST /api/pods/failed/{pod_id}/retry-solution'() {
      const { id } = await told(aFailure());
      const { solution } = await send<FailureRecord>('write', `POST /api/pods/failed/${id}/retry-solution`);
      return [{ id, solution: solution ?? '' }];
    },
  },
  agent_status: {
    async 'PUT /api/agents/{node}'() {
      await send('service', 'PUT /api/agents/node-3', BEAT);
      const agents = await send<AgentRecord[]>('read', 'GET /api/agents');
      return agents.filter(({ node }) => node === 'node-3');
    },
  },
  security_finding: {
    'POST /api/security/findings': async () => [await aFinding()],
    async 'PUT /api/security/findings/resource/{type}/{ns}/{name} with one more'() {
      return send<Finding[]>('service', `PUT ${RESOURCE}/replaced-1`, { findings: [found('one')] });
    },
    async 'PUT /api/security/findings/{id}/restore'() {
      const { id } = await told(aFinding());
      await told(send('write', `DELETE /api/security/findings/${id}`));
      return [await send<Finding>('write', `PUT /api/security/findings/${id}/restore`)];
    },
  },
  finding_deleted: {
    async 'DELETE /api/security/findings/{id}'() {
      const { id } = await told(aFinding());
      return [await send<Finding>('write', `DELETE /api/security/findings/${id}`)];
    },
    async 'DELETE /api/security/findings/resource/{type}/{ns}/{name}'() {
      const finding = await told(aFinding());
      await send('service', `DELETE ${RESOURCE}/${finding.resource_name}`);
      return [finding];
    },
    async 'PUT /api/security/findings/resource/{type}/{ns}/{name} without it'() {
      const finding = await told(aFinding());
      await send('service', `PUT ${RESOURCE}/${finding.resource_name}`, { findings: [] });
      const [resolved] = await send<Finding[]>('read', `GET /api/security/findings?status=resolved&q=${finding.resource_name}`);
      return resolved ? [resolved] : [];
    },
  },
  advice_finding: {
    async 'a detector that finds something'() {
      return anAdvice();
    },
    async 'PUT /api/advice/findings/{id}/ignore'() {
      const [one] = await told(anAdvice());
      return [await send<Advice>('write', `PUT /api/advice/findings/${one?.id}/ignore`)];
    },
    async 'PUT /api/advice/findings/{id}/restore'() {
      const [one] = await told(anAdvice());
      await told(send('write', `PUT /api/advice/findings/${one?.id}/ignore`));
      return [await send<Advice>('write', `PUT /api/advice/findings/${one?.id}/restore`)];
    },
    async 'a detector that does not find it any more'() {
      const [one] = await told(anAdvice());
      const found = await client.read(KINDS.job, 'shop', one?.resource_name ?? '');
      await client.remove(KINDS.job, 'shop', one?.resource_name ?? '', found?.metadata.uid ? { uid: found.metadata.uid } : {});
      await until(async () => !(await client.read(KINDS.job, 'shop', one?.resource_name ?? '')), { what: 'the Job to be gone' });
      await advise('shop');
      return one ? [{ ...one, status: 'resolved' }] : [];
    },
  },
  security_rescan_status: {
    async 'POST /api/security/rescan'() {
      await send('write', 'POST /api/security/rescan', { reason: 'a new policy' });
      return [{ status: 'requested', reason: 'a new policy' }];
    },
    async 'POST /api/security/rescan-status'() {
      for (const status of ['started', 'completed', 'failed'])
        await send('service', 'POST /api/security/rescan-status', { status, reason: 'trusted_registry_change' });
      return (['started', 'completed', 'failed'] as const).map((status) => ({ status, reason: 'trusted_registry_change' }));
    },
  },
  namespace_exclusion: {
    async 'POST /api/admin/excluded-namespaces'() {
      await send('write', 'POST /api/admin/excluded-namespaces', { namespace: 'noisy' });
      return [{ namespace: 'noisy', action: 'excluded' }];
    },
    async 'DELETE /api/admin/excluded-namespaces/{namespace}'() {
      await send('write', 'DELETE /api/admin/excluded-namespaces/noisy');
      return [{ namespace: 'noisy', action: 'included' }];
    },
  },
  trusted_registry_change: {
    async 'POST /api/security/trusted-registries'() {
      await send('write', 'POST /api/security/trusted-registries', { registry: 'registry.example:5000/team' });
      return [{ registry: 'registry.example:5000/team', action: 'added' }];
    },
    async 'DELETE /api/security/trusted-registries/{registry}'() {
      await send('write', 'DELETE /api/security/trusted-registries/registry.example:5000/team');
      return [{ registry: 'registry.example:5000/team', action: 'removed' }];
    },
  },
  suppression_change: {
    async 'POST /api/suppressions'() {
      return [{ ...(await send<SuppressionRecord>('write', 'POST /api/suppressions', SUPPRESSION)), action: 'added' }];
    },
    async 'POST /api/suppressions of the same match'() {
      const changed = { ...SUPPRESSION, reason: 'accepted until later' };
      return [{ ...(await send<SuppressionRecord>('write', 'POST /api/suppressions', changed)), action: 'changed' }];
    },
    async 'DELETE /api/suppressions/{name}'() {
      const [before] = await send<SuppressionRecord[]>('write', 'GET /api/suppressions');
      await send('write', `DELETE /api/suppressions/${before?.name}`);
      return before ? [{ ...before, active: false, action: 'removed' }] : [];
    },
  },
  mirror_status: {
    async 'POST /api/mirror/deploy/{pod_id}'() {
      const namespace = await world.namespace();
      await world.client.create(KINDS.pod, aSourcePod(namespace));
      const source = await world.client.read(KINDS.pod, namespace, 'web');
      const report = aFailureReport({ namespace, pod_name: 'web', pod_uid: source?.metadata.uid ?? null, workload: null });
      const { id } = await told(send<FailureRecord>('service', 'POST /api/pods/failed', report, mirrorApp));
      const manifest = JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: aSourcePod(namespace).spec });
      const { mirror_id } = await send<MirrorRecord>('write', `POST /api/mirror/deploy/${id}`, { manifest }, mirrorApp);
      deployed = await send<MirrorRecord>('read', `GET /api/mirror/status/${mirror_id}`, undefined, mirrorApp);
      return [deployed];
    },
    async 'DELETE /api/mirror/{mirror_id}'() {
      await send('write', `DELETE /api/mirror/${deployed?.mirror_id}`, undefined, mirrorApp);
      return deployed ? [{ ...deployed, status: 'Expired' }] : [];
    },
  },
};
let deployed: MirrorRecord | undefined;

/** Messages of other types that operations of this type also send. */
const BESIDES: Partial<Record<keyof SocketData, (keyof SocketData)[]>> = {
  pod_status_change: ['agent_status'],
  namespace_exclusion: ['suppression_change'],
  trusted_registry_change: ['suppression_change'],
};
/** A mirror changes while it runs. Its messages keep their shape, but these fields (times, conditions, evidence) differ. */
const LIVING = ['status', 'expires_at', 'conditions', 'events', 'verdict', 'explanation', 'fixed_manifest', 'evidence'] as const;
const seen = new Map<string, Record<string, unknown>[]>();

for (const [type, operations] of Object.entries(TABLE) as [keyof SocketData, Record<string, () => Promise<object[]>>][]) {
  for (const [operation, run] of Object.entries(operations)) {
    table(`${operation} sends ${type}`, async () => {
      heard.length = 0;
      const expected = await run();
      assert.ok(expected.length > 0);
      const ours = () => heard.filter((message) => message.type === type).map(({ data }) => data as object);
      const isThere = type === 'mirror_status' ? () => tells(ours(), expected) : () => ours().length >= expected.length;
      await until(isThere, { what: `${type}; heard ${JSON.stringify(heard)}` });
      const data = ours();
      if (type === 'mirror_status') assertMirror(data as MirrorRecord[], expected[0] as MirrorRecord);
      else assert.equal(data, expected);
      for (const message of heard) {
        assert.equal(Object.keys(message), ['type', 'data']);
        assert.ok(message.type === type || BESIDES[type]?.includes(message.type), `${message.type} besides`);
      }
      seen.set(type, [...(seen.get(type) ?? []), ...(data as Record<string, unknown>[])]);
    });
  }
}

/** The names of the fields of `data` in the specification, without the remarks. */
function namesIn(fields: string): string[] {
  const list = /^the failure record \((.+)\)$/.exec(fields)?.[1] ?? fields.replaceAll(/ \([^)]*\)/g, '');
  return list.replace(' or name', '').replace(' and others', '').split(', ');
}

const EVENTS = rows(section('Events'));
table('the specification’s types are eight', () => assert.is(EVENTS.length, 8));
for (const [type = '', fields = ''] of EVENTS) {
  for (const name of namesIn(fields)) {
    table(`${type} has ${name}`, () => {
      const all = seen.get(type) ?? [];
      assert.ok(all.length > 0);
      for (const data of all) assert.type(data[name], name === 'id' ? 'number' : 'string');
    });
  }
  for (const value of quoted(fields))
    table(`${type} is seen with ${value}`, () => assert.ok(seen.get(type)?.some((data) => Object.values(data).includes(value))));
}

table.run();

/** Whether the messages are complete. For an expired mirror, the last message says `Expired`. */
function tells(data: object[], [expected]: object[]): boolean {
  const ends = (expected as MirrorRecord).status === 'Expired';
  return data.some((record) => !ends || (record as MirrorRecord).status === 'Expired');
}

function assertMirror(data: MirrorRecord[], expected: MirrorRecord): void {
  const standing = (record: MirrorRecord) => ({ ...record, ...Object.fromEntries(LIVING.map((name) => [name, typeof record[name]])) });
  for (const record of data) assert.equal(Object.keys(record).sort(), Object.keys(expected).sort());
  assert.equal({ ...standing(data[0]!), expires_at: '', verdict: '' }, { ...standing(expected), expires_at: '', verdict: '' });
}

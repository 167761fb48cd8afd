import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import WebSocket from 'ws';
import type { Advice } from '../../src/contract/advice.ts';
import type { FailureRecord } from '../../src/contract/failure.ts';
import type { MirrorRecord } from '../../src/contract/mirror.ts';
import type { SocketMessage } from '../../src/contract/socket.ts';
import { clusterUser } from '../support/cluster/user.ts';
import { createDatabase, postgresUrl } from '../support/database/database.ts';
import { fillFolder } from '../support/database/store.ts';
import { loadFinding } from '../support/load/finding.ts';
import { loadReport } from '../support/load/report.ts';
import { apiClient, type Client } from '../support/network/client.ts';
import { freePort, type Running, startMode } from '../support/processes/process.ts';
import { until } from '../support/runner/wait.ts';

// Two operators and an in-memory cluster, as three processes.

const CRDS = fileURLToPath(new URL('../../crds/', import.meta.url));
const TOKEN = 'replicas-story-token';
const PATIENT = { timeoutMs: 60_000 };

interface World extends AsyncDisposable {
  kubectl: Awaited<ReturnType<typeof clusterUser>>;
  folder: string;
  /** Starts an operator in its own folder, or restarts it there. */
  start(name: string, env?: Record<string, string>): Promise<Replica>;
}
interface Replica {
  url: string;
  process: Running;
}

async function world(): Promise<World> {
  await using begun = new AsyncDisposableStack();
  const folder = begun.adopt(await mkdtemp(join(tmpdir(), 'podmend-replicas-')), (path) => rm(path, { recursive: true, force: true }));
  const sandbox = begun.adopt(startMode('sandbox', {}), (one) => void one.stop());
  const [, kubeconfig = ''] = await sandbox.line(/^kubeconfig: (\S+)$/m);
  const kubectl = begun.adopt(await clusterUser(kubeconfig), ({ close }) => close());
  await kubectl('apply', '-f', CRDS);
  await kubectl.apply('{apiVersion: v1, kind: Namespace, metadata: {name: podmend}}');
  const running = begun.move();
  return {
    kubectl,
    folder,
    async start(name, env = {}) {
      const port = await freePort();
      const all = {
        KUBECONFIG: kubeconfig,
        SERVICE_TOKEN: TOKEN,
        HOST: '127.0.0.1',
        PORT: String(port),
        DATA_DIR: join(folder, name),
        ...env,
      };
      const process = running.adopt(startMode('operator', all), async (one) => void (await one.stop()));
      await process.line(/operator is ready/);
      return { url: `http://127.0.0.1:${port}`, process };
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** A client that stays connected: if its socket is closed, it connects again. */
interface Watcher {
  messages: SocketMessage[];
  codes: number[];
  isOpen(): boolean;
  end(): void;
}

function watch({ url }: Replica): Watcher {
  const watcher: Watcher = { messages: [], codes: [], isOpen: () => socket.readyState === WebSocket.OPEN, end: () => {} };
  let socket: WebSocket;
  let isEnded = false;
  const connect = (): void => {
    socket = new WebSocket(`${url.replace('http', 'ws')}/api/ws?token=${TOKEN}`);
    socket.on('message', (data: Buffer) => void watcher.messages.push(JSON.parse(data.toString()) as SocketMessage));
    socket.on('error', () => {});
    socket.on('close', (code) => {
      watcher.codes.push(code);
      if (!isEnded) setTimeout(connect, 50);
    });
  };
  connect();
  watcher.end = () => {
    isEnded = true;
    socket.terminate();
  };
  return watcher;
}

/** The object of a message, and what the message says about it. Empty for objects that the story does not create. */
function told({ type, data }: SocketMessage): [string, string] {
  if (type === 'pod_failure') return [`record ${data.id}`, type];
  if (type === 'pod_status_change') return [`record ${data.id}`, data.incident_id === undefined ? data.status : 'assigned'];
  if (type === 'solution_updated') return [`record ${data.id}`, type];
  if (type === 'pod_deleted') return [`pod ${data.pod_name}`, type];
  if (type === 'security_finding' || type === 'finding_deleted') return [`finding ${data.id}`, type];
  if (type === 'agent_status') return [`agent ${data.node}`, String(data.pods)];
  if (type === 'suppression_change') return [`suppression ${(data.match.namespaces ?? data.match.images ?? []).join()}`, data.action];
  if (type === 'namespace_exclusion') return [`namespace ${data.namespace}`, data.action];
  if (type === 'trusted_registry_change') return [`registry ${data.registry}`, data.action];
  if (type === 'security_rescan_status') return [`rescan ${data.reason}`, data.status];
  return ['', ''];
}

/** What was heard about each object, in order. */
function byThing(messages: SocketMessage[]): Record<string, string[]> {
  const things: Record<string, string[]> = {};
  for (const [thing, what] of messages.map(told)) if (thing) (things[thing] ??= []).push(what);
  return Object.fromEntries(Object.entries(things).sort(([one], [other]) => (one < other ? -1 : 1)));
}

const SERVICE = { 'x-service-token': TOKEN };

/** Makes twelve changes to the nth objects, alternately at both replicas. Returns the messages that must be heard. */
async function change(n: number, [here, there]: [Client, Client]): Promise<Record<string, string[]>> {
  const send = async <T>(client: Client, method: string, path: string, body: unknown, headers?: Record<string, string>): Promise<T> => {
    const answer = await client.send<T>(method, path, body, headers);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const report = loadReport(n, 'story');
  const { id, incident_id, namespace, pod_name } = await send<FailureRecord>(here, 'POST', '/api/pods/failed', JSON.parse(report), SERVICE);
  await send(there, 'PUT', `/api/pods/${id}/status`, { status: 'investigating' });
  await send(here, 'PUT', `/api/pods/${id}/status`, { status: 'new' });
  await send(there, 'PUT', `/api/incidents/${incident_id}/assignee`, { username: 'admin' });
  await send(there, 'POST', `/api/pods/failed/${id}/retry-solution`, undefined);
  await send(here, 'POST', '/api/pods/dismiss-deleted', { namespace, pod_name }, SERVICE);
  const load = { count: 1, concurrency: 1, prefix: `story-${n}`, perRequest: 'one by one' as const, hasManifest: false, round: 0 };
  const finding = await send<{ id: number }>(there, 'POST', '/api/security/findings', loadFinding(0, load), SERVICE);
  await send(here, 'DELETE', `/api/security/findings/${finding.id}`, undefined);
  await send(there, 'PUT', `/api/security/findings/${finding.id}/restore`, undefined);
  const beat = (pods: number) => ({ version: '1', pods, failing: [], spooled: 0, dropped: 0 });
  await send(here, 'PUT', `/api/agents/node-of-${n}`, beat(1), SERVICE);
  await send(there, 'PUT', `/api/agents/node-of-${n}`, beat(2), SERVICE);
  await send(here, 'POST', '/api/security/rescan-status', { status: 'started', reason: String(n) }, SERVICE);
  return {
    [`record ${id}`]: ['pod_failure', 'investigating', 'new', 'assigned', 'solution_updated'],
    [`pod ${pod_name}`]: ['pod_deleted'],
    [`finding ${finding.id}`]: ['security_finding', 'finding_deleted', 'security_finding'],
    [`agent node-of-${n}`]: ['1', '2'],
    [`rescan ${n}`]: ['started'],
  };
}

/** Changes that the leader announces. They come from the API, and the leader sees them in the cluster. */
async function changeRules(n: number, client: Client): Promise<Record<string, string[]>> {
  const [namespace, registry] = [`quiet-${n}`, `registry-${n}.example`];
  const ok = async (method: string, path: string, body?: unknown) =>
    assert.is((await client.send(method, path, body)).status, 200, `${method} ${path}`);
  await ok('POST', '/api/admin/excluded-namespaces', { namespace });
  await ok('POST', '/api/security/trusted-registries', { registry });
  return {
    [`namespace ${namespace}`]: ['excluded'],
    [`registry ${registry}`]: ['added'],
    [`suppression ${namespace}`]: ['added'],
    [`suppression ${registry}/*`]: ['added'],
  };
}

const SHOP = `
{apiVersion: v1, kind: Namespace, metadata: {name: shop}}
---
{apiVersion: v1, kind: Pod, metadata: {name: till, namespace: shop}, spec: {containers: [{name: app, image: 'web:404'}]}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: batch, namespace: shop}
spec:
  suspend: true
  ttlSecondsAfterFinished: 60
  template:
    spec:
      restartPolicy: Never
      containers: [{name: app, image: 'web:1', resources: {requests: {cpu: 1m, memory: 1Mi}, limits: {memory: 1Mi}}}]
`;
const RIGHT = JSON.stringify({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'till' } },
  spec: { containers: [{ name: 'app', image: 'web:1' }] },
});

/** The id of the leader's advice about the Job. */
async function advised(client: Client): Promise<number> {
  const found = async () => (await client.get<Advice[]>('/api/advice/findings')).find(({ resource_name }) => resource_name === 'batch')?.id;
  return until(found, { ...PATIENT, everyMs: 250, what: 'advice about the Job' });
}

/**
 * Creates a mirror, whose every change the leader announces, and advice, which people judge. Nobody knows beforehand how often a mirror
 * changes. So the test only checks that all watchers hear the same. Returns the id of its record.
 */
async function changeCluster([here, there]: [Client, Client], uid: string, watchers: Watcher[]): Promise<number> {
  /** What each watcher heard about one object. */
  const heard = <T>(isAbout: (message: SocketMessage) => boolean): T[][] =>
    watchers.map(({ messages }) => messages.filter(isAbout).map(({ data }) => data as T));
  const ok = async <T>(client: Client, method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T> => {
    const answer = await client.send<T>(method, path, body, headers);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const report = { ...(JSON.parse(loadReport(0, 'till')) as object), pod_name: 'till', namespace: 'shop', pod_uid: uid };
  const { id } = await ok<FailureRecord>(here, 'POST', '/api/pods/failed', report, SERVICE);
  const { mirror_id } = await ok<MirrorRecord>(there, 'POST', `/api/mirror/deploy/${id}`, { manifest: RIGHT });
  const ofMirror = () => heard<MirrorRecord>(({ type, data }) => type === 'mirror_status' && data.mirror_id === mirror_id);
  const isRunning = () => ofMirror().every((all) => all.some(({ status }) => status === 'Running'));
  await until(isRunning, { ...PATIENT, what: 'the mirror that runs, at every socket' });
  await ok(here, 'DELETE', `/api/mirror/${mirror_id}`);
  const isOver = () => ofMirror().every((all) => all.at(-1)?.status === 'Expired');
  await until(isOver, { ...PATIENT, what: 'the end of the mirror, at every socket' });
  const [first = [], ...others] = ofMirror();
  for (const other of others) assert.equal(other, first);
  const isTwice = (data: MirrorRecord, index: number) => index > 0 && isDeepStrictEqual(data, first[index - 1]);
  assert.not.ok(first.some(isTwice), 'no message came twice');

  const advice = await advised(here);
  await ok(here, 'PUT', `/api/advice/findings/${advice}/ignore`);
  await ok(there, 'PUT', `/api/advice/findings/${advice}/restore`);
  const ofAdvice = () => heard<Advice>(({ type, data }) => type === 'advice_finding' && data.id === advice);
  const isJudged = () => ofAdvice().every((all) => all.length >= 2);
  await until(isJudged, { ...PATIENT, what: 'both judgements of the advice, at every socket' });
  const told = ofAdvice().map((all) => all.map(({ status }) => status).join(' '));
  assert.equal(new Set(told), new Set(['ignored open']));
  return id;
}

const test = suite('replicas');

test('sockets of both hear every change once and in order, whoever made it, also when the leader is killed', async () => {
  await using cluster = await world();
  await using begun = new AsyncDisposableStack();
  await cluster.kubectl.apply(SHOP);
  const uid = await cluster.kubectl('get', 'pod', 'till', '-n', 'shop', '-o', 'jsonpath={.metadata.uid}');
  const database = begun.adopt(await createDatabase(postgresUrl ?? ''), ({ drop }) => drop());
  const env = { DATABASE_URL: database.url };
  const replicas = [await cluster.start('one', env), await cluster.start('two', env)] as [Replica, Replica];
  await replicas[0].process.line(/this process leads"/);
  const clients = replicas.map(({ url }) => apiClient(url)) as [Client, Client];
  const login = { username: 'admin', password: 'correct horse' };
  assert.is((await clients[0].send('POST', '/api/auth/signup', login)).status, 200);
  assert.is((await clients[1].send('POST', '/api/auth/login', login)).status, 200);
  const watchers = replicas.map((replica) => begun.adopt(watch(replica), ({ end }) => end()));
  await until(() => watchers.every(({ isOpen }) => isOpen()), { ...PATIENT, what: 'both sockets' });
  await advised(clients[1]);

  const run = async (from: number, to: number, pair: [Client, Client]): Promise<Record<string, string[]>> => {
    let next = from;
    const expected: Record<string, string[]> = {};
    const worker = async (): Promise<void> => {
      while (next < to) {
        const n = next++;
        Object.assign(expected, await change(n, n % 2 === 0 ? pair : [pair[1], pair[0]]));
      }
    };
    await Promise.all(Array.from({ length: 6 }, worker));
    Object.assign(expected, await changeRules(from, pair[1]));
    return Object.fromEntries(Object.entries(expected).sort(([one], [other]) => (one < other ? -1 : 1)));
  };
  /** Objects that earlier checks covered. One socket may hear of them a moment later than the other. */
  const past = new Set<string>();
  const hear = async (expected: Record<string, string[]>, ...by: Watcher[]): Promise<void> => {
    const count = Object.values(expected).flat().length;
    const heard = (watcher: Watcher) => Object.fromEntries(Object.entries(byThing(watcher.messages)).filter(([thing]) => !past.has(thing)));
    await until(() => by.every((one) => Object.values(heard(one)).flat().length >= count), {
      ...PATIENT,
      what: () => `${count} messages, not ${by.map((one) => Object.values(heard(one)).flat().length).join()}`,
    });
    for (const one of by) assert.equal(heard(one), expected);
    for (const one of by) one.messages.length = 0;
  };
  await hear(await run(0, 50, clients), ...watchers);
  past.add(`record ${await changeCluster(clients, uid, watchers)}`);
  assert.equal(watchers.map(({ codes }) => codes).flat(), [], 'no socket was closed');

  const [, survivor] = watchers as [Watcher, Watcher];
  await replicas[0].process.stop('SIGKILL');
  // Nobody leads now. The next leader must announce these changes.
  const meanwhile = changeRules(1_000, clients[1]);
  await until(() => survivor.codes.length === 1 && survivor.isOpen(), { ...PATIENT, what: 'the socket of the other one to be closed' });
  assert.equal(survivor.codes, [1012]);
  const expected = await meanwhile;
  const again = await cluster.start('one', env);
  watchers[0]?.end();
  const watcher = begun.adopt(watch(again), ({ end }) => end());
  await until(() => watcher.isOpen(), { ...PATIENT, what: 'a socket of the restarted one' });
  const isSaid = () => Object.keys(expected).every((thing) => thing in byThing(survivor.messages));
  await until(isSaid, { ...PATIENT, what: 'the exclusions that were made while nobody led' });
  for (const thing of Object.keys(expected)) past.add(thing);
  survivor.messages.length = 0;
  watcher.messages.length = 0;
  const client = apiClient(again.url);
  assert.is((await client.send('POST', '/api/auth/login', login)).status, 200);
  await hear(await run(50, 100, [client, clients[1]]), watcher, survivor);
  await changeCluster([client, clients[1]], uid, [watcher, survivor]);
  assert.equal([watcher.codes, survivor.codes], [[], [1012]], 'only the kill closed a socket');
});

test('a second one with a database of its own is not ready and says why; the first one goes on', async () => {
  await using cluster = await world();
  await Promise.all(['one', 'two'].map((name) => fillFolder(join(cluster.folder, name))));
  await cluster.kubectl.apply(
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: hostname(), namespace: 'podmend' },
      spec: { containers: [{ name: 'operator', image: 'web:1' }] },
    }),
  );
  const first = await cluster.start('one');
  await first.process.line(/this process leads"/);
  const second = await cluster.start('two');
  const ready = async ({ url }: Replica) => {
    const answer = await fetch(`${url}/ready`);
    return `${answer.status} ${await answer.text()}`;
  };
  await until(async () => (await ready(second)).startsWith('503'), { ...PATIENT, what: 'the second one not to be ready' });
  assert.match(await ready(second), /replicas need DATABASE_URL/);
  assert.match(await ready(first), /^200/);
  const describe = () => cluster.kubectl('describe', 'pod', hostname(), '-n', 'podmend');
  await until(async () => (await ready(second)) && (await describe()).includes('DatabaseNotShared'), {
    ...PATIENT,
    everyMs: 1_000,
    what: 'the reason among the events of its pod',
  });
  assert.match(second.process.output(), /Replicas need a common DATABASE_URL/);
});

if (postgresUrl) test.run();
else console.log('SKIP replicas: TEST_DATABASE_URL is not set');

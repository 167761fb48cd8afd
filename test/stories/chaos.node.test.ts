import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { API_VERSION, type MirrorPod } from '../../src/crd/mirrorpod.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { createDatabase, postgresUrl, type TestDatabase } from '../support/database/database.ts';
import { type Installed, installPodmend } from '../support/worlds/installed.ts';
import { longOr } from '../support/runner/long.ts';
import { random } from '../support/builders/random.ts';
import { until } from '../support/runner/wait.ts';
import { recordChaos, type SeenMirror } from './chaos-record.ts';
import { onNode } from '../support/cluster/on-node.ts';

/**
 * Many mirrors while the operator is killed and started again at random moments. A seed decides the moments. Each mirror ends in time,
 * whether the operator runs or not. Services and ReplicaSets never notice a mirror. Long form: 100 mirrors, 5 minutes.
 */

const SEED = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000);
const NAMESPACES = [1, 2, 3, 4].map((n) => `chaos-${SEED}-${n}`);
const MIRRORS = longOr(100, 30);
const SECONDS = longOr(300, 62);
const LONGEST_TTL = longOr(240, 62);
/** How long the operator is up, and how long it is away in between. One absence is long enough for deadlines to pass. */
const [UP, AWAY, LONG_AWAY] = [longOr([5, 25], [8, 14]), [0, 3], 12] as const;
/** How long a new leader may take to end what is overdue. */
const SETTLE_MS = 3_000;
/** The error of times in objects, which have whole seconds. */
const LATE_MS = 1_000;
/** How long a busy kubelet may take to end a pod after its deadline. */
const KUBELET_MS = 8_000;

const SOURCES = (namespace: string) => `
apiVersion: v1
kind: Namespace
metadata: {name: ${namespace}}
---
apiVersion: v1
kind: Service
metadata: {name: shop, namespace: ${namespace}}
spec: {selector: {app: shop}, ports: [{port: 80}], publishNotReadyAddresses: true}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop, namespace: ${namespace}}
spec:
  replicas: 1
  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec:
      terminationGracePeriodSeconds: 1
      containers: [{name: app, image: 'web:1', readinessProbe: {httpGet: {path: /, port: 8080}}}]
`;

/** A time in which the operator led and had settled. The last one has no end. */
interface Run {
  from: number;
  to: number;
}

function tell(admin: string): void {
  const test = suite(`mirrors while the operator is killed (seed ${SEED})`);
  const dice = random(SEED);
  const between = ([from, to]: readonly number[]) => (from ?? 0) + dice.next() * ((to ?? 0) - (from ?? 0));
  const runs: Run[] = [];
  let podmend: Installed;
  let database: TestDatabase | undefined;
  let client: KubeClient;
  let record: ReturnType<typeof recordChaos>;
  let sources: Map<string, string>;

  const startOperator = async () => {
    const operator = await podmend.startOperator({ MIRROR_LIMITS: '300,300,300', ...(database ? { DATABASE_URL: database.url } : {}) });
    await operator.line(/this process leads/);
    runs.push({ from: Date.now() + SETTLE_MS, to: Infinity });
    return operator;
  };
  const sourcesNow = async () => {
    const pods = await client.list(KINDS.pod, { labelSelector: 'app=shop' });
    return new Map(
      pods
        .filter(({ metadata }) => NAMESPACES.includes(metadata.namespace ?? ''))
        .map(({ metadata }) => [metadata.namespace ?? '', metadata.name ?? '']),
    );
  };

  test.before(async () => {
    podmend = await installPodmend(admin);
    if (postgresUrl) database = await createDatabase(postgresUrl);
    client = connect({ kubeconfig: admin });
    await podmend.kubectl.apply(NAMESPACES.map(SOURCES).join('---'));
    record = recordChaos(client, NAMESPACES);
    await record.start();
    await until(async () => (sources = await sourcesNow()).size === NAMESPACES.length && record.endpoints() > 0, {
      everyMs: 250,
      what: 'the sources and their endpoints',
    });
  });
  test.after(async () => {
    await record?.stop();
    client?.close();
    await podmend?.stop(NAMESPACES);
    await database?.drop();
  });

  test(`${MIRRORS} mirrors live while the operator comes and goes`, async () => {
    let operator = await startOperator();
    const end = Date.now() + SECONDS * 1000;
    const longAwayAt = Date.now() + (SECONDS - LONG_AWAY) * 600;
    let made = 0;
    let isLongDone: boolean = false;
    const make = async () => {
      const namespace = NAMESPACES[made % NAMESPACES.length] ?? '';
      const mirror = mirrorOf(`try-${made++}`, namespace, sources.get(namespace) ?? '', Math.round(between([30, LONGEST_TTL])));
      await client.create(KINDS.mirrorPod, mirror);
    };
    for (let n = 0; n < MIRRORS; n++) await make();
    while (Date.now() < end) {
      const upUntil = (runs.at(-1)?.from ?? 0) - SETTLE_MS + between(UP) * 1000;
      while (Date.now() < upUntil) {
        await sleep(250);
        // Replaces mirrors that have ended, while enough time is left. Only the long form has that time.
        if (record.live().mirrorPods < MIRRORS && end - Date.now() > 60_000) await make();
      }
      const run = runs.at(-1) as Run;
      run.to = Date.now();
      await operator.stop('SIGKILL');
      const isLong: boolean = !isLongDone && Date.now() > longAwayAt;
      isLongDone ||= isLong;
      await sleep(isLong ? LONG_AWAY * 1000 : between(AWAY) * 1000);
      operator = await startOperator();
    }
    await until(() => record.live().mirrorPods + record.live().pods === 0, {
      timeoutMs: LONGEST_TTL * 1000 + 20_000,
      everyMs: 250,
      what: () => `nothing to be left: ${JSON.stringify(record.live())}\n${operator.output().slice(-2000)}`,
    });
    console.log(`seed ${SEED}: ${made} mirrors, ${record.mirrors.size} pods, ${runs.length - 1} kills`);
    const owners = [...record.mirrors.values()].map(({ of }) => of);
    assert.is(new Set(owners).size, owners.length, 'none ran twice');
    // Some mirrors may be over before an operator can make their pod.
    assert.ok(owners.length > made / 2, `${owners.length} of ${made} ran`);
    assert.is(await operator.stop(), 0);
  });

  test('each was deleted within a second of its time when the operator ran, and had ended by its deadline when not', () => {
    const wrong: string[] = [];
    const lateness: number[] = [];
    let unattended = 0;
    for (const mirror of record.mirrors.values()) {
      const expiresAt = record.expirations.get(mirror.of) ?? Number.NaN;
      if (runs.some(({ from, to }) => from <= expiresAt && expiresAt + 2 * LATE_MS < to)) {
        lateness.push((mirror.deletionSeenAt ?? Infinity) - expiresAt);
        if (!(Math.abs((mirror.deletedAt ?? Infinity) - expiresAt) <= LATE_MS)) wrong.push(`${mirror.name}: ${told(mirror, expiresAt)}`);
        continue;
      }
      unattended += 1;
      const next = runs.find(({ from }) => from > expiresAt)?.from ?? Infinity;
      const due = Math.min(next, mirror.deadlineAt ?? Infinity) + KUBELET_MS;
      if (!((mirror.endedAt ?? Infinity) <= due)) wrong.push(`${mirror.name}, unattended: ${told(mirror, expiresAt)}`);
    }
    lateness.sort((a, b) => a - b);
    const at = (part: number) => lateness[Math.floor(part * (lateness.length - 1))];
    console.log(
      `${lateness.length} ended by the operator, seen ${at(0.5)} ms after their time (p99 ${at(0.99)} ms); ${unattended} while it was away`,
    );
    assert.equal(wrong, []);
    assert.ok(lateness.length > 0 && unattended > 0, 'both ways of ending were tried');
  });

  test('no EndpointSlice ever held one, no ReplicaSet lost or made a pod', async () => {
    assert.equal(record.served, []);
    assert.is(record.replicas.size, NAMESPACES.length);
    for (const uids of record.replicas.values()) assert.is(uids.size, 1);
    assert.equal(await sourcesNow(), sources);
  });

  test('each had its NetworkPolicy from its first moment on, and none is left', async () => {
    for (const { name, of, version } of record.mirrors.values()) {
      const policy = record.policies.get(name);
      assert.ok(Number(policy?.metadata.resourceVersion) < version, `${name} came after its policy`);
      const { podSelector, policyTypes, ingress = [] } = policy?.spec ?? {};
      assert.equal([podSelector, policyTypes, ingress], [{ matchLabels: { 'podmend.dev/mirror-of': of } }, ['Ingress', 'Egress'], []]);
    }
    const left = async () =>
      (await client.list(KINDS.networkPolicy)).filter(({ metadata }) => NAMESPACES.includes(metadata.namespace ?? ''));
    await until(async () => (await left()).length === 0, { everyMs: 250, what: 'no policy to be left' });
  });

  test.run();
}

function told({ deletedAt = NaN, deletionSeenAt = NaN, deadlineAt = NaN, endedAt = NaN }: SeenMirror, expiresAt: number): string {
  const after = (at: number) => `${((at - expiresAt) / 1000).toFixed(2)} s`;
  return `after its time: deleted ${after(deletedAt)}, seen ${after(deletionSeenAt)}; deadline ${after(deadlineAt)}, ended ${after(endedAt)}`;
}

function mirrorOf(name: string, namespace: string, source: string, ttlSeconds: number): MirrorPod {
  const container = { name: 'app', image: 'web:1', readinessProbe: { httpGet: { path: '/', port: 80 } } };
  return {
    apiVersion: API_VERSION,
    kind: 'MirrorPod',
    metadata: { name, namespace },
    spec: { source: { name: source }, ttlSeconds, template: { spec: { terminationGracePeriodSeconds: 1, containers: [container] } } },
  };
}

onNode('mirrors while the operator is killed', tell);

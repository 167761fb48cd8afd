import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FailureRecord } from '../../src/contract/failure.ts';
import { apiClient } from '../support/network/client.ts';
import type { ClusterUser } from '../support/cluster/user.ts';
import type { Running } from '../support/processes/process.ts';
import { until } from '../support/runner/wait.ts';

/** A cluster whose operator can be killed and restarted on the same database. */
export interface Killable {
  url: string;
  kubectl: ClusterUser;
  startOperator(): Promise<Running>;
  stop(): Promise<void>;
}

const NAMESPACE = 'restart';
const MIRRORS = ['try-1', 'try-2', 'try-3', 'try-4'];
/** Enough for three starts of an operator and one verdict on a busy machine. The window of a source that never ran is a minute. */
const LONG_TTL = 600;
/**
 * When the operator is killed, in milliseconds after the creation of the MirrorPods: before, during and after the creation of their pods.
 */
const KILLS = [150, 600, 1500];

const SOURCE = `
apiVersion: v1
kind: Namespace
metadata: {name: ${NAMESPACE}}
---
apiVersion: v1
kind: Pod
metadata: {name: broken, namespace: ${NAMESPACE}}
spec: {containers: [{name: app, image: 'web:1', command: [/app/start]}]}
`;
const mirror = (name: string) => `
apiVersion: podmend.dev/v1alpha1
kind: MirrorPod
metadata: {name: ${name}, namespace: ${NAMESPACE}}
spec:
  source: {name: broken}
  ttlSeconds: ${LONG_TTL}
  template: {spec: {containers: [{name: app, image: 'web:1'}]}}
`;

/**
 * Kills the operator with SIGKILL while mirrors run. Each mirror ends, and none before its time. Nothing is left. No record is lost or
 * doubled.
 */
export function tellRestartStory(name: string, start: () => Promise<Killable>): void {
  const test = suite(name);
  let world: Killable;

  test.before(async () => {
    world = await start();
  });
  test.after(() => world?.stop());

  test('killed at three moments, the operator ends every mirror after its time and doubles nothing', async () => {
    let operator = await world.startOperator();
    const client = apiClient(world.url);
    assert.is((await client.send('POST', '/api/auth/signup', { username: 'admin', password: 'correct horse' })).status, 200);
    await world.kubectl.apply(SOURCE);
    const records = async () => (await client.get<FailureRecord[]>('/api/pods/failed')).filter((record) => record.namespace === NAMESPACE);
    const [before] = await until(async () => ((await records()).length === 1 ? records() : undefined), {
      everyMs: 250,
      what: 'the broken pod to be listed',
    });

    const createdAt = Date.now();
    await world.kubectl.apply(MIRRORS.map(mirror).join('\n---\n'));
    for (const after of KILLS) {
      await sleep(Math.max(0, createdAt + after - Date.now()));
      await operator.stop('SIGKILL');
      operator = await world.startOperator();
    }
    const statuses = () =>
      world.kubectl('get', 'mirrorpods', '-n', NAMESPACE, '-o', 'jsonpath={range .items[*]}{.metadata.name} {.status}{"\\n"}{end}');
    await world
      .kubectl('wait', '--for=condition=Ready', 'mirrorpods', '--all', '-n', NAMESPACE, '--timeout=180s')
      .catch(async (error: unknown) => assert.unreachable(`${String(error)}\n${await statuses()}\n${operator.output().slice(-4000)}`));
    const verdicts = await world.kubectl('get', 'mirrorpods', '-n', NAMESPACE, '-o', 'jsonpath={.items[*].status.verdict}');
    assert.equal(
      verdicts.split(' '),
      MIRRORS.map(() => 'Fixed'),
    );

    const age = Math.ceil((Date.now() - createdAt) / 1000);
    const ttls = new Map(MIRRORS.map((name, i) => [name, Math.max(30, age + 10 + i)]));
    for (const [name, ttl] of ttls)
      await world.kubectl('patch', 'mirrorpod', name, '-n', NAMESPACE, '--type=merge', '-p', JSON.stringify({ spec: { ttlSeconds: ttl } }));
    const endedAfter = new Map<string, number>();
    const left = async () => {
      const names = (await world.kubectl('get', 'mirrorpods', '-n', NAMESPACE, '-o', 'jsonpath={.items[*].metadata.name}')).split(' ');
      const seconds = (Date.now() - createdAt) / 1000;
      for (const name of MIRRORS) if (!names.includes(name) && !endedAfter.has(name)) endedAfter.set(name, seconds);
      return MIRRORS.length - endedAfter.size;
    };
    await until(async () => (await left()) === 0, {
      timeoutMs: 90_000,
      everyMs: 200,
      what: () => `the mirrors to end: ${String(endedAfter.size)} did`,
    });
    // Kubernetes stores the creation time in whole seconds, so an end may seem up to a second early.
    for (const [name, seconds] of endedAfter)
      assert.ok(seconds > (ttls.get(name) ?? 0) - 1.5, `${name} with a TTL of ${ttls.get(name)} s ended after ${seconds} s`);

    const pods = () => world.kubectl('get', 'pods,networkpolicies', '-n', NAMESPACE, '-l', 'podmend.dev/mirror=true', '-o', 'name');
    await until(async () => (await pods()).trim() === '', { everyMs: 250, what: 'nothing of the mirrors to be left' });
    const after = await records();
    assert.is(after.length, 1);
    assert.is(after[0]?.id, before?.id);
    assert.is(after[0]?.trials.length, MIRRORS.length, 'one trial a mirror');
    assert.is(await operator.stop(), 0);
  });

  test.run();
}

import * as assert from 'uvu/assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SocketMessage } from '../../src/contract/socket.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import type { Seen } from '../support/network/chaos-proxy.ts';
import { longOr } from '../support/runner/long.ts';
import { aFailureReport } from '../support/builders/report.ts';
import { until } from '../support/runner/wait.ts';
import { NAMESPACE, type OutageWorld, SERVICE_TOKEN } from './world.ts';

/** Something that lies between operator and agent and their API server for a while. */
export interface Trouble {
  says: string;
  begin(world: OutageWorld): unknown;
  /** Goes on after everything has happened that operator and agent do not see. */
  worsen?(world: OutageWorld): unknown;
  end(world: OutageWorld): unknown;
  /** Whether the API server cannot be reached meanwhile. */
  isAway: boolean;
}

/** How soon a repeat of a record may be told again. */
const REPEAT_MS = 10_000;
/** How long a trouble lasts. */
const TROUBLE_MS = longOr(65_000, 4_000);
/** The longest wait between two tries of a watch is 10 s and a quarter. */
const LONGEST_WAIT_MS = 12_500;
/**
 * Two such waits, because an API server that starts may refuse once more, and as much for the work itself on a machine that is busy. In the
 * long form connections may have gone silent, which is known after 90 s.
 */
const CAUGHT_UP_MS = 3 * LONGEST_WAIT_MS + longOr(90_000, 0);
/** Of operator and agent together: eight for failures and mirrors, and one of each kind that advice is given on. */
const WATCHES = 15;
/**
 * Requests of operator and agent together: watches, each of which may have to be listed first, tried about five times until their
 * waits have grown and then every ten seconds, sooner by the jitter; the Lease and passes that fail, whose waits grow too, a few a second
 * at most; and what operator and agent look at because of what happens.
 */
export const mostIn = (ms: number): number => WATCHES * 2 * (5 + ms / 7_500) + 4 * (ms / 1000) + 30;
/**
 * To catch up: a list and a watch each, a look at every pod that changed and at a namespace for advice (eleven lists), one mirror made and
 * one cleared away, and what refuses meanwhile.
 */
const MOST_TO_CATCH_UP = 150;

export interface Endured {
  duringTrouble: number;
  toCatchUp: number;
  caughtUpMs: number;
}

/**
 * Pods die, heal and begin to fail, Suppressions come, go and run out, mirrors are made and deleted while the trouble lasts; after it
 * everything is as it should be: nothing lost, nothing doubled, nothing asked more often than needed. `id` is no other trouble's.
 */
export async function endure(world: OutageWorld, messages: SocketMessage[], id: string, trouble: Trouble): Promise<Endured> {
  const { chaos, direct } = world;
  const of = (...names: string[]) => names.map((name) => `${name}-${id}`);
  const open = async () => (await world.shown()).filter((name) => name.endsWith(`-${id}`)).join();
  const isOpen = async (names: string[], timeoutMs: number) => {
    const wanted = of(...names).join();
    let last = '';
    const what = () => `the list to be ${wanted}, which is ${last}`;
    await until(async () => (last = await open()) === wanted, { timeoutMs, everyMs: 100, what });
  };
  const podOf = async (name: string) => (await direct.read(KINDS.mirrorPod, NAMESPACE, name))?.status?.podName;
  const [ends = '', begins = '', source = '', fails = '', hides = ''] = of('ends', 'begins', 'source', 'fails', 'hides');

  await world.suppress(`old-${id}`, `was-hidden-${id}`);
  for (const name of of('dies', 'heals', 'source', 'was-hidden', 'hides', 'lapses')) await world.fails(name);
  await isOpen(['dies', 'heals', 'hides', 'lapses', 'source'], CAUGHT_UP_MS);
  await world.mirror(ends, source);
  await until(() => podOf(ends), { timeoutMs: CAUGHT_UP_MS, everyMs: 100, what: 'a mirror' });

  const before = counted(world);
  const beganAt = performance.now();
  await trouble.begin(world);
  const [dies = '', heals = ''] = of('dies', 'heals');
  await world.removes(dies);
  await world.heals(heals);
  await world.fails(fails);
  await world.suppress(`new-${id}`, hides);
  await world.suppress(`short-${id}`, `lapses-${id}`, 1_500);
  await direct.remove(KINDS.suppression, 'podmend', `old-${id}`);
  await direct.remove(KINDS.mirrorPod, NAMESPACE, ends);
  await world.mirror(begins, source);
  await trouble.worsen?.(world);
  await facade(world, trouble.isAway, id);
  await sleep(Math.max(0, TROUBLE_MS - (performance.now() - beganAt)));
  await trouble.end(world);
  const endedAt = performance.now();
  const lastedMs = endedAt - beganAt;
  const during = counted(world);

  await isOpen(['fails', 'lapses', 'source', 'was-hidden'], CAUGHT_UP_MS);
  const soon = { timeoutMs: CAUGHT_UP_MS, everyMs: 100 };
  await until(async () => (await world.record(source))?.trials.length === 2, { ...soon, what: 'both trials' });
  await until(() => podOf(begins), { ...soon, what: 'the mirror that was made in the trouble' });
  const podsOf = async () => (await world.mirrorPods()).map((pod) => pod.metadata.ownerReferences?.[0]?.name);
  await until(async () => !(await podsOf()).includes(ends), { ...soon, what: 'the end of the mirror that was deleted in the trouble' });
  const after = counted(world);
  const endured = {
    duringTrouble: during.requests - before.requests,
    toCatchUp: after.requests - during.requests,
    caughtUpMs: Math.round(performance.now() - endedAt),
  };
  console.log(`${trouble.says}: ${JSON.stringify(endured)}`);

  assert.is((await world.record(hides))?.suppressed_by, `new-${id}`);
  assert.is((await world.record(`lapses-${id}`))?.suppressed_by, null);
  const seen = chaos.seen.slice(before.seen);
  assert.is(podCreates(seen), 1, 'one pod for the mirror that was made meanwhile');
  assert.ok(
    seen.some(({ isIdle }) => isIdle === false),
    'a status is written',
  );
  assert.equal(idleWrites(seen), [], 'no status is written that stands already');
  const told = messages.filter(({ type, data }) => type === 'pod_failure' && (data as { pod_name?: string }).pod_name === fails);
  // A repeat of what lasts is told again, at most every ten seconds.
  assert.ok(told.length >= 1 && told.length <= 1 + Math.floor((performance.now() - beganAt) / REPEAT_MS), `told ${told.length} times`);
  assert.ok(endured.duringTrouble <= mostIn(lastedMs), `${endured.duringTrouble} requests in a trouble of ${lastedMs} ms`);
  assert.ok(endured.toCatchUp <= MOST_TO_CATCH_UP, `${endured.toCatchUp} requests to catch up`);
  return endured;
}

/** What is left when everything that was made for the troubles has been taken away: no mirror, no pod of one, and nothing to do. */
export async function isAtRest({ direct, chaos, ...world }: OutageWorld): Promise<void> {
  for (const { metadata } of await direct.list(KINDS.mirrorPod)) await direct.remove(KINDS.mirrorPod, NAMESPACE, metadata.name ?? '');
  const left = async () => (await world.mirrorPods()).length + (await direct.list(KINDS.networkPolicy)).length;
  await until(async () => (await left()) === 0, { timeoutMs: CAUGHT_UP_MS, everyMs: 100, what: 'the mirrors to be gone' });
  let busy = '';
  const isQuiet = async () => {
    const { length } = chaos.seen;
    await sleep(2_000);
    const more = chaos.seen.slice(length).map(({ verb, path }) => `${verb} ${path}`);
    busy = more.join(', ');
    return more.length <= REST;
  };
  await until(isQuiet, { timeoutMs: CAUGHT_UP_MS, what: () => `rest, but within 2 s there is ${busy}` });
}

/** The Lease, and a watch that ended by itself or a look at a grace time's end. */
const REST = 5;

const counted = ({ chaos }: OutageWorld) => ({ seen: chaos.seen.length, requests: chaos.seen.length + chaos.refused });

/** How many mirror pods the API server was made to create. */
export function podCreates(seen: readonly Seen[]): number {
  return seen.filter((one) => one.verb === 'create' && one.path.endsWith('/pods') && !one.dryRun && one.status === 201).length;
}

/** Writes of a status that changed nothing. */
export function idleWrites(seen: readonly Seen[]): string[] {
  return seen.filter(({ path, isIdle }) => isIdle === true && path.endsWith('/status')).map(({ path }) => path);
}

/** Of a request to the cluster. */
const DEADLINE_MS = 30_000;

/** What works without the cluster works; what needs it says so within two seconds. */
async function facade({ user }: OutageWorld, isAway: boolean, id: string): Promise<void> {
  const answers = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const began = performance.now();
    const { status, body: answer } = await user.send<{ detail?: string }>(method, path, body, headers);
    return { status, detail: answer.detail, ms: performance.now() - began };
  };
  const report = aFailureReport({ namespace: 'elsewhere', pod_name: `reported.${id}`, pod_uid: `reported.${id}` });
  const taken = await answers('POST', '/api/pods/failed', report, { 'x-service-token': SERVICE_TOKEN });
  assert.ok(taken.status === 200 || taken.status === 201, `a report is taken: ${JSON.stringify(taken)}`);
  assert.is((await answers('GET', '/api/pods/failed')).status, 200);
  assert.is((await answers('GET', '/health')).status, 200);
  if (!isAway) return;
  for (const path of ['/api/mirror/active', '/ready']) {
    const { status, detail, ms } = await answers('GET', path);
    assert.equal([status, detail], [503, 'Kubernetes client not available'], path);
    // Two seconds on an idle machine, and far below the deadline of a request on a busy one.
    assert.ok(ms < DEADLINE_MS / 2, `${path} took ${ms} ms`);
  }
}

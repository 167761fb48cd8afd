import * as assert from 'uvu/assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SocketMessage } from '../../src/contract/socket.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import type { Seen } from '../support/network/chaos-proxy.ts';
import { longOr } from '../support/runner/long.ts';
import { aFailureReport } from '../support/builders/report.ts';
import { until } from '../support/runner/wait.ts';
import { NAMESPACE, type OutageWorld, SERVICE_TOKEN } from './world.ts';

/** Something that disturbs operator and agent on the way to their API server for a while. */
export interface Trouble {
  says: string;
  begin(world: OutageWorld): unknown;
  /** Runs after all the changes that operator and agent do not see. */
  worsen?(world: OutageWorld): unknown;
  end(world: OutageWorld): unknown;
  /** How many mirrors end in the trouble, besides the one that is deleted and the one that is made in each. */
  mirrors?: number;
  /** Whether the API server is unreachable during the trouble. */
  isAway: boolean;
}

/** The shortest time between two messages about the same record. */
const REPEAT_MS = 10_000;
const TROUBLE_MS = longOr(65_000, 4_000);
/** The longest wait between two tries of a watch: 10 s plus 25 %. */
const LONGEST_WAIT_MS = 12_500;
/**
 * Two such waits, because a starting API server may refuse once more, and a third one for the work itself on a busy machine. In the long
 * form, connections may have gone silent. Clients notice that after 90 s.
 */
const CAUGHT_UP_MS = 3 * LONGEST_WAIT_MS + longOr(90_000, 0);
/** For operator and agent together: eight for failures and mirrors, and one for each kind that advice covers. */
const WATCHES = 15;
/**
 * The most requests of operator and agent together. Each watch may need a list first. It is tried about five times until its waits have
 * grown, and then every ten seconds, or sooner because of jitter. The Lease and failing passes also back off, and make a few requests a
 * second at most. The rest are reads that follow from changes.
 */
export const mostIn = (ms: number): number => WATCHES * 2 * (5 + ms / 7_500) + 4 * (ms / 1000) + 30;
/**
 * To catch up, counted on a real API server: each watch fails once, lists and watches again; advice reads 18 kinds in each of three
 * namespaces and four kinds of the cluster; each of two diagnoses reads 16 kinds; and a mirror that begins or ends takes up to 15 requests
 * with its pod, policy, logs, status and events. A busy machine takes longer, and what is asked in that time comes on top.
 */
const mostToCatchUp = (ms: number, mirrors: number): number => WATCHES * 3 + (3 * 18 + 4) + 2 * 16 + 15 * mirrors + mostIn(ms) - mostIn(0);

export interface Endured {
  lastedMs: number;
  duringTrouble: number;
  toCatchUp: number;
  caughtUpMs: number;
}

/**
 * Changes the cluster during the trouble: pods die, heal and begin to fail; Suppressions come, go and expire; mirrors are created and
 * deleted. Asserts that afterwards nothing is lost, doubled or requested more often than needed. Each trouble needs its own `id`.
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
  await sleep(Math.max(0, TROUBLE_MS - (performance.now() - before.at)));
  const ending = counted(world);
  await trouble.end(world);

  await isOpen(['fails', 'lapses', 'source', 'was-hidden'], CAUGHT_UP_MS);
  const soon = { timeoutMs: CAUGHT_UP_MS, everyMs: 100 };
  await until(async () => (await world.record(source))?.trials.length === 2, { ...soon, what: 'both trials' });
  await until(() => podOf(begins), { ...soon, what: 'the mirror that was made in the trouble' });
  const podsOf = async () => (await world.mirrorPods()).map((pod) => pod.metadata.ownerReferences?.[0]?.name);
  await until(async () => !(await podsOf()).includes(ends), { ...soon, what: 'the end of the mirror that was deleted in the trouble' });
  const after = counted(world);
  const over = trouble.isAway ? firstAnswered(world, ending) : ending;
  const endured = {
    lastedMs: Math.round(over.at - before.at),
    duringTrouble: over.requests - before.requests,
    toCatchUp: after.requests - over.requests,
    caughtUpMs: Math.round(after.at - over.at),
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
  // A lasting failure is told again, at most every ten seconds.
  assert.ok(told.length >= 1 && told.length <= 1 + Math.floor((performance.now() - before.at) / REPEAT_MS), `told ${told.length} times`);
  assert.ok(endured.duringTrouble <= mostIn(endured.lastedMs), `${endured.duringTrouble} requests in a trouble of ${endured.lastedMs} ms`);
  assert.ok(
    endured.toCatchUp <= mostToCatchUp(endured.caughtUpMs, 2 + (trouble.mirrors ?? 0)),
    `${endured.toCatchUp} requests to catch up`,
  );
  return endured;
}

/** Removes all mirrors. Asserts that nothing of them is left, and that operator and agent become quiet. */
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

/** Renewals of the Lease, and a watch that ended by itself or a look at the end of a grace time. */
const REST = 5;

const counted = ({ chaos }: OutageWorld) => ({
  at: performance.now(),
  seen: chaos.seen.length,
  requests: chaos.seen.length + chaos.refused,
});

/**
 * When a trouble in which nothing is answered is over: with the first request that gets an answer. A server that starts takes some seconds
 * to say that it is ready, and answers before that.
 */
function firstAnswered({ chaos }: OutageWorld, since: { seen: number }): ReturnType<typeof counted> {
  const index = chaos.seen.findIndex(({ status = 500 }, position) => position >= since.seen && status < 300);
  const first = chaos.seen[index];
  assert.ok(first, 'a request is answered');
  return { at: first.at, seen: index, requests: index + chaos.refused };
}

/** How many mirror pods the API server created. */
export function podCreates(seen: readonly Seen[]): number {
  return seen.filter((one) => one.verb === 'create' && one.path.endsWith('/pods') && !one.dryRun && one.status === 201).length;
}

/** Status writes that changed nothing. */
export function idleWrites(seen: readonly Seen[]): string[] {
  return seen.filter(({ path, isIdle }) => isIdle === true && path.endsWith('/status')).map(({ path }) => path);
}

/** The deadline of a request to the cluster. */
const DEADLINE_MS = 30_000;

/** Asserts that what needs no cluster works, and that everything else reports the outage quickly. */
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
    // On an idle machine this takes two seconds. On a busy one it stays far below the deadline of a request.
    assert.ok(ms < DEADLINE_MS / 2, `${path} took ${ms} ms`);
  }
}

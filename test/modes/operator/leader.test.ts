import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import type { KubeClient } from '../../../src/kube/client.ts';
import { KubeError } from '../../../src/kube/errors.ts';
import { LEASE_SECONDS, type LeaseLock, leaseLock } from '../../../src/kube/lease.ts';
import { createLog } from '../../../src/log.ts';
import { type LeaderTasks, leader, type Leader, type LeaderOptions, type Leading, TIMING } from '../../../src/modes/operator/leader.ts';
import { leadingClient } from '../../../src/modes/operator/leading-client.ts';
import { until } from '../../support/runner/wait.ts';

const test = suite('the leader');
const log = createLog({ level: 'silent' });
/** Even a busy machine meets this deadline. Tests that need it to pass move the clock. */
const timing = { renewMs: 20, retryMs: 5, deadlineMs: 60_000, lookMs: 10 };

/** A Lease that a test controls. */
interface TestLease extends LeaseLock {
  heldBy: string;
  answers: 'well' | 'badly' | 'never';
  renewals: number;
  released: number;
}
function aLease(): TestLease {
  let epoch = 0;
  /** The client ends a request that hangs. So a hanging request fails here too. */
  const answer = async <T>(good: () => T): Promise<T> => {
    if (lease.answers !== 'well') throw new Error('away');
    return good();
  };
  const lease: TestLease = {
    heldBy: 'me',
    answers: 'well',
    renewals: 0,
    released: 0,
    take: (above) => answer(() => (lease.heldBy === 'me' ? { epoch: (epoch = Math.max(epoch, above) + 1) } : { heldBy: lease.heldBy })),
    renew() {
      lease.renewals++;
      return lease.answers === 'never' ? new Promise(() => undefined) : answer(() => lease.heldBy === 'me');
    },
    release: async () => void lease.released++,
  };
  return lease;
}

const running: Leader<LeaderTasks>[] = [];
test.after.each(async () => void (await Promise.all(running.splice(0).map((one) => one.stop()))));

function begin(lease: LeaseLock, over: Partial<LeaderOptions<LeaderTasks>> = {}) {
  const told: string[] = [];
  const terms: Leading[] = [];
  const leads = leader({
    lease,
    identity: 'me',
    fence: { newest: async () => 0, claim: async () => true },
    begin(term) {
      terms.push(term);
      told.push(`began ${term.epoch}`);
      return { stop: async () => void told.push(`ended ${term.epoch}`) };
    },
    timing,
    log,
    ...over,
  });
  running.push(leads);
  leads.start();
  return { leads, told, terms, tells: (what: string) => until(() => told.join() === what, { what: () => `${what}, not ${told.join()}` }) };
}

test('without a renewal a leader stops so early that its last request is answered before another replica may lead', () => {
  const answerMs = 5_000;
  const { renewMs, retryMs, deadlineMs, lookMs } = TIMING;
  assert.ok(deadlineMs + answerMs <= LEASE_SECONDS * 1000, 'a request of the last moment');
  assert.ok(renewMs + answerMs + retryMs <= deadlineMs, 'a renewal that fails is tried again');
  assert.ok(lookMs * 1.2 <= 2_500, 'a released Lease is found soon');
  const guide = readFileSync(new URL('../../../deploy/README.md', import.meta.url), 'utf8').replaceAll('\n', ' ');
  const [, ...said] = /its Lease every (\d+) s and stops reconciling after (\d+) s without a renewal. After (\d+) s/.exec(guide) ?? [];
  assert.equal(said.map(Number), [renewMs / 1000, deadlineMs / 1000, LEASE_SECONDS]);
});

test('leads while it renews, and releases the Lease at the end, after its tasks', async () => {
  const lease = aLease();
  const { leads, told, tells } = begin(lease);
  await tells('began 1');
  await until(() => lease.renewals > 5, { what: 'renewals' });
  assert.ok(leads.tasks());
  await leads.stop();
  assert.equal([told.join(), lease.released, leads.tasks()], ['began 1,ended 1', 1, undefined]);
});

test('waits while another leads', async () => {
  const lease = Object.assign(aLease(), { heldBy: 'another' });
  const { leads, tells } = begin(lease);
  await tells('');
  assert.is(leads.tasks(), undefined);
  lease.heldBy = 'me';
  await tells('began 1');
});

test('ends its tasks when another replica holds the Lease, and begins again when it is free', async () => {
  const lease = aLease();
  const { tells } = begin(lease);
  await tells('began 1');
  lease.heldBy = 'another';
  await tells('began 1,ended 1');
  lease.heldBy = 'me';
  await tells('began 1,ended 1,began 2');
});

for (const answers of ['badly', 'never'] as const)
  test(`if the cluster answers ${answers}, the tasks end after two thirds of the Lease’s duration, not before`, async () => {
    const lease = aLease();
    let ms = 0;
    // A renewal without an answer is given up after 200 ms of real time.
    const { told, tells } = begin(lease, { clock: () => ms, timing: { ...timing, renewMs: 0, deadlineMs: 200 } });
    await tells('began 1');
    lease.answers = answers;
    ms = 199;
    const early = lease.renewals;
    await until(() => lease.renewals > early + 2, { what: 'tries' });
    assert.is(told.join(), 'began 1', 'it does not give up before');
    ms = 400;
    await tells('began 1,ended 1');
    lease.answers = 'well';
    await tells('began 1,ended 1,began 2');
  });

test('a short outage ends nothing', async () => {
  const lease = aLease();
  const { told, tells } = begin(lease, { timing });
  await tells('began 1');
  lease.answers = 'badly';
  const early = lease.renewals;
  await until(() => lease.renewals > early + 3, { what: 'tries' });
  lease.answers = 'well';
  const before = lease.renewals;
  await until(() => lease.renewals > before + 3, { what: 'renewals' });
  assert.is(told.join(), 'began 1');
});

test('a clock that stood still for long (a machine that slept) ends the tasks before anything else is tried', async () => {
  const lease = aLease();
  let skipped = 0;
  const { tells } = begin(lease, { clock: () => performance.now() + skipped });
  await tells('began 1');
  const before = lease.renewals;
  skipped = timing.deadlineMs;
  await tells('began 1,ended 1,began 2');
  assert.ok(lease.renewals <= before + 2, 'at most the one that was under way, and the first of the new term');
});

test('what it knows of the other leader: its name, and that it lives as soon as it was seen to renew', async () => {
  const answers: Awaited<ReturnType<LeaseLock['take']>>[] = [
    { heldBy: 'ada' },
    { heldBy: 'ada', isRenewed: true },
    { heldBy: 'ada' },
    { heldBy: 'bob' },
    { epoch: 3 },
  ];
  const seen: unknown[] = [];
  const lease: LeaseLock = {
    ...aLease(),
    async take() {
      seen.push(leads.other());
      return answers[seen.length - 1] ?? { heldBy: 'nobody' };
    },
  };
  const { leads, tells } = begin(lease);
  assert.is(leads.other(), undefined);
  await tells('began 3');
  assert.equal(
    [...seen.slice(1), leads.other()],
    [
      { holder: 'ada', lives: false },
      { holder: 'ada', lives: true },
      { holder: 'ada', lives: true },
      { holder: 'bob', lives: false },
      undefined,
    ],
  );
});

test('a term carries the epoch of the Lease and the name of the process; a new epoch is above that of the database', async () => {
  const above: number[] = [];
  const lease = aLease();
  const { terms, tells } = begin(
    { ...lease, take: (epoch) => (above.push(epoch), lease.take(epoch)) },
    { identity: 'ada', fence: { newest: async () => 6, claim: async () => true } },
  );
  await tells('began 7');
  assert.equal([above[0], terms[0]?.epoch, terms[0]?.holder, terms[0]?.isCurrent()], [6, 7, 'ada', true]);
  terms[0]?.stale();
  assert.not(terms[0]?.isCurrent(), 'from then on');
});

test('on a stop the term is current until the running work has ended', async () => {
  const lease = aLease();
  const seen: [current: boolean, released: number][] = [];
  const terms: Leading[] = [];
  const leads = leader({
    lease,
    identity: 'me',
    fence: { newest: async () => 0, claim: async () => true },
    begin: (term) => (terms.push(term), { stop: async () => void seen.push([term.isCurrent(), lease.released]) }),
    timing,
    log,
  });
  leads.start();
  await until(() => terms.length > 0, { what: 'the term to begin' });
  await leads.stop();
  assert.equal([seen, terms[0]?.isCurrent(), lease.released], [[[true, 0]], false, 1]);
});

test('a leader that learns of a newer one from the database stops at once', async () => {
  const lease = aLease();
  const { terms, tells } = begin(lease, { timing: { ...timing, renewMs: 60_000, deadlineMs: 90_000 } });
  await tells('began 1');
  terms[0]!.stale();
  await tells('began 1,ended 1,began 2');
});

test('a database that is away keeps nobody from leading; one that knows a newer leader does', async () => {
  const away = async () => {
    throw new Error('away');
  };
  await begin(aLease(), { fence: { newest: away, claim: away } }).tells('began 1');
  let newest = 7;
  const claimed: number[] = [];
  const claim = async ({ epoch }: { epoch: number }) => (claimed.push(epoch), claimed.length > 1);
  const { tells } = begin(aLease(), { fence: { newest: async () => newest++, claim } });
  await tells('began 9');
  assert.equal(claimed, [8, 9]);
});

test('a leader that was paused writes nothing when it wakes, even before it ends its tasks', async () => {
  let skipped = 0;
  const { terms, tells } = begin(aLease(), { clock: () => performance.now() + skipped });
  await tells('began 1');
  const asked: string[] = [];
  const note = (what: string) => async () => void asked.push(what);
  const methods = ['create', 'replace', 'patch', 'remove', 'read'] as const;
  const client = leadingClient(Object.fromEntries(methods.map((one) => [one, note(one)])) as unknown as KubeClient, terms[0]!);
  const tryAll = () => Promise.all(methods.map((one) => (client[one] as () => Promise<void>)().catch((error: Error) => error.name)));
  await tryAll();
  assert.equal(asked.splice(0), [...methods]);
  skipped = timing.deadlineMs;
  const refusals = await tryAll();
  assert.equal(asked.splice(0), ['read']);
  assert.equal(refusals, ['StaleLeader', 'StaleLeader', 'StaleLeader', 'StaleLeader', undefined]);
  await tells('began 1,ended 1,began 2');
  await tryAll();
  assert.equal(asked, ['read'], 'of a new term the old client knows nothing');
});

/** An API server with one Lease. It counts the writes. */
function anApi() {
  let kept: KubeObject | undefined;
  let version = 0;
  const write = async (_kind: unknown, lease: KubeObject) => {
    if (lease.metadata.resourceVersion !== kept?.metadata.resourceVersion) throw new KubeError(409, 'Conflict', 'somebody was quicker');
    kept = { ...structuredClone(lease), metadata: { ...lease.metadata, resourceVersion: String(++version) } };
    return structuredClone(kept);
  };
  const client = { read: async () => structuredClone(kept), create: write, replace: write } as unknown as KubeClient;
  return { client, writes: () => version };
}

for (const [sentence, jumpMs] of [
  ['an hour forward', 3_600_000],
  ['a year forward', 365 * 86_400_000],
  ['an hour back', -3_600_000],
  ['back to 1970', -Date.UTC(2026, 4, 1)],
] as const)
  test(`a wall clock that is set ${sentence} changes neither who leads nor how often it renews`, async () => {
    let ms = Date.UTC(2026, 4, 1);
    const { client, writes } = anApi();
    const of = (identity: string) => leaseLock({ client, namespace: 'podmend', identity, now: () => new Date(ms) });
    const { told, tells } = begin(of('me'), { timing: { ...timing, renewMs: 50 } });
    await tells('began 1');
    const another = of('another');
    assert.equal(await another.take(0), { heldBy: 'me' });
    const renewedIn = async (): Promise<number> => {
      const [since, before] = [performance.now(), writes()];
      await until(() => writes() >= before + 4, { what: 'renewals' });
      return (performance.now() - since) / (writes() - before);
    };
    await renewedIn();
    ms += jumpMs;
    // Never earlier than asked for. A busy machine may be later.
    assert.ok((await renewedIn()) > 35, 'renewed more often than it should');
    assert.equal(await another.take(0), { heldBy: 'me', isRenewed: true });
    assert.is(told.join(), 'began 1');
  });

test('a leader that was paused for longer than its Lease lasts finds another holder, and leaves the Lease alone', async () => {
  let ms = 0;
  const { client, writes } = anApi();
  const clock = () => performance.now() + ms;
  const of = (identity: string) => leaseLock({ client, namespace: 'podmend', identity, clock, now: () => new Date(0) });
  const { terms, tells } = begin(of('me'), { clock, timing: { ...timing, renewMs: 500, deadlineMs: 13_000 } });
  await tells('began 1');
  const another = of('another');
  assert.equal(await another.take(0), { heldBy: 'me' });
  ms += 20_000;
  assert.equal(await another.take(1), { epoch: 2 });
  const taken = writes();
  assert.not(terms[0]!.isCurrent());
  await tells('began 1,ended 1');
  assert.is(writes(), taken);
});

test.run();

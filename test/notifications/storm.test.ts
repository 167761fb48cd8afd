import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Store } from '../../src/db/connect.ts';
import { leadershipRepository } from '../../src/db/leadership.ts';
import { notificationsOf } from '../../src/db/notifications.ts';
import { random } from '../support/builders/random.ts';
import { type Engine, engines } from '../support/database/store.ts';
import type { FakeService } from '../support/notifications/fake-service.ts';
import { type Crew, type OutboxWorld, outboxWorld } from '../support/notifications/outbox-world.ts';

// 500 pods of 20 workloads fail within a minute, flap for ten minutes, and recover.

const PODS = 500;
const WORKLOADS = 20;
const STEP_MS = 15_000;
const FAIL_STEPS = 4;
const FLAP_STEPS = 40;
const REASONS = ['CrashLoopBackOff', 'OOMKilled', 'Error'];

/** Plays the storm. At each step, `lead` runs a turn of the current leader. Returns what each service received. */
async function storm(world: OutboxWorld, lead: (step: number) => Promise<void>): Promise<Record<'bot' | 'key' | 'once', FakeService>> {
  const services = {
    bot: await world.provide('bot', 'slack'),
    key: await world.provide('key', 'pagerduty'),
    once: await world.provide('once', 'teams'),
  };
  const chance = random(14);
  const ids = new Map<number, number>();
  const fail = async (pods: number[], occurrence: string): Promise<void> => {
    const stored = await world.report(
      ...pods.map((pod) => ({
        identity: `uid-${pod}`,
        pod_uid: `uid-${pod}`,
        pod_name: `w${pod % WORKLOADS}-${pod}`,
        owner: `Deployment/w${pod % WORKLOADS}`,
        labels: { app: `w${pod % WORKLOADS}` },
        failure_reason: chance.pick(REASONS),
        occurrence_key: `${pod} ${occurrence}`,
      })),
    );
    for (const [index, pod] of pods.entries()) ids.set(pod, stored[index] as number);
  };
  const all = Array.from({ length: PODS }, (_, pod) => pod);
  let step = 0;
  const next = async (): Promise<void> => {
    await lead(step++);
    world.pass(STEP_MS);
  };
  for (let n = 0; n < FAIL_STEPS; n++) {
    await fail(all.slice((n * PODS) / FAIL_STEPS, ((n + 1) * PODS) / FAIL_STEPS), 'first');
    await next();
  }
  for (let n = 0; n < FLAP_STEPS; n++) {
    // Some pods recover for a moment, others fail again. Each workload always has a failing pod.
    await world.recover(all.filter((pod) => pod >= WORKLOADS && chance.chance(0.1)).flatMap((pod) => ids.get(pod) ?? []));
    await fail(
      all.filter(() => chance.chance(0.1)),
      `again ${n}`,
    );
    await next();
  }
  world.pass(60_000);
  await world.recover([...ids.values()]);
  await next();
  await next();
  return services;
}

const textOf = ({ body }: FakeService['received'][number]): string => JSON.stringify(body);

/** Asserts that each opening is updated if the service can do that, that it ends, and that nothing is repeated. */
function judge({ bot, key, once }: Awaited<ReturnType<typeof storm>>): void {
  const said = bot.received.map(({ path, body }) => ({
    call: path,
    ts: body.ts as string | undefined,
    thread: body.thread_ts as string,
    body,
  }));
  const opened = said.filter(({ call, thread }) => call === '/chat.postMessage' && !thread);
  assert.ok(opened.length >= WORKLOADS && opened.length <= WORKLOADS + 1, `${opened.length} opened`);
  const changed = said.filter(({ call }) => call === '/chat.update');
  const messages = new Set(changed.map(({ ts }) => ts));
  assert.is(messages.size, opened.length, 'each message is changed');
  for (const ts of messages) {
    const own = changed.filter((one) => one.ts === ts);
    assert.ok(own.length >= 2, 'updated and resolved');
    assert.match(JSON.stringify(own.at(-1)?.body), 'Resolved: ');
    assert.is(own.filter(({ body }) => /Resolved: /.test(JSON.stringify(body))).length, 1, 'resolved once');
  }
  assert.is(said.filter(({ thread }) => thread).length, opened.length, 'one reply in each thread: its end');
  assert.is(new Set(bot.received.map(textOf)).size, bot.received.length, 'nothing is repeated');

  // The service deduplicates by key, so it shows one alert for each key.
  const keys = new Set(key.received.map(({ body }) => body.dedup_key));
  assert.ok(keys.size >= WORKLOADS && keys.size <= WORKLOADS + 1, `${keys.size} alerts`);
  for (const one of keys) {
    const actions = key.received.filter(({ body }) => body.dedup_key === one).map(({ body }) => body.event_action);
    assert.is(actions[0], 'trigger');
    assert.is(actions.at(-1), 'resolve');
    assert.ok(actions.filter((action) => action === 'trigger').length > 1, 'updated');
  }

  // This service cannot change a message, so it gets only beginnings and ends.
  const heard = once.received.map(textOf);
  assert.is(new Set(heard).size, heard.length, 'nothing is repeated');
  const ends = heard.filter((text) => /Resolved: /.test(text));
  assert.equal([heard.length, ends.length], [2 * opened.length, opened.length]);
  assert.equal([bot.refused, key.refused, once.refused], [[], [], []]);
}

const suites = engines('a storm').map((engine: Engine) => {
  const test = suite(`a storm on ${engine.name}`);
  let store: Store;
  let world: OutboxWorld;
  test.before.each(async () => {
    store = await engine.open();
    world = outboxWorld(store);
  });
  test.after.each(async () => {
    await world.close();
    await store.close();
  });

  if (engine.name === 'PGlite')
    test('20 messages are opened, updated and resolved', async () => {
      const crew = world.crew();
      judge(await storm(world, () => crew.turn()));
    });

  if (engine.name === 'PostgreSQL') {
    test('the operator is killed twice: the same', async () => {
      const crews: Crew[] = [world.crew()];
      // The first kill comes before the tenth message, the second one in the middle of the flapping.
      crews[0]?.killAt(10, 'unsent');
      const services = await storm(world, async () => {
        const crew = crews.at(-1) as Crew;
        await crew.turn().catch(() => undefined);
        if (!crew.isDead()) return;
        crews.push(world.crew());
        if (crews.length === 2) crews.at(-1)?.killAt(150, 'unsent');
        await crews.at(-1)?.turn();
      });
      assert.is(crews.length, 3);
      judge(services);
    });

    test('two replicas, of which the first does not notice that the second leads: the same', async () => {
      const crewOf = (epoch: number) => {
        let leads = true;
        const { db } = store;
        const term = { epoch, holder: `replica-${epoch}`, stale: () => void (leads = false) };
        const write = leadershipRepository(db, 'podmend').fenced(term, notificationsOf('test'), ['apply', 'begin', 'finish']);
        return world.crew({ write, isCurrent: () => leads });
      };
      const [first, second] = [crewOf(1), crewOf(2)];
      const services = await storm(world, async (step) => {
        const working = step < 3 ? [first] : [first, second];
        // The database refuses the writes of the first replica. It sends nothing that it could not store before.
        await Promise.all(working.map((crew) => crew?.turn().catch(() => undefined)));
        await working.at(-1)?.turn();
      });
      judge(services);
    });
  }
  return test;
});
for (const test of suites) test.run();

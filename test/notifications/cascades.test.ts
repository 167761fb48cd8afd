import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Store } from '../../src/db/connect.ts';
import { memoryStore } from '../support/database/store.ts';
import type { FakeService } from '../support/notifications/fake-service.ts';
import { type OutboxWorld, outboxWorld } from '../support/notifications/outbox-world.ts';

// Failures with a common cause make one message that counts them. Nothing hidden is sent.

const MINUTE = 60_000;
let store: Store;
let world: OutboxWorld;
let hook: FakeService;
const around = <T extends { before: { each(hook: () => Promise<void>): void }; after: { each(hook: () => Promise<void>): void } }>(
  test: T,
): T => {
  test.before.each(async () => {
    store = await memoryStore();
    world = outboxWorld(store);
    hook = await world.provide('hook', 'webhook');
  });
  test.after.each(async () => {
    await world.close();
    await store.close();
  });
  return test;
};

interface Told {
  type: string;
  data: { title: string; text: string; facts: { name: string; value: string }[]; namespace: string };
}
const told = (): Told[] => hook.received.map(({ body }) => body as unknown as Told);
const pod = (n: number, over: Parameters<OutboxWorld['report']>[0] = {}) => ({
  ...{ identity: `uid-${n}`, pod_uid: `uid-${n}`, pod_name: `w-${n}`, owner: `Deployment/w${n}` },
  ...over,
});
const many = (count: number, over: (n: number) => Parameters<OutboxWorld['report']>[0]) =>
  world.report(...Array.from({ length: count }, (_, n) => pod(n, over(n))));

const cascades = around(suite('cascades'));

/** Asserts one opening that counts all, growth and shrinking in between, and one end when all are over. */
async function tellsOnce(report: () => Promise<number[]>, title: RegExp, pods: string): Promise<void> {
  const crew = world.crew();
  const ids = await report();
  await crew.turn();
  assert.equal(
    told().map(({ type }) => type),
    ['podmend.incident_opened'],
  );
  assert.match(told()[0]?.data.title ?? '', title);
  assert.equal(told()[0]?.data.facts.find(({ name }) => name === 'Failing pods')?.value, pods);
  world.pass(MINUTE);
  await world.recover(ids.slice(0, ids.length / 2));
  await crew.turn();
  assert.is(told().at(-1)?.type, 'podmend.incident_updated');
  world.pass(MINUTE);
  await world.recover(ids);
  await crew.turn();
  assert.equal(
    told().map(({ type }) => type),
    ['podmend.incident_opened', 'podmend.incident_updated', 'podmend.resolved'],
  );
  assert.equal(hook.refused, []);
}

cascades('a dead node with 50 pods of 20 workloads in 4 namespaces', () =>
  tellsOnce(
    () =>
      many(50, (n) => ({
        ...{ owner: `Deployment/w${n % 20}`, namespace: `team-${n % 4}`, node_name: 'node-9', family: 'node', failure_reason: 'NodeLost' },
        failure_message: 'Node is not ready',
      })),
    /^Node node-9 is lost: 50 failing pods in 20 incidents$/,
    '50',
  ),
);

cascades('a registry that does not answer, over 10 workloads in as many namespaces, in different words', () => {
  const why = [
    'dial tcp: lookup registry.example on 10.96.0.10:53: no such host',
    'dial tcp 203.0.113.7:443: i/o timeout',
    'unexpected status from HEAD request: 503 Service Unavailable',
    'net/http: TLS handshake timeout',
    'unexpected status from HEAD request: 429 Too Many Requests',
  ];
  return tellsOnce(
    () =>
      many(10, (n) => ({
        ...{ namespace: `team-${n}`, family: 'image', failure_reason: 'ImagePullBackOff' },
        failure_message: `failed to pull and unpack image "registry.example/team-${n}/web:1": failed to resolve image: ${why[n % why.length]}`,
      })),
    /^Registry registry\.example does not answer: 10 failing pods in 10 incidents$/,
    '10',
  );
});

cascades('a full quota, over 6 workloads of its namespace', () =>
  tellsOnce(
    () =>
      many(6, (n) => ({
        ...{ namespace: 'shop', resource_kind: 'ReplicaSet', family: 'controller', failure_reason: 'FailedCreate' },
        failure_message: `pods "w${n}-x" is forbidden: exceeded quota: small, requested: pods=1, used: pods=10, limited: pods=10`,
      })),
    /^The quota of shop is full: 6 failing pods in 6 incidents$/,
    '6',
  ),
);

cascades('two dead nodes, a missing image of the same registry and another quota are told apart', async () => {
  await world.report(
    pod(1, { node_name: 'node-1', family: 'node', failure_reason: 'NodeLost' }),
    pod(2, { node_name: 'node-2', family: 'node', failure_reason: 'NodeLost' }),
    pod(3, { failure_reason: 'ImagePullBackOff', failure_message: 'failed to pull image "registry.example/a:1": i/o timeout' }),
    pod(4, { failure_reason: 'ImagePullBackOff', failure_message: 'failed to pull image "registry.example/b:1": not found' }),
    pod(5, { namespace: 'a', failure_reason: 'FailedCreate', failure_message: 'exceeded quota: small' }),
    pod(6, { namespace: 'b', failure_reason: 'FailedCreate', failure_message: 'exceeded quota: small' }),
  );
  await world.crew().turn();
  assert.is(told().length, 6);
});
cascades.run();

const doors = around(suite('what is hidden'));
const SECRET = { namespace: 'hidden', failure_message: 'the secret of hidden' };
const HUSHED = { suppressed_by: 'known', owner: 'Deployment/hushed', failure_message: 'the hushed one' };
const leaks = (): string[] => hook.received.map(({ body }) => JSON.stringify(body)).filter((text) => /hidden|hushed/.test(text));

doors('a hidden failure is neither named nor counted in a group, a cascade or a storm', async () => {
  const byNode = await world.provide('by-node', 'webhook', { grouping: { by: ['node'] } });
  const lost = { node_name: 'node-9', family: 'node', failure_reason: 'NodeLost' };
  await many(60, (n) => (n < 3 ? SECRET : n < 6 ? HUSHED : { namespace: 'shop' }));
  await world.report(...[100, 101, 102].map((n) => pod(n, { ...lost, ...(n === 100 && SECRET), ...(n === 101 && HUSHED) })));
  const crew = world.crew();
  await crew.turn();
  assert.equal([leaks(), byNode.received.map(({ body }) => JSON.stringify(body)).filter((text) => /hidden|hushed/.test(text))], [[], []]);
  const titles = byNode.received.map(({ body }) => (body as unknown as Told).data.title);
  assert.is(titles.length, 2);
  assert.ok(titles.some((title) => /^54 incidents with 54 failing pods/.test(title)));
  assert.match(told().at(-1)?.data.title ?? '', /^\d+ incidents with \d+ failing pods \(many at once\)$/);
  assert.match(told().find(({ data: { title } }) => /NodeLost|node-9/.test(title))?.data.title ?? '', /Deployment\/w102/);
});

doors('a failure that becomes hidden while its message waits is not sent, nor is its end', async () => {
  const crew = world.crew();
  hook.next({ status: 503 });
  const [id = 0] = await world.report(pod(1));
  await crew.turn();
  await store.db.updateTable('failures').set({ suppressed_by: 'known' }).where('id', '=', id).execute();
  world.pass(10 * MINUTE);
  await crew.turn();
  await world.recover([id]);
  await crew.turn();
  assert.is(hook.received.length, 1, 'only the try before');
  assert.equal(await world.events('hook'), ['incident_opened dropped', 'resolved dropped']);
});

doors('a namespace that the operator hides since its restart: what waits in the outbox is dropped', async () => {
  hook.next({ status: 503 });
  const [id = 0] = await world.report(pod(1));
  await world.crew().turn();
  world.pass(10 * MINUTE);
  const restarted = world.crew({ hiddenNamespaces: ['shop'] });
  await restarted.turn();
  await world.recover([id]);
  await restarted.turn();
  assert.is(hook.received.length, 1);
  assert.equal(await world.events('hook'), ['incident_opened dropped', 'resolved dropped']);
});

doors('a failure that is hidden after its message sends nothing more, but its end without its new texts', async () => {
  const crew = world.crew();
  const [id = 0] = await world.report(pod(1));
  await crew.turn();
  const change = { suppressed_by: 'known', solution: 'the hushed one', failure_message: 'the hushed one' };
  await store.db.updateTable('failures').set(change).where('id', '=', id).execute();
  world.pass(10 * MINUTE);
  await crew.turn();
  await world.recover([id]);
  await crew.turn();
  assert.equal([told().map(({ type }) => type), leaks()], [['podmend.incident_opened', 'podmend.resolved'], []]);
});

doors.run();

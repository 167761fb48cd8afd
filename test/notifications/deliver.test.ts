import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { DueDelivery } from '../../src/db/notifications.ts';
import { createLog } from '../../src/log.ts';
import { deliverer, type DelivererDeps, notificationOf } from '../../src/notifications/deliver.ts';
import type { Sent } from '../../src/notifications/send.ts';

const NOW = new Date('2026-06-02T00:00:00Z');
const DAY_MS = 24 * 3_600_000;
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const aDelivery = (over: Partial<DueDelivery> = {}): DueDelivery =>
  ({
    ...{ id: 5, thread_id: 3, provider: 'hook', event: 'incident_opened', step: 0, attempts: 0, place: null, detail: null },
    ...{ created_at: NOW, thread_created_at: new Date(36_000), message: { title: 't', workload: 'Pod/web', namespace: 'shop' } },
    ...over,
  }) as DueDelivery;
const OK: Sent = { outcome: { ok: true, state: 'accepted' }, step: 2, place: { ts: '1' } };
const failing = (reason: string, more = {}): Sent => ({
  outcome: { ok: false, reason, detail: 'HTTP 500', ...more } as never,
  step: 1,
  place: {},
});

/** Sends the deliveries that are due. Returns what became of each, and what was asked on the way. */
async function delivered(due: DueDelivery[], sent: Sent = OK, over: Partial<DelivererDeps> = {}, type = 'webhook') {
  const [finished, asked, pauses]: [unknown[], unknown[], number[]] = [[], [], []];
  const left = [...due];
  const lanes = deliverer({
    read: { due: async () => [...left] },
    write: {
      begin: async (id) => (asked.push(['begin', id]), true),
      async finish({ id, ...result }, at) {
        assert.equal(at, NOW);
        left.splice(
          left.findIndex((one) => one.id === id),
          1,
        );
        finished.push({ id, ...result });
      },
    } as DelivererDeps['write'],
    provider: (name) => ({ metadata: { name }, spec: { type, secretRef: { name } } }) as never,
    readiness: async () => ({ target: { address: 'https://a.example', channel: undefined, format: undefined, secret: {} } }),
    send: async ({ notification, place }, _service, step) => (asked.push(['send', notification.id, place, step]), sent),
    isCurrent: () => true,
    cluster: 'test',
    hiddenNamespaces: ['hidden'],
    now: () => NOW,
    pause: async (ms) => void pauses.push(ms),
    log: createLog({ level: 'silent' }),
    ...over,
  });
  await lanes.deliver();
  await lanes.stop();
  return { finished, asked, pauses };
}
const ROW = { id: 5, threadId: 3, step: 0, reason: null, detail: null };

test('a message is marked as tried, sent from the step that is missing, and its place is stored', async () => {
  const place = { ts: '0' };
  const { finished, asked, pauses } = await delivered([aDelivery({ step: 1, place })], OK);
  assert.equal(asked, [
    ['begin', 5],
    ['send', notificationOf('test', aDelivery()).id, place, 1],
  ]);
  assert.equal(finished, [{ ...ROW, step: 2, state: 'accepted', place: { ts: '1' } }]);
  assert.equal(pauses, []);
});

test('a service’s own pause follows each message', async () => {
  assert.equal((await delivered([aDelivery()], OK, {}, 'slack')).pauses, [1_000]);
});

test('ids and keys are the same for every try, and those of another cluster or database are others', () => {
  const of = (cluster: string, over: Partial<DueDelivery> = {}) => {
    const { id, key } = notificationOf(cluster, aDelivery(over));
    return [id, key];
  };
  const [id = '', key = ''] = of('test');
  assert.match(id, /^podmend-[0-9a-f]{8}-10-m5$/);
  assert.is(key, id.replace('m5', '3'));
  assert.equal(of('test', { id: 6 }), [id.replace('m5', 'm6'), key]);
  assert.is.not(of('other')[1], key);
  assert.is.not(of('test', { thread_created_at: new Date(72_000) })[1], key);
});

const unsent: [says: string, over: Partial<DueDelivery>, result: object][] = [
  ['the end of what was never told is dropped', { event: 'resolved', place: null }, { state: 'dropped' }],
  [
    'a message of more than a day is dead',
    { created_at: ago(DAY_MS + 1) },
    { state: 'dead', reason: 'Expired', detail: 'it waited for a day' },
  ],
  [
    'it keeps the reason of its last try',
    { created_at: ago(DAY_MS + 1), detail: 'HTTP 503' },
    { state: 'dead', reason: 'Expired', detail: 'HTTP 503' },
  ],
  ['a namespace that is hidden now is not told', { message: { workload: 'Pod/a', namespace: 'hidden' } }, { state: 'dropped' }],
];
for (const [says, over, result] of unsent)
  test(says, async () => {
    const { finished, asked } = await delivered([aDelivery(over)]);
    assert.equal([finished, asked], [[{ ...ROW, ...result }], []]);
  });
test('a message of exactly a day, and the end of what was told, are sent', async () => {
  for (const over of [{ created_at: ago(DAY_MS) }, { event: 'resolved', place: {} }] as Partial<DueDelivery>[])
    assert.is((await delivered([aDelivery(over)])).asked.length, 2);
});

const later = (ms: number) => new Date(NOW.getTime() + ms);
type Failed = [says: string, sent: Sent, over: Partial<DueDelivery>, result: object];
const failures: Failed[] = [
  ['after two seconds', failing('ServiceError'), {}, { state: 'pending', reason: 'ServiceError', detail: 'HTTP 500', dueAt: later(2_000) }],
  [
    'twice as late each time',
    failing('Timeout'),
    { attempts: 3 },
    { state: 'pending', reason: 'Timeout', detail: 'HTTP 500', dueAt: later(16_000) },
  ],
  [
    'at least every ten minutes',
    failing('Timeout'),
    { attempts: 30 },
    { state: 'pending', reason: 'Timeout', detail: 'HTTP 500', dueAt: later(600_000) },
  ],
  [
    'when the service asks for it',
    failing('RateLimited', { retryAfterMs: 5_000 }),
    {},
    { state: 'pending', reason: 'RateLimited', detail: 'HTTP 500', dueAt: later(5_000) },
  ],
  [
    'never, when the day is over by then',
    failing('Timeout'),
    { created_at: ago(DAY_MS - 1_999) },
    { state: 'dead', reason: 'Expired', detail: 'Timeout: HTTP 500' },
  ],
  [
    'while the day lasts',
    failing('Timeout'),
    { created_at: ago(DAY_MS - 2_000) },
    { state: 'pending', reason: 'Timeout', detail: 'HTTP 500', dueAt: later(2_000) },
  ],
  ...['TooLarge', 'Refused', 'Redirected'].map((reason): Failed => [
    `never, when it is ${reason}`,
    failing(reason),
    {},
    { state: 'dead', reason, detail: 'HTTP 500' },
  ]),
  ['never, for its own reason', failing('Refused'), { created_at: ago(DAY_MS) }, { state: 'dead', reason: 'Refused', detail: 'HTTP 500' }],
];
for (const [says, sent, over, result] of failures)
  test(`what failed is tried again ${says}`, async () => {
    assert.equal((await delivered([aDelivery(over)], sent)).finished, [{ ...ROW, step: 1, ...result }]);
  });

test('a provider that is not ready is tried again, from the same step', async () => {
  const readiness = async () => ({ reason: 'SecretMissing', message: 'There is no Secret hook.' });
  const { finished, asked } = await delivered([aDelivery({ step: 1 })], OK, { readiness });
  assert.equal(finished, [
    { ...ROW, step: 1, state: 'pending', reason: 'NotReady', detail: 'There is no Secret hook.', dueAt: later(2_000) },
  ]);
  assert.equal(asked, [['begin', 5]]);
});

test('nothing is sent for a deleted provider, by an earlier leader, or by two at once', async () => {
  assert.equal((await delivered([aDelivery()], OK, { provider: () => undefined })).asked, []);
  assert.equal((await delivered([aDelivery()], OK, { isCurrent: () => false })).asked, []);
  const begun: number[] = [];
  const taken = { due: async () => (begun.length > 0 ? [] : [aDelivery()]) };
  const write = { begin: async (id: number) => (begun.push(id), false), finish: async () => assert.unreachable() };
  assert.equal((await delivered([], OK, { read: taken, write } as never)).asked, []);
  assert.equal(begun, [5]);
});

test('one provider’s messages are sent one after the other; one that has to wait ends the turn', async () => {
  const due = [aDelivery(), aDelivery({ id: 6 }), aDelivery({ id: 7, provider: 'other' })];
  assert.equal((await delivered(due)).asked.filter((one) => (one as string[])[0] === 'begin').length, 2, 'a stop ends the lanes');
  const refused = await delivered(due.slice(0, 2), failing('Timeout'));
  assert.equal(
    refused.asked.filter((one) => (one as string[])[0] === 'begin'),
    [['begin', 5]],
  );
});

test.run();

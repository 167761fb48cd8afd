import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { replicaOutbox } from '../../src/db/replica-outbox.ts';
import { createLog } from '../../src/log.ts';

const test = suite('what a replica sends to the others');
const log = createLog({ level: 'silent' });

for (const outcome of ['is stored', 'cannot be stored'] as const)
  test(`a message that comes at any time after another one ${outcome} is sent too`, async () => {
    for (let moments = 0; moments < 20; moments++) {
      const sent: string[] = [];
      const stored = Promise.withResolvers<void>();
      const messages = {
        send: async (_batch: unknown, given: { body: string }[]): Promise<void> => {
          sent.push(...given.map(({ body }) => body));
          if (sent.length === 1) await stored.promise;
        },
      };
      const outbox = replicaOutbox({ from: 'here', messages, receive: () => {}, log });
      outbox.send({ type: 'said', body: 'first' }, () => true);
      if (outcome === 'is stored') stored.resolve();
      else stored.reject(new Error('no database'));
      for (let moment = 0; moment < moments; moment++) await Promise.resolve();
      outbox.send({ type: 'said', body: 'second' }, () => true);
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(sent, ['first', 'second'], `after ${moments} moments`);
    }
  });

/** An outbox whose batches wait until the test stores them or lets them fail. */
function world() {
  const batches: { batch: number; lost: boolean; bodies: string[]; end: PromiseWithResolvers<void> }[] = [];
  const received: string[] = [];
  const outbox = replicaOutbox({
    from: 'here',
    messages: {
      send: ({ from, batch, lost }, given) => {
        assert.is(from, 'here');
        const end = Promise.withResolvers<void>();
        batches.push({ batch, lost, bodies: given.map(({ body }) => body), end });
        return end.promise;
      },
    },
    receive: (own) => received.push(...own.map(({ body }) => body)),
    log,
  });
  const listening = { is: true };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    ...{ outbox, batches, received, listening, turn },
    say: (...bodies: string[]) => bodies.forEach((body) => outbox.send({ type: 'said', body }, () => listening.is)),
    async end(batch: number, how: 'stored' | 'failed' = 'stored') {
      const { end } = batches[batch - 1]!;
      if (how === 'stored') end.resolve();
      else end.reject(new Error('no database'));
      await turn();
    },
  };
}
const many = (count: number, from = 0): string[] => Array.from({ length: count }, (_, index) => String(from + index));

test('one batch is under way at a time, and has at most 80 messages', async () => {
  const { say, batches, end } = world();
  say(...many(200));
  await end(1);
  await end(2);
  await end(3);
  await end(4);
  assert.equal(
    batches.map(({ batch, bodies }) => [batch, bodies.length]),
    [
      [1, 1],
      [2, 80],
      [3, 80],
      [4, 39],
    ],
  );
  assert.equal(
    batches.flatMap(({ bodies }) => bodies),
    many(200),
    'in order, each once',
  );
});

test('a batch has at most 512 KiB, unless a single message is larger', async () => {
  const { say, batches, end } = world();
  const [half, more, huge] = [256 * 1024, 256 * 1024 + 1, 600 * 1024].map((length) => 'x'.repeat(length)) as [string, string, string];
  say('first', half, half, half, more, huge, 'last');
  for (let batch = 1; batch <= 6; batch++) if (batches[batch - 1]) await end(batch);
  assert.equal(
    batches.map(({ bodies }) => bodies.map(({ length }) => length)),
    [[5], [half.length, half.length], [half.length], [more.length], [huge.length], [4]],
  );
});

test('what was sent is received when its notification comes back, and everything before it too', async () => {
  const { say, outbox, received, end } = world();
  say('a');
  say('b');
  await end(1);
  await end(2);
  assert.equal([received, outbox.isBusy()], [[], true]);
  outbox.returned(2);
  assert.equal([received, outbox.isBusy()], [['a', 'b'], false]);
  outbox.returned(1);
  say('c');
  await end(3);
  outbox.receiveAll();
  assert.equal(received, ['a', 'b', 'c']);
});

test('without a connection, what was sent is received once it is stored', async () => {
  const { say, outbox, received, listening, end } = world();
  listening.is = false;
  say('a');
  assert.equal([received, outbox.isBusy()], [[], true]);
  await end(1);
  assert.equal([received, outbox.isBusy()], [['a'], false]);
});

test('what cannot be stored is received, and the next batch tells the others that something is lost, once', async () => {
  const { say, outbox, batches, received, end } = world();
  say('a', 'b');
  await end(1, 'failed');
  assert.equal(received, ['a']);
  await end(2);
  say('c');
  await end(3);
  assert.equal(
    batches.map(({ lost }) => lost),
    [false, true, false],
  );
  assert.is(outbox.hasLost(), false);
  say('d');
  await end(4, 'failed');
  assert.is(outbox.hasLost(), true);
  const said = outbox.sayLost();
  await end(5);
  await said;
  assert.equal([batches[4]?.lost, batches[4]?.bodies, outbox.hasLost()], [true, [], false]);
  say('e');
  await end(6, 'failed');
  outbox.forgetLost();
  assert.is(outbox.hasLost(), false);
});

test('of more than 5,000 waiting messages none is sent: they are received, and lost for the others', async () => {
  const { say, outbox, batches, received, end } = world();
  say('first', ...many(5_000));
  assert.equal([received.length, outbox.hasLost()], [0, false]);
  say('last');
  assert.equal(received, ['first', ...many(5_000), 'last']);
  assert.is(outbox.hasLost(), true);
  await end(1);
  say('after it');
  await end(2);
  assert.equal(
    batches.map(({ bodies, lost }) => [bodies, lost]),
    [
      [['first'], false],
      [['after it'], true],
    ],
  );
  await outbox.settled();
});

test('all is settled when what was sent before is stored or given up', async () => {
  for (const how of ['stored', 'failed'] as const) {
    const { say, outbox, end, turn } = world();
    await outbox.settled();
    say('a', 'b');
    let isSettled = false;
    const settled = outbox.settled().then(() => (isSettled = true));
    await end(1, how);
    await turn();
    assert.is(isSettled, false);
    await end(2, how);
    await settled;
  }
});

test.run();

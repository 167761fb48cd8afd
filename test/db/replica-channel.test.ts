import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openStore } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { replicaChannel } from '../../src/db/replica-channel.ts';
import { channelOf, openReplicaConnection } from '../../src/db/replica-connection.ts';
import { replicaMessageRepository, type ReplicaMessageRepository } from '../../src/db/replica-messages.ts';
import { createLog } from '../../src/log.ts';
import { createDatabase, postgresUrl } from '../support/database/database.ts';
import { until } from '../support/runner/wait.ts';

// Replicas of one installation on one PostgreSQL, each with its own pool.

const test = suite('the channel between replicas');
const log = createLog({ level: 'silent' });

interface World extends AsyncDisposable {
  url: string;
  /** Starts a replica. `send` replaces the function that stores its messages. */
  replica(name?: string, send?: (given: ReplicaMessageRepository) => ReplicaMessageRepository['send']): Promise<Replica>;
  /** Sends these payloads to the replicas named `here` with NOTIFY, as every user of the database can. */
  shout(payloads: string[]): Promise<void>;
  /** Breaks every connection with a LISTEN. */
  breakListeners(): Promise<void>;
}

interface Replica extends ReturnType<typeof replicaChannel> {
  /** The received messages as `type body`, and `missed` after a gap. */
  received: string[];
  say(text: string): void;
}

async function world(): Promise<World> {
  await using begun = new AsyncDisposableStack();
  const database = begun.adopt(await createDatabase(postgresUrl ?? ''), ({ drop }) => drop());
  const open = async () => begun.adopt(await openStore({ databaseUrl: database.url, dataDir: '', log }), ({ close }) => close());
  const { db } = await open();
  await migrate(db);
  const running = begun.move();
  return {
    url: database.url,
    async replica(name = 'here', send = (given) => given.send) {
      const store = running.adopt(await openStore({ databaseUrl: database.url, dataDir: '', log }), ({ close }) => close());
      const messages = replicaMessageRepository(store.db, name);
      const channel = replicaChannel({ databaseUrl: database.url, name, messages: { ...messages, send: send(messages) }, log });
      const received: string[] = [];
      await channel.start({
        received: ({ type, body }, isOwn) => void received.push(`${type} ${body}${isOwn ? ' own' : ''}`),
        missed: () => void received.push('missed'),
      });
      running.defer(() => channel.stop());
      return { ...channel, received, say: (text) => channel.send({ type: 'said', body: JSON.stringify(text) }) };
    },
    async shout(payloads) {
      for (const payload of payloads) await sql`select pg_notify(${channelOf('here')}, ${payload})`.execute(db);
    },
    breakListeners: async () =>
      void (await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'podmend replica' and datname = current_database()`.execute(db)),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

const plain = (received: string[]): string[] => received.filter((one) => one !== 'missed').map((one) => one.replace(/ own$/, ''));
const hears = (replica: Replica, what: string) =>
  until(() => replica.received.includes(what), {
    what: `${what} to be heard, among ${replica.received.slice(-5).join()}`,
  });

test('a replica that is alone sends nothing', async () => {
  await using replicas = await world();
  const one = await replicas.replica();
  assert.not(one.isShared());
  assert.equal(one.received, []);
});

test('all replicas receive all messages in one order, and none twice', async () => {
  await using replicas = await world();
  const [one, two, three] = [await replicas.replica(), await replicas.replica(), await replicas.replica()];
  const all = [one, two, three];
  all.forEach((replica) => assert.ok(replica.isShared()));
  const said = Array.from({ length: 900 }, (_, n) => `${n % 3} ${n}`);
  for (const [n, text] of said.entries()) {
    all[n % 3]?.say(text);
    if (n % 50 === 0) await all[n % 3]?.settled();
  }
  const isAll = () => all.every(({ received }) => plain(received).length >= said.length);
  await until(isAll, { what: 'all messages at all replicas' });
  assert.equal(plain(two.received), plain(one.received));
  assert.equal(plain(three.received), plain(one.received));
  assert.equal([...plain(one.received)].sort(), said.map((text) => `said ${JSON.stringify(text)}`).sort());
  for (const from of ['0', '1', '2']) {
    const ofOne = plain(one.received).filter((text) => text.startsWith(`said "${from} `));
    assert.equal(
      ofOne,
      said.filter((text) => text.startsWith(`${from} `)).map((text) => `said ${JSON.stringify(text)}`),
    );
  }
  assert.is(one.received.filter((text) => text.endsWith(' own')).length, 300);
});

test('settled messages come before those that another replica sends afterwards', async () => {
  await using replicas = await world();
  const [one, two] = [await replicas.replica(), await replicas.replica()];
  for (let n = 0; n < 50; n++) {
    one.say(`${n} of one`);
    await one.settled();
    two.say(`${n} of two`);
    await two.settled();
  }
  await Promise.all([hears(one, 'said "49 of two"'), hears(two, 'said "49 of two" own')]);
  const order = Array.from({ length: 50 }, (_, n) => [`said "${n} of one"`, `said "${n} of two"`]).flat();
  assert.equal(plain(one.received), order);
  assert.equal(plain(two.received), order);
});

test('any text arrives as it was: large, with NUL, with half a character', async () => {
  await using replicas = await world();
  const [one, two] = [await replicas.replica(), await replicas.replica()];
  const texts = ['\u0000', '\ud800', '{"a":', "'; drop table failures --", 'x'.repeat(3_000_000), 'ü'.repeat(9_000)];
  for (const text of texts) one.say(text);
  one.say('end');
  await hears(two, 'said "end"');
  assert.equal(
    plain(two.received),
    [...texts, 'end'].map((text) => `said ${JSON.stringify(text)}`),
  );
});

test('replicas of another name hear nothing', async () => {
  await using replicas = await world();
  const [one, two, other] = [await replicas.replica(), await replicas.replica(), await replicas.replica('elsewhere')];
  one.say('hello');
  await hears(two, 'said "hello"');
  assert.not(other.isShared());
  assert.equal(other.received, []);
});

test('replicas of the same name on another database of the server do not count', async () => {
  await using here = await world();
  await using elsewhere = await world();
  await using opened = new AsyncDisposableStack();
  const open = async (databaseUrl: string, name = 'here') =>
    opened.adopt(await openReplicaConnection({ databaseUrl, name, heard: () => {}, lost: () => {}, log }), (one) => one.close());
  const [one, two] = [await open(here.url), await open(here.url)];
  await open(here.url, 'another name');
  const other = await open(elsewhere.url);
  assert.equal([await one.others(), await two.others()], [[two.number], [one.number]]);
  assert.equal(await other.others(), []);
  await two.close();
  await until(async () => (await one.others()).length === 0, { what: 'the closed one to be gone' });
});

test('an end with a goodbye is no gap, an end without one is', async () => {
  await using replicas = await world();
  const [one, two] = [await replicas.replica(), await replicas.replica()];
  two.say('last words');
  await two.stop();
  await until(() => !one.isShared(), { what: 'the first one to be alone' });
  assert.equal(plain(one.received), ['said "last words"']);
  assert.not(one.received.includes('missed'));

  const silent = await openReplicaConnection({ databaseUrl: replicas.url, name: 'here', heard: () => {}, lost: () => {}, log });
  await silent.notify(JSON.stringify({ from: 'another', hello: silent.number }));
  await until(() => one.isShared(), { what: 'the other one to be known' });
  await silent.close();
  await hears(one, 'missed');
  await until(() => !one.isShared(), { what: 'the first one to be alone again' });
});

const NONSENSE = [
  ...['', ' ', 'null', '7', '"text"', '[]', '{', '{}', '{"from":"x"}', '{"from":"x","hello":"1"}', '{"from":"x","here":1}'],
  ...['{"from":"x","bye":null}', '{"from":7,"hello":1}', '{"from":"x","messages":null}', '{"from":"x","messages":[]}'],
  '{"from":"x","batch":1,"lost":false,"messages":[{"type":"said","id":"1; drop table failures"}]}',
  '{"from":"x","batch":1,"lost":false,"messages":[null]}',
];

test('notifications of strangers on the channel are ignored', async () => {
  await using replicas = await world();
  const [one, two] = [await replicas.replica(), await replicas.replica()];
  await replicas.shout(NONSENSE);
  one.say('after it');
  await hears(two, 'said "after it"');
  await hears(one, 'said "after it" own');
  assert.equal([plain(one.received), plain(two.received)], [['said "after it"'], ['said "after it"']]);
});

test('notifications without a stored message are a gap, but no end', async () => {
  await using replicas = await world();
  const [one, two] = [await replicas.replica(), await replicas.replica()];
  const gaps = (): number => two.received.filter((text) => text === 'missed').length;
  const before = gaps();
  await replicas.shout(['{"from":"x","batch":1,"lost":false,"messages":[{"type":"said","id":9007199254740991},{"type":"said","id":-1}]}']);
  await until(() => gaps() > before, { what: 'the gap to be noticed' });
  one.say('after it');
  await hears(two, 'said "after it"');
});

test('a broken connection is a gap, and afterwards everything is heard again', async () => {
  await using replicas = await world();
  const [one, two] = [await replicas.replica(), await replicas.replica()];
  const before = [one, two].map(({ received }) => received.filter((text) => text === 'missed').length);
  await replicas.breakListeners();
  one.say('meanwhile');
  await hears(one, 'said "meanwhile" own');
  const areBack = () =>
    [one, two].every(({ received }, index) => received.filter((text) => text === 'missed').length > (before[index] ?? 0));
  await until(areBack, { what: 'both to know that they missed something' });
  await until(
    async () => {
      one.say('again');
      await sleep(100);
      return two.received.includes('said "again"');
    },
    { what: 'the second one to hear the first one again' },
  );
});

test('a broken connection of a replica that is alone is no gap', async () => {
  await using replicas = await world();
  const one = await replicas.replica();
  await replicas.breakListeners();
  await until(() => one.isShared(), { what: 'the broken connection to be noticed' });
  await until(() => !one.isShared(), { what: 'the connection to be back' });
  assert.equal(one.received, []);
});

test('a replica that cannot store its messages receives them itself, and the others learn of a gap', async () => {
  await using replicas = await world();
  let isAway = false;
  const away: Parameters<World['replica']>[1] =
    ({ send }) =>
    (...args) =>
      isAway ? Promise.reject(new Error('no database')) : send(...args);
  const one = await replicas.replica('here', away);
  const two = await replicas.replica();
  isAway = true;
  one.say('lost');
  await one.settled();
  assert.equal(plain(one.received), ['said "lost"']);
  isAway = false;
  await hears(two, 'missed');
  assert.equal(plain(two.received), []);
});

test('too many messages at once are not stored: the others reload', async () => {
  await using replicas = await world();
  const stuck = Promise.withResolvers<void>();
  let isStuck = true;
  const slow: Parameters<World['replica']>[1] =
    ({ send }) =>
    async (...args) => {
      if (isStuck) await stuck.promise;
      return send(...args);
    };
  const one = await replicas.replica('here', slow);
  const two = await replicas.replica();
  for (let n = 0; n < 6_000; n++) one.say(String(n));
  assert.ok(one.received.length > 5_000, 'it receives its own without the database');
  isStuck = false;
  stuck.resolve();
  await one.settled();
  await hears(two, 'missed');
  await until(() => one.received.length >= 6_000, { what: 'all of its own' });
  assert.equal(
    one.received.map((text) => text.replace(/ own$/, '')),
    Array.from({ length: 6_000 }, (_, n) => `said "${n}"`),
  );
});

if (postgresUrl) test.run();
else console.log('SKIP the channel between replicas: TEST_DATABASE_URL is not set');

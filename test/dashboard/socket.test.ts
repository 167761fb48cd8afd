import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SocketMessage } from '../../src/contract/socket.ts';
import { PULSE, pulse } from '../../src/dashboard/live/pulse.ts';
import { type Connection, liveSocket } from '../../src/dashboard/live/socket.ts';

// The connection that keeps the screen live, with a fake clock and fake sockets.

const test = suite('the live connection');

/** The sockets, the messages received through them, and the waits before each attempt. */
function world() {
  const sockets: { on: Map<string, (event: never) => void>; closed: boolean }[] = [];
  const heard: SocketMessage[] = [];
  const states: Connection[] = [];
  const waits: number[] = [];
  let due: (() => void) | undefined;
  const live = liveSocket({
    open: () => {
      const one = { on: new Map<string, (event: never) => void>(), closed: false };
      sockets.push(one);
      return {
        addEventListener: ((type: string, listener: (event: never) => void) =>
          void one.on.set(type, listener)) as WebSocket['addEventListener'],
        close: () => void (one.closed = true),
      };
    },
    setTimeout: (callback, ms) => {
      waits.push(ms);
      due = callback;
      return waits.length;
    },
    clearTimeout: () => void (due = undefined),
    random: () => 0.5,
    message: (message) => void heard.push(message),
    changed: (connection) => void states.push(connection),
  });
  const tell = (type: string, event: object = {}): void => sockets.at(-1)?.on.get(type)?.(event as never);
  return { live, sockets, heard, states, waits, tell, wait: () => due?.() };
}

test('it is live once it is open, and hands on what comes', () => {
  const { heard, states, tell } = world();
  tell('open');
  tell('message', { data: '{"type":"pod_deleted","data":{"namespace":"shop","pod_name":"web-1"}}' });
  assert.equal(states, ['live']);
  assert.is(heard[0]?.type, 'pod_deleted');
});

test('anything that is no message is ignored', () => {
  const { heard, tell } = world();
  tell('open');
  for (const data of ['', 'hello', '{}', '[]', 'null', '{"type":1,"data":{}}', '{"type":"x"}', '{"type":"x","data":3}'])
    tell('message', { data });
  assert.equal(heard, []);
});

test('a lost connection is tried again, with pauses that grow up to a limit and begin anew after success', () => {
  const { sockets, states, waits, tell, wait } = world();
  tell('open');
  for (let round = 0; round < 7; round++) {
    tell('close', { code: 1006 });
    wait();
  }
  assert.equal(waits, [500, 1000, 2000, 4000, 8000, 15000, 15000]);
  assert.is(sockets.length, 8);
  tell('open');
  assert.is(states.at(-1), 'live');
  tell('close', { code: 1001 });
  assert.is(waits.at(-1), 500);
});

test('a user who comes back does not wait for the end of a pause', () => {
  const { live, sockets, tell } = world();
  live.retry();
  assert.is(sockets.length, 1, 'one attempt at a time');
  tell('close', { code: 1006 });
  live.retry();
  live.retry();
  assert.is(sockets.length, 2);
});

test('a connection that may be dead is replaced by a new one', () => {
  const { live, sockets, heard, states, tell } = world();
  tell('open');
  live.renew();
  assert.equal([sockets[0]?.closed, sockets.length, states], [true, 2, ['live', 'lost']]);
  sockets[0]?.on.get('message')?.({ data: '{"type":"pod_deleted","data":{}}' } as never);
  sockets[0]?.on.get('close')?.({ code: 1006 } as never);
  assert.equal([heard.length, sockets.length], [0, 2], 'what the old one says no longer counts');
  tell('open');
  assert.is(states.at(-1), 'live');
  tell('close', { code: 1006 });
  live.renew();
  assert.is(sockets.length, 3, 'a pause is cut short');
});

test('when the session ended it is not tried again', () => {
  const { live, sockets, states, waits, tell } = world();
  tell('open');
  tell('close', { code: 1008 });
  live.retry();
  assert.equal([states.at(-1), waits.length, sockets.length], ['refused', 0, 1]);
});

test('after closing nothing is heard and nothing is tried', () => {
  const { live, sockets, heard, states, waits, tell } = world();
  tell('open');
  live.close();
  tell('message', { data: '{"type":"pod_deleted","data":{}}' });
  tell('close', { code: 1006 });
  live.retry();
  assert.equal([sockets[0]?.closed, heard.length, states, waits.length, sockets.length], [true, 0, ['live'], 0, 1]);
});

test.run();

const beats = suite('the pulse');

/** The test answers each request itself. `wait` ends the pause between two requests. */
function heart() {
  const asked: { answer(): void; refuse(): void }[] = [];
  const heard: string[] = [];
  let due: (() => void) | undefined;
  const it = pulse({
    ask: () => new Promise<void>((answer, refuse) => void asked.push({ answer, refuse: () => refuse(new Error('away')) })),
    setTimeout: (callback) => (due = callback),
    clearTimeout: () => void (due = undefined),
    answered: () => void heard.push('there'),
    missed: () => void heard.push('away'),
  });
  const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  return { it, asked, heard, settled, wait: () => due?.() };
}

beats('it asks at once and again after each answer, whatever it is', async () => {
  const { it, asked, heard, settled, wait } = heart();
  assert.is(asked.length, 0);
  it.now();
  asked[0]?.refuse();
  await settled();
  wait();
  asked[1]?.answer();
  await settled();
  wait();
  assert.equal([heard, asked.length], [['away', 'there'], 3]);
});

beats('while it is paused, nothing is requested, and a late answer does not count', async () => {
  const { it, asked, heard, settled, wait } = heart();
  it.now();
  it.pause();
  asked[0]?.refuse();
  await settled();
  wait();
  assert.equal([heard, asked.length], [[], 1]);
  it.now();
  it.now();
  asked[1]?.refuse();
  asked[2]?.answer();
  await settled();
  assert.equal(heard, ['there'], 'of two questions the later one counts');
});

beats('a server that is away is noticed within five seconds', () => assert.ok(PULSE.everyMs + PULSE.answerMs < 5_000));

beats.run();

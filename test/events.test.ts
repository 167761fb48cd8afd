import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SocketMessage } from '../src/contract/socket.ts';
import type { Channel, ChannelListener, ChannelMessage } from '../src/async/channel.ts';
import { eventHub, internalBus, openEvents } from '../src/events.ts';

const message: SocketMessage = { type: 'pod_deleted', data: { namespace: 'shop', pod_name: 'web-1' } };

test('every subscriber hears every message, synchronously', () => {
  const hub = eventHub();
  const heard: string[] = [];
  hub.subscribe(({ type }) => heard.push(`first ${type}`));
  hub.subscribe(({ type }) => heard.push(`second ${type}`));
  hub.publish(message);
  assert.equal(heard, ['first pod_deleted', 'second pod_deleted']);
});

test('a listener that throws reaches neither the publisher nor the next listener', () => {
  const troubles: unknown[] = [];
  const hub = eventHub((error) => troubles.push(error));
  const broken = new Error('socket is gone');
  let heard = 0;
  hub.subscribe(() => {
    throw broken;
  });
  hub.subscribe(() => heard++);
  hub.publish(message);
  assert.is(heard, 1);
  assert.equal(troubles, [broken]);
});

test('after unsubscribing, a listener hears nothing; the same function subscribed twice is two subscriptions', () => {
  const hub = eventHub();
  let heard = 0;
  const listener = (): void => void heard++;
  const stop = hub.subscribe(listener);
  hub.subscribe(listener);
  stop();
  stop();
  hub.publish(message);
  assert.is(heard, 1);
});

test('an internal event reaches only the listeners of its name, and waits until they are done', async () => {
  const bus = internalBus();
  const heard: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  bus.on('findingsSuppressed', async ({ ids }) => {
    await released;
    heard.push(`late ${ids.join()}`);
  });
  bus.on('findingsSuppressed', ({ ids }) => void heard.push(`at once ${ids.join()}`));
  bus.on('recordsUnsuppressed', () => void heard.push('of another name'));
  const done = bus.emit('findingsSuppressed', { ids: [2, 1] });
  assert.equal(heard, ['at once 2,1']);
  release();
  await done;
  assert.equal(heard, ['at once 2,1', 'late 2,1']);
});

test('a listener of an internal event that fails reaches neither the emitter nor the next listener', async () => {
  const troubles: unknown[] = [];
  const bus = internalBus((error) => troubles.push(error));
  const [broken, late] = [new Error('broken'), new Error('database is away')];
  let heard = 0;
  bus.on('settingChanged', () => {
    throw broken;
  });
  bus.on('settingChanged', async () => {
    throw late;
  });
  const stop = bus.on('settingChanged', () => void heard++);
  await bus.emit('settingChanged', { key: 'model_hide_names' });
  stop();
  await bus.emit('settingChanged', { key: 'model_hide_names' });
  assert.is(heard, 1);
  assert.equal(troubles, [broken, late, broken, late]);
});

const rethrow = (error: unknown): never => {
  throw error;
};

/** Channels of several processes. Each message reaches all of them synchronously. */
function processes(count: number): Channel[] {
  const listeners: ChannelListener[] = [];
  const channel = (own: number): Channel => ({
    isShared: () => count > 1,
    send: (message: ChannelMessage) => listeners.forEach((listener, index) => listener.received(message, index === own)),
    settled: async () => {},
    start: async (listener) => void (listeners[own] = listener),
  });
  return Array.from({ length: count }, (_, own) => channel(own));
}

test('what one replica publishes is heard by all, once', async () => {
  const heard: string[] = [];
  const replicas = processes(2).map((channel) => openEvents(rethrow, channel));
  for (const [index, { hub, start }] of replicas.entries()) {
    hub.subscribe(
      ({ data }) => heard.push(`${index} ${JSON.stringify(data)}`),
      () => heard.push(`${index} missed`),
    );
    await start();
  }
  replicas[1]?.hub.publish(message);
  assert.equal(heard, ['0 {"namespace":"shop","pod_name":"web-1"}', '1 {"namespace":"shop","pod_name":"web-1"}']);
});

test('a replica that is alone hands its messages to its own listeners', async () => {
  const [channel] = processes(1);
  const { hub, start } = openEvents(rethrow, channel);
  const heard: string[] = [];
  hub.subscribe(({ type }) => heard.push(type));
  await start();
  hub.publish(message);
  await hub.settled();
  assert.equal(heard, ['pod_deleted']);
});

test('a changed setting is known to every replica, once, and no socket hears of it', async () => {
  const heard: string[] = [];
  const replicas = processes(2).map((channel) => openEvents(rethrow, channel));
  for (const [index, { hub, bus, start }] of replicas.entries()) {
    hub.subscribe(({ type }) => heard.push(`${index} ${type}`));
    bus.on('settingChanged', ({ key }) => void heard.push(`${index} ${key}`));
    await start();
  }
  await replicas[0]?.bus.emit('settingChanged', { key: 'model_hide_names' });
  assert.equal(heard.sort(), ['0 model_hide_names', '1 model_hide_names']);
});

test('messages that may be missing are told to those who want to know, and a broken one does not keep it from the others', () => {
  const troubles: unknown[] = [];
  const { subscribe, missed } = eventHub((error) => troubles.push(error));
  const broken = new Error('broken');
  const heard: string[] = [];
  subscribe(
    () => {},
    () => {
      throw broken;
    },
  );
  subscribe(() => heard.push('a message'));
  const stop = subscribe(
    () => {},
    () => heard.push('missed'),
  );
  missed();
  stop();
  missed();
  assert.equal([heard, troubles], [['missed'], [broken, broken]]);
});

test('what was published is settled when the channel says so; without a channel at once', async () => {
  const held = Promise.withResolvers<void>();
  const [channel] = processes(2) as [Channel];
  let isSettled = false;
  const waiting = eventHub(rethrow, { ...channel, settled: () => held.promise })
    .settled()
    .then(() => (isSettled = true));
  await new Promise((resolve) => setImmediate(resolve));
  assert.is(isSettled, false);
  held.resolve();
  await waiting;
  const alone = openEvents(rethrow);
  await alone.start();
  await alone.hub.settled();
  const heard: string[] = [];
  alone.hub.subscribe(({ type }) => heard.push(type));
  alone.bus.on('settingChanged', ({ key }) => void heard.push(key));
  alone.hub.publish(message);
  await alone.bus.emit('settingChanged', { key: 'model_hide_names' });
  assert.equal(heard, ['pod_deleted', 'model_hide_names']);
});

test.run();

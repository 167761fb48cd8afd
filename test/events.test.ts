import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SocketMessage } from '../src/contract/socket.ts';
import { eventHub } from '../src/events.ts';

const message: SocketMessage = { type: 'pod_deleted', data: { namespace: 'shop', pod_name: 'web-1' } };

test('every subscriber hears every message, in the publisher’s turn', () => {
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

test('who unsubscribed hears nothing more; the same function subscribed twice is two subscriptions', () => {
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

test.run();

import type { SocketMessage } from './contract/socket.ts';

/** Called once per published message, in the publisher's own turn: return quickly. */
export type Listener = (message: SocketMessage) => void;

/** The typed hub between stories and sockets, in this process. */
export interface Hub {
  /** Hands the message to every present listener. Never throws. */
  publish(message: SocketMessage): void;
  /** Adds a listener; the answer removes it again (safe to call twice). */
  subscribe(listener: Listener): () => void;
}

/**
 * A hub. A listener that throws is told to `onError` and never reaches the publisher or the other listeners:
 * a broken socket must not undo the write that caused the message.
 */
export function eventHub(onError: (error: unknown) => void = () => {}): Hub {
  // A wrapper per subscription, so that one function subscribed twice is two subscriptions.
  const subscriptions = new Set<{ listener: Listener }>();
  return {
    publish(message) {
      for (const { listener } of subscriptions) {
        try {
          listener(message);
        } catch (error) {
          onError(error);
        }
      }
    },
    subscribe(listener) {
      const subscription = { listener };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },
  };
}

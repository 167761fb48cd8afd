import type { FailureRecord } from './contract/failure.ts';
import type { SettingKey } from './contract/settings.ts';
import type { SocketMessage } from './contract/socket.ts';

/** Called once per published message, in the publisher's own turn: return quickly. */
export type Listener = (message: SocketMessage) => void;

/** Carries socket messages from the subjects to the sockets of this process. */
export interface Hub {
  /** Hands the message to every present listener. Never throws. */
  publish(message: SocketMessage): void;
  /** Adds a listener; the answer removes it again (safe to call twice). */
  subscribe(listener: Listener): () => void;
}

/**
 * A hub. `onError` gets what a listener throws; the publisher and the other listeners go on:
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

/** What happened in one subject that another one may want to know. None of it reaches a socket as it is. */
export interface InternalEvents {
  /** A report was stored, and its record is shown. */
  recordStored: {
    record: FailureRecord;
    /** The logs that the report brought. */
    logs: string | null;
    /** Whether the rules have just made the record's solution. */
    isNewSolution: boolean;
  };
  /** Some failure records may be shown again. Those that were suppressed from the start have no solution yet. */
  recordsUnsuppressed: Record<never, never>;
  /** Suppressions now hide these findings, which were shown before. The newest is first; there is at least one. */
  findingsSuppressed: { ids: number[] };
  /** An administrator changed a setting through this process. */
  settingChanged: { key: SettingKey };
}

export type InternalListener<Name extends keyof InternalEvents> = (event: InternalEvents[Name]) => void | Promise<void>;

/** Tells the other subjects of this process what happened. Whoever needs an answer takes a function as an argument instead. */
export interface InternalBus {
  /** Calls every listener at once. Resolves when all of them are done. Never rejects. */
  emit<Name extends keyof InternalEvents>(name: Name, event: InternalEvents[Name]): Promise<void>;
  /** Adds a listener; the answer removes it again. */
  on<Name extends keyof InternalEvents>(name: Name, listener: InternalListener<Name>): () => void;
}

type Listeners = { [Name in keyof InternalEvents]: Set<{ listener: InternalListener<Name> }> };

const DONE = Promise.resolve();

/** A bus. `onError` gets what a listener throws or rejects with: the emitter and the other listeners go on. */
export function internalBus(onError: (error: unknown) => void = () => {}): InternalBus {
  const listeners: Listeners = {
    recordStored: new Set(),
    recordsUnsuppressed: new Set(),
    findingsSuppressed: new Set(),
    settingChanged: new Set(),
  };
  return {
    emit(name, event) {
      // Most listeners are done at once, and every report emits an event: only those that work on cost a promise.
      let working: Promise<void>[] | undefined;
      for (const { listener } of listeners[name]) {
        try {
          const done = listener(event);
          if (done) (working ??= []).push(done.catch(onError));
        } catch (error) {
          onError(error);
        }
      }
      return working ? Promise.all(working).then(() => undefined) : DONE;
    },
    on(name, listener) {
      const subscription = { listener };
      listeners[name].add(subscription);
      return () => void listeners[name].delete(subscription);
    },
  };
}

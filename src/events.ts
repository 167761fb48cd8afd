import type { Channel, ChannelMessage } from './async/channel.ts';
import type { FailureRecord } from './contract/failure.ts';
import type { SettingKey } from './contract/settings.ts';
import type { SocketMessage } from './contract/socket.ts';

/** Called once per published message, in the publisher's own turn: return quickly. */
export type Listener = (message: SocketMessage) => void;

/** Carries socket messages from the subjects to the sockets of this process, and of all other replicas. */
export interface Hub {
  /** Hands the message to every present listener: at once, or in its turn among the messages of other replicas. Never throws. */
  publish(message: SocketMessage): void;
  /** Adds a listener; the answer removes it again (safe to call twice). `missed` is called when messages of other replicas may be missing. */
  subscribe(listener: Listener, missed?: () => void): () => void;
  /** Resolves when what was published before is on its way to the other replicas: what one of them is asked for next comes after it. */
  settled(): Promise<void>;
}

/**
 * A hub. `onError` gets what a listener throws; the publisher and the other listeners go on:
 * a broken socket must not undo the write that caused the message.
 */
export function eventHub(onError: OnError = () => {}, channel?: Channel): Hub & Pick<Deliveries, 'deliver' | 'missed'> {
  const { deliver, missed, subscribe } = deliveries(onError);
  return {
    publish(message) {
      if (channel?.isShared()) channel.send({ type: message.type, body: JSON.stringify(message) });
      else deliver(message);
    },
    subscribe,
    settled: async () => channel?.settled(),
    deliver,
    missed,
  };
}

type OnError = (error: unknown) => void;

interface Deliveries {
  /** Hands the message to the listeners of this process. */
  deliver(message: SocketMessage): void;
  /** Tells them that messages of other replicas may be missing. */
  missed(): void;
  subscribe: Hub['subscribe'];
}

function deliveries(onError: OnError): Deliveries {
  // An entry per subscription, so that one function subscribed twice is two subscriptions.
  const subscriptions = new Set<{ listener: Listener; missed: () => void }>();
  const each = (call: (subscription: { listener: Listener; missed: () => void }) => void): void => {
    for (const subscription of subscriptions) {
      try {
        call(subscription);
      } catch (error) {
        onError(error);
      }
    }
  };
  return {
    deliver: (message) => each(({ listener }) => listener(message)),
    missed: () => each((subscription) => subscription.missed()),
    subscribe(listener, missed = () => {}) {
      const subscription = { listener, missed };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },
  };
}

/** Whether a report brought the log of the failed run. */
export type ReportedLog = 'none' | 'due' | 'given';

/** What happened in one subject that another one may want to know. None of it reaches a socket as it is. */
export interface InternalEvents {
  /** A report was stored, and its record is shown. */
  recordStored: {
    record: FailureRecord;
    /** The log that the report brought: none, a note that it comes later, or one. */
    log: ReportedLog;
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

/** Tells the other subjects of this process what happened. Code that needs an answer takes a function as an argument instead. */
export interface InternalBus {
  /** Calls every listener at once. Resolves when all of them are done. Never rejects. */
  emit<Name extends keyof InternalEvents>(name: Name, event: InternalEvents[Name]): Promise<void>;
  /** Adds a listener; the answer removes it again. */
  on<Name extends keyof InternalEvents>(name: Name, listener: InternalListener<Name>): () => void;
}

type Listeners = { [Name in keyof InternalEvents]: Set<{ listener: InternalListener<Name> }> };

const DONE = Promise.resolve();

/** A bus. `onError` gets what a listener throws or rejects with: the emitter and the other listeners go on. */
export function internalBus(onError: OnError = () => {}): InternalBus {
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

/** The type of the channel's message that an administrator changed a setting. Sockets get none. */
const SETTING_CHANGED = 'setting_changed';

/**
 * Hub and bus of a process. With a channel, all replicas hear the same messages in the same order, and every replica learns of a changed
 * setting. `start` begins to listen to the others.
 */
export function openEvents(onError: OnError, channel?: Channel): { hub: Hub; bus: InternalBus; start(): Promise<void> } {
  const hub = eventHub(onError, channel);
  const local = internalBus(onError);
  const received = ({ type, body }: ChannelMessage, isOwn: boolean): void => {
    if (type !== SETTING_CHANGED) hub.deliver(JSON.parse(body) as SocketMessage);
    else if (!isOwn) void local.emit('settingChanged', JSON.parse(body) as InternalEvents['settingChanged']);
  };
  const bus: InternalBus = {
    ...local,
    emit(name, event) {
      if (name === 'settingChanged' && channel?.isShared()) channel.send({ type: SETTING_CHANGED, body: JSON.stringify(event) });
      return local.emit(name, event);
    },
  };
  return { hub, bus, start: async () => channel?.start({ received, missed: hub.missed }) };
}

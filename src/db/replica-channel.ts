import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel, ChannelListener, ChannelMessage } from '../async/channel.ts';
import type { Logger } from '../log.ts';
import { openReplicaConnection, type ReplicaConnection } from './replica-connection.ts';
import type { ReplicaMessageRepository } from './replica-messages.ts';
import { type BatchNotice, readNotice, type Word } from './replica-notice.ts';
import { replicaOutbox } from './replica-outbox.ts';

export interface ReplicaChannelOptions {
  databaseUrl: string;
  /** Replicas with the same name receive each other's messages. */
  name: string;
  messages: ReplicaMessageRepository;
  log: Logger;
}

const RETRY_MS = 1_000;
/** How long a start waits for replicas that do not answer. */
const START_MS = 5_000;
/** How long a replica waits for its own notification. If it does not arrive in time, the connection is broken. */
const ECHO_MS = 3_000;
/** How often a replica checks which others are alive. A replica without others only checks its own connection. */
const LOOK_MS = { alone: 10_000, shared: 1_000, joining: 250 };

/**
 * The channel between replicas, through PostgreSQL. Each replica listens on a separate connection. All replicas receive all messages, including
 * their own, in the order in which the database stored them. A replica without others sends nothing. While the connection is lost, messages of
 * this process are stored for the others, and this process receives them immediately.
 */
export function replicaChannel(options: ReplicaChannelOptions): Channel & { stop(): Promise<void> } {
  const { messages, log } = options;
  const from = randomUUID();
  const stopping = new AbortController();
  let listener: ChannelListener | undefined;
  let connection: ReplicaConnection | undefined;
  let running: Promise<void> | undefined;
  /** The connections of other replicas that are alive. */
  const others = new Set<number>();
  /** The connections that have not answered the hello yet. */
  const unheard = new Set<number>();
  /** Connections that have said goodbye. Their locks may still exist for a moment. */
  const gone = new Set<number>();
  let hasEcho = false;
  /** The id of the newest message that was received. */
  let newest: number | undefined;
  let hasStarted = false;
  let inbox = Promise.resolve();
  /** Aborted to end the current pause early. */
  let look = new AbortController();

  const receive = (received: ChannelMessage[], isOwn: boolean): void => {
    for (const message of received) listener?.received(message, isOwn);
  };
  const outbox = replicaOutbox({ from, messages, receive: (own) => receive(own, true), log });

  const breakConnection = (broken: ReplicaConnection): void => {
    if (connection !== broken) return;
    connection = undefined;
    outbox.receiveAll();
    void broken.close();
    look.abort();
  };
  const say = (over: ReplicaConnection, word: { hello: number } | { here: number; to: number } | { bye: number }) =>
    over.notify(JSON.stringify({ from, ...word }));

  const heardBatch = async ({ from: sender, batch, lost, messages: named }: BatchNotice): Promise<void> => {
    const ids = named.map(({ id }) => id);
    newest = Math.max(newest ?? 0, ...ids);
    if (sender === from) return outbox.returned(batch);
    const bodies = ids.length > 0 ? await connection?.read(ids).catch(() => undefined) : [];
    const isWhole = bodies?.length === ids.length;
    if (isWhole)
      receive(
        bodies.map((body, index) => ({ type: named[index]?.type ?? '', body })),
        false,
      );
    if (!isWhole || lost) listener?.missed();
  };
  const heardWord = (word: Word): void => {
    const isOwn = word.from === from;
    if ('hello' in word) {
      if (isOwn) hasEcho = true;
      else others.add(word.hello);
      if (!isOwn && connection) void say(connection, { here: connection.number, to: word.hello }).catch(() => undefined);
    } else if ('here' in word) {
      if (word.to === connection?.number) unheard.delete(word.here);
    } else if (!isOwn) {
      gone.add(word.bye);
      others.delete(word.bye);
      unheard.delete(word.bye);
    }
    if (hasEcho && unheard.size === 0) look.abort();
  };
  const heard = (payload: string): void => {
    const notice = readNotice(payload);
    if (!notice) return log.warn({ bytes: payload.length }, 'what no replica says came over the channel of the replicas: it is ignored');
    if ('messages' in notice) inbox = inbox.then(() => heardBatch(notice));
    // Messages that were sent before a goodbye must be received before the goodbye counts.
    else if ('bye' in notice) inbox = inbox.then(() => heardWord(notice));
    else heardWord(notice);
  };

  /** Asks the database which replicas are alive. A replica that ended without a goodbye may have made changes that it did not announce. */
  const lookAround = async (over: ReplicaConnection): Promise<void> => {
    const living = new Set(await over.others());
    const ended = [...others].filter((number) => !living.has(number));
    for (const number of gone) if (!living.has(number)) gone.delete(number);
    for (const number of living) if (!gone.has(number)) others.add(number);
    for (const number of ended) {
      others.delete(number);
      unheard.delete(number);
    }
    if (ended.length === 0) return;
    log.warn({ others: others.size }, 'another replica ended without a goodbye: sockets are closed, so that clients reload');
    listener?.missed();
    // If that replica only lost its connection, this tells it on its return that it missed messages.
    newest = Math.max(newest ?? 0, await messages.mark());
  };
  /** Announces this replica and waits until all others have answered. From then on, they send their messages to it. */
  const join = async (over: ReplicaConnection): Promise<void> => {
    const before = newest;
    others.clear();
    gone.clear();
    hasEcho = false;
    newest = await over.newest();
    for (const number of await over.others()) others.add(number);
    for (const number of others) unheard.add(number);
    const hasOthers = others.size > 0;
    const since = performance.now();
    await say(over, { hello: over.number });
    while (connection === over && !stopping.signal.aborted && (!hasEcho || unheard.size > 0)) {
      await pauseFor(LOOK_MS.joining);
      if (!hasEcho && performance.now() - since > ECHO_MS)
        throw new Error('the database passes no notifications on: DATABASE_URL must not be a pooler that shares connections');
      await lookAround(over);
    }
    // At the start nobody has read anything yet.
    if (hasStarted && (hasOthers || before !== newest)) listener?.missed();
  };
  const pauseFor = async (ms: number): Promise<void> => {
    look = new AbortController();
    await sleep(ms, undefined, { signal: AbortSignal.any([look.signal, stopping.signal]) }).catch(() => undefined);
  };
  const sayWhatWasLost = async (): Promise<void> => {
    if (others.size > 0) return outbox.sayLost();
    newest = Math.max(newest ?? 0, await messages.mark());
    outbox.forgetLost();
  };

  /** Listens until the connection breaks. */
  const listen = async (joined: () => void): Promise<void> => {
    let over: ReplicaConnection | undefined;
    const lost = (): void => over && breakConnection(over);
    try {
      over = await openReplicaConnection({ ...options, heard, lost });
      connection = over;
      await join(over);
      joined();
      while (connection === over && !stopping.signal.aborted) {
        await pauseFor(others.size > 0 ? LOOK_MS.shared : LOOK_MS.alone);
        if (connection !== over || stopping.signal.aborted) break;
        await lookAround(over);
        if (outbox.hasLost()) await sayWhatWasLost();
        if (outbox.oldestMs() > ECHO_MS) throw new Error('a notification did not come back');
      }
    } catch (error) {
      log.warn({ err: error }, 'the other replicas cannot be heard now');
    }
    if (over && !stopping.signal.aborted) breakConnection(over);
  };
  const run = async (joined: () => void): Promise<void> => {
    while (!stopping.signal.aborted) {
      await listen(joined);
      await sleep(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };

  return {
    isShared: () => !connection || others.size > 0 || outbox.isBusy(),
    send: (message) => outbox.send(message, () => connection !== undefined),
    settled: outbox.settled,
    async start(to) {
      listener = to;
      const joined = Promise.withResolvers<void>();
      running = run(joined.resolve);
      const giveUp = new AbortController();
      await Promise.race([joined.promise, sleep(START_MS, undefined, { signal: giveUp.signal }).catch(() => undefined)]);
      giveUp.abort();
      hasStarted = true;
    },
    async stop() {
      await outbox.settled();
      const over = connection;
      if (over) await say(over, { bye: over.number }).catch(() => undefined);
      stopping.abort();
      await running;
      await inbox;
      outbox.receiveAll();
      // Another connection may have been opened since the stop began, so read it again.
      const last = connection;
      connection = undefined;
      await last?.close();
    },
  };
}

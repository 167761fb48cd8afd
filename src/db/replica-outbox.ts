import type { ChannelMessage } from '../async/channel.ts';
import type { Logger } from '../log.ts';
import type { ReplicaMessageRepository } from './replica-messages.ts';

/** The limits of one batch. A notification has 8,000 bytes for the names of its messages. */
const MOST = { messages: 80, bytes: 512 * 1024 };
/** If more messages than this wait, none of them is sent, and the other replicas reload. */
const MOST_WAITING = 5_000;

export interface ReplicaOutboxDeps {
  /** Identifies the sending process. */
  from: string;
  messages: Pick<ReplicaMessageRepository, 'send'>;
  /** Called with what this process sent, when it is this process's turn to receive it. */
  receive(own: ChannelMessage[]): void;
  log: Logger;
}

/**
 * Sends the messages of this process to the other replicas: one batch after another, and each message once. The process receives its own messages
 * when their notification comes back, or when it is clear that the notification cannot come back.
 */
export function replicaOutbox({ from, messages, receive, log }: ReplicaOutboxDeps) {
  const waiting: ChannelMessage[] = [];
  /** Batches whose notification has not come back yet, oldest first. */
  const onTheWay = new Map<number, { sent: ChannelMessage[]; at: number }>();
  let batch = 0;
  let hasLost = false;
  let isListening = (): boolean => false;
  let sending: Promise<void> | undefined;
  /** How many messages were passed to `send`, and how many of these were stored or given up. */
  let [given, done] = [0, 0];

  /** Receives all batches up to `last`, so that their order is kept. */
  const receiveUpTo = (last: number): void => {
    for (const [number, { sent }] of onTheWay) {
      if (number > last) break;
      onTheWay.delete(number);
      receive(sent);
    }
  };
  const take = (): ChannelMessage[] => {
    let [count, bytes] = [0, 0];
    for (const { body } of waiting) {
      bytes += body.length;
      if (count > 0 && (count === MOST.messages || bytes > MOST.bytes)) break;
      count++;
    }
    return waiting.splice(0, count);
  };
  const sendBatch = async (): Promise<void> => {
    const sent = take();
    const number = ++batch;
    const lost = hasLost;
    hasLost = false;
    onTheWay.set(number, { sent, at: performance.now() });
    try {
      await messages.send({ from, batch: number, lost }, sent);
    } catch (error) {
      hasLost = true;
      log.warn({ err: error }, 'messages could not be sent to the other replicas: clients there will reload');
      receiveUpTo(number);
    }
    done += sent.length;
    if (!isListening()) receiveUpTo(number);
  };
  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0) await sendBatch();
  };
  const start = (work: () => Promise<void>): Promise<void> => (sending ??= work().finally(ended));
  const ended = (): void => {
    sending = undefined;
    // A message may have come after `sendAll` looked for the last time.
    if (waiting.length > 0) void start(sendAll);
  };

  return {
    isBusy: () => waiting.length > 0 || onTheWay.size > 0,
    hasLost: () => hasLost,
    forgetLost: () => void (hasLost = false),
    /** How long the oldest batch has been on its way, in milliseconds. */
    oldestMs: (): number => performance.now() - (onTheWay.values().next().value?.at ?? performance.now()),

    /** `listens`: whether the notification can come back. */
    send(message: ChannelMessage, listens: () => boolean): void {
      isListening = listens;
      waiting.push(message);
      given++;
      if (waiting.length > MOST_WAITING) {
        hasLost = true;
        receiveUpTo(batch);
        done += waiting.length;
        receive(waiting.splice(0));
      }
      void start(sendAll);
    },

    /** Tells the others that they missed something. */
    sayLost: () => start(sendBatch),

    /** The notification of a batch came back. */
    returned: receiveUpTo,

    /** No notification comes back any more. */
    receiveAll: () => receiveUpTo(batch),

    async settled(): Promise<void> {
      const goal = given;
      while (done < goal) await start(sendAll);
    },
  };
}

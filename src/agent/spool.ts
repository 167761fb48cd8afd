import type { FailingPod } from '../contract/agent.ts';

/** A message that waits for the operator. */
export interface SpooledMessage {
  /** Set for reports. A newer report with the same key replaces this one, unless another message about the pod came between them. */
  key: string | undefined;
  pod: FailingPod;
  node: string | null | undefined;
  /** When the content of the message was first seen. */
  seenAt: string | null | undefined;
  path: string;
  body: string;
}

export interface SpoolLimits {
  items: number;
  bytes: number;
}

export const SPOOL_LIMITS: SpoolLimits = { items: 1_000, bytes: 32 * 1024 * 1024 };

/** Messages in the order in which they are sent. When the spool is full, the oldest messages are dropped. */
export interface Spool {
  /** Adds a message. Returns how many old messages were dropped to make room. */
  add(message: SpooledMessage): number;
  first(): SpooledMessage | undefined;
  /** Removes the first message if it is still this one. It may have been dropped in the meantime. */
  remove(message: SpooledMessage): void;
  /** A message with that key that may be replaced; never the first one, which may be on its way. */
  replaceable(key: string): SpooledMessage | undefined;
  replace(message: SpooledMessage, body: string): void;
  /** The messages about a pod. */
  about(uid: string): SpooledMessage[];
  /** The pods that the messages of a node are about. Messages that name no node are included for every node. */
  podsOf(node: string): FailingPod[];
  stats(): { spooled: number; dropped: number };
}

export function messageSpool({ items, bytes: mostBytes }: SpoolLimits): Spool {
  const messages: SpooledMessage[] = [];
  let bytes = 0;
  let dropped = 0;

  const shift = () => {
    bytes -= messages.shift()?.body.length ?? 0;
  };
  return {
    add(message) {
      messages.push(message);
      bytes += message.body.length;
      const before = dropped;
      while (messages.length > items || (bytes > mostBytes && messages.length > 1)) {
        shift();
        dropped += 1;
      }
      return dropped - before;
    },
    first: () => messages[0],
    remove(message) {
      if (messages[0] === message) shift();
    },
    replaceable: (key) => messages.find((message, index) => index > 0 && message.key === key),
    replace(message, body) {
      bytes += body.length - message.body.length;
      message.body = body;
    },
    about: (uid) => messages.filter(({ pod }) => pod.pod_uid === uid),
    podsOf(node) {
      const ofNode = messages.filter((message) => !message.node || message.node === node);
      return [...new Map(ofNode.map(({ pod }) => [pod.pod_uid, pod])).values()];
    },
    stats: () => ({ spooled: messages.length, dropped }),
  };
}

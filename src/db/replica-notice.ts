import type { NamedMessage, ReplicaBatch } from './replica-messages.ts';

/** How replicas announce themselves: `hello` asks for the answer `here`, and a replica that ends says `bye`. The numbers identify connections. */
export type Word = { from: string } & ({ hello: number } | { here: number; to: number } | { bye: number });
/** The messages that a replica has stored. */
export type BatchNotice = ReplicaBatch & { messages: NamedMessage[] };

/** Parses a notification. Undefined if no replica can have sent it: in PostgreSQL, every user of a database can notify every channel. */
export function readNotice(payload: string): Word | BatchNotice | undefined {
  const notice = fieldsOf(parsed(payload));
  const { from, batch, lost, messages } = notice;
  if (typeof from !== 'string') return undefined;
  if (messages === undefined) return readWord(from, notice);
  const named = Array.isArray(messages) ? messages.map(readMessage) : [undefined];
  const isWhole = named.every((one) => one !== undefined) && isNumber(batch) && typeof lost === 'boolean';
  return isWhole ? { from, batch, lost, messages: named } : undefined;
}

function readWord(from: string, { hello, here, to, bye }: Record<string, unknown>): Word | undefined {
  if (isNumber(hello)) return { from, hello };
  if (isNumber(here) && isNumber(to)) return { from, here, to };
  return isNumber(bye) ? { from, bye } : undefined;
}

function readMessage(value: unknown): NamedMessage | undefined {
  const { type, id } = fieldsOf(value);
  return typeof type === 'string' && isNumber(id) ? { type, id } : undefined;
}

const isNumber = (value: unknown): value is number => Number.isSafeInteger(value);

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

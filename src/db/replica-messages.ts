import { type Kysely, sql } from 'kysely';
import { channelOf } from './replica-connection.ts';
import type { Database } from './schema.ts';

/** The messages that one replica sends to all replicas, including itself. */
export interface ReplicaBatch {
  /** The process that sends. */
  from: string;
  /** Counts the batches of that process. */
  batch: number;
  /** Earlier messages of that process could not be sent. */
  lost: boolean;
}

/** A message of a batch, as a notification names it. */
export interface NamedMessage {
  type: string;
  id: number;
}

export type ReplicaMessageRepository = ReturnType<typeof replicaMessageRepository>;

/** Messages between replicas with the same `name`. A notification has at most 8,000 bytes, so it only names the rows with the messages. */
export function replicaMessageRepository(db: Kysely<Database>, name: string) {
  const channel = channelOf(name);
  return {
    /** Stores the messages in order and notifies all replicas, in one statement. */
    async send({ from, batch, lost }: ReplicaBatch, messages: { type: string; body: string }[]): Promise<void> {
      const types = messages.map(({ type }) => type);
      const bodies = messages.map(({ body }) => body);
      await sql`
        with sent as (select * from unnest(${types}::text[], ${bodies}::text[]) with ordinality as sent(type, body, nth)),
          stored as (insert into replica_messages (body) select body from sent order by nth returning id),
          numbered as (select id, row_number() over (order by id) as nth from stored)
        select pg_notify(${channel}::text, json_build_object('from', ${from}::text, 'batch', ${batch}::int, 'lost', ${lost}::boolean, 'messages',
          (select coalesce(json_agg(json_build_object('type', type, 'id', id) order by nth), '[]') from sent join numbered using (nth)))::text)
      `.execute(db);
    },

    /** Takes a number that no message has. It shows replicas that did not listen that they may have missed messages. */
    async mark(): Promise<number> {
      const { rows } = await sql<{ number: number }>`select nextval('replica_messages_id_seq') as number`.execute(db);
      return Number(rows[0]?.number);
    },

    /** Deletes at most `limit` that were stored before; returns how many. */
    async deleteOld(before: Date, limit: number): Promise<number> {
      const { numAffectedRows } = await sql`delete from replica_messages where id in
        (select id from replica_messages where created_at < ${before} order by id limit ${limit})`.execute(db);
      return Number(numAffectedRows ?? 0n);
    },
  };
}

import { hash, randomInt } from 'node:crypto';
import type { Client, Notification, QueryResult, QueryResultRow } from 'pg';
import type { Logger } from '../log.ts';

/** A connection that only listens. Its session lock shows the other replicas that it is alive. */
export interface ReplicaConnection {
  /** Identifies this connection among those that are alive. */
  number: number;
  /** The numbers of the other connections that live. */
  others(): Promise<number[]>;
  /** The id of the message that was stored last, by anybody. */
  newest(): Promise<number>;
  /** The bodies of these messages, in this order. Fewer when some are deleted already. */
  read(ids: number[]): Promise<string[]>;
  notify(payload: string): Promise<void>;
  /** Releases the lock. Safe to call twice, and on a broken connection. */
  close(): Promise<void>;
}

export interface ReplicaConnectionOptions {
  databaseUrl: string;
  /** Replicas with the same name receive each other's messages. */
  name: string;
  heard(payload: string): void;
  /** Called once when the connection breaks. */
  lost(): void;
  log: Logger;
}

const DEADLINES_MS = { connect: 5_000, query: 5_000 };
/** The server notices within 25 s that a machine is gone, and frees its lock. */
const KEEPALIVE = 'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3';
const OTHERS = `select objid::int8::text as number from pg_locks
  where locktype = 'advisory' and granted and classid = $1 and objsubid = 2 and objid <> $2
    and database = (select oid from pg_database where datname = current_database())`;

/** The channel on which replicas of that name notify each other. */
export const channelOf = (name: string): string => `podmend_${hash('sha256', name).slice(0, 24)}`;

/** Opens a separate connection and listens on it. Rejects if the database is away. */
export async function openReplicaConnection({ databaseUrl, name, heard, lost, log }: ReplicaConnectionOptions): Promise<ReplicaConnection> {
  const { default: pg } = await import('pg');
  const client: Client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: DEADLINES_MS.connect,
    query_timeout: DEADLINES_MS.query,
    keepAlive: true,
    application_name: 'podmend replica',
  });
  let isOpen = true;
  const end = (): void => {
    if (!isOpen) return;
    isOpen = false;
    lost();
  };
  client.on('error', (error) => {
    log.warn({ err: error }, 'the connection to the other replicas broke');
    end();
  });
  client.on('end', end);
  client.on('notification', ({ payload }: Notification) => {
    if (isOpen && payload) heard(payload);
  });
  let queue: Promise<unknown> = Promise.resolve();
  /** The driver takes one statement at a time. */
  const query = <R extends QueryResultRow>(text: string, values: unknown[] = []): Promise<QueryResult<R>> => {
    const asked = queue.then(() => client.query<R>(text, values));
    queue = asked.catch(() => undefined);
    return asked;
  };
  const channel = channelOf(name);
  const group = Number.parseInt(hash('sha256', name).slice(0, 7), 16);
  const number = randomInt(1, 2 ** 31);
  try {
    await client.connect();
    await client.query(KEEPALIVE);
    await client.query(`listen ${channel}`);
    await client.query('select pg_advisory_lock($1::int, $2::int)', [group, number]);
  } catch (error) {
    isOpen = false;
    await client.end().catch(() => undefined);
    throw error;
  }
  return {
    number,
    async others() {
      const { rows } = await query<{ number: string }>(OTHERS, [group, number]);
      return rows.map((row) => Number(row.number));
    },
    async newest() {
      const { rows } = await query<{ newest: string }>(
        'select case when is_called then last_value else 0 end as newest from replica_messages_id_seq',
      );
      return Number(rows[0]?.newest);
    },
    async read(ids) {
      const { rows } = await query<{ body: string }>(
        `select body from unnest($1::int8[]) with ordinality as asked(id, nth) join replica_messages using (id) order by nth`,
        [ids],
      );
      return rows.map(({ body }) => body);
    },
    notify: async (payload) => void (await query('select pg_notify($1, $2)', [channel, payload])),
    async close() {
      isOpen = false;
      await client.end().catch(() => undefined);
    },
  };
}

import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Logger } from '../log.ts';
import { DatabaseUnavailable, sqlState } from './errors.ts';
import { preparedNames } from './prepared.ts';

/** Open connections, idle connections, and requests that wait for a connection. */
export interface PoolState {
  open: number;
  idle: number;
  waiting: number;
}

/** How long connecting and running a statement may take, so that an unreachable database is noticed within 2 s. */
export const DEADLINES_MS = { connect: 1_500, query: 1_900 };
/** A connection is replaced after this time, and with it the plans that were made while a table was small. */
const LIFE_S = 600;
const INT8 = 20;

/**
 * A pool of at most ten connections. Losing the database never ends the process: idle connections that break are logged, and running
 * statements throw DatabaseUnavailable. `int8` is read as a number (ids stay below 2^53).
 */
export async function postgresPool(databaseUrl: string, log: Logger): Promise<PostgresPool & { state(): PoolState }> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    maxLifetimeSeconds: LIFE_S,
    connectionTimeoutMillis: DEADLINES_MS.connect,
    query_timeout: DEADLINES_MS.query,
    statement_timeout: DEADLINES_MS.query,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
    application_name: 'podmend',
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
  });
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'));
  const guarded = new WeakSet<object>();
  const nameOf = preparedNames();
  let ended: Promise<void> | undefined;
  return {
    options: pool.options,
    state: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    end: () => (ended ??= pool.end()),
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw isRefused(error) ? error : new DatabaseUnavailable(error);
      });
      if (!guarded.has(client)) {
        guarded.add(client);
        // A connection that breaks while a query uses it fails the query and also emits an event. Without a listener that event would end
        // the process.
        client.on('error', (error) => log.warn({ err: error }, 'a database connection broke'));
        guardQueries(client as unknown as GuardedClient, nameOf);
      }
      return guardRelease(client as unknown as GuardedClient);
    },
  };
}

interface GuardedClient extends PostgresPoolClient {
  broken?: Error;
  // The pool's own overloads answer a promise or nothing.
  // oxlint-disable-next-line typescript/no-explicit-any
  query(...query: unknown[]): any;
  release(error?: Error | boolean): void;
}

/** Turns the driver's own connection errors into DatabaseUnavailable, and marks the connection as unusable. */
function guardQueries(client: GuardedClient, nameOf: ReturnType<typeof preparedNames>): void {
  const query = client.query.bind(client);
  client.query = (statement, ...parameters) => {
    const name = nameOf(statement);
    const values = name ? [...(parameters[0] as unknown[])] : [];
    const answer: unknown = name ? query({ name, text: statement, values }) : query(statement, ...parameters);
    if (!(answer instanceof Promise)) return answer;
    return answer
      .then(takeRows, (error: unknown) => {
        if (!isLost(error)) throw error;
        client.broken = new DatabaseUnavailable(error);
        throw client.broken;
      })
      .finally(() => {
        values.length = 0;
      });
  };
}

/**
 * Copies the rows into a new result. In the driver, each finished query refers to the next one. If each kept its text and its rows, only a
 * full garbage collection would free them.
 */
function takeRows(result: PostgresQueryResult<unknown>): PostgresQueryResult<unknown> {
  const { command, rowCount, rows } = result;
  result.rows = [];
  return { command, rowCount, rows };
}

/** The pool gives a client a new `release` function each time it lends it. A broken client must not return to the pool. */
function guardRelease(client: GuardedClient): PostgresPoolClient {
  const release = client.release.bind(client);
  client.release = (error) => release(error || client.broken);
  return client;
}

/** An error without an SQLSTATE comes from the connection or from a time limit. Classes 08 and 57 mean that the server goes away or cancels. */
function isLost(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return false;
  const state = sqlState(error);
  return state === undefined || state.startsWith('08') || state.startsWith('57') || state === '53300';
}

/** A wrong password or database name is not an outage, because waiting does not help. */
function isRefused(error: unknown): boolean {
  const state = sqlState(error);
  return state?.startsWith('28') === true || state === '3D000';
}

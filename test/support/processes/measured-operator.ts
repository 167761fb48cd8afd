import { sql } from 'kysely';
import { openStore, type Store } from '../../../src/db/connect.ts';
import { createLog } from '../../../src/log.ts';
import { createDatabase, postgresUrl } from '../database/database.ts';
import { startOperatorProcess } from './operator.ts';
import { cpuMs } from './proc.ts';

/** Milliseconds of CPU. */
export interface Spent {
  operator: number;
  /** Undefined if the database is part of the operator's process. */
  database: number | undefined;
}

/** An operator of a source tree, with its own database, for measurements. */
export interface MeasuredOperator {
  tree: string;
  url: string;
  /** Does the work and returns what it cost this operator and its database. Other processes on the machine do not count. */
  spentOn<T>(work: () => Promise<T>): Promise<{ result: T; spent: Spent }>;
  stop(): Promise<void>;
}

export type Engine = 'PostgreSQL' | 'PGlite';

/** PostgreSQL is only measured if there is one for tests. */
export const ENGINES: Engine[] = postgresUrl ? ['PostgreSQL', 'PGlite'] : ['PGlite'];

async function startMeasuredOperator(
  engine: Engine,
  { name: tree, launcher }: { name: string; launcher: string },
): Promise<MeasuredOperator> {
  const database = engine === 'PostgreSQL' && postgresUrl ? await createDatabase(postgresUrl) : undefined;
  const store = database && (await openStore({ databaseUrl: database.url, dataDir: '', log: createLog({ level: 'silent' }) }));
  const { url, pid, stop } = await startOperatorProcess({ databaseUrl: database?.url, launcher });
  return {
    ...{ tree, url },
    async spentOn(work) {
      const before = { operator: cpuMs(pid), backends: store && (await backendMs(store)) };
      const result = await work();
      const operator = cpuMs(pid) - before.operator;
      if (!store) return { result, spent: { operator, database: undefined } };
      const backends = [...(await backendMs(store))].map(([backend, ms]) => ms - (before.backends?.get(backend) ?? 0));
      return { result, spent: { operator, database: backends.reduce((sum, ms) => sum + ms, 0) } };
    },
    async stop() {
      await store?.close();
      await stop();
      await database?.drop();
    },
  };
}

/** The CPU time of each database process that serves the operator. Processes of other databases may be busy too, and do not count. */
async function backendMs({ db }: Store): Promise<Map<number, number>> {
  const { rows } = await sql<{
    pid: number;
  }>`select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
  return new Map(rows.map(({ pid }) => [pid, cpuMs(pid)]));
}

/** Starts one operator for each tree, and ends all of them after the work. */
export async function withMeasuredOperators(
  engine: Engine,
  trees: { name: string; launcher: string }[],
  work: (operators: MeasuredOperator[]) => Promise<void>,
): Promise<void> {
  const operators: MeasuredOperator[] = [];
  try {
    for (const tree of trees) operators.push(await startMeasuredOperator(engine, tree));
    await work(operators);
  } finally {
    for (const operator of operators) await operator.stop();
  }
}

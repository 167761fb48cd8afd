import { randomBytes } from 'node:crypto';

/** An empty PostgreSQL database for one test. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** The PostgreSQL server for tests, whose role may create databases; undefined if there is none. */
export const postgresUrl: string | undefined = process.env['TEST_DATABASE_URL'];

/** Creates a database on the server that `TEST_DATABASE_URL` names. */
export async function createDatabase(server: string): Promise<TestDatabase> {
  const name = `podmend_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await administer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(server, `drop database if exists ${name} with (force)`) };
}

async function administer(server: string, statement: string): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: 30_000 });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

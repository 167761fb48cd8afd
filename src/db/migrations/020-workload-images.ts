import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table workload_images (
    cluster text not null, namespace text not null, kind text not null, name text not null, since timestamptz not null,
    seen_at timestamptz not null, images jsonb not null, primary key (cluster, namespace, kind, name, since))`,
  `create index workload_images_seen on workload_images (seen_at)`,
];

/** Which images a workload's template named, and when: advice compares failures with it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

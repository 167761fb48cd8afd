import { type Kysely, sql } from 'kysely';

/** Which questions a model is being asked now, so that replicas ask each of them once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table model_claims (fingerprint text primary key, holder text not null, leased_until timestamptz not null)`.execute(db);
}

import { type Kysely, type QueryResult, sql } from 'kysely';

/** Rows per statement, few enough that no statement reaches its time limit. */
const CHUNK = 1_000;

/** The short evidence that lists show if a record's own is too long. Null if they show all of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table failures add column brief jsonb`.execute(db);
  for (let last: number | null = 0; last !== null;) {
    const { rows }: QueryResult<{ last: number | null }> = await sql<{ last: number | null }>`
      with chunk as (select id, jsonb_array_length(events) as events from failures where id > ${last} order by id limit ${CHUNK}),
      shortened as (update failures f set brief = jsonb_build_object(
          'events', jsonb_path_query_array(f.events, '$[last - 4 to last]'), 'container_statuses', f.container_statuses)
        from chunk where chunk.id = f.id and chunk.events > 5)
      select max(id)::float8 as last from chunk`.execute(db);
    last = rows[0]?.last ?? null;
  }
}

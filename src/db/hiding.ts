import { type Kysely, sql } from 'kysely';
import { retryDeadlock } from './errors.ts';
import { json } from './json.ts';
import type { Database } from './schema.ts';

/** What suppressions look at, of one open record. `images` is the failing container's, or all when that is not known. */
export interface OpenSubject {
  id: number;
  namespace: string;
  pod_name: string;
  labels: Record<string, string>;
  failure_reason: string;
  images: string[];
  suppressed_by: string | null;
}

/** A record that is to be hidden by a Suppression of that name (null: shown), if it still is as it was read. */
export interface Hiding extends Pick<OpenSubject, 'id' | 'failure_reason' | 'suppressed_by'> {
  name: string | null;
}

export type HidingRepository = ReturnType<typeof hidingRepository>;

/** Which failure records are hidden. Reads and writes parts, so that reports get their turn in between. */
export function hidingRepository(db: Kysely<Database>) {
  const openIds = async (): Promise<number[]> => {
    const rows = await db.selectFrom('failures').select('id').where('closed_at', 'is', null).orderBy('id').execute();
    return rows.map(({ id }) => id);
  };
  return {
    openIds,

    /** Those of the records that are open, as suppressions see them. */
    async subjects(ids: number[]): Promise<OpenSubject[]> {
      const image = sql<
        string | null
      >`(select s ->> 'image' from jsonb_array_elements(container_statuses) s where s ->> 'name' = container limit 1)`;
      const rows = await db
        .selectFrom('failures')
        .select(['id', 'namespace', 'pod_name', 'labels', 'failure_reason', 'images', 'suppressed_by', image.as('image')])
        .where((eb) => eb('id', '=', eb.fn.any(eb.val(ids))))
        .where('closed_at', 'is', null)
        .execute();
      return rows.map(({ image: failing, ...row }) => ({ ...row, images: failing ? [failing] : row.images }));
    },

    /**
     * Hides and shows records. One that was closed, got another label or was hidden otherwise meanwhile stays as it is: whoever did that
     * looked at the Suppressions too. Rows are locked in the order in which reports lock them, and looked up one by one: a join would be
     * planned for the few records that there were once.
     */
    async set(changes: Hiding[]): Promise<void> {
      if (changes.length === 0) return;
      const wanted = json(changes);
      await retryDeadlock(() =>
        sql`
          with wanted as materialized (
            select f.id, w.name from (
              select r.*, o.cluster, o.identity from json_to_recordset(cast(${wanted} as text)::json)
                as r(id bigint, failure_reason text, suppressed_by text, name text)
              cross join lateral (select cluster, identity from failures where id = r.id limit 1) o order by o.cluster, o.identity) w
            cross join lateral (
              select id from failures where id = w.id and closed_at is null and failure_reason = w.failure_reason
                and suppressed_by is not distinct from w.suppressed_by limit 1 for update) f)
          update failures set suppressed_by = wanted.name from wanted where failures.id = wanted.id`.execute(db),
      );
    },

    /** Open records that are shown without a solution, as those are that were born hidden. */
    async unsolved(): Promise<number[]> {
      const rows = await db
        .selectFrom('failures')
        .select('id')
        .where('closed_at', 'is', null)
        .where('suppressed_by', 'is', null)
        .where('solution', 'is', null)
        .orderBy('id')
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Gives a record the solution it lacks. */
    async solve(id: number, solution: string, isFallback: boolean): Promise<void> {
      const lacking = db.updateTable('failures').where('id', '=', id).where('solution', 'is', null);
      await lacking.set({ solution, is_fallback: isFallback }).execute();
    },
  };
}

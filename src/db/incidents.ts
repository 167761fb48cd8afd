import { type Kysely, sql } from 'kysely';
import type { FailureStatus } from '../contract/failure.ts';
import type { Database } from './schema.ts';

/** Locks incidents until the end of the transaction. All callers lock in the same order. */
export async function lockIncidents(trx: Kysely<Database>, ids: number[]): Promise<void> {
  await sql`select id from incidents where id = any(${ids}::bigint[]) order by id for update`.execute(trx);
}

/**
 * Closes the incidents among `ids` that have no open record. The incidents must be locked in an earlier statement of the same transaction. Only
 * then does this statement see all records that other transactions have added to them.
 */
export async function closeEmptyIncidents(trx: Kysely<Database>, ids: number[], now: Date): Promise<void> {
  await sql`update incidents set closed_at = ${now} where id = any(${ids}::bigint[]) and closed_at is null
    and not exists (select from failures where incident_id = incidents.id and failures.closed_at is null)`.execute(trx);
}

/** An incident with one of its records, if possible an open one. `failure_id` and `status` are null if no record is left. */
export interface IncidentStanding {
  id: number;
  namespace: string;
  /** `Deployment/web`. */
  owner: string;
  failure_id: number | null;
  status: FailureStatus | null;
}

export type IncidentRepository = ReturnType<typeof incidentRepository>;

export function incidentRepository(db: Kysely<Database>) {
  return {
    /** Closes the incidents among `ids` that have no open record left. */
    closeEmpty: (ids: number[], now: Date): Promise<void> =>
      db.transaction().execute(async (trx) => {
        await lockIncidents(trx, ids);
        await closeEmptyIncidents(trx, ids, now);
      }),

    async standing(id: number): Promise<IncidentStanding | undefined> {
      const { rows } = await sql<IncidentStanding>`
        select i.id, i.namespace, i.owner, f.id as failure_id, f.status from incidents i left join lateral (
          select id, status from failures where incident_id = i.id order by closed_at is null desc, id desc limit 1) f on true
        where i.id = ${id}`.execute(db);
      return rows[0];
    },

    /** Ids of open incidents without an open record, at most `limit`. A process that dies between two steps can leave such an incident. */
    async abandoned(limit: number): Promise<number[]> {
      const rows = await db
        .selectFrom('incidents')
        .select('id')
        .where('closed_at', 'is', null)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('failures').whereRef('incident_id', '=', 'incidents.id').where('failures.closed_at', 'is', null))),
        )
        .limit(limit)
        .execute();
      return rows.map((row) => row.id);
    },

    /** Deletes closed incidents without any record left, at most `limit`; returns how many. */
    async deleteForgotten(limit: number): Promise<number> {
      const { numAffectedRows } = await sql`delete from incidents where id in (
        select id from incidents where closed_at is not null and not exists (select from failures where incident_id = incidents.id) limit ${limit})`.execute(
        db,
      );
      return Number(numAffectedRows ?? 0n);
    },
  };
}

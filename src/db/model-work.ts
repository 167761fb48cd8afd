import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';

/** An incident that a process has claimed. */
export interface ModelTask {
  incident_id: number;
  failure_id: number;
  attempts: number;
}

/** The result of an incident's turn at the model. */
export interface ModelTurn {
  state: 'pending' | 'answered' | 'given-up';
  fingerprint: string | null;
}

/** The process that works on the incident, and until when no other process may. */
export interface Lease {
  holder: string;
  now: Date;
  until: Date;
}

export type ModelWorkRepository = ReturnType<typeof modelWorkRepository>;

/**
 * Incidents and their turn at the model: one row each, so that waiting incidents survive a restart, and many replicas of a pod cost one
 * call.
 */
export function modelWorkRepository(db: Kysely<Database>) {
  return {
    /** Puts an incident into the queue, unless it has had its turn or is already waiting. */
    async offer(incidentId: number, failureId: number, now: Date): Promise<void> {
      const row = { incident_id: incidentId, failure_id: failureId, state: 'pending' as const, due_at: now, created_at: now };
      await db
        .insertInto('model_work')
        .values(row)
        .onConflict((conflict) => conflict.column('incident_id').doNothing())
        .execute();
    },

    /**
     * Puts at most `limit` incidents into the queue that would otherwise get no answer from the model, and returns how many. Such an incident has an
     * active, visible record that was first seen before `before` and has only the rules' answer. It has never been in the queue, or its record
     * did not get the model's answer. The incident that was seen last comes first. Incidents that were given up and incidents in the
     * namespaces `hidden` are left out.
     */
    async offerLeft({ before, hidden }: { before: Date; hidden: readonly string[] }, now: Date, limit: number): Promise<number> {
      const { numAffectedRows } = await sql`
        insert into model_work (incident_id, failure_id, state, due_at, created_at)
        select incident_id, failure_id, 'pending', ${now}::timestamptz + nth * interval '1 millisecond', ${now}::timestamptz from (
          select incident_id, max(f.id) as failure_id, row_number() over (order by max(last_seen) desc, incident_id) as nth
          from failures f left join model_work w using (incident_id)
          where status in ('new', 'investigating') and suppressed_by is null and is_fallback and solution is not null
            and f.namespace <> all(${hidden}::text[]) and closed_at is null and timestamp <= ${before}::timestamptz and (w.state is null or w.state = 'answered')
          group by incident_id order by nth limit ${limit}) left_over
        on conflict (incident_id) do update set state = excluded.state, due_at = excluded.due_at, attempts = 0
          where model_work.state = 'answered' and model_work.holder is null`.execute(db);
      return Number(numAffectedRows ?? 0n);
    },

    /** Records that an incident has an answer, regardless of its previous state. */
    async answered(incidentId: number, failureId: number, fingerprint: string, now: Date): Promise<void> {
      const had = { failure_id: failureId, state: 'answered' as const, fingerprint, leased_until: null, holder: null };
      await db
        .insertInto('model_work')
        .values({ incident_id: incidentId, due_at: now, created_at: now, ...had })
        .onConflict((conflict) => conflict.column('incident_id').doUpdateSet(had))
        .execute();
    },

    async turn(incidentId: number): Promise<ModelTurn | undefined> {
      return db.selectFrom('model_work').select(['state', 'fingerprint']).where('incident_id', '=', incidentId).executeTakeFirst();
    },

    /** Takes the incident that has been due for longest (or the given one, if it is due), for the time of the lease. */
    async claim({ holder, now, until }: Lease, incidentId?: number): Promise<ModelTask | undefined> {
      const own = incidentId === undefined ? sql`` : sql`and incident_id = ${incidentId}`;
      const { rows } = await sql<ModelTask>`
        update model_work set holder = ${holder}, leased_until = ${until}, attempts = attempts + 1
        where incident_id = (
          select incident_id from model_work where state = 'pending' and due_at <= ${now}::timestamptz
            and (leased_until is null or leased_until <= ${now}::timestamptz) ${own}
          order by due_at, incident_id limit 1 for update skip locked)
        returning incident_id, failure_id, attempts`.execute(db);
      return rows[0];
    },

    /** Ends a turn of this process. If another process has taken the turn over, nothing changes. */
    async end(incidentId: number, holder: string, end: ModelTurn): Promise<void> {
      await own(incidentId, holder)
        .set({ ...end, leased_until: null, holder: null })
        .execute();
    },

    /** Postpones an incident until `due`. `counts`: whether this was one of its attempts. */
    async postpone(incidentId: number, holder: string, due: Date, counts: boolean): Promise<void> {
      const attempts = sql<number>`attempts - ${counts ? 0 : 1}::int`;
      await own(incidentId, holder).set({ due_at: due, attempts, leased_until: null, holder: null }).execute();
    },

    /** Makes every waiting or abandoned incident due, because the model has changed. */
    async renew(now: Date): Promise<void> {
      const due = { state: 'pending' as const, attempts: 0, due_at: now };
      await db.updateTable('model_work').set(due).where('state', '!=', 'answered').where('holder', 'is', null).execute();
    },

    /** Removes an incident about which there is nothing to ask now. */
    async drop(incidentId: number, holder: string): Promise<void> {
      await db.deleteFrom('model_work').where('incident_id', '=', incidentId).where('holder', '=', holder).execute();
    },

    /** Returns all turns of a process that is ending. */
    async release(holder: string): Promise<void> {
      await db.updateTable('model_work').set({ leased_until: null, holder: null }).where('holder', '=', holder).execute();
    },

    async pending(): Promise<number> {
      const row = await db
        .selectFrom('model_work')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('state', '=', 'pending')
        .executeTakeFirst();
      return Number(row?.count ?? 0);
    },

    /** The incident's open, visible records that have an answer of the rules. */
    async unanswered(incidentId: number): Promise<number[]> {
      const rows = await db
        .selectFrom('failures')
        .select('id')
        .where('incident_id', '=', incidentId)
        .where('closed_at', 'is', null)
        .where('suppressed_by', 'is', null)
        .where('is_fallback', '=', true)
        .orderBy('id')
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Deletes at most `limit` whose incident is closed or gone; returns how many. */
    async deleteOver(limit: number): Promise<number> {
      const { numAffectedRows } = await sql`delete from model_work where incident_id in (
        select incident_id from model_work w where not exists (select from incidents i where i.id = w.incident_id and i.closed_at is null)
        limit ${limit})`.execute(db);
      return Number(numAffectedRows ?? 0n);
    },
  };

  function own(incidentId: number, holder: string) {
    return db.updateTable('model_work').where('incident_id', '=', incidentId).where('holder', '=', holder);
  }
}

import { type Kysely, sql } from 'kysely';
import type { Trial } from '../contract/failure.ts';
import { json } from './json.ts';
import { toTrial } from './records.ts';
import type { Database } from './schema.ts';

/** A trial as it begins. Instants are `Date`s. */
export interface NewTrial extends Omit<Trial, 'started_at' | 'ended_at'> {
  failure_id: number;
  started_at: Date;
  ended_at?: Date | null;
}
export type TrialUpdate = Pick<NewTrial, 'verdict' | 'reason_after'> & Partial<Pick<NewTrial, 'shown_after'>>;

export type TrialRepository = ReturnType<typeof trialRepository>;

/** What mirrors proved, kept with the failure record for as long as that lives. */
export function trialRepository(db: Kysely<Database>) {
  return {
    /** A reconciler may come here twice: the second time changes nothing. */
    async insert({ changes, shown_before, shown_after, ended_at = null, ...trial }: NewTrial): Promise<void> {
      const shown = { shown_before: shown_before && json(shown_before), shown_after: shown_after && json(shown_after) };
      await db
        .insertInto('trials')
        .values({ ...trial, ...shown, ended_at, changes: json(changes) })
        .onConflict((conflict) => conflict.column('mirror_id').doNothing())
        .execute();
    },

    /** What the mirror showed is kept as it was first told: later it shows something else. */
    async update(mirrorId: string, { shown_after, ...fields }: TrialUpdate): Promise<void> {
      const shown = shown_after ? { shown_after: sql<string>`coalesce(shown_after, ${json(shown_after)})` } : {};
      await db
        .updateTable('trials')
        .set({ ...fields, ...shown })
        .where('mirror_id', '=', mirrorId)
        .execute();
    },

    /** The mirror is over: what it has not proved by now it never will. A second call changes nothing. */
    async end(mirrorId: string, now: Date): Promise<void> {
      await db
        .updateTable('trials')
        .set((eb) => ({ ended_at: now, verdict: eb.fn.coalesce('verdict', eb.val('Inconclusive')) }))
        .where('mirror_id', '=', mirrorId)
        .where('ended_at', 'is', null)
        .execute();
    },

    /** Ids of the mirrors that have not ended. */
    async unfinished(): Promise<string[]> {
      const rows = await db.selectFrom('trials').select('mirror_id').where('ended_at', 'is', null).execute();
      return rows.map((row) => row.mirror_id);
    },

    /** Oldest first. */
    async forFailure(id: number): Promise<Trial[]> {
      const rows = await db.selectFrom('trials').selectAll().where('failure_id', '=', id).orderBy('started_at').execute();
      return rows.map(toTrial);
    },
  };
}

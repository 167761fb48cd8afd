import type { Kysely, Updateable } from 'kysely';
import type { Trial } from '../contract/failure.ts';
import { json } from './json.ts';
import { toTrial } from './records.ts';
import type { Database, TrialTable } from './schema.ts';

/** A trial as it begins. Instants are `Date`s. */
export interface NewTrial extends Omit<Trial, 'started_at' | 'ended_at'> {
  failure_id: number;
  started_at: Date;
  ended_at?: Date | null;
}
export type TrialUpdate = Partial<Omit<NewTrial, 'mirror_id' | 'failure_id'>>;

export type TrialRepository = ReturnType<typeof trialRepository>;

/** What mirrors proved, kept with the failure record for as long as that lives. */
export function trialRepository(db: Kysely<Database>) {
  return {
    /** A reconciler may come here twice: the second time changes nothing. */
    async insert({ changes, ended_at = null, ...trial }: NewTrial): Promise<void> {
      await db
        .insertInto('trials')
        .values({ ...trial, ended_at, changes: json(changes) })
        .onConflict((conflict) => conflict.column('mirror_id').doNothing())
        .execute();
    },

    async update(mirrorId: string, { changes, ...fields }: TrialUpdate): Promise<void> {
      const set: Updateable<TrialTable> = changes ? { ...fields, changes: json(changes) } : fields;
      if (Object.keys(set).length === 0) return;
      await db.updateTable('trials').set(set).where('mirror_id', '=', mirrorId).execute();
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

import type { Kysely } from 'kysely';
import { json } from './json.ts';
import type { Database } from './schema.ts';

export type ModelAnswerRepository = ReturnType<typeof modelAnswerRepository>;

/** What models answered, by the fingerprint of what they were asked. */
export function modelAnswerRepository(db: Kysely<Database>) {
  return {
    /** As it was put there: whoever reads it checks it. */
    async get(fingerprint: string, now: Date): Promise<unknown> {
      const update = db.updateTable('model_answers').set({ used_at: now }).where('fingerprint', '=', fingerprint);
      return (await update.returning('answer').executeTakeFirst())?.answer;
    },

    async has(fingerprint: string): Promise<boolean> {
      return (
        (await db.selectFrom('model_answers').select('fingerprint').where('fingerprint', '=', fingerprint).executeTakeFirst()) !== undefined
      );
    },

    async put(
      { fingerprint, answer, provider, model }: { fingerprint: string; answer: unknown; provider: string; model: string },
      now: Date,
    ) {
      const row = { answer: json(answer), provider, model, created_at: now, used_at: now };
      const insert = db.insertInto('model_answers').values({ fingerprint, ...row });
      await insert.onConflict((conflict) => conflict.column('fingerprint').doUpdateSet(row)).execute();
    },

    /** Deletes at most `limit` that nobody used since `before`; returns how many. */
    async deleteOld(before: Date, limit: number): Promise<number> {
      const old = db.selectFrom('model_answers').select('fingerprint').where('used_at', '<', before).limit(limit);
      return Number((await db.deleteFrom('model_answers').where('fingerprint', 'in', old).executeTakeFirst()).numDeletedRows);
    },
  };
}

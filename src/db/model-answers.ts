import type { Kysely } from 'kysely';
import { json } from './json.ts';
import type { Database } from './schema.ts';

export type ModelAnswerRepository = ReturnType<typeof modelAnswerRepository>;

/** Answers of models, by the fingerprint of the question. */
export function modelAnswerRepository(db: Kysely<Database>) {
  return {
    /** The answer as it was stored. The caller must check it. */
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

    /** Whether this holder may ask the question. Nobody else may until `until`, or until it is released. */
    async claim(fingerprint: string, holder: string, { now, until }: { now: Date; until: Date }): Promise<boolean> {
      await db.deleteFrom('model_claims').where('leased_until', '<=', now).execute();
      const row = { fingerprint, holder, leased_until: until };
      const insert = db
        .insertInto('model_claims')
        .values(row)
        .onConflict((conflict) => conflict.column('fingerprint').doNothing());
      return (await insert.returning('fingerprint').executeTakeFirst()) !== undefined;
    },

    async release(fingerprint: string, holder: string): Promise<void> {
      await db.deleteFrom('model_claims').where('fingerprint', '=', fingerprint).where('holder', '=', holder).execute();
    },

    /** Deletes at most `limit` answers that have not been used since `before`, and returns how many. */
    async deleteOld(before: Date, limit: number): Promise<number> {
      const old = db.selectFrom('model_answers').select('fingerprint').where('used_at', '<', before).limit(limit);
      return Number((await db.deleteFrom('model_answers').where('fingerprint', 'in', old).executeTakeFirst()).numDeletedRows);
    },
  };
}

import { type Kysely, type Selectable, sql } from 'kysely';
import type { CommentTable, Database } from './schema.ts';

export type CommentRow = Selectable<CommentTable>;

export type CommentRepository = ReturnType<typeof commentRepository>;

/** Comments that people write about incidents. They are deleted together with the incident. */
export function commentRepository(db: Kysely<Database>) {
  return {
    /** The comments of an incident, oldest first. */
    async list(incidentId: number): Promise<CommentRow[]> {
      return db.selectFrom('incident_comments').selectAll().where('incident_id', '=', incidentId).orderBy('id').execute();
    },

    async byId(incidentId: number, id: number): Promise<CommentRow | undefined> {
      return db.selectFrom('incident_comments').selectAll().where('incident_id', '=', incidentId).where('id', '=', id).executeTakeFirst();
    },

    /** Adds a comment. Undefined if the incident already has `most` comments, or no longer exists. */
    async add(comment: Pick<CommentRow, 'incident_id' | 'author_id' | 'author' | 'text' | 'created_at'>, most: number) {
      return db.transaction().execute(async (trx): Promise<CommentRow | undefined> => {
        // Lock the incident, so that simultaneous comments are counted one after another.
        await sql`select id from incidents where id = ${comment.incident_id} for update`.execute(trx);
        const { rows } = await sql<CommentRow>`
          insert into incident_comments (incident_id, author_id, author, text, created_at)
          select id, ${comment.author_id}::bigint, ${comment.author}, ${comment.text}, ${comment.created_at}::timestamptz
          from incidents where id = ${comment.incident_id}
            and (select count(*) from incident_comments where incident_id = ${comment.incident_id}) < ${most}
          returning *`.execute(trx);
        return rows[0];
      });
    },

    /** Changes the text of a comment. Undefined if the comment is gone or belongs to somebody else. */
    async edit(id: number, authorId: number, text: string, now: Date): Promise<CommentRow | undefined> {
      const own = db.updateTable('incident_comments').where('id', '=', id).where('author_id', '=', authorId);
      return own.set({ text, edited_at: now }).returningAll().executeTakeFirst();
    },

    async remove(id: number): Promise<void> {
      await db.deleteFrom('incident_comments').where('id', '=', id).execute();
    },
  };
}

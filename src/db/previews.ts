import type { Kysely, Selectable } from 'kysely';
import type { MirrorPreview } from '../contract/mirror.ts';
import { json } from './json.ts';
import type { Database, PreviewTable } from './schema.ts';

/** A preview with the record it was made for. */
export interface StoredPreview {
  failureId: number;
  preview: MirrorPreview;
}

export type PreviewRepository = ReturnType<typeof previewRepository>;

/** Corrections that were shown to somebody and may be deployed. */
export function previewRepository(db: Kysely<Database>) {
  return {
    /** Returns its id. */
    async insert(failureId: number, preview: Omit<MirrorPreview, 'id'>): Promise<number> {
      const row = { failure_id: failureId, preview: json(preview) };
      const { id } = await db.insertInto('previews').values(row).returning('id').executeTakeFirstOrThrow();
      return id;
    },

    async byId(id: number): Promise<StoredPreview | undefined> {
      const row = await db.selectFrom('previews').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toPreview(row);
    },

    /** The newest of a record. */
    async latest(failureId: number): Promise<MirrorPreview | undefined> {
      const query = db.selectFrom('previews').selectAll().where('failure_id', '=', failureId).orderBy('id', 'desc').limit(1);
      const row = await query.executeTakeFirst();
      return row && toPreview(row).preview;
    },

    /** Deletes at most `limit` made before `before`; returns how many. */
    async deleteOld(before: Date, limit: number): Promise<number> {
      const old = db.selectFrom('previews').select('id').where('created_at', '<', before).limit(limit);
      const { numDeletedRows } = await db.deleteFrom('previews').where('id', 'in', old).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

function toPreview({ id, failure_id, preview }: Selectable<PreviewTable>): StoredPreview {
  return { failureId: failure_id, preview: { ...preview, id } };
}

import { type Kysely, type Selectable, sql } from 'kysely';
import { sqlState } from './errors.ts';
import { json } from './json.ts';
import type { ChatRequestTable, Database } from './schema.ts';

export type ChatRequestRow = Selectable<ChatRequestTable>;

/** A verified request, before anything is done about it. */
export type NewChatRequest = Pick<
  ChatRequestRow,
  'request_key' | 'delivery_key' | 'provider' | 'command' | 'incident_id' | 'action' | 'person' | 'address' | 'place'
>;

/**
 * `replayed`: exactly this request was accepted before. `repeated`: the chat sent the same event again. `busy`: somebody else is doing the
 * same.
 */
export type Acceptance =
  | { kind: 'accepted'; row: ChatRequestRow }
  | { kind: 'replayed' }
  | { kind: 'repeated' }
  | { kind: 'busy'; row: ChatRequestRow; by: unknown };

/** The outcome of one step of a request. */
export interface ChatStep {
  state: ChatRequestRow['state'];
  dueAt?: Date;
  mirrorId?: string;
  told?: unknown;
  place?: unknown;
  /** Whether others may request the same action from now on. */
  frees?: boolean;
}

export type ChatRequestRepository = ReturnType<typeof chatRequestRepository>;

const UNDER_WAY = sql<boolean>`state in ('accepted', 'running', 'following')`;

/** The requests of people in chats, for one cluster. */
export function chatRequestRepository(db: Kysely<Database>, cluster: string) {
  const insert = async (request: NewChatRequest, now: Date, state: 'accepted' | 'done') => {
    const { command, person, place, ...plain } = request;
    const texts = { command: json(command), person: json(person), place: json(place) };
    const dates = { created_at: now, due_at: now, ended_at: state === 'done' ? now : null };
    return db
      .insertInto('chat_requests')
      .values({ ...plain, ...texts, ...dates, cluster, state, holder: null, mirror_id: null, told: null })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
  };
  const own = () => db.selectFrom('chat_requests').where('cluster', '=', cluster);

  return {
    /** Stores a request once. If several replicas or people send it at the same time, only one is `accepted`. */
    async accept(request: NewChatRequest, now: Date): Promise<Acceptance> {
      const row = await insert(request, now, 'accepted');
      if (row) return { kind: 'accepted', row };
      const same = await own().select('id').where('request_key', '=', request.request_key).executeTakeFirst();
      if (same) return { kind: 'replayed' };
      const again = await own().select('id').where('delivery_key', '=', request.delivery_key).executeTakeFirst();
      if (again) return { kind: 'repeated' };
      const other = own().select('person').where('incident_id', '=', request.incident_id).where('action', '=', request.action);
      const by = (await other.where(UNDER_WAY).orderBy('id', 'desc').executeTakeFirst())?.person ?? null;
      // Store the request as done, so that it cannot be replayed after the other one has ended.
      const noted = await insert(request, now, 'done');
      return noted ? { kind: 'busy', row: noted, by } : { kind: 'replayed' };
    },

    /**
     * Reserves due requests for this process until `until`: new requests, requests of a process that died, and mirrors to check. With `id`,
     * reserves only that request.
     */
    async claim(
      { holder, until, limit, id }: { holder: string; until: Date; limit: number; id?: number },
      now: Date,
    ): Promise<ChatRequestRow[]> {
      const due = own()
        .select('id')
        .where(UNDER_WAY)
        .where('due_at', '<=', now)
        .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
        .orderBy('id')
        .limit(limit)
        .forUpdate()
        .skipLocked();
      const taken = await db
        .updateTable('chat_requests')
        .set((eb) => ({
          holder,
          due_at: until,
          attempts: eb('attempts', '+', 1),
          state: sql<'running'>`case when state = 'accepted' then 'running' else state end`,
        }))
        .where('id', 'in', due)
        .returningAll()
        .execute();
      return taken.sort((a, b) => a.id - b.id);
    },

    /** Sets the incident of a request. False if the same action on that incident is already running. */
    async aim(id: number, holder: string, incidentId: number): Promise<boolean> {
      try {
        const aimed = db.updateTable('chat_requests').set({ incident_id: incidentId }).where('id', '=', id).where('holder', '=', holder);
        return (await aimed.executeTakeFirst()).numUpdatedRows > 0n;
      } catch (error) {
        if (sqlState(error) === '23505') return false;
        throw error;
      }
    },

    /** Stores the outcome of a step. False if another process has taken over the request. */
    async step(id: number, holder: string, { state, dueAt, mirrorId, told, place, frees }: ChatStep, now: Date): Promise<boolean> {
      const isOver = state === 'done' || state === 'undone';
      const { numUpdatedRows } = await db
        .updateTable('chat_requests')
        .set({
          state,
          ended_at: isOver ? now : null,
          ...(dueAt && { due_at: dueAt }),
          ...(mirrorId !== undefined && { mirror_id: mirrorId }),
          ...(told !== undefined && { told: json(told) }),
          ...(place !== undefined && { place: json(place) }),
          ...(frees && { action: null }),
        })
        .where('id', '=', id)
        .where('holder', '=', holder)
        .where(UNDER_WAY)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Deletes at most `limit` that ended before then; returns how many. */
    async deleteOld(before: Date, limit: number): Promise<number> {
      const old = db.selectFrom('chat_requests').select('id').where('ended_at', '<', before).limit(limit);
      return Number((await db.deleteFrom('chat_requests').where('id', 'in', old).executeTakeFirst()).numDeletedRows);
    },
  };
}

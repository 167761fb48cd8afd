import { type Kysely, type Selectable, sql } from 'kysely';
import { json } from './json.ts';
import { findingViews, incidentViews } from './notification-views.ts';
import type { Database, NotificationDeliveryTable } from './schema.ts';

/** A stored thread. Only the policy reads `told` and `samples`. */
export interface StoredThread {
  status: 'waiting' | 'open' | 'resolved';
  createdAt: Date;
  notBefore: Date | null;
  openedAt: Date | null;
  lastSentAt: Date | null;
  resolvedAt: Date | null;
  told: unknown;
  samples: unknown;
}

export interface HeldThreadRow {
  id: number;
  groupKey: string;
  thread: StoredThread;
  incidents: number[];
}

/** The next state of a thread, with the message that it sends. */
export interface ThreadChange {
  id: number | null;
  provider: string;
  groupKey: string;
  thread: StoredThread;
  incidents: number[];
  dueAt: Date | null;
  isGone: boolean;
  /** Whether messages that wait for this thread are dropped. */
  hushes: boolean;
  send?: { event: string; message: unknown } | undefined;
}

export type DeliveryState = NotificationDeliveryTable['state'];
export type DeliveryRow = Omit<Selectable<NotificationDeliveryTable>, 'cluster'>;

/** A delivery as history shows it. */
export type PastDelivery = Pick<
  DeliveryRow,
  'id' | 'provider' | 'event' | 'message' | 'state' | 'attempts' | 'created_at' | 'due_at' | 'ended_at' | 'reason' | 'detail'
> & { thread_status: StoredThread['status'] };

/** Messages about something other than an incident. `told` is their content, to recognise a repeat. */
export interface GroupNews {
  provider: string;
  groupKey: string;
  event: string;
  message: unknown;
  told: string[];
  dueAt: Date;
}

/** A due message, with the facts about its thread. */
export interface DueDelivery extends DeliveryRow {
  place: Record<string, string> | null;
  thread_created_at: Date;
}

/** The result of an attempt to send a message. */
export interface DeliveryResult {
  id: number;
  threadId: number;
  state: DeliveryState;
  step: number;
  /** Set when a first message arrived. */
  place?: Record<string, string>;
  dueAt?: Date;
  reason: string | null;
  detail: string | null;
}

export type NotificationRepository = ReturnType<typeof notificationRepository>;

/** The repository of a cluster, over the transactions of the leader. */
export const notificationsOf =
  (cluster: string) =>
  (trx: Kysely<Database>): NotificationRepository =>
    notificationRepository(trx, cluster);

/** Messages that may be replaced as long as nobody has tried to send them. */
const REPLACEABLE = ['incident_updated', 'correction'];

/**
 * `oldest`: the oldest waiting message of each provider. Very many messages may wait, so the statement steps from one provider to the next
 * along the index.
 */
export const oldestOfEach = (cluster: string) => {
  const waits = sql`cluster = ${cluster} and state = 'pending'`;
  return sql`with recursive oldest as (
    (select provider, id from notification_deliveries where ${waits} order by provider, id limit 1)
    union all
    select n.provider, n.id from oldest o cross join lateral (
      select provider, id from notification_deliveries where ${waits} and provider > o.provider order by provider, id limit 1) n)`;
};

/** The changed incidents, the threads of messages, and the outbox of one cluster. */
export function notificationRepository(db: Kysely<Database>, cluster: string) {
  const threads = () => db.selectFrom('notification_threads').where('cluster', '=', cluster);
  const deliveries = () => db.selectFrom('notification_deliveries').where('cluster', '=', cluster);

  const past = () =>
    db
      .selectFrom('notification_deliveries as d')
      .innerJoin('notification_threads as t', 't.id', 'd.thread_id')
      .select(['d.id', 'd.provider', 'd.event', 'd.message', 'd.state', 'd.attempts', 'd.created_at', 'd.due_at', 'd.ended_at'])
      .select(['d.reason', 'd.detail', 't.status as thread_status'])
      .where('d.cluster', '=', cluster);

  return {
    /** Incidents by id, and findings by their negative id. Deleted ones are missing. */
    incidents: async (ids: number[]) => [
      ...(await incidentViews(
        db,
        ids.filter((id) => id > 0),
      )),
      ...(await findingViews(
        db,
        ids.filter((id) => id < 0),
      )),
    ],

    /** The oldest changes that are not planned yet. */
    changes: (limit: number) =>
      db
        .selectFrom('notification_changes')
        .select(['id', 'incident_id', 'is_news'])
        .where('cluster', '=', cluster)
        .orderBy('id')
        .limit(limit)
        .execute(),

    /** Whether a thread of any provider is due. */
    async isDue(now: Date): Promise<boolean> {
      const due = threads().select('id').where('status', '<>', 'resolved').where('due_at', '<=', now).limit(1);
      return (await due.executeTakeFirst()) !== undefined;
    },

    /** The unresolved threads of a provider that contain one of the incidents, have one of the keys, or are due. */
    async held(provider: string, by: { incidents: number[]; keys: string[]; now: Date }): Promise<HeldThreadRow[]> {
      const { rows } = await sql<{ id: number; group_key: string; incidents: number[] | null }>`
        select t.id, t.group_key, (select json_agg(m.incident_id) from notification_members m where m.thread_id = t.id) as incidents
        from notification_threads t
        where t.cluster = ${cluster} and t.provider = ${provider} and t.status <> 'resolved' and (t.due_at <= ${by.now}
          or t.group_key = any(${by.keys}::text[])
          or t.id in (select thread_id from notification_members where incident_id = any(${by.incidents}::bigint[])))
        order by t.id`.execute(db);
      const ids = rows.map(({ id }) => id);
      const found = ids.length === 0 ? [] : await threads().selectAll().where('id', 'in', ids).execute();
      const byId = new Map(found.map((row) => [row.id, row]));
      return rows.flatMap(({ id, group_key: groupKey, incidents }) => {
        const row = byId.get(id);
        if (!row) return [];
        const { status, told, samples } = row;
        const dates = { createdAt: row.created_at, notBefore: row.not_before, openedAt: row.opened_at };
        const later = { lastSentAt: row.last_sent_at, resolvedAt: row.resolved_at };
        return [{ id, groupKey, incidents: incidents ?? [], thread: { status, told, samples, ...dates, ...later } }];
      });
    },

    /** The threads of the provider that were opened since then. */
    async openings(provider: string, since: Date): Promise<{ groupKey: string; at: Date }[]> {
      const opened = threads().select(['group_key', 'opened_at']).where('provider', '=', provider).where('opened_at', '>', since);
      return (await opened.execute()).flatMap(({ group_key: groupKey, opened_at: at }) => (at ? [{ groupKey, at }] : []));
    },

    /** When the newest opened thread of each key ended, since then. */
    async endings(provider: string, keys: string[], since: Date): Promise<Map<string, Date>> {
      if (keys.length === 0) return new Map();
      const ended = threads().select((eb) => ['group_key', eb.fn.max('resolved_at').as('at')]);
      const rows = await ended
        .where('provider', '=', provider)
        .where('group_key', 'in', keys)
        .where('opened_at', 'is not', null)
        .where('resolved_at', '>', since)
        .groupBy('group_key')
        .execute();
      return new Map(rows.flatMap(({ group_key: key, at }) => (at ? [[key, at] as const] : [])));
    },

    /** Stores the decisions about these changes, in one transaction with the messages. */
    async apply(plan: { changes: number[]; threads: ThreadChange[]; now: Date }): Promise<void> {
      if (plan.changes.length > 0) await db.deleteFrom('notification_changes').where('id', 'in', plan.changes).execute();
      for (const change of plan.threads) await applyThread(db, cluster, change, plan.now);
    },

    /**
     * Queues a message to one provider about something without an incident, in the thread of its key. A repeat queues nothing. An end is
     * only queued for a provider that got the beginning.
     */
    tellGroup: ({ provider, groupKey, event, message, told, dueAt }: GroupNews, now: Date): Promise<void> =>
      db.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(hashtext(${`${cluster} ${provider} ${groupKey}`}))`.execute(trx);
        const own = trx.selectFrom('notification_threads').select(['id', 'told']).where('cluster', '=', cluster);
        const held = await own.where('provider', '=', provider).where('group_key', '=', groupKey).orderBy('id', 'desc').executeTakeFirst();
        const before = held?.told as { told: string[]; isOver: boolean } | null | undefined;
        const isOver = event === 'resolved';
        if (isOver ? !before || before.isOver : JSON.stringify(before?.told) === JSON.stringify(told)) return;
        // It contains no incident, so the planner neither opens nor ends it.
        const fields = { status: 'resolved' as const, last_sent_at: now, resolved_at: now, told: json({ told, isOver }) };
        let id = before && !before.isOver ? held?.id : undefined;
        if (id === undefined) {
          const none = { not_before: null, opened_at: null, due_at: null, samples: json([]), place: null };
          const row = { cluster, provider, group_key: groupKey, created_at: now, ...none, ...fields };
          ({ id } = await trx.insertInto('notification_threads').values(row).returning('id').executeTakeFirstOrThrow());
        } else await trx.updateTable('notification_threads').set(fields).where('id', '=', id).execute();
        const delivery = { cluster, provider, thread_id: id, event, message: json(message), state: 'pending' as const, created_at: now };
        await trx
          .insertInto('notification_deliveries')
          .values({ ...delivery, due_at: dueAt, ended_at: null, reason: null, detail: null })
          .execute();
      }),

    /**
     * For each provider its oldest waiting message, if that is due. The providers are visited one after the other, because thousands of
     * messages may wait.
     */
    async due(now: Date): Promise<DueDelivery[]> {
      const { rows } = await sql<DueDelivery>`
        ${oldestOfEach(cluster)}
        select d.id, d.provider, d.thread_id, d.event, d.message, d.state, d.attempts, d.step, d.created_at, d.due_at, d.ended_at, d.reason,
          d.detail, t.place, t.created_at as thread_created_at
        from oldest o join notification_deliveries d on d.id = o.id join notification_threads t on t.id = d.thread_id
        where d.due_at <= ${now}`.execute(db);
      return rows;
    },

    /** Counts an attempt before it is made. False if the message is no longer pending. */
    async begin(id: number): Promise<boolean> {
      const begun = db.updateTable('notification_deliveries').set((eb) => ({ attempts: eb('attempts', '+', 1) }));
      const { numUpdatedRows } = await begun.where('id', '=', id).where('state', '=', 'pending').executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Stores the result of an attempt. */
    async finish({ id, threadId, state, step, place, dueAt, reason, detail }: DeliveryResult, now: Date): Promise<void> {
      const ended_at = state === 'pending' ? null : now;
      await db
        .updateTable('notification_deliveries')
        .set({ state, step, reason, detail, ended_at, ...(dueAt && { due_at: dueAt }) })
        .where('id', '=', id)
        .execute();
      if (place)
        await db
          .updateTable('notification_threads')
          .set({ place: json(place) })
          .where('id', '=', threadId)
          .execute();
    },

    /** Begins to record changes for a provider. Everything that it was told before is checked again, because much may have happened. */
    async enlist(provider: string, now: Date): Promise<void> {
      const added = await db
        .insertInto('notification_providers')
        .values({ cluster, provider })
        .onConflict((conflict) => conflict.columns(['cluster', 'provider']).doNothing())
        .returning('provider')
        .executeTakeFirst();
      if (!added) return;
      const open = db
        .updateTable('notification_threads')
        .set({ due_at: now })
        .where('cluster', '=', cluster)
        .where('provider', '=', provider);
      await open.where('status', '<>', 'resolved').execute();
    },

    /** Stops recording changes for a suspended provider. */
    async delist(provider: string): Promise<void> {
      await db.deleteFrom('notification_providers').where('cluster', '=', cluster).where('provider', '=', provider).execute();
    },

    /** Forgets every other provider: their waiting messages are dropped, and their threads end without a message. */
    async retain(providers: string[], now: Date): Promise<void> {
      const gone = (name: string) => sql<boolean>`${sql.ref(name)} <> all(${providers}::text[])`;
      await db.deleteFrom('notification_providers').where('cluster', '=', cluster).where(gone('provider')).execute();
      if (providers.length === 0) await db.deleteFrom('notification_changes').where('cluster', '=', cluster).execute();
      await db
        .updateTable('notification_deliveries')
        .set({ state: 'dropped', ended_at: now })
        .where('cluster', '=', cluster)
        .where('state', '=', 'pending')
        .where(gone('provider'))
        .execute();
      await db
        .updateTable('notification_threads')
        .set({ status: 'resolved', resolved_at: now })
        .where('cluster', '=', cluster)
        .where('status', '<>', 'resolved')
        .where(gone('provider'))
        .execute();
    },

    /** The newest deliveries of a provider. */
    history: (provider: string, limit: number): Promise<PastDelivery[]> =>
      past().where('d.provider', '=', provider).orderBy('d.id', 'desc').limit(limit).execute(),

    /** The newest messages about an incident. Earlier messages of its thread, from before the incident began, are left out. */
    ofIncident: (incident: number, limit: number): Promise<PastDelivery[]> =>
      past()
        .innerJoin('notification_members as m', 'm.thread_id', 'd.thread_id')
        .innerJoin('incidents as i', 'i.id', 'm.incident_id')
        .where('m.incident_id', '=', incident)
        .whereRef('d.created_at', '>=', 'i.opened_at')
        .orderBy('d.id', 'desc')
        .limit(limit)
        .execute(),

    /**
     * Sends a dead message again. False if there is none with this id, or if its thread has ended since: a thread opened now would never
     * end.
     */
    async resend(provider: string, id: number, now: Date): Promise<boolean> {
      const open = threads().select('id').where('status', '<>', 'resolved');
      const { numUpdatedRows } = await db
        .updateTable('notification_deliveries')
        .set({ state: 'pending', attempts: 0, due_at: now, created_at: now, ended_at: null, reason: null, detail: null })
        .where('cluster', '=', cluster)
        .where('provider', '=', provider)
        .where('id', '=', id)
        .where('state', '=', 'dead')
        .where((eb) => eb.or([eb('event', '=', 'resolved'), eb('thread_id', 'in', open)]))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** When a message last arrived, and the last error if it came after that. */
    async health(provider: string): Promise<{ deliveredAt: Date | null; error: string | null }> {
      const of = deliveries().where('provider', '=', provider);
      const last = await of
        .select('ended_at')
        .where('state', 'in', ['delivered', 'accepted'])
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      const newest = await of.select(['reason', 'detail']).where('attempts', '>', 0).orderBy('id', 'desc').limit(1).executeTakeFirst();
      const error = newest?.reason ? `${newest.reason}: ${newest.detail ?? ''}` : null;
      return { deliveredAt: last?.ended_at ?? null, error };
    },

    /** Deletes resolved threads that ended before then and have nothing to send, with their deliveries; at most `limit`. */
    async deleteOld(before: Date, limit: number): Promise<number> {
      const old = threads()
        .select('id')
        .where('status', '=', 'resolved')
        .where('resolved_at', '<', before)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('notification_deliveries as d')
                .whereRef('d.thread_id', '=', 'notification_threads.id')
                .where('d.state', '=', 'pending'),
            ),
          ),
        )
        .limit(limit);
      const { numDeletedRows } = await db.deleteFrom('notification_threads').where('id', 'in', old).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

async function applyThread(db: Kysely<Database>, cluster: string, change: ThreadChange, now: Date): Promise<void> {
  const { provider, groupKey, thread, dueAt, isGone, send } = change;
  if (isGone) {
    if (change.id !== null) await db.deleteFrom('notification_threads').where('id', '=', change.id).execute();
    return;
  }
  // A thread that ended before its first message was sent is not stored.
  if (change.id === null && thread.status === 'resolved') return;
  const fields = {
    status: thread.status,
    not_before: thread.notBefore,
    opened_at: thread.openedAt,
    last_sent_at: thread.lastSentAt,
    resolved_at: thread.resolvedAt,
    due_at: thread.status === 'resolved' ? null : dueAt,
    told: thread.told === null ? null : json(thread.told),
    samples: json(thread.samples),
  };
  let { id } = change;
  if (id === null) {
    const values = { cluster, provider, group_key: groupKey, created_at: thread.createdAt, place: null, ...fields };
    ({ id } = await db.insertInto('notification_threads').values(values).returning('id').executeTakeFirstOrThrow());
  } else await db.updateTable('notification_threads').set(fields).where('id', '=', id).execute();
  const thread_id = id;
  if (change.incidents.length > 0) {
    const members = change.incidents.map((incident_id) => ({ thread_id, incident_id }));
    await db
      .insertInto('notification_members')
      .values(members)
      .onConflict((conflict) => conflict.columns(['thread_id', 'incident_id']).doNothing())
      .execute();
  }
  if (change.hushes) {
    const waiting = db.updateTable('notification_deliveries').where('thread_id', '=', thread_id).where('state', '=', 'pending');
    await waiting.set({ state: 'dropped', ended_at: now }).where('event', '<>', 'resolved').execute();
  }
  if (!send) return;
  const untried = db
    .deleteFrom('notification_deliveries')
    .where('thread_id', '=', thread_id)
    .where('state', '=', 'pending')
    .where('attempts', '=', 0);
  await untried.where('event', 'in', REPLACEABLE).execute();
  const row = { cluster, provider, thread_id, event: send.event, message: json(send.message), state: 'pending' as const };
  await db
    .insertInto('notification_deliveries')
    .values({ ...row, created_at: now, due_at: now, ended_at: null, reason: null, detail: null })
    .execute();
}

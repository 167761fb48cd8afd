import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Trial } from '../contract/failure.ts';
import type { KeptLog } from '../contract/log.ts';
import type { PastMirror, WrittenManifest, WrittenTrial } from '../contract/mirror.ts';
import { json, storableText } from './json.ts';
import { holdsText, isVisible, type Scope } from './failure-page.ts';
import { toTrial, TRIAL_FIELDS } from './failure-records.ts';
import { pagedList } from './paged-list.ts';
import type { Database } from './schema.ts';

/** The fields that only a verdict sets. */
type Judged = 'evidence' | 'strength' | 'revisions' | 'final';

/** A trial as it begins. Times are `Date`s. */
export interface NewTrial extends Omit<Trial, 'started_at' | 'ended_at' | 'log_pod_name' | Judged> {
  failure_id: number;
  started_at: Date;
  ended_at?: Date | null;
  /** The manifest that somebody wrote for the mirror; absent if Podmend proposed the correction. */
  written?: WrittenManifest;
}
/** The results of the trial so far. Fields without a result are left out. */
export type TrialUpdate = Pick<Trial, 'verdict' | 'reason_after'> & Partial<Pick<Trial, 'shown_after' | Judged>>;

/** A part of the list of past mirrors. */
export interface PastPage {
  namespace?: string | undefined;
  verdict?: string | undefined;
  q?: string | undefined;
  limit?: number | undefined;
  before?: number | undefined;
  scope?: Scope | undefined;
}

/** The columns of the failure record that the list of past mirrors shows besides the trial, by their names on the wire. */
const OF_FAILURE = ['id', 'pod_id', 'source_pod_name', 'namespace', 'workload', 'failure_reason', 'failure_status', 'is_open'];

/** At most this many written corrections are offered for a record. */
const MOST_WRITTEN = 5;

export type TrialRepository = ReturnType<typeof trialRepository>;

/** The results of mirrors. Trials are kept as long as their failure record. */
export function trialRepository(db: Kysely<Database>) {
  return {
    /** A reconciler may call this twice: the second call changes nothing. */
    async insert({ changes, shown_before, shown_after, written, ended_at = null, ...trial }: NewTrial): Promise<void> {
      const shown = { shown_before: shown_before && json(shown_before), shown_after: shown_after && json(shown_after) };
      await db
        .insertInto('trials')
        .values({ ...trial, ...shown, ended_at, changes: json(changes) })
        .onConflict((conflict) => conflict.column('mirror_id').doNothing())
        .execute();
      if (!written) return;
      await db
        .insertInto('written_manifests')
        .values({ mirror_id: trial.mirror_id, written: json(written) })
        .onConflict((conflict) => conflict.column('mirror_id').doNothing())
        .execute();
    },

    /** The corrections that people wrote for a record's mirrors with the verdict `Fixed`, newest first. */
    async written(failureId: number): Promise<WrittenTrial[]> {
      const rows = await db
        .selectFrom('trials')
        .innerJoin('written_manifests', 'written_manifests.mirror_id', 'trials.mirror_id')
        .select(['trials.mirror_id', 'written_manifests.written'])
        .where('trials.failure_id', '=', failureId)
        .where('trials.verdict', '=', 'Fixed')
        .orderBy('trials.started_at', 'desc')
        .limit(MOST_WRITTEN)
        .execute();
      return rows.map(({ mirror_id, written }) => ({ mirror_id, ...written }));
    },

    /**
     * Stores the verdict. `shown_after` is stored with the first verdict and replaced only when the verdict is revised, because the mirror
     * shows something different later.
     */
    async update(mirrorId: string, { verdict, reason_after, shown_after, ...rest }: TrialUpdate): Promise<void> {
      const { strength = null, final = false } = rest;
      const [evidence, revisions] = [rest.evidence ? json(rest.evidence) : null, json(rest.revisions ?? [])];
      const shown = shown_after && json(shown_after);
      const isRevised = sql`revisions is distinct from ${revisions}::jsonb`;
      await db
        .updateTable('trials')
        .set({ verdict, reason_after, strength, final, evidence, revisions })
        .$if(Boolean(shown), (query) =>
          query.set({
            shown_after: sql<string>`case when ${isRevised} then ${shown}::jsonb else coalesce(shown_after, ${shown}::jsonb) end`,
          }),
        )
        .where('mirror_id', '=', mirrorId)
        // Each pass calls this, and a write would make clients load their lists again, so only changes are written.
        .where(
          sql<boolean>`(verdict, reason_after, strength, final, evidence, revisions) is distinct from
            (${verdict}::text, ${reason_after}::text, ${strength}::text, ${final}::boolean, ${evidence}::jsonb, ${revisions}::jsonb)`,
        )
        .execute();
    },

    /** Ends the trial, because the mirror has ended. A second call changes nothing. */
    async end(mirrorId: string, now: Date): Promise<void> {
      await db
        .updateTable('trials')
        .set((eb) => ({ ended_at: now, final: true, verdict: eb.fn.coalesce('verdict', eb.val('Inconclusive')) }))
        .where('mirror_id', '=', mirrorId)
        .where('ended_at', 'is', null)
        .execute();
    },

    /** Stores the last lines of a mirror pod's log and replaces those stored earlier. Does nothing for a mirror without a trial. */
    async keepLog(mirrorId: string, podName: string, log: KeptLog): Promise<void> {
      await db
        .with('kept', (query) =>
          query.updateTable('trials').set({ log_pod_name: podName }).where('mirror_id', '=', mirrorId).returning('mirror_id'),
        )
        .insertInto('mirror_logs')
        .columns(['mirror_id', 'log'])
        .expression((query) => query.selectFrom('kept').select(['mirror_id', sql<string>`${json(log)}::jsonb`.as('log')]))
        .onConflict((conflict) => conflict.column('mirror_id').doUpdateSet(({ ref }) => ({ log: ref('excluded.log') })))
        .execute();
    },

    /** The stored part of a mirror pod's log. */
    async keptLog(namespace: string, podName: string): Promise<KeptLog | undefined> {
      const row = await db
        .selectFrom('mirror_logs')
        .innerJoin('trials', 'trials.mirror_id', 'mirror_logs.mirror_id')
        .innerJoin('failures', 'failures.id', 'trials.failure_id')
        .select('mirror_logs.log')
        .where('trials.log_pod_name', '=', storableText(podName))
        .where('failures.namespace', '=', storableText(namespace))
        .orderBy('trials.id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.log;
    },

    /** Ids of the mirrors that have not ended. */
    async unfinished(): Promise<string[]> {
      const rows = await db.selectFrom('trials').select('mirror_id').where('ended_at', 'is', null).execute();
      return rows.map((row) => row.mirror_id);
    },

    /** The mirrors that have ended. The mirror that began last comes first. */
    past: pagedList<PastPage, PastMirror>(db, {
      fields: { ...Object.fromEntries(OF_FAILURE.map((column) => [column, sql.ref(column)])), ...TRIAL_FIELDS },
      version: sql<string>`version::text`,
      rows: (columns, page) => narrowed(db.selectFrom(ofFailures(db)).select(columns).orderBy('id', 'desc'), page),
    }),

    async byMirror(mirrorId: string): Promise<Trial | undefined> {
      const row = await db.selectFrom('trials').selectAll().where('mirror_id', '=', mirrorId).executeTakeFirst();
      return row && toTrial(row);
    },

    /** The trials of a failure record, oldest first. */
    async forFailure(id: number): Promise<Trial[]> {
      const rows = await db.selectFrom('trials').selectAll().where('failure_id', '=', id).orderBy('started_at').execute();
      return rows.map(toTrial);
    },
  };
}

/** The trials that have ended, joined with their failure records. */
function ofFailures(db: Kysely<Database>) {
  return db
    .selectFrom('trials')
    .innerJoin('failures', 'failures.id', 'trials.failure_id')
    .selectAll('trials')
    .select(['failures.id as pod_id', 'failures.pod_name as source_pod_name', 'failures.namespace', 'failures.workload'])
    .select(['failures.failure_reason', 'failures.status as failure_status', sql<boolean>`failures.closed_at is null`.as('is_open')])
    .select(sql<string>`concat_ws(' ', trials.xmin, failures.xmin)`.as('version'))
    .where('trials.ended_at', 'is not', null)
    .as('past');
}

function narrowed<DB extends { past: { id: number; namespace: string; verdict: string | null } }, O>(
  query: SelectQueryBuilder<DB, 'past', O>,
  { namespace, verdict, q, limit, before, scope }: PastPage,
) {
  const where = [
    ...(namespace === undefined ? [] : [sql<boolean>`namespace = ${storableText(namespace)}`]),
    ...(verdict === undefined ? [] : [sql<boolean>`verdict = ${verdict}`]),
    ...(before === undefined ? [] : [sql<boolean>`id < ${before}`]),
    ...(q ? [holdsText(['source_pod_name', 'namespace', 'failure_reason'], q)] : []),
    ...(scope ? [isVisible(scope)] : []),
  ];
  const some = where.length === 0 ? query : query.where(sql<boolean>`${sql.join(where, sql` and `)}`);
  return limit === undefined ? some : some.limit(limit);
}

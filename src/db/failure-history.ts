import { type Kysely, sql } from 'kysely';
import type { FailureHistory, ImageRevision, PastFailure } from '../contract/failure-history.ts';
import { SETTINGS } from '../contract/settings.ts';
import { json } from './json.ts';
import type { Database } from './schema.ts';

const DAY_MS = 86_400_000;
const LOOK_BACK_MS = 30 * DAY_MS;
/**
 * Reads this many of the newest resolved records, and this many of the newest others. A namespace with more failures is known for a shorter
 * time.
 */
const MOST_RECORDS = 2_000;
/** How many revisions of one workload are kept, so that a template that changes all the time does not fill the table. */
const MOST_REVISIONS = 20;
/** A revision's last sighting is updated at most this often, so that most passes write nothing. */
const SEEN_MS = 10 * 60_000;

/** A record begins at most this long after its run ended, and clocks differ by at most the second value. */
const [BEFORE_MS, AHEAD_MS] = [3_600_000, 300_000];

/** The workloads of a namespace, with the images of their templates. */
export interface SeenWorkloads {
  cluster: string;
  namespace: string;
  workloads: Pick<ImageRevision, 'kind' | 'name' | 'images'>[];
  /** Whether every change since the last time was noticed at once, so that a replaced revision existed until now. */
  isWatched: boolean;
}

interface Row extends Omit<PastFailure, 'ends' | 'is_whole'> {
  keys: string[];
}

export type FailureHistoryRepository = ReturnType<typeof failureHistoryRepository>;

/** The history that advice uses: stored failures, and the images of workloads. */
export function failureHistoryRepository(db: Kysely<Database>) {
  return {
    /** Stores the images that the workloads use now. Unchanged images are written at most every ten minutes. */
    async noteImages({ cluster, namespace, workloads, isWatched }: SeenWorkloads, now: Date): Promise<void> {
      if (workloads.length === 0) return;
      await sql`
        with input as materialized (
          select distinct on (kind, name) kind, name, images
          from json_to_recordset(cast(${json(workloads)} as text)::json) as x(kind text, name text, images jsonb) order by kind, name),
        newest as (
          select i.kind, i.name, i.images, w.since, w.seen_at, w.images as images_before from input i left join lateral (
            select * from workload_images w where w.cluster = ${cluster} and w.namespace = ${namespace} and w.kind = i.kind and w.name = i.name
              and since <= ${now} order by since desc limit 1) w on true),
        seen as (
          update workload_images w set seen_at = greatest(w.seen_at, ${now}) from newest n
          where w.cluster = ${cluster} and w.namespace = ${namespace} and w.kind = n.kind and w.name = n.name and w.since = n.since
            and case when n.images = n.images_before then n.seen_at < ${new Date(now.getTime() - SEEN_MS)}::timestamptz else ${isWatched} end),
        old as (
          delete from workload_images w using newest n
          where w.cluster = ${cluster} and w.namespace = ${namespace} and w.kind = n.kind and w.name = n.name
            and n.images <> n.images_before and w.since < (
              select since from workload_images o where o.cluster = w.cluster and o.namespace = w.namespace and o.kind = w.kind
              and o.name = w.name order by since desc offset ${MOST_REVISIONS - 2} limit 1))
        insert into workload_images (cluster, namespace, kind, name, since, seen_at, images)
        select ${cluster}, ${namespace}, kind, name, ${now}, ${now}, images from newest
        where images_before is null or (images <> images_before and since < ${now})
        on conflict do nothing`.execute(db);
    },

    /** The stored failures of a namespace in the last 30 days, without those that people ignored or that are suppressed. */
    async read({ cluster, namespace }: Pick<SeenWorkloads, 'cluster' | 'namespace'>, now: Date): Promise<FailureHistory> {
      const from = new Date(now.getTime() - LOOK_BACK_MS);
      // The status is part of the statement, so that each part can use its own index. Rows of other clusters count too.
      const newest = (
        status: string,
      ) => sql`(select cluster, resource_kind, workload, container, family, failure_reason, identity, pod_name,
        node_name, images, occurrences, timestamp, last_seen, occurrence_keys from failures
        where namespace = ${namespace} and suppressed_by is null and ${sql.raw(status)} order by id desc limit ${MOST_RECORDS})`;
      const { rows } = await sql<{ failures: Row[] | null; revisions: ImageRevision[] | null; cut_at: string | null; kept: string | null }>`
        with resolved as materialized ${newest(`status = 'resolved'`)},
        active as materialized ${newest(`status in ('new', 'investigating')`)},
        found as (select * from resolved union all select * from active)
        select
          (select json_agg(one order by one.first_at) from (
            select coalesce(workload->>'kind', resource_kind) as kind, coalesce(workload->>'name', pod_name) as name, container, family,
              failure_reason as reason, identity as pod, pod_name, node_name as node, images, occurrences, timestamp as first_at,
              last_seen as last_at, occurrence_keys as keys
            from found where cluster = ${cluster} and last_seen >= ${from} and timestamp <= ${now}) one) as failures,
          (select json_agg(json_build_object('kind', kind, 'name', name, 'images', images, 'since', since, 'seen_at', seen_at) order by since)
            from workload_images where cluster = ${cluster} and namespace = ${namespace} and since <= ${now}) as revisions,
          (select max(oldest) from (
            select min(timestamp) as oldest from resolved having count(*) = ${MOST_RECORDS}
            union all select min(timestamp) from active having count(*) = ${MOST_RECORDS}) cut)::text as cut_at,
          (select value from settings where key = 'history_retention_minutes') as kept`.execute(db);
      const [found] = rows;
      const minutes = Number(found?.kept ?? SETTINGS.history_retention_minutes.default);
      const since = Math.max(
        from.getTime(),
        minutes > 0 ? now.getTime() - minutes * 60_000 : 0,
        found?.cut_at ? new Date(found.cut_at).getTime() : 0,
      );
      return {
        since: new Date(since),
        failures: (found?.failures ?? []).map(toFailure),
        revisions: (found?.revisions ?? []).map(toRevision),
      };
    },

    /** Deletes at most `limit` revisions that were last seen before that time; returns how many. */
    async deleteOld(before: Date, limit: number): Promise<number> {
      const { numAffectedRows } = await sql`delete from workload_images where ctid = any(array(
        select ctid from workload_images where seen_at < ${before} limit ${limit}))`.execute(db);
      return Number(numAffectedRows ?? 0n);
    },
  };
}

function toFailure({ keys, ...row }: Row): PastFailure {
  const [first_at, last_at] = [new Date(row.first_at), new Date(row.last_at)];
  return { ...row, first_at, last_at, ends: endsIn(keys, row.container, { first_at, last_at }), is_whole: row.occurrences <= keys.length };
}

/**
 * The ends of runs in occurrence keys. A key is `container|run|time of the end`, by the node's clock. A key without an end belongs to a
 * failure that did not end a run. A key from long before the record belongs to a run that ended in another way.
 */
function endsIn(keys: string[], container: string | null, { first_at, last_at }: Pick<PastFailure, 'first_at' | 'last_at'>): Date[] {
  const own = keys.filter((key) => container === null || key.startsWith(`${container}|`));
  const ends = own.map((key) => Date.parse(key.slice(key.lastIndexOf('|') + 1)));
  const known = ends.filter((end) => end >= first_at.getTime() - BEFORE_MS && end <= last_at.getTime() + AHEAD_MS);
  return known.toSorted((one, other) => one - other).map((end) => new Date(end));
}

function toRevision({ since, seen_at, ...row }: ImageRevision): ImageRevision {
  return { ...row, since: new Date(since), seen_at: new Date(seen_at) };
}

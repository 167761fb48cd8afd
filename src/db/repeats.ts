import { CompiledQuery, type Kysely, sql } from 'kysely';
import { type FailureRecord, LOG_DUE } from '../contract/failure.ts';
import { retryDeadlock } from './errors.ts';
import { type RecordRow, shownColumns, toRecords } from './failure-records.ts';
import type { Database } from './schema.ts';

/** A report that repeats an open record. `now` is when its sender saw it, ISO 8601 like `announced_at`. */
export interface Repeat {
  /** The record. */
  repeats: number;
  family: string;
  failure_reason: string;
  occurrence_key: string;
  now: string;
  suppressed_by: string | null;
  announced_at: string | null;
}

/**
 * Marks these records as seen again. Returns, by id, those that still match their report: open, with the same label, and with this
 * occurrence counted. The record holds the rest of the report already, so the rest is neither sent nor compared.
 */
export function repeatNoter(db: Kysely<Database>): (repeats: Repeat[]) => Promise<Map<number, FailureRecord>> {
  const note = NOTE.compile(db).sql;
  return async (repeats) => {
    if (repeats.length === 0) return new Map();
    const input = COLUMNS.map((column) => repeats.map((repeat) => repeat[column]));
    const { rows } = await retryDeadlock(() => db.executeQuery<RecordRow>(CompiledQuery.raw(note, input)));
    return new Map((await toRecords(db, rows)).map((record) => [record.id, record]));
  };
}

const COLUMNS = ['repeats', 'family', 'failure_reason', 'occurrence_key', 'now', 'suppressed_by', 'announced_at'] as const;

/** Not prepared: the plan of a first, empty table would read the whole of a large one. Arrays, because the planner knows their length. */
const NOTE = sql`
update failures f set
  timestamp = least(f.timestamp, i.now),
  last_seen = greatest(f.last_seen, i.now),
  suppressed_by = i.suppressed_by,
  announced_at = coalesce(i.announced_at, f.announced_at)
from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::timestamptz[])
  as i (id, family, failure_reason, occurrence_key, now, suppressed_by, announced_at)
where f.id = i.id and f.closed_at is null and f.family = i.family and f.failure_reason = i.failure_reason
  and f.occurrence_keys @> array[i.occurrence_key] and starts_with(f.logs, ${sql.lit(LOG_DUE)}) is not true
returning ${sql.join(shownColumns('f'))}`;

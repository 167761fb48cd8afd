import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { FailureTable } from './schema.ts';

/**
 * What a repeat of a record does to a column: `kept` leaves it; `joined` takes the report's, which differs when it joins the record; `label`
 * takes the report's when its label becomes the record's; `newest` takes the report's when it tells something new; `own` has a rule of its
 * own in the statement.
 */
type OnRepeat = 'kept' | 'joined' | 'label' | 'newest' | 'own';

/** The columns of `failures` that a report fills: the type in SQL, and what a repeat does. */
const REPORT_COLUMNS = {
  cluster: ['text', 'kept'],
  identity: ['text', 'kept'],
  pod_uid: ['text', 'joined'],
  pod_name: ['text', 'joined'],
  namespace: ['text', 'kept'],
  node_name: ['text', 'newest'],
  resource_kind: ['text', 'joined'],
  container: ['text', 'own'],
  workload: ['jsonb', 'newest'],
  labels: ['jsonb', 'newest'],
  images: ['jsonb', 'newest'],
  family: ['text', 'own'],
  failure_reason: ['text', 'label'],
  failure_message: ['text', 'label'],
  reason_rank: ['smallint', 'label'],
  solution: ['text', 'own'],
  is_fallback: ['boolean', 'own'],
  events: ['jsonb', 'newest'],
  container_statuses: ['jsonb', 'newest'],
  brief: ['jsonb', 'newest'],
  longest_run_seconds: ['integer', 'own'],
  manifest: ['text', 'newest'],
  logs: ['text', 'own'],
  suppressed_by: ['text', 'own'],
} as const satisfies Partial<Record<keyof FailureTable, readonly [type: string, OnRepeat]>>;

type ReportColumn = keyof typeof REPORT_COLUMNS;

/** A report's part of a row. */
export type ReportedFields = Pick<Selectable<FailureTable>, ReportColumn>;

const NAMES = Object.keys(REPORT_COLUMNS) as ReportColumn[];

/** The columns with a comma between, as a list of an insert and of a select. */
export const reportedColumns: RawBuilder<unknown> = sql.join(NAMES.map((name) => sql.ref(name)));

/** The columns with their types, as `json_to_recordset` wants them. */
export const reportedTypes: RawBuilder<unknown> = sql.join(NAMES.map((name) => sql`${sql.ref(name)} ${sql.raw(REPORT_COLUMNS[name][0])}`));

/** The columns that a repeat treats so. */
export function columnsOn(repeat: Exclude<OnRepeat, 'kept' | 'own'>): ReportColumn[] {
  return NAMES.filter((name) => REPORT_COLUMNS[name][1] === repeat);
}

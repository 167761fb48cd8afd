import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { FailureTable } from './schema.ts';

/**
 * How a repeated report changes a column of its record. `kept`: not at all. `joined`: takes the report's value, which differs if the record
 * is about another object now. `label`: takes the report's value if the record also takes its label. `newest`: takes the report's value if
 * the report has news. `own`: the statement has a special rule for the column.
 */
type OnRepeat = 'kept' | 'joined' | 'label' | 'newest' | 'own';

/** The columns of `failures` that a report fills: the SQL type, and the effect of a repeated report. */
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

/** The part of a row that comes from a report. */
export type ReportedFields = Pick<Selectable<FailureTable>, ReportColumn>;

const NAMES = Object.keys(REPORT_COLUMNS) as ReportColumn[];

/** The columns, separated by commas, for an insert or a select. */
export const reportedColumns: RawBuilder<unknown> = sql.join(NAMES.map((name) => sql.ref(name)));

/** The columns with their types, in the form that `json_to_recordset` needs. */
export const reportedTypes: RawBuilder<unknown> = sql.join(NAMES.map((name) => sql`${sql.ref(name)} ${sql.raw(REPORT_COLUMNS[name][0])}`));

/** The columns that a repeated report changes in this way. */
export function columnsOn(repeat: Exclude<OnRepeat, 'kept' | 'own'>): ReportColumn[] {
  return NAMES.filter((name) => REPORT_COLUMNS[name][1] === repeat);
}

import { type AliasedRawBuilder, type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { type BriefEvidence, FailureDetail, FailureRecord, type Trial } from '../contract/failure.ts';
import { SHOWN_BOUNDS } from '../contract/report-bounds.ts';
import { isoText } from './paged-list.ts';
import type { Database, FailureTable, TrialTable } from './schema.ts';

/** Fields of a record that are read from another table. */
type Elsewhere = 'trials';
export type RecordColumn = Exclude<keyof FailureRecord, Elsewhere>;
type DetailColumn = Exclude<keyof FailureDetail, Elsewhere>;

/** The columns that a list shows, by their names in the contract: all except the large ones. `shownColumns` cuts long texts. */
export const RECORD_COLUMNS: readonly RecordColumn[] = columnsOf(FailureRecord);
/** The columns of a single record. */
export const DETAIL_COLUMNS: readonly DetailColumn[] = columnsOf(FailureDetail);

function columnsOf<Field extends string>({ properties }: { properties: Record<Field | Elsewhere, unknown> }): Exclude<Field, Elsewhere>[] {
  return Object.keys(properties).filter((field) => field !== 'trials') as Exclude<Field, Elsewhere>[];
}

/** A row with the columns of a list. */
export type RecordRow = Pick<Selectable<FailureTable>, RecordColumn> & { has_trials: boolean };
/** A row with the columns of a single record. */
export type DetailRow = Pick<Selectable<FailureTable>, DetailColumn> & Pick<RecordRow, 'has_trials'>;

/**
 * The columns of a record as lists and messages show them, in SQL; `shownRecord` is the same in TypeScript. `table` is the table's name.
 */
export function shownColumns(table = 'failures'): AliasedRawBuilder<unknown, string>[] {
  return [...RECORD_COLUMNS.map((column) => shownColumn(column, `${table}.`).as(column)), hasTrials(table)];
}

/** Whether the record has trials. Most records have none, and this saves requesting them. */
export function hasTrials(table = 'failures'): AliasedRawBuilder<boolean, 'has_trials'> {
  return sql<boolean>`exists (select from trials where failure_id = ${sql.ref(`${table}.id`)})`.as('has_trials');
}

function shownColumn(column: RecordColumn, table = ''): RawBuilder<unknown> {
  const [value, brief] = [sql.ref(table + column), sql.ref(`${table}brief`)];
  if (column === 'events' || column === 'container_statuses') {
    return sql`case when ${brief} is null then ${value} else ${brief} -> ${sql.lit(column)} end`;
  }
  const bytes = TEXT_BYTES[column];
  if (!bytes) return sql`${value}`;
  // The size is known without reading the text. A character has at most four bytes.
  const begin = (length: number) => sql`left(${value}, ${sql.lit(length)})`;
  return sql`case when octet_length(${value}) <= ${sql.lit(bytes)} then ${value}
    when octet_length(${begin(bytes)}) <= ${sql.lit(bytes)} then ${begin(bytes)} || ${sql.lit(REST)} else ${begin(bytes / 4)} || ${sql.lit(REST)} end`;
}

const TEXT_BYTES: Partial<Record<RecordColumn, number>> = {
  failure_message: SHOWN_BOUNDS.messageBytes,
  solution: SHOWN_BOUNDS.solutionBytes,
};
/** The mark of a text that is cut for a list. */
const REST = '\n\n… [cut: the record itself has the rest]';

/** A whole record as lists and messages show it. */
export function shownRecord(record: FailureRecord, brief: BriefEvidence | null): FailureRecord {
  const texts = Object.entries(TEXT_BYTES).map(([column, bytes]) => [column, shownText(record[column as 'solution'], bytes)]);
  return { ...record, ...(Object.fromEntries(texts) as Pick<FailureRecord, 'solution' | 'failure_message'>), ...brief };
}

function shownText(text: string | null, bytes: number): string | null {
  if (text === null || text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text;
  const characters = Array.from(text.slice(0, bytes * 2));
  const begin = characters.slice(0, bytes).join('');
  return (Buffer.byteLength(begin) <= bytes ? begin : characters.slice(0, bytes / 4).join('')) + REST;
}

const TRIAL_COLUMNS = [
  ...['mirror_id', 'verdict', 'reason_before', 'reason_after', 'shown_before', 'shown_after'],
  ...['evidence', 'strength', 'revisions', 'final', 'origin', 'log_pod_name'],
];
/** A trial as the API shows it, in SQL, by field name; `toTrial` is the same in TypeScript. */
export const TRIAL_FIELDS: Record<string, RawBuilder<unknown>> = {
  ...Object.fromEntries(TRIAL_COLUMNS.map((column) => [column, sql.ref(column)])),
  changes: sql`coalesce((select jsonb_agg('{"from": null, "to": null}'::jsonb || change) from jsonb_array_elements(changes) change), '[]')`,
  started_at: isoText('started_at'),
  ended_at: isoText('ended_at'),
};
const TRIAL = sql`select ${sql.join(Object.entries(TRIAL_FIELDS).map(([name, value]) => value.as(name)))}`;

/** Lists show only the newest trials of a record; the single record shows all. */
export const LISTED_TRIALS = 5;

/** A record as lists show it, in SQL, by field name; `toRecords` does the same for a record with few trials. */
export const RECORD_FIELDS: Record<string, RawBuilder<unknown>> = {
  ...Object.fromEntries(RECORD_COLUMNS.map((column) => [column, shownColumn(column)])),
  ...Object.fromEntries(['timestamp', 'last_seen', 'resolved_at'].map((column) => [column, isoText(column)])),
  // Checks first whether there are any, because most records have none and this check is much faster.
  trials: sql`case when exists (select from trials where failure_id = failures.id)
    then (select json_agg(shown) from (${TRIAL} from
      (select * from trials where failure_id = failures.id order by started_at desc limit ${sql.lit(LISTED_TRIALS)}) trials
      order by trials.started_at) shown)
    else '[]' end`,
};

/** A text that changes whenever the shown record changes: the versions of its row and of its trials. */
export const RECORD_VERSION = sql<string>`failures.xmin || coalesce(
  (select string_agg(' ' || mirror_id || ' ' || trials.xmin, '') from trials where failure_id = failures.id), '')`;

/** The rows as the API shows them, with their trials, in the given order. */
export async function toRecords<R extends RecordRow>(
  db: Kysely<Database>,
  rows: R[],
): Promise<(R extends DetailRow ? FailureDetail : FailureRecord)[]>;
export async function toRecords(db: Kysely<Database>, rows: RecordRow[]): Promise<FailureRecord[]> {
  const trials = await trialsOf(
    db,
    rows.filter(({ has_trials }) => has_trials).map((row) => row.id),
  );
  return rows.map(({ has_trials: _, ...row }) => ({
    ...row,
    timestamp: row.timestamp.toISOString(),
    last_seen: row.last_seen.toISOString(),
    resolved_at: row.resolved_at?.toISOString() ?? null,
    trials: trials.get(row.id) ?? [],
  }));
}

/** A trial as the API shows it. */
export function toTrial({ id: _id, failure_id: _, ...row }: Selectable<TrialTable>): Trial {
  // An empty side of a change is stored as an absent field, because custom resources do not keep nulls. The API shows null.
  const changes = row.changes.map((change) => ({ ...change, from: change.from ?? null, to: change.to ?? null }));
  return { ...row, changes, started_at: row.started_at.toISOString(), ended_at: row.ended_at?.toISOString() ?? null };
}

async function trialsOf(db: Kysely<Database>, ids: number[]): Promise<Map<number, Trial[]>> {
  const found = new Map<number, Trial[]>();
  if (ids.length === 0) return found;
  const rows = await db
    .selectFrom('trials')
    .selectAll()
    .where((eb) => eb('failure_id', '=', eb.fn.any(eb.val(ids))))
    .orderBy('started_at')
    .execute();
  for (const row of rows) {
    const list = found.get(row.failure_id);
    if (list) list.push(toTrial(row));
    else found.set(row.failure_id, [toTrial(row)]);
  }
  return found;
}

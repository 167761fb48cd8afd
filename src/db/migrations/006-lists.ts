import { type Kysely, sql } from 'kysely';

const ACTIVE = `status in ('new', 'investigating') and suppressed_by is null`;
const SHOWN = `stale_at is null and suppressed_by is null and status in ('open', 'reopened')`;

// A record is in only one of these indexes at a time, so that a report updates only one.
const STATEMENTS = [
  `create index failures_active on failures (id) where ${ACTIVE}`,
  `create index failures_active_namespace on failures (namespace, id) where ${ACTIVE}`,
  `create index failures_history on failures (id) where status = 'resolved' and suppressed_by is null`,
  `create index failures_history_namespace on failures (namespace, id) where status = 'resolved' and suppressed_by is null`,
  `create index failures_ignored on failures (id) where status = 'ignored' and suppressed_by is null`,
  `create index findings_shown on findings (severity, id) where ${SHOWN}`,
  `create index findings_shown_id on findings (id) where ${SHOWN}`,
  `create index findings_shown_namespace on findings (namespace, id) where ${SHOWN}`,
  `create index audit_at on audit (at)`,
  // The columns that lists show stay uncompressed in the row. Compressing them for every report would cost more than the disk space.
  `alter table failures set (toast_tuple_target = 4080)`,
  `alter table failures alter column events set storage external, alter column container_statuses set storage external,
    alter column solution set storage external`,
];

/** Every list has an index of its rows, so that a page reads only rows of the list. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

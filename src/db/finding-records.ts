import { type Selectable, sql } from 'kysely';
import type { Finding } from '../contract/finding.ts';
import { isoText } from './paged-list.ts';
import type { FindingTable } from './schema.ts';

/** The columns of a finding that the API shows. */
export const FINDING_COLUMNS = [
  'id',
  'cluster',
  'resource_type',
  'resource_name',
  'namespace',
  'check_name',
  'source',
  'severity',
  'message',
  'remediation',
  'details',
  'status',
  'first_seen',
  'last_seen',
  'resolved_at',
  'suppressed_by',
] as const satisfies (keyof FindingTable)[];
export type FindingRecord = Pick<Selectable<FindingTable>, (typeof FINDING_COLUMNS)[number]>;

/** A finding as the API shows it, in SQL, by field name; `toFinding` is the same in TypeScript. */
export const FINDING_FIELDS = {
  ...Object.fromEntries(FINDING_COLUMNS.map((column) => [column, sql.ref(column)])),
  ...Object.fromEntries(['first_seen', 'last_seen', 'resolved_at'].map((column) => [column, isoText(column)])),
  timestamp: isoText('first_seen'),
};

/** A row as the API shows it. */
export function toFinding({ id, first_seen, last_seen, resolved_at, ...row }: FindingRecord): Finding {
  const { cluster, resource_type, resource_name, namespace, check_name, source, severity, message, remediation, details } = row;
  const { status, suppressed_by } = row;
  const seen = { first_seen: first_seen.toISOString(), last_seen: last_seen.toISOString(), timestamp: first_seen.toISOString() };
  const what = {
    id,
    cluster,
    resource_type,
    resource_name,
    namespace,
    check_name,
    source,
    severity,
    message,
    remediation,
    details,
    status,
  };
  return { ...what, ...seen, resolved_at: resolved_at?.toISOString() ?? null, suppressed_by };
}

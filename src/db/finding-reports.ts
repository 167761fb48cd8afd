import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { Finding, FindingStatus, Severity } from '../contract/finding.ts';
import { retryDeadlock } from './errors.ts';
import { FINDING_COLUMNS, type FindingRecord, toFinding } from './finding-records.ts';
import { STALE_MINUTES } from './stale-findings.ts';
import { isSuspect, json, storable } from './json.ts';
import type { Database } from './schema.ts';

/** A finding with every field decided; `now` ISO 8601. */
export interface FindingRow {
  cluster: string;
  resource_type: string;
  namespace: string;
  resource_name: string;
  check_name: string;
  item: string;
  source: string;
  severity: Severity;
  message: string;
  remediation: string;
  details: Record<string, unknown>;
  now: string;
  suppressed_by: string | null;
}

/** A finding for a statement: `text` is the JSON of the row without its details. Neither contains anything that PostgreSQL refuses. */
export interface ReadyFinding {
  row: FindingRow;
  text: string;
  details: string;
}

/** Prepares a finding. Its texts are cleaned only if necessary, which is rare. */
export function readyFinding(row: FindingRow): ReadyFinding {
  const ready = written(row);
  return isSuspect(ready.text) || isSuspect(ready.details) ? written(storable(row)) : ready;
}

function written(row: FindingRow): ReadyFinding {
  return { row, text: JSON.stringify({ ...row, details: undefined }), details: JSON.stringify(row.details) };
}

/** A resource whose findings by one scanner are all in the batch. */
export interface ReplacedResource {
  cluster: string;
  resource_type: string;
  namespace: string;
  resource_name: string;
  source: string;
}

/** A stored finding. `isNews`: it was not visible before (new, reopened, or hidden as stale). */
export interface StoredFinding {
  finding: Finding;
  isNews: boolean;
}

/** The result of a batch: the findings in the given order, and those that are no longer visible. */
export interface StoredFindings {
  stored: StoredFinding[];
  gone: Finding[];
}

/** The rows of a statement are sent in this many texts. */
const PARTS = 8;

/**
 * Stores findings in one statement, each with a different identity, and resolves the other findings of `replaced` resources (a dismissed
 * one stays dismissed and hidden).
 */
export function storeFindings(db: Kysely<Database>) {
  const storeSql = STORE.compile(db).sql;
  return async (findings: ReadyFinding[], replaced: ReplacedResource[], now: Date): Promise<StoredFindings> => {
    const query = CompiledQuery.raw(storeSql, [...partsOf(findings), json(replaced), now]);
    const answers = await retryDeadlock(() => db.executeQuery<Stored | Vanished>(query));
    const stored: StoredFinding[] = [];
    const gone: Finding[] = [];
    for (const answer of answers.rows) {
      if (answer.n === null) {
        gone.push(findingOfJson(answer.vanished));
        continue;
      }
      const finding = storedFinding((findings[answer.n] as ReadyFinding).row, answer);
      stored[answer.n] = { finding, isNews: answer.is_news };
      if (answer.is_gone) gone.push(finding);
    }
    return { stored, gone };
  };
}

/** The values that only the database knows for row `n`. Times are given only if they differ from the row's `now`. */
interface Stored {
  n: number;
  id: number;
  status: FindingStatus;
  first_seen: Date | null;
  last_seen: Date | null;
  is_news: boolean;
  is_gone: boolean;
}

/** A visible finding that its resource no longer has, in the form of `to_jsonb`. */
interface Vanished {
  n: null;
  vanished: Omit<FindingRecord, 'first_seen' | 'last_seen' | 'resolved_at'> & {
    first_seen: string;
    last_seen: string;
    resolved_at: string;
  };
}

function findingOfJson({ first_seen, last_seen, resolved_at, ...row }: Vanished['vanished']): Finding {
  return toFinding({ ...row, first_seen: new Date(first_seen), last_seen: new Date(last_seen), resolved_at: new Date(resolved_at) });
}

/** The row that was just sent is not read back, because the database decides only four of the fields that the API shows. */
function storedFinding(row: FindingRow, { id, status, first_seen, last_seen }: Stored): Finding {
  const now = new Date(row.now);
  return toFinding({ ...row, id, status, first_seen: first_seen ?? now, last_seen: last_seen ?? now, resolved_at: null });
}

/**
 * The rows with their positions, and the details, one per line, so that the database parses them once. They are split into parts, because
 * only a full garbage collection would free a single large text.
 */
function partsOf(findings: ReadyFinding[]): (string | null)[] {
  const size = Math.ceil(findings.length / PARTS);
  const parts = Array.from({ length: PARTS }, (_, index) => findings.slice(index * size, (index + 1) * size));
  const rows = parts.map((part, index) =>
    part.length > 0 ? `[${part.map(({ text }, n) => `{"n":${index * size + n},${text.slice(1)}`).join(',')}]` : null,
  );
  return [...rows, ...parts.map((part) => (part.length > 0 ? part.map(({ details }) => details).join('\n') : null))];
}

const STALE = sql.raw(`interval '${STALE_MINUTES} minutes'`);
const texts = (from: number) => sql.raw(`array[${Array.from({ length: PARTS }, (_, index) => `cast($${from + index} as text)`).join()}]`);
const resources = sql.raw(`$${2 * PARTS + 1}`);
const now = sql.raw(`$${2 * PARTS + 2}`);
const hadEnded = sql`(f.status = 'resolved' or (f.status <> 'dismissed' and f.stale_at < ${now}::timestamptz - ${STALE}))`;
/** The columns in the JSON of a row, with their SQL types. */
const COLUMNS = {
  n: 'integer',
  cluster: 'text',
  resource_type: 'text',
  namespace: 'text',
  resource_name: 'text',
  check_name: 'text',
  item: 'text',
  source: 'text',
  severity: 'text',
  message: 'text',
  remediation: 'text',
  now: 'timestamptz',
  suppressed_by: 'text',
};
const names = sql.raw(Object.keys(COLUMNS).join(', '));
const columns = sql.raw(
  Object.entries(COLUMNS)
    .map((column) => column.join(' '))
    .join(', '),
);
const identity = sql.raw(`cluster, namespace, resource_type, resource_name, check_name, item`);
const shown = sql.raw(FINDING_COLUMNS.map((column) => `f.${column}`).join(', '));

/**
 * `input` holds the reported findings, each with the state it had before. `left_over` are the other findings of the reported `resources`:
 * they are gone. `gone` and `stored` read the table as it was before the statement and write different rows, each in the order of the
 * identity, so that two batches cannot deadlock. Equal details stay in place: they are most of a finding, and writing them would compress
 * them again.
 */
const STORE = sql`/* prepared: store_findings */
with input as materialized (
  select x.*, x.line::json as details, o.id, o.status, o.stale_at, o.suppressed_by as was_suppressed_by
  from unnest(${texts(1)}, ${texts(PARTS + 1)}) as part (rows, details),
    rows from (json_to_recordset(part.rows::json) as (${columns}), unnest(string_to_array(part.details, chr(10)))) as x(${names}, line)
  left join lateral (
    select id, status, stale_at, suppressed_by from findings
    where cluster = x.cluster and namespace = x.namespace and resource_type = x.resource_type and resource_name = x.resource_name
      and check_name = x.check_name and item = x.item limit 1) o on true),
left_over as materialized (
  select f.id, f.stale_at is null as was_fresh from json_to_recordset(cast(${resources} as text)::json) as r(
    cluster text, resource_type text, namespace text, resource_name text, source text) cross join lateral (
    select * from findings
    where cluster = r.cluster and namespace = r.namespace and resource_type = r.resource_type and resource_name = r.resource_name
      and source = r.source and status <> 'resolved' and id not in (select id from input where id is not null)
    order by ${identity} for update) f),
gone as (
  update findings f set
    status = case when f.status = 'dismissed' then f.status else 'resolved' end,
    resolved_at = case when f.status = 'dismissed' then null else ${now}::timestamptz end,
    stale_at = case when f.status = 'dismissed' then coalesce(f.stale_at, ${now}::timestamptz) end
  from left_over l where l.id = f.id
  returning ${shown}, l.was_fresh and f.status = 'resolved' and f.suppressed_by is null as was_shown),
stored as (
  insert into findings as f (${identity}, source, severity, message, remediation, details, status, first_seen, last_seen, suppressed_by)
  select ${identity}, source, severity, message, remediation, details, 'open', now, now, suppressed_by from input order by ${identity}
  on conflict (${identity}) do update set
    source = excluded.source, severity = excluded.severity, message = excluded.message, remediation = excluded.remediation,
    details = case when f.details::text = excluded.details::text then f.details else excluded.details end,
    last_seen = greatest(f.last_seen, excluded.last_seen), suppressed_by = excluded.suppressed_by, stale_at = null, resolved_at = null,
    status = case when ${hadEnded} then 'reopened' else f.status end
  returning f.id, ${identity}, f.status, f.first_seen, f.last_seen, f.suppressed_by)
select i.n, s.id, s.status, nullif(s.first_seen, i.now) as first_seen, nullif(s.last_seen, i.now) as last_seen,
  s.suppressed_by is null and s.status in ('open', 'reopened')
    and (i.status is null or i.status = 'resolved' or i.stale_at is not null) as is_news,
  s.suppressed_by is not null and i.status in ('open', 'reopened') and i.stale_at is null and i.was_suppressed_by is null as is_gone,
  null as vanished
from stored s join input i using (${identity})
union all select null, null, null, null, null, null, null, to_jsonb(gone) from gone where was_shown`;

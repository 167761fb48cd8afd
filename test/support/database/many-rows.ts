import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../src/db/schema.ts';

/** Inserts rows with one statement, which is faster than any write path. For tests and benches that need very many rows. */
const SLICE = 2_000;

/** Inserts `count` failures of 100 incidents, about 2.5 KB each. All are new; with `mixed`, a third each is new, resolved and ignored. */
export async function manyFailures(db: Kysely<Database>, count: number, { mixed = false } = {}): Promise<void> {
  for (let from = 0; from < count; from += SLICE) {
    await sql`insert into failures (cluster, identity, pod_uid, pod_name, namespace, node_name, resource_kind, container, labels, images,
        incident_id, family, failure_reason, failure_message, reason_rank, status, solution, is_fallback, events, container_statuses,
        manifest, logs, occurrences, occurrence_keys, timestamp, last_seen, status_at)
      select 'test', 'many-' || n, 'many-' || n, 'web-' || n, 'team-' || n % 20, 'node-' || n % 12, 'Pod', 'app', '{"app": "web"}', '["web:1"]',
        n % 100 + 1, 'crash', 'CrashLoopBackOff', 'back-off restarting failed container app of pod web-' || n, 1,
        case when ${mixed} and n % 3 = 1 then 'resolved' when ${mixed} and n % 3 = 2 then 'ignored' else 'new' end, repeat('Because. ', 100), true,
        '[{"type": "Warning", "reason": "BackOff", "message": "Back-off restarting failed container"}]',
        '[{"name": "app", "image": "web:1", "state": "waiting", "reason": "CrashLoopBackOff", "restart_count": 3}]',
        repeat('kind: Pod ', 50), repeat('panic ', 100), 1, array['app|1|'], now(), now(), now()
      from generate_series(${from + 1}::int, ${Math.min(from + SLICE, count)}::int) n`.execute(db);
  }
}

/** Inserts `count` open findings, ten to a resource; about 1 KB each. */
export async function manyFindings(db: Kysely<Database>, count: number): Promise<void> {
  for (let from = 0; from < count; from += SLICE) {
    await sql`insert into findings (cluster, resource_type, namespace, resource_name, check_name, item, severity, message, remediation, details,
        status, first_seen, last_seen)
      select 'test', 'Pod', 'team-' || n % 20, 'web-' || n / 10, 'check-' || n % 10, 'app',
        (array['critical', 'high', 'medium', 'low'])[n % 4 + 1], 'container app does not meet this rule', 'set the field', '{"container": "app"}',
        'open', now(), now()
      from generate_series(${from}::int, ${Math.min(from + SLICE, count) - 1}::int) n`.execute(db);
  }
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Pool } from 'pg';

/**
 * The least that can serve a page of failures: one prepared statement, and its rows as JSON. Everything that an operator costs beyond that
 * is its own work.
 */
const PAGE = `select id, cluster, pod_name, namespace, node_name, resource_kind, container, workload, incident_id, failure_reason,
    failure_message, status, solution, is_fallback, events, container_statuses, occurrences, timestamp, last_seen, resolved_at, suppressed_by
  from failures where status in ('new', 'investigating') and suppressed_by is null and id < $1 order by id desc limit 100`;
const FILE = fileURLToPath(import.meta.url);

/** Starts the server as its own process. */
export async function startBareServer(databaseUrl: string): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const child = fork(FILE, [databaseUrl], { execArgv: ['--max-semi-space-size=16'] });
  const [url] = (await once(child, 'message')) as [string];
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

if (process.argv[1] === FILE) {
  const pool = new Pool({ connectionString: process.argv[2], max: 10 });
  const server = createServer((request, response) => {
    const before = new URL(request.url ?? '/', 'http://bare').searchParams.get('before') ?? Number.MAX_SAFE_INTEGER;
    const answer = pool.query({ name: 'page', text: PAGE, values: [before] });
    void answer.then(({ rows }) => response.setHeader('content-type', 'application/json').end(JSON.stringify(rows)));
  });
  server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
}

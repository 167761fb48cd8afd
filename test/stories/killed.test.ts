import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureRecord } from '../../src/contract/failure.ts';
import { apiClient } from '../support/network/client.ts';
import { createDatabase, postgresUrl } from '../support/database/database.ts';
import { loadReport } from '../support/load/report.ts';
import { longOr } from '../support/runner/long.ts';
import { type OperatorProcess, startOperatorProcess, TOKEN } from '../support/processes/operator.ts';
import { fillFolder } from '../support/database/store.ts';
import { until } from '../support/runner/wait.ts';

const RATE = 500;
/** For how many milliseconds reports come before each kill. */
const KILLS = longOr([3_000, 500, 8_000, 50, 20_000, 4_000, 1_000, 250, 5_000, 30_000], [1_000]);
/** A kill proves something only if this many reports were acknowledged before. */
const ENOUGH = 50;
const TICK_MS = 10;

/** Posts reports at a fixed rate until it is stopped. It does not wait for answers. */
function openLoop(url: string, first: number) {
  const acknowledged = new Set<string>();
  const dispatcher = new Agent({ connections: 64 });
  const headers = { 'content-type': 'application/json', 'x-service-token': TOKEN };
  const sent: Promise<unknown>[] = [];
  const began = performance.now();
  let next = first;
  const send = (n: number) =>
    dispatcher
      .request({ origin: url, path: '/api/pods/failed', method: 'POST', headers, body: loadReport(n, 'killed') })
      .then(async ({ statusCode, body }) => {
        await body.dump();
        if (statusCode === 200) acknowledged.add(`killed-${n}`);
      })
      .catch(() => {});
  const timer = setInterval(() => {
    for (const due = first + ((performance.now() - began) / 1000) * RATE; next < due; next++) sent.push(send(next));
  }, TICK_MS);
  return {
    acknowledged,
    /** Returns the number of the first report that was not sent. */
    async stop(): Promise<number> {
      clearInterval(timer);
      await Promise.all(sent);
      await dispatcher.destroy();
      return next;
    },
  };
}

/** Returns what happened. Throws when an acknowledged report is lost or stored twice. */
async function tell(databaseUrl: string | undefined, dataDir: string): Promise<string> {
  const begin = () => startOperatorProcess({ databaseUrl, dataDir });
  let operator: OperatorProcess = await begin();
  try {
    const acknowledged = new Set<string>();
    let next = 0;
    for (const ms of KILLS) {
      const load = openLoop(operator.url, next);
      await Promise.all([sleep(ms), until(() => load.acknowledged.size >= ENOUGH, { what: 'answers' })]);
      await operator.stop('SIGKILL');
      next = await load.stop();
      for (const pod of load.acknowledged) acknowledged.add(pod);
      operator = await begin();
    }
    const client = apiClient(operator.url);
    assert.is((await client.send('POST', '/api/auth/signup', { username: 'admin', password: 'correct horse' })).status, 200);
    const stored = async () => (await client.get<FailureRecord[]>('/api/pods/failed')).map(({ pod_name }) => pod_name);
    const survived = await stored();
    assert.is(new Set(survived).size, survived.length, 'none twice');
    const kept = new Set(survived);
    assert.equal(
      [...acknowledged].filter((pod) => !kept.has(pod)),
      [],
      'none of the acknowledged is lost',
    );

    // An agent sends unacknowledged reports again. If a report was stored without an answer, this must not store it twice.
    const again = Array.from({ length: next }, (_, n) => n).filter((n) => n % 10 === 0 || !acknowledged.has(`killed-${n}`));
    const headers = { 'content-type': 'application/json', 'x-service-token': TOKEN };
    const send = (n: number) => fetch(`${operator.url}/api/pods/failed`, { method: 'POST', headers, body: loadReport(n, 'killed') });
    for (let n = 0; n < again.length; n += 64) {
      const answers = await Promise.all(again.slice(n, n + 64).map(send));
      for (const answer of answers) assert.is(answer.status, 200);
    }
    assert.equal((await stored()).sort(), Array.from({ length: next }, (_, n) => `killed-${n}`).sort());
    return `${next} reports, ${acknowledged.size} acknowledged, ${survived.length} stored after ${KILLS.length} kills`;
  } finally {
    await operator.stop();
  }
}

const killed = suite('an operator that is killed while reports come');
let folder = '';
/** Both databases at once, because an operator without a cluster waits for it at each start. */
const told: Record<string, Promise<string>> = {};
killed.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podmend-killed-'));
  told['PGlite'] = onPglite(join(folder, 'embedded'));
  if (postgresUrl) told['PostgreSQL'] = onPostgres(postgresUrl, join(folder, 'server'));
  await Promise.allSettled(Object.values(told));
});
killed.after(() => rm(folder, { recursive: true, force: true }));

async function onPglite(dataDir: string): Promise<string> {
  await mkdir(dataDir);
  await fillFolder(dataDir);
  return tell(undefined, dataDir);
}

async function onPostgres(server: string, dataDir: string): Promise<string> {
  const database = await createDatabase(server);
  try {
    return await tell(database.url, dataDir);
  } finally {
    await database.drop();
  }
}

if (!postgresUrl) console.log('SKIP an operator on PostgreSQL that is killed while reports come: TEST_DATABASE_URL is not set');
for (const engine of ['PGlite', ...(postgresUrl ? ['PostgreSQL'] : [])]) {
  killed(`keeps what it acknowledged, on ${engine}`, async () => console.log(engine, await told[engine]));
}

killed.run();

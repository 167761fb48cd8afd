import { adviceRepository } from '../../src/db/advice.ts';
import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Store } from '../../src/db/connect.ts';
import { agentRepository } from '../../src/db/agents.ts';
import { alertRepository } from '../../src/db/alerts.ts';
import { auditRepository } from '../../src/db/audit.ts';
import { loginAttemptRepository } from '../../src/db/login-attempts.ts';
import { chatRequestRepository } from '../../src/db/chat-requests.ts';
import { failureHistoryRepository } from '../../src/db/failure-history.ts';
import { failureRepository } from '../../src/db/failures.ts';
import { readyFinding } from '../../src/db/finding-reports.ts';
import { findingRepository } from '../../src/db/findings.ts';
import { incidentRepository } from '../../src/db/incidents.ts';
import { modelAnswerRepository } from '../../src/db/model-answers.ts';
import { modelCallRepository } from '../../src/db/model-calls.ts';
import { modelWorkRepository } from '../../src/db/model-work.ts';
import { previewRepository } from '../../src/db/previews.ts';
import { replicaMessageRepository } from '../../src/db/replica-messages.ts';
import { reportRepository } from '../../src/db/failure-reports.ts';
import { scanRepository } from '../../src/db/scans.ts';
import { sessionRepository } from '../../src/db/sessions.ts';
import { settingRepository } from '../../src/db/settings.ts';
import { tokenRepository } from '../../src/db/tokens.ts';
import { userRepository } from '../../src/db/users.ts';
import { retention } from '../../src/db/retention.ts';
import { aFindingRow } from '../support/builders/finding.ts';
import { longOr } from '../support/runner/long.ts';
import { manyFailures } from '../support/database/many-rows.ts';
import { aReportRow } from '../support/builders/report.ts';
import { engines } from '../support/database/store.ts';

const T0 = new Date('2026-05-01T10:00:00Z');
const minutes = (count: number): Date => new Date(T0.getTime() + count * 60_000);

const DAY = 24 * 60;
/** How many minutes each kind of row is kept that no setting is about. */
const KEPT: Record<string, number> = {
  'agents.deleteSilent': 7 * DAY,
  'alerts.deleteOld': DAY,
  'attempts.deleteOld': 60,
  'audit.deleteOld': 366 * DAY,
  'chatRequests.deleteOld': 7 * DAY,
  'failureHistory.deleteOld': 60 * DAY,
  'modelAnswers.deleteOld': 30 * DAY,
  'modelCalls.deleteOld': 7 * DAY,
  'previews.deleteOld': DAY,
  'replicaMessages.deleteOld': 5,
  'scans.deleteOld': DAY,
  'sessions.deleteExpired': 0,
  'tokens.deleteExpired': 30 * DAY,
};
const times = suite('how long is kept what no setting is about');
times('each kind of row has its time', async () => {
  const asked: Record<string, number> = {};
  /** Repositories that have nothing to delete, and note how old it would have to be. */
  const noting = new Proxy({} as Parameters<typeof retention>[0], {
    get: (_, table: string) =>
      new Proxy({} as Record<string, unknown>, {
        get: (_target, method: string) => async (before: unknown) => {
          if (before instanceof Date) asked[`${table}.${method}`] = (T0.getTime() - before.getTime()) / 60_000;
          return method === 'abandoned' ? [] : method === 'get' ? '0' : 0;
        },
      }),
  });
  await retention(noting).sweep(T0);
  const { 'findings.resolveStale': stale, ...rest } = asked;
  assert.equal(rest, KEPT);
  assert.ok(stale !== undefined && stale > 0);
});
times.run();

// Open all databases before a suite runs: the embedded database blocks the event loop while it works.
const opened: { name: string; store: Store }[] = [];
for (const { name, open } of engines('retention')) opened.push({ name, store: await open() });
for (const { name, store } of opened) {
  const { db } = store;
  const failures = failureRepository(db);
  const settings = settingRepository(db);
  const sessions = sessionRepository(db);
  const attempts = loginAttemptRepository(db);
  const audit = auditRepository(db);
  const deps = {
    failures,
    failureHistory: failureHistoryRepository(db),
    incidents: incidentRepository(db),
    previews: previewRepository(db),
    sessions,
    tokens: tokenRepository(db),
    findings: findingRepository(db),
    scans: scanRepository(db),
    advice: adviceRepository(db),
    agents: agentRepository(db),
    audit,
    alerts: alertRepository(db, 'test'),
    chatRequests: chatRequestRepository(db, 'test'),
    attempts,
    settings,
    modelAnswers: modelAnswerRepository(db),
    modelCalls: modelCallRepository(db),
    modelWork: modelWorkRepository(db),
    replicaMessages: replicaMessageRepository(db, 'test'),
  };
  const { sweep } = retention(deps);
  const put = async (count: number) => {
    const rows = Array.from({ length: count }, (_, n) =>
      aReportRow({ identity: `u${n}`, pod_uid: `u${n}`, pod_name: `web-${n}`, owner: `Deployment/d${n}`, now: T0.toISOString() }),
    );
    return (await reportRepository(db).store(rows)).map((stored) => stored!.record.id);
  };
  const left = async (table: 'failures' | 'incidents') => (await db.selectFrom(table).select('id').execute()).length;

  const test = suite(`retention on ${name}`);
  test.before.each(async () => {
    for (const table of ['failures', 'incidents', 'settings', 'users', 'login_attempts'] as const) await db.deleteFrom(table).execute();
  });
  test.after(() => store.close());

  test('resolved and ignored records go after their minutes, with their incidents; active ones never', async () => {
    const [resolved, ignored] = (await put(3)) as [number, number, number];
    await failures.close([resolved], T0);
    await failures.setStatus(ignored, 'ignored', T0);
    await settings.set('history_retention_minutes', '10', T0);
    await settings.set('ignored_retention_minutes', '20', T0);
    assert.equal(await sweep(minutes(10)), {
      resolved: 0,
      ignored: 0,
      previews: 0,
      sessions: 0,
      tokens: 0,
      audit: 0,
      findings: 0,
      advice: 0,
    });
    assert.is((await sweep(minutes(11))).resolved, 1);
    assert.is((await sweep(minutes(21))).ignored, 1);
    assert.is((await sweep(minutes(1_000_000))).resolved, 0);
    assert.equal([await left('failures'), await left('incidents')], [1, 1]);
  });

  test('the audit log goes after a year, an API token a month after its end', async () => {
    const at = { userId: null, username: 'x', address: '::1', action: 'a.b', target: 't' };
    await audit.insert(at, T0);
    await audit.insert(at, minutes(60));
    const user = await userRepository(db).insert({ username: 'ada', password_hash: null, role: 'read', external_id: null, created_at: T0 });
    const token = { user_id: user!.id, name: 'ci', role: 'read' as const, created_at: T0, used_at: null };
    await tokenRepository(db).insert({ ...token, digest: 'a', expires_at: T0 });
    await tokenRepository(db).insert({ ...token, digest: 'b', expires_at: null });
    const month = 30 * 24 * 60;
    assert.is((await sweep(minutes(month - 1))).tokens, 0);
    assert.is((await sweep(minutes(month))).tokens, 1);
    assert.is((await sweep(minutes(366 * 24 * 60))).audit, 0);
    assert.is((await sweep(minutes(366 * 24 * 60 + 30))).audit, 1);
    assert.is((await audit.list({ limit: 10 })).length, 1);
    await db.deleteFrom('audit').execute();
  });

  test('an agent goes a week after its last heartbeat, and is back with the next one', async () => {
    const agents = agentRepository(db);
    const beat = { version: '1', pods: 1, failing: [], spooled: 0, dropped: 0 };
    const nodes = async () => (await agents.list(T0)).map(({ node }) => node);
    await agents.heartbeat('node-1', beat, T0);
    await agents.heartbeat('node-2', beat, minutes(60));
    const week = 7 * 24 * 60;
    await sweep(minutes(week));
    assert.equal(await nodes(), ['node-1', 'node-2']);
    await sweep(minutes(week + 1));
    assert.equal(await nodes(), ['node-2']);
    await agents.heartbeat('node-1', beat, minutes(week + 2));
    await sweep(minutes(week + 2));
    assert.equal(await nodes(), ['node-1', 'node-2']);
    await db.deleteFrom('agents').execute();
  });

  test('unset means 30 days, 0 keeps everything', async () => {
    const [id] = await put(1);
    await failures.close([id!], T0);
    assert.is((await sweep(minutes(43_200))).resolved, 0);
    await settings.set('history_retention_minutes', '0', T0);
    assert.is((await sweep(minutes(9_999_999))).resolved, 0);
    await settings.set('history_retention_minutes', '43200', T0);
    assert.is((await sweep(minutes(43_201))).resolved, 1);
  });

  test('more than one batch goes in one sweep', async () => {
    await failures.close(await put(1_100), T0);
    assert.is((await sweep(minutes(43_201))).resolved, 1_100);
    assert.equal([await left('failures'), await left('incidents')], [0, 0]);
  });

  test('a finding goes after it was resolved, or dismissed and not found any more, for as long as a record; active ones stay', async () => {
    const findings = findingRepository(db);
    const found = ['gone', 'dismissed', 'kept'].map((check_name) => aFindingRow({ check_name, now: T0.toISOString() }));
    const { stored } = await findings.store(found.map(readyFinding), [], T0);
    await findings.dismiss(stored[1]!.finding.id);
    const resource = { cluster: 'test', resource_type: 'Pod', namespace: 'shop', resource_name: 'web-1', source: '' };
    await findings.store([readyFinding({ ...found[2]!, now: minutes(1).toISOString() })], [resource], minutes(1));
    await settings.set('history_retention_minutes', '10', T0);
    assert.is((await sweep(minutes(11))).findings, 0);
    assert.is((await sweep(minutes(12))).findings, 2);
    const left = await db.selectFrom('findings').select('check_name').execute();
    assert.equal(left, [{ check_name: 'kept' }]);
    await db.deleteFrom('findings').execute();
  });

  test('a trial is kept as long as its record', async () => {
    const [id] = await put(1);
    const shown = { shown_before: null, shown_after: null, reason_before: null, reason_after: null };
    const trial = { mirror_id: 'm', failure_id: id!, verdict: 'Fixed', origin: 'Rules', changes: '[]', started_at: T0, ended_at: T0 };
    await db
      .insertInto('trials')
      .values({ ...trial, ...shown })
      .execute();
    await failures.close([id!], T0);
    const trials = async () => (await db.selectFrom('trials').select('mirror_id').execute()).length;
    await sweep(minutes(43_200));
    assert.is(await trials(), 1);
    await sweep(minutes(43_201));
    assert.is(await trials(), 0);
  });

  // If a sweep keeps its locks until its end, the second batch never starts here.
  test('a sweep of very many goes in batches, and reports are stored between them', async () => {
    const many = longOr(100_000, 3_000);
    await manyFailures(db, many);
    await sql`update failures set status = 'resolved', status_at = ${T0}, closed_at = ${T0}`.execute(db);
    const reports = reportRepository(db);
    const batches: number[] = [];
    const deleteOld: typeof failures.deleteOld = async (what, limit) => {
      const name = `new-${batches.length}`;
      const [deleted] = await Promise.all([
        failures.deleteOld(what, limit),
        reports.store([aReportRow({ identity: name, pod_uid: name, pod_name: name, owner: `Deployment/${name}` })]),
      ]);
      batches.push(deleted);
      return deleted;
    };
    assert.is((await retention({ ...deps, failures: { deleteOld } }).sweep(minutes(43_201))).resolved, many);
    assert.ok(batches.length >= many / 500 && Math.max(...batches) <= 500, `batches of ${batches.join()}`);
    assert.is(await left('failures'), batches.length);
  });

  test('previews, expired sessions and stale login attempts go too', async () => {
    const [id] = await put(1);
    const user = await userRepository(db).insert({ username: 'ada', password_hash: null, role: 'read', external_id: null, created_at: T0 });
    const expires_at = minutes(5);
    await sessions.insert({ id: 's', user_id: user!.id, address: '::1', created_at: T0, seen_at: T0, expires_at });
    await attempts.admit('k', { limit: 5, windowSeconds: 30 }, T0);
    await previewRepository(db).insert(id!, { fixed_manifest: '' } as never);
    const swept = await sweep(new Date('2100-01-01'));
    assert.equal([swept.previews, swept.sessions], [1, 1]);
    assert.is((await db.selectFrom('login_attempts').selectAll().execute()).length, 0);
  });

  test.run();
}

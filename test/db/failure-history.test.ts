import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { failureHistoryRepository } from '../../src/db/failure-history.ts';
import { failureRepository } from '../../src/db/failures.ts';
import { reportRepository } from '../../src/db/failure-reports.ts';
import { settingRepository } from '../../src/db/settings.ts';
import { aReportRow } from '../support/builders/report.ts';
import { engines } from '../support/database/store.ts';

const T0 = new Date('2026-05-01T10:00:00Z');
const MINUTE_MS = 60_000;
const DAY = 24 * 60;
const after = (minutes: number): Date => new Date(T0.getTime() + minutes * MINUTE_MS);
const NOW = after(20 * DAY);
const SHOP = { cluster: 'test', namespace: 'shop' };
/** The most rows of one kind that are read. */
const MOST = 2_000;

for (const engine of engines('failure history')) {
  const store = await engine.open();
  const { db } = store;
  const history = failureHistoryRepository(db);
  const failures = failureRepository(db);
  const reports = reportRepository(db);
  const test = suite(`failure history on ${engine.name}`);
  test.before.each(async () => {
    for (const table of ['failures', 'incidents', 'settings', 'workload_images'] as const) await db.deleteFrom(table).execute();
  });
  test.after(() => store.close());

  const fail = async (pod: string, over: Parameters<typeof aReportRow>[0] = {}) => {
    const [stored] = await reports.store([aReportRow({ identity: pod, pod_uid: pod, pod_name: pod, ...over })]);
    return stored!.record.id;
  };
  const pods = async (now = NOW, where = SHOP) => (await history.read(where, now)).failures.map(({ pod }) => pod);
  const note = (images: string[], minutes: number, { isWatched = true, where = SHOP, name = 'web' } = {}) =>
    history.noteImages({ ...where, workloads: [{ kind: 'Deployment', name, images }], isWatched }, after(minutes));
  const revisions = async (now = NOW, where = SHOP) =>
    (await history.read(where, now)).revisions.map(({ images, since, seen_at }) => [
      images.join(),
      ...[since, seen_at].map((at) => (at.getTime() - T0.getTime()) / MINUTE_MS),
    ]);

  test('a record tells when its runs ended, on which node and of what image', async () => {
    const key = (run: number, minutes: number) => ({
      occurrence_key: `app|${run}|${after(minutes).toISOString()}`,
      now: after(minutes + 1).toISOString(),
    });
    await fail('web-1', key(1, 0));
    await fail('web-1', key(2, 90));
    await fail('web-1', key(2, 90));
    assert.equal(await history.read(SHOP, NOW), {
      since: after(-10 * DAY),
      revisions: [],
      failures: [
        {
          ...{ kind: 'Deployment', name: 'web', container: 'app', family: 'crash', reason: 'CrashLoopBackOff' },
          ...{ pod: 'web-1', pod_name: 'web-1', node: 'node-1', images: ['registry.example/shop/web:1'], occurrences: 2 },
          ...{ first_at: after(1), last_at: after(91), ends: [after(0), after(90)], is_whole: true },
        },
      ],
    });
  });

  test('of many runs the newest are known, and that there were others', async () => {
    for (let run = 0; run < 40; run++)
      await fail('web-1', { occurrence_key: `app|${run}|${after(run).toISOString()}`, now: after(run).toISOString() });
    const [found] = (await history.read(SHOP, NOW)).failures;
    assert.equal([found?.occurrences, found?.ends.length, found?.is_whole, found?.ends.at(-1)], [40, 32, false, after(39)]);
  });

  test('invalid, very old and future times are left out', async () => {
    const keys = [
      'app|0|yesterday',
      'app|1|',
      `app|2|${after(-DAY).toISOString()}`,
      `app|3|${after(DAY).toISOString()}`,
      '',
      '|||',
      'b|1|x',
    ];
    for (const occurrence_key of keys) await fail('web-1', { occurrence_key });
    const [found] = (await history.read(SHOP, NOW)).failures;
    assert.equal([found?.ends, found?.first_at], [[], T0]);
    assert.equal(await pods(after(-1)), [], 'a record from the future');
  });

  test('other clusters, other namespaces, what people ignored and what is suppressed are not in it', async () => {
    await fail('shown');
    await fail('elsewhere', { cluster: 'other' });
    await fail('bank', { namespace: 'bank' });
    await fail('suppressed', { suppressed_by: 'quiet' });
    await failures.setStatus(await fail('ignored', { owner: 'Deployment/api', container: 'api' }), 'ignored', T0);
    await failures.setStatus(await fail('looked-at', { owner: 'Deployment/db' }), 'investigating', T0);
    await failures.close([await fail('well-again')], after(5));
    assert.equal((await pods()).toSorted(), ['looked-at', 'shown', 'well-again']);
    assert.equal(await pods(NOW, { ...SHOP, cluster: 'other' }), ['elsewhere']);
    assert.equal(await pods(after(31 * DAY)), [], 'after a month');
  });

  test('a pod without a workload is its own', async () => {
    await fail('alone', { workload: null });
    const [{ kind, name } = { kind: '', name: '' }] = (await history.read(SHOP, NOW)).failures;
    assert.equal([kind, name], ['Pod', 'alone']);
  });

  test('it is known for as long as history is kept', async () => {
    const settings = settingRepository(db);
    for (const [minutes, since] of [
      ['60', new Date(NOW.getTime() - 60 * MINUTE_MS)],
      ['0', after(-10 * DAY)],
    ] as const) {
      await settings.set('history_retention_minutes', minutes, T0);
      assert.equal((await history.read(SHOP, NOW)).since, since);
    }
  });

  test('of very many rows the newest are read, and the history begins with the oldest of them', async () => {
    await sql`insert into failures (cluster, identity, pod_name, namespace, resource_kind, labels, images, incident_id, family, failure_reason,
        failure_message, reason_rank, status, is_fallback, events, container_statuses, occurrences, occurrence_keys, timestamp, last_seen,
        status_at, closed_at)
      select 'test', 'p' || n, 'p' || n, 'shop', 'Pod', '{}', '[]', 1, 'crash', 'Error', '', 2, 'resolved', true, '[]', '[]', 1, '{}', at, at, at, at
      from (select n, ${T0}::timestamptz + n * interval '1 minute' as at from generate_series(1, ${MOST + 500}::int) n) x`.execute(db);
    const { since, failures: found } = await history.read(SHOP, NOW);
    assert.equal([since, found.length, found[0]?.pod, found.at(-1)?.pod], [after(501), MOST, 'p501', `p${MOST + 500}`]);
  });

  test('images are noted once, said again seldom, and followed by those that come after', async () => {
    for (const minutes of [0, 5, 9]) await note(['web:1'], minutes);
    assert.equal(await revisions(), [['web:1', 0, 0]]);
    await note(['web:1'], 11);
    assert.equal(await revisions(), [['web:1', 0, 11]]);
    await note(['web:2'], 30);
    await note(['web:1'], 60, { isWatched: false });
    assert.equal(await revisions(), [
      ['web:1', 0, 30],
      ['web:2', 30, 30],
      ['web:1', 60, 60],
    ]);
  });

  test('equal images at once, no images, and a clock that was set back add nothing', async () => {
    await Promise.all([note(['web:1'], 0), note(['web:1'], 0)]);
    await history.noteImages({ ...SHOP, workloads: [], isWatched: true }, T0);
    await note(['web:2'], -60);
    await note(['web:1'], 1, { where: { ...SHOP, cluster: 'other' } });
    assert.equal(await revisions(), [
      ['web:2', -60, -60],
      ['web:1', 0, 0],
    ]);
    assert.equal(await revisions(NOW, { ...SHOP, cluster: 'other' }), [['web:1', 1, 1]]);
  });

  test('a template that changes all the time keeps its newest revisions', async () => {
    for (let n = 0; n < 60; n++) await note([`web:${n}`], n);
    await note(['api:1'], 1, { name: 'api' });
    const kept = await revisions();
    assert.ok(kept.length <= 22, `${kept.length} are kept`);
    assert.equal(kept.at(-1)?.[0], 'web:59');
    assert.ok(kept.some(([images]) => images === 'api:1'));
  });

  test('those that are gone for long are deleted', async () => {
    await note(['web:1'], 0);
    await note(['api:1'], DAY, { name: 'api' });
    assert.equal([await history.deleteOld(after(60), 10), await history.deleteOld(after(60), 10)], [1, 0]);
    assert.equal(await revisions(), [['api:1', DAY, DAY]]);
  });

  test.run();
}

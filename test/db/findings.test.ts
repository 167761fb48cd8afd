import { type Kysely, sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type FindingRow, readyFinding } from '../../src/db/finding-reports.ts';
import { findingRepository } from '../../src/db/findings.ts';
import { up as findingsAsText } from '../../src/db/migrations/009-findings-as-text.ts';
import { aFindingRow } from '../support/builders/finding.ts';
import { manyFindings } from '../support/database/many-rows.ts';
import { engines } from '../support/database/store.ts';
import { readList } from '../support/database/read-list.ts';

const T0 = new Date('2026-05-01T10:00:00Z');
const minutes = (count: number): Date => new Date(T0.getTime() + count * 60_000);
const RESOURCE = { cluster: 'test', resource_type: 'Pod', namespace: 'shop', resource_name: 'web-1', source: '' };
const OURS = { cluster: 'test', source: '' };

function aRow(check_name: string, at: Date, over: Partial<FindingRow> = {}): FindingRow {
  return aFindingRow({ ...RESOURCE, check_name, now: at.toISOString(), ...over });
}

for (const engine of engines('findings')) {
  const store = await engine.open();
  const findings = findingRepository(store.db);
  const put = async (check: string, at: Date, over: Partial<FindingRow> = {}) => {
    const { stored } = await findings.store([readyFinding(aRow(check, at, over))], [], at);
    return stored[0]!;
  };
  const listed = async (page = {}) => (await readList(findings.list, page)).map(({ check_name }) => check_name);

  const test = suite(`findings on ${engine.name}`);
  test.before.each(async () => void (await store.db.deleteFrom('findings').execute()));
  test.after(() => store.close());

  test('a finding is open when it is new, and the same one when it is reported again', async () => {
    const first = await put('privileged', T0);
    assert.is(first.isNews, true);
    const { id, ...shown } = first.finding;
    const instants = { first_seen: T0.toISOString(), last_seen: T0.toISOString(), timestamp: T0.toISOString(), resolved_at: null };
    const { item: _1, now: _2, ...row } = aRow('privileged', T0);
    assert.equal(shown, { ...row, status: 'open', ...instants });
    const again = await put('privileged', minutes(1), { severity: 'low', message: 'milder' });
    assert.is(again.isNews, false);
    const { last_seen, severity, message, first_seen } = again.finding;
    assert.equal(
      [again.finding.id, last_seen, severity, message, first_seen],
      [id, minutes(1).toISOString(), 'low', 'milder', T0.toISOString()],
    );
  });

  test('a shown finding that becomes hidden disappears from screens, once', async () => {
    await put('privileged', T0);
    const hidden = () => findings.store([readyFinding(aRow('privileged', T0, { suppressed_by: 'quiet' }))], [], T0);
    const { stored, gone } = await hidden();
    assert.equal([stored[0]?.isNews, gone.map(({ check_name }) => check_name)], [false, ['privileged']]);
    assert.equal((await hidden()).gone, []);
    const [finding] = await readList(findings.list, { status: 'suppressed' });
    assert.equal(await findings.byIds([finding!.id, finding!.id + 1000]), [finding]);
  });

  test('each list shows a finding as it is shown alone', async () => {
    const [open, dismissed, resolved] = [await put('open', T0), await put('dismissed', T0), await put('resolved', T0)];
    await findings.dismiss(dismissed.finding.id);
    await store.db.updateTable('findings').set({ stale_at: T0 }).where('id', '=', resolved.finding.id).execute();
    assert.is(await findings.resolveStale(minutes(1), minutes(2), 10), 1);
    for (const [status, { finding }] of [
      ['open', open],
      ['dismissed', dismissed],
      ['resolved', resolved],
    ] as const) {
      const alone = await findings.byId(finding.id);
      assert.equal(await readList(findings.list, { status }), [alone]);
      assert.equal([alone?.status, alone?.resolved_at], [status, status === 'resolved' ? minutes(2).toISOString() : null]);
    }
  });

  test('another container, check or resource is another finding', async () => {
    for (const over of [
      {},
      { item: 'db' },
      { check_name: 'root' },
      { resource_name: 'web-2' },
      { resource_type: 'Job' },
      { namespace: 'x' },
    ])
      await put('privileged', T0, over);
    assert.is((await readList(findings.list)).length, 6);
  });

  test('stale: hidden at once, the same when reported within ten minutes, else resolved and then reopened', async () => {
    const { finding } = await put('privileged', T0);
    assert.is(await findings.stale(OURS, T0, 10), 1);
    assert.is(await findings.stale(OURS, T0, 10), 0);
    assert.equal(await listed(), []);
    const back = await put('privileged', minutes(9));
    assert.equal([back.finding.id, back.finding.status, back.isNews], [finding.id, 'open', true]);

    await findings.staleOf(RESOURCE, minutes(10));
    assert.is(await findings.resolveStale(minutes(9), minutes(20), 10), 0);
    assert.is(await findings.resolveStale(minutes(11), minutes(20), 10), 1);
    assert.equal(await listed({ status: 'resolved' }), ['privileged']);
    const reopened = await put('privileged', minutes(30));
    assert.equal([reopened.finding.status, reopened.finding.resolved_at, reopened.isNews], ['reopened', null, true]);
    assert.equal(await listed(), ['privileged']);
  });

  test('stale for longer than ten minutes is reopened even before anybody resolved it', async () => {
    await put('privileged', T0);
    await findings.stale(OURS, T0, 10);
    assert.is((await put('privileged', minutes(11))).finding.status, 'reopened');
  });

  test('a scanner clears, replaces and removes only what it found itself', async () => {
    await put('privileged', T0, { source: 'trivy' });
    await put('root', T0);
    assert.is(await findings.stale(OURS, T0, 10), 1);
    assert.equal(await listed(), ['privileged']);
    assert.equal(await findings.staleOf(RESOURCE, T0), []);
    await findings.store([], [RESOURCE], minutes(1));
    assert.equal(await listed(), ['privileged']);
    await findings.store([readyFinding(aRow('other', T0, { source: 'trivy' }))], [{ ...RESOURCE, source: 'trivy' }], minutes(1));
    assert.equal(await listed(), ['other']);
  });

  test('what another scanner reports again under the same check is its own from then on', async () => {
    await put('privileged', T0);
    assert.is((await put('privileged', minutes(1), { source: 'trivy' })).finding.source, 'trivy');
    assert.is(await findings.stale(OURS, T0, 10), 0);
  });

  test('dismissed stays dismissed, whatever is reported, stale or replaced', async () => {
    const { finding } = await put('privileged', T0);
    assert.is((await findings.dismiss(finding.id))?.status, 'dismissed');
    assert.equal([(await put('privileged', T0)).finding.status, (await put('privileged', T0)).isNews], ['dismissed', false]);
    await findings.stale(OURS, T0, 10);
    assert.is((await put('privileged', minutes(60))).finding.status, 'dismissed');
    await findings.store([], [RESOURCE], minutes(61));
    assert.is((await findings.byId(finding.id))?.status, 'dismissed');
    assert.is((await put('privileged', minutes(99))).finding.status, 'dismissed');
    assert.is((await findings.restore(finding.id))?.status, 'open');
    assert.is(await findings.dismiss(999_999), undefined);
  });

  test('replacing a resource resolves what it has besides, at once, and touches no other resource', async () => {
    await put('a', T0);
    const { finding: b } = await put('b', T0);
    await put('a', T0, { resource_name: 'web-2' });
    const { stored, gone } = await findings.store(
      ['a', 'c'].map((check) => readyFinding(aRow(check, minutes(1)))),
      [RESOURCE],
      minutes(1),
    );
    assert.equal(
      stored.map(({ finding, isNews }) => [finding.check_name, isNews]),
      [
        ['a', false],
        ['c', true],
      ],
    );
    assert.equal([gone.map(({ id }) => id), gone[0]?.status], [[b.id], 'resolved']);
    assert.equal((await listed()).sort(), ['a', 'a', 'c']);
    const { gone: none } = await findings.store(
      ['a', 'c'].map((check) => readyFinding(aRow(check, minutes(2)))),
      [RESOURCE],
      minutes(2),
    );
    assert.equal(none, []);
  });

  test('what is suppressed is stored and listed apart, and is no news', async () => {
    const { isNews } = await put('privileged', T0, { suppressed_by: 'quiet' });
    assert.is(isNews, false);
    assert.equal([await listed(), await listed({ status: 'suppressed' })], [[], ['privileged']]);
  });

  test('lists are narrowed and paged, newest first', async () => {
    for (const [n, over] of [{}, { severity: 'low' as const }, { namespace: 'hidden' }, { message: '100%_sure' }].entries())
      await put(`check-${n}`, T0, over);
    assert.equal(await listed({ severity: 'low' }), ['check-1']);
    assert.equal(await listed({ check: 'check-2' }), ['check-2']);
    assert.equal(await listed({ q: '100%_' }), ['check-3']);
    assert.equal(await listed({ namespace: 'hidden' }), ['check-2']);
    assert.equal(await listed({ scope: { namespaces: '*', hidden: ['hidden'] } }), ['check-3', 'check-1', 'check-0']);
    assert.equal(await listed({ scope: { namespaces: ['hidden'], hidden: [] } }), ['check-2']);
    const [newest, second] = await readList(findings.list, { limit: 2 });
    assert.equal(await listed({ before: second?.id, limit: 2 }), ['check-1', 'check-0']);
    assert.ok(newest!.id > second!.id);
    assert.equal(newest, await findings.byId(newest!.id), 'a list shows a finding as it is shown alone');
    assert.equal(await findings.countBySeverity({ namespaces: '*', hidden: [] }), { high: 3, low: 1 });
    assert.equal(await findings.countBySeverity({ namespaces: '*', hidden: ['hidden', 'shop'] }), {});
  });

  test('vanished findings are deleted in batches, active ones never', async () => {
    for (const check of ['a', 'b', 'c']) await put(check, T0);
    await findings.store([readyFinding(aRow('a', minutes(1)))], [RESOURCE], minutes(1));
    assert.is(await findings.deleteVanished(minutes(1), 10), 0);
    assert.is(await findings.deleteVanished(minutes(2), 1), 1);
    assert.is(await findings.deleteVanished(minutes(2), 10), 1);
    assert.equal(await listed(), ['a']);
  });

  test('text that no database stores is stored without what it refuses', async () => {
    const { finding } = await put('nul\0', T0, { message: 'half \ud800', details: { '\0': '\0' } });
    assert.equal([finding.check_name, finding.message, finding.details], ['nul', 'half \ufffd', { '': '' }]);
    const details = { '\n': 'a line\nand "another"\\u0000 that only looks so', '\u2028': ['\\ud800', 1e300, null] };
    const odd = (await put('odd', T0, { message: '\\u0000\n', details })).finding;
    assert.equal([odd.message, odd.details], ['\\u0000\n', details]);
    assert.equal(await findings.byId(odd.id), odd);
  });

  test('the details of a table that held them as jsonb are all there after it holds their text', async () => {
    await sql`truncate findings restart identity`.execute(store.db);
    await manyFindings(store.db, 2_500);
    await sql`alter table findings alter column details type jsonb using jsonb_build_object('id', id)`.execute(store.db);
    await findingsAsText(store.db as Kysely<unknown>);
    const rows = await store.db.selectFrom('findings').select(['id', 'details']).execute();
    assert.is(rows.length, 2_500);
    assert.equal(
      rows.filter(({ id, details }) => details['id'] !== id),
      [],
    );
    assert.equal((await put('privileged', T0, { details: { a: [1] } })).finding.details, { a: [1] });
    assert.equal((await readList(findings.list, { check: 'privileged' }))[0]?.details, { a: [1] });
  });

  test('a finding that comes again with other details gets these, whatever the order of their keys', async () => {
    for (const details of [{ a: 1, b: 2 }, { b: 2, a: 1 }, { b: 3 }, {}, {}]) {
      const { finding } = await put('privileged', T0, { details });
      assert.equal([finding.details, (await findings.byId(finding.id))?.details], [details, details]);
    }
  });

  test('many at once, in any order, cause no deadlock', async () => {
    const rows = Array.from({ length: 40 }, (_, n) => readyFinding(aRow(`check-${n}`, T0)));
    await Promise.all(Array.from({ length: 6 }, (_, n) => findings.store(n % 2 ? rows.toReversed() : rows, n % 3 ? [] : [RESOURCE], T0)));
    assert.is((await readList(findings.list)).length, 40);
  });

  test.run();
}

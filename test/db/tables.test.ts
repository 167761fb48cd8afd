import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { MirrorPreview } from '../../src/contract/mirror.ts';
import { agentRepository } from '../../src/db/agents.ts';
import { loginAttemptRepository } from '../../src/db/login-attempts.ts';
import { auditRepository } from '../../src/db/audit.ts';
import { sqlState } from '../../src/db/errors.ts';
import { migrate } from '../../src/db/migrate.ts';
import { modelConfigRepository } from '../../src/db/model-config.ts';
import { previewRepository } from '../../src/db/previews.ts';
import { reportRepository } from '../../src/db/failure-reports.ts';
import { sessionRepository } from '../../src/db/sessions.ts';
import { settingRepository } from '../../src/db/settings.ts';
import { userRepository } from '../../src/db/users.ts';
import { aReportRow } from '../support/builders/report.ts';
import { engines } from '../support/database/store.ts';

const T0 = new Date('2026-05-01T10:00:00Z');
const after = (seconds: number): Date => new Date(T0.getTime() + seconds * 1000);

for (const engine of engines('tables')) {
  const store = await engine.open();
  const { db } = store;
  const users = userRepository(db);
  const sessions = sessionRepository(db);
  const attempts = loginAttemptRepository(db);
  const agents = agentRepository(db);
  const aUser = (over = {}) => ({ username: 'ada', password_hash: 'x', role: 'read' as const, external_id: null, created_at: T0, ...over });

  const test = suite(`tables on ${engine.name}`);
  test.before.each(async () => {
    for (const table of ['failures', 'incidents', 'users', 'agents', 'login_attempts', 'audit', 'settings'] as const)
      await db.deleteFrom(table).execute();
  });
  test.after(() => store.close());

  test('migrating again, twice at once, changes nothing', async () => {
    assert.equal(await Promise.all([migrate(db), migrate(db)]), [[], []]);
  });

  test('settings are set and set again', async () => {
    const settings = settingRepository(db);
    assert.is(await settings.get('mirror-ttl'), undefined);
    await settings.set('mirror-ttl', '60', T0);
    await settings.set('mirror-ttl', '90', T0);
    assert.is(await settings.get('mirror-ttl'), '90');
  });

  test('a sealed key is replaced only while it is the one that was read', async () => {
    const configs = modelConfigRepository(db);
    await configs.write({ provider: 'anthropic', model: 'm', base_url: null, api_key: 'sealed', updated_at: T0 });
    await configs.reseal('an older one', 'too late');
    assert.is((await configs.read())?.api_key, 'sealed');
    await configs.reseal('sealed', 'sealed anew');
    assert.is((await configs.read())?.api_key, 'sealed anew');
    await configs.remove();
    assert.is(await configs.read(), undefined);
  });

  test('a preview is found by its id and as the newest of its record; old ones go', async () => {
    const previews = previewRepository(db);
    const [stored] = await reportRepository(db).store([aReportRow()]);
    const failureId = stored!.record.id;
    const preview = { fixed_manifest: 'kind: Pod', risks: ['none'], candidates: [] } as unknown as Omit<MirrorPreview, 'id'>;
    const first = await previews.insert(failureId, preview);
    const second = await previews.insert(failureId, { ...preview, explanation: 'newer' });
    assert.equal(await previews.byId(first), { failureId, preview: { ...preview, id: first } });
    assert.equal(await previews.latest(failureId), { ...preview, explanation: 'newer', id: second });
    assert.is(await previews.byId(second + 99), undefined);
    assert.is(await previews.latest(failureId + 99), undefined);
    assert.is(await previews.deleteOld(new Date(0), 10), 0);
    const far = new Date('2100-01-01');
    assert.equal([await previews.deleteOld(far, 1), await previews.deleteOld(far, 10)], [1, 1]);
  });

  test('of many first users at once one is made', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, (_, n) => users.insertFirst(aUser({ username: `first-${n}` }))));
    assert.is(made.filter((user) => user !== undefined).length, 1);
    assert.is(await users.any(), true);
  });

  test('names are one whatever their case', async () => {
    const user = await users.insert(aUser({ username: 'Ada' }));
    assert.is(await users.insert(aUser({ username: 'aDA' })), undefined);
    assert.equal(await users.byUsername('ADA'), user);
    assert.is(await users.byUsername('bob'), undefined);
  });

  test('an unknown role is refused by the table itself', async () => {
    const error = await users.insert(aUser({ role: 'root' })).catch((thrown: unknown) => thrown);
    assert.is(sqlState(error), '23514');
  });

  test('a session lives until it expires, is prolonged, ended, and ends with a new password or its user', async () => {
    const user = await users.insert(aUser());
    const begin = (id: string) =>
      sessions.insert({ id, user_id: user!.id, address: '::1', created_at: T0, seen_at: T0, expires_at: after(60) });
    for (const id of ['a', 'b', 'c']) await begin(id);
    const { id, username, role, created_at } = user!;
    assert.equal(await sessions.live('a', after(59)), { id: 'a', seen_at: T0, user: { id, username, role, created_at } });
    assert.is(await sessions.live('a', after(60)), undefined);
    await sessions.touch('a', { seen_at: after(30), expires_at: after(90) });
    assert.ok(await sessions.live('a', after(60)));
    assert.is(await sessions.deleteExpired(after(60)), 2);
    await begin('d');
    await sessions.end('d');
    assert.equal(await sessions.stillLive(['a', 'd'], after(1)), ['a']);
    assert.equal(await sessions.stillLive([], after(1)), []);
    assert.is((await users.change(user!.id, { password_hash: 'new' })).kind, 'changed');
    assert.equal(await sessions.stillLive(['a'], after(1)), []);
    assert.is((await users.change(999_999, { password_hash: 'new' })).kind, 'missing');
    await begin('e');
    await db.deleteFrom('users').execute();
    assert.equal(await sessions.stillLive(['e'], after(1)), []);
  });

  test('five attempts in any thirty seconds, each at its own time or all at once', async () => {
    const limit = { limit: 5, windowSeconds: 30 };
    const at = (seconds: number) => attempts.admit('k', limit, after(seconds));
    assert.equal(await Promise.all([at(0), at(0), at(0)]), [0, 0, 0]);
    assert.equal([await at(10), await at(20)], [0, 0]);
    assert.is(await at(20), 10, 'until the oldest is thirty seconds old');
    assert.is(await at(29.5), 1);
    assert.equal([await at(31), await at(31), await at(31), await at(31)], [0, 0, 0, 9]);
    const crowd = await Promise.all(Array.from({ length: 12 }, () => attempts.admit('crowd', limit, T0)));
    assert.is(crowd.filter((wait) => wait === 0).length, 5);
    await attempts.forgive('k', after(10));
    assert.is(await at(32), 0);
    assert.is(await attempts.deleteOld(after(1)), 1);
  });

  test('the audit log is read newest first, in pages', async () => {
    const audit = auditRepository(db);
    for (const action of ['one', 'two', 'three']) {
      await audit.insert({ userId: 7, username: 'ada', address: '::1', action, target: 'shop/web\0', details: { a: ['\ud800'] } }, T0);
    }
    const [newest, next] = await audit.list({ limit: 2 });
    assert.equal([newest?.action, next?.action, newest?.target, newest?.details], ['three', 'two', 'shop/web', { a: ['\ufffd'] }]);
    assert.equal(
      (await audit.list({ limit: 9, before: next!.id })).map(({ action }) => action),
      ['one'],
    );
  });

  test('an agent is live for three minutes after its word', async () => {
    const beat = { version: '1', pods: 3, failing: [{ pod_uid: 'u', pod_name: 'p', namespace: 'n' }], spooled: 1, dropped: 2 };
    await agents.heartbeat('node-2', beat, T0);
    const shown = await agents.heartbeat('node-1', beat, after(100));
    const expected = { version: '1', pods: 3, failing: 1, spooled: 1, dropped: 2 };
    assert.equal(shown, { node: 'node-1', ...expected, last_seen: after(100).toISOString(), live: true });
    assert.equal(
      (await agents.list(after(200))).map(({ node, live }) => [node, live]),
      [
        ['node-1', true],
        ['node-2', false],
      ],
    );
    assert.equal(await agents.live(after(200)), ['node-1']);
    assert.equal(await agents.live(after(-3600)), [], 'nobody is live for having been heard of in the future');
  });

  test('records of a node that its agent does not name have recovered', async () => {
    const rows = [
      { identity: 'u1', pod_uid: 'u1', pod_name: 'named' },
      { identity: 'u2', pod_uid: 'u2', pod_name: 'not-named' },
      { identity: 'shop/by-name', pod_uid: null, pod_name: 'by-name' },
      { identity: 'u4', pod_uid: 'u4', pod_name: 'replaced' },
      { identity: 'u5', pod_uid: 'u5', pod_name: 'elsewhere', node_name: 'node-2' },
      { identity: 'u6', pod_uid: 'u6', pod_name: 'controller', resource_kind: 'ReplicaSet' },
      { identity: 'u7', pod_uid: 'u7', pod_name: 'other-cluster', cluster: 'other' },
    ];
    const stored = await reportRepository(db).store(rows.map((row) => aReportRow(row)));
    const name = new Map(stored.map((one) => [one!.record.id, one!.record.pod_name]));
    const failing = [
      { pod_uid: 'u1', pod_name: 'named', namespace: 'shop' },
      { pod_uid: 'u3', pod_name: 'by-name', namespace: 'shop' },
      { pod_uid: 'u4-new', pod_name: 'replaced', namespace: 'shop' },
    ];
    const recovered = await agents.recovered({ cluster: 'test', node: 'node-1', seenAt: after(200) }, failing);
    assert.equal(recovered.map((id) => name.get(id) ?? '').sort(), ['not-named', 'replaced']);
    assert.is((await agents.recovered({ cluster: 'test', node: 'node-1', seenAt: after(200) }, [])).length, 4);
  });

  test.run();
}

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { testApp, type TestApp } from '../support/worlds/app.ts';

let it: TestApp;
const audit = suite('audit log');
audit.before(async () => {
  it = await testApp();
});
audit.after(() => it.close());

const get = (url: string) => it.send('admin', { method: 'GET', url });

audit('the audit log tells who did what, newest first, in pages, and no password', async () => {
  for (const username of ['yan', 'xia', 'zoe']) {
    const payload = { username, password: 'hunter2 hunter2', role: 'read' };
    assert.is((await it.send('admin', { method: 'POST', url: '/api/admin/users', payload })).statusCode, 200);
  }
  const answer = await get('/api/admin/audit?limit=2');
  const rows = answer.json() as { id: number; action: string; target: string; username: string; details: object }[];
  assert.is(rows.length, 2);
  const { id, ...newest } = rows[0]!;
  assert.is(newest.action, 'user.create');
  assert.equal([newest.target, newest.username, newest.details], ['zoe', 'the-admin', { role: 'read' }]);
  assert.ok(id > rows[1]!.id);
  const [, next = ''] = /<(.+)>; rel="next"/.exec(String(answer.headers['link'])) ?? [];
  const older = (await get(next)).json() as { id: number }[];
  assert.ok(older[0]!.id < rows[1]!.id);
  assert.not.match((await get('/api/admin/audit?limit=1000')).body, /hunter2|podmend_[\w-]{20}/);
});

audit('the audit log is filtered by person, action, text and time; invalid filters are refused', async () => {
  await it.store.db.deleteFrom('audit').execute();
  const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 10, minute));
  const entry = { userId: null, address: '192.0.2.7' };
  await it.deps.audit.insert({ ...entry, username: 'Ada', action: 'failure.ignore', target: 'shop/web-1' }, at(0));
  await it.deps.audit.insert({ ...entry, username: 'bob', action: 'failure.restore', target: 'shop/web-2' }, at(1));
  await it.deps.audit.insert({ ...entry, username: 'bob', action: 'failures.other', target: '100%_sure' }, at(2));
  const targets = async (query: string) => {
    const answer = await get(`/api/admin/audit?${query}`);
    return answer.statusCode === 200 ? (answer.json() as { target: string }[]).map(({ target }) => target) : answer.statusCode;
  };
  for (const [query, expected] of [
    ['username=ada', ['shop/web-1']],
    ['username=ad', []],
    ['action=failure', ['shop/web-2', 'shop/web-1']],
    ['action=failure.ignore', ['shop/web-1']],
    ['q=WEB-2', ['shop/web-2']],
    ['q=192.0.2.7&username=bob&action=failure', ['shop/web-2']],
    ['q=%25_', ['100%_sure']],
    ['from=2026-05-01T10:01:00Z', ['100%_sure', 'shop/web-2']],
    ['to=2026-05-01T10:01:00Z', ['shop/web-1']],
    ['from=2026-05-01 10:01&to=2026-05-01T12:02:00%2B02:00', ['shop/web-2']],
    ['from=2026-05-01T10:02:00Z&to=2026-05-01T10:00:00Z', []],
    ['to=2016-12-31T23:59:60Z', []],
    ['to=2016-12-31T23:59:60.5%2B01:00', []],
    ['from=0000-01-01T00:00:00Z', 400],
    ['to=9999-12-31T23:59:59-23:59', 400],
    ['from=yesterday', 400],
    ['to=2026-02-30T10:00:00Z', 400],
    ['action=%25', 400],
    ['username=', 400],
    [`q=${'x'.repeat(201)}`, 400],
  ] as [string, string[] | number][])
    assert.equal(await targets(query), expected, query);
  const paged = await get('/api/admin/audit?username=bob&limit=1');
  assert.match(String(paged.headers['link']), /username=bob/);
});

audit.run();

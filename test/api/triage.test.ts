import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Comment } from '../../src/contract/comment.ts';
import type { IncidentPage } from '../../src/contract/incident.ts';
import type { FailureReport, ShownFailure } from '../../src/contract/failure.ts';
import { aFailureReport } from '../support/builders/report.ts';
import { testApp, type TestApp } from '../support/worlds/app.ts';

// Assignees and comments of incidents. The users are called the-read, the-write and the-admin.

let it: TestApp;
const test = suite('triage');
test.before(async () => {
  it = await testApp();
});
test.before.each(async () => {
  for (const table of ['failures', 'incidents', 'audit'] as const) await it.store.db.deleteFrom(table).execute();
  it.messages.length = 0;
});
test.after(() => it.close());

/** Reports a failing pod of workload `name`. Returns the ids of its record and its incident. */
async function report(name = 'web', over: Partial<FailureReport> = {}): Promise<{ id: number; incident_id: number }> {
  const payload = aFailureReport({ pod_name: `${name}-1`, pod_uid: `uid-${name}`, workload: { kind: 'Deployment', name }, ...over });
  const answer = await it.send('service', { method: 'POST', url: '/api/pods/failed', payload });
  const { id } = answer.json<{ id: number }>();
  const { incident_id } = await it.store.db.selectFrom('failures').select('incident_id').where('id', '=', id).executeTakeFirstOrThrow();
  return { id, incident_id };
}

type Who = Parameters<TestApp['send']>[0];
async function ask<T>(who: Who, route: string, payload?: object): Promise<{ status: number; body: T }> {
  const [method, url = ''] = route.split(' ');
  const answer = await it.send(who, { method: method as 'GET', url, ...(payload && { payload }) });
  return { status: answer.statusCode, body: (answer.body ? answer.json() : undefined) as T };
}
const refused = async (...asked: Parameters<typeof ask>) => {
  const { status, body } = await ask<{ detail: string }>(...asked);
  return [status, body.detail];
};
const assign = (id: number, username: string | null, who: Who = 'write') =>
  ask<{ assignee: string | null }>(who, `PUT /api/incidents/${id}/assignee`, { username });
const say = async (id: number, text: string, who: Who = 'write') =>
  (await ask<Comment>(who, `POST /api/incidents/${id}/comments`, { text })).body;
const said = async (id: number) => (await ask<Comment[]>('read', `GET /api/incidents/${id}/comments`)).body;
const listed = async (query: string, who: Who = 'read') =>
  (await ask<IncidentPage>(who, `GET /api/incidents${query}`)).body.incidents.map(({ workload, assignee }) => [workload.name, assignee]);
const audited = async () => (await it.deps.audit.list({ limit: 10 })).map(({ action, target, username }) => [action, target, username]);

test('an incident is assigned, shown so in the list and on its page, and taken away again', async () => {
  const { id, incident_id } = await report();
  assert.equal(await assign(incident_id, 'The-Write'), { status: 200, body: { assignee: 'the-write' } });
  assert.equal(await listed(''), [['web', 'the-write']]);
  const shown = async () => (await ask<ShownFailure>('read', `GET /api/pods/failed/${id}`)).body.assignee;
  assert.is(await shown(), 'the-write');
  assert.equal((await assign(incident_id, null)).body, { assignee: null });
  assert.is(await shown(), null);
  assert.equal(await audited(), Array(2).fill(['incident.assign', 'shop/Deployment/web', 'the-write']));
});

test('the list is asked for mine, for nobody’s and for somebody’s', async () => {
  const [web, job] = [await report('web'), await report('job')];
  await report('cart');
  await assign(web.incident_id, 'the-write');
  await assign(job.incident_id, 'the-read');
  assert.equal(await listed('?assignee=me', 'write'), [['web', 'the-write']]);
  assert.equal(await listed('?assignee=me', 'admin'), []);
  assert.equal(await listed('?assignee=none'), [['cart', null]]);
  assert.equal(await listed('?assignee=THE-READ'), [['job', 'the-read']]);
  assert.equal(await listed('?assignee=somebody'), []);
  assert.equal(await refused('read', 'GET /api/incidents?assignee='), [400, 'assignee must not have fewer than 1 characters']);
});

test('users with the role write can list whom they can assign', async () => {
  assert.equal((await ask('write', 'GET /api/incidents/assignees')).body, ['the-admin', 'the-read', 'the-write']);
});

test('comments are created, changed and deleted', async () => {
  const { incident_id } = await report();
  const first = await say(incident_id, ' Looking.\r\nMore later. ');
  it.advance(60_000);
  await say(incident_id, 'Thanks.', 'admin');
  const changed = await ask<Comment>('write', `PATCH /api/incidents/${incident_id}/comments/${first.id}`, { text: 'Rolled back.' });
  assert.is(changed.status, 200);
  const all = await said(incident_id);
  assert.equal(
    all.map(({ author, text, edited_at }) => [author, text, edited_at !== null]),
    [
      ['the-write', 'Rolled back.', true],
      ['the-admin', 'Thanks.', false],
    ],
  );
  assert.equal(Object.keys(all[0]!), ['id', 'author', 'author_id', 'text', 'created_at', 'edited_at']);
  assert.is(first.text, 'Looking.\nMore later.');
  assert.is((await ask('write', `DELETE /api/incidents/${incident_id}/comments/${first.id}`)).status, 204);
  assert.is((await said(incident_id)).length, 1);
  assert.equal(
    (await audited()).map(([action]) => action),
    ['incident.comment-delete', 'incident.comment-edit', 'incident.comment', 'incident.comment'],
  );
});

test('only the author changes a comment; an administrator may delete it', async () => {
  const { incident_id } = await report();
  const [mine, theirs] = [await say(incident_id, 'mine'), await say(incident_id, 'theirs', 'admin')];
  const at = (id: number) => `/api/incidents/${incident_id}/comments/${id}`;
  assert.equal(await refused('admin', `PATCH ${at(mine.id)}`, { text: 'x' }), [403, 'Only its author may change a comment']);
  const notYours = [403, 'Only its author and administrators may delete a comment'];
  assert.equal(await refused('write', `DELETE ${at(theirs.id)}`), notYours);
  assert.is((await ask('admin', `DELETE ${at(mine.id)}`)).status, 204);
  assert.equal(await refused('write', `DELETE ${at(mine.id)}`), [404, 'Comment not found']);
  assert.equal(await refused('write', `PATCH ${at(mine.id)}`, { text: 'x' }), [404, 'Comment not found']);
});

test('secrets in a comment are masked before they are stored', async () => {
  const { incident_id } = await report();
  const said = 'Try it with DB_PASSWORD=hunter2hunter2 please';
  const { id, text } = await say(incident_id, said);
  assert.is(text, 'Try it with DB_PASSWORD=*** please');
  const edited = await ask<Comment>('write', `PATCH /api/incidents/${incident_id}/comments/${id}`, { text: `${said}!` });
  assert.is(edited.body.text, 'Try it with DB_PASSWORD=*** please!');
  const rows = await it.store.db.selectFrom('incident_comments').select('text').execute();
  assert.not(JSON.stringify(rows).includes('hunter2'));
});

test('what is wrong is said', async () => {
  const { incident_id } = await report();
  const at = `/api/incidents/${incident_id}`;
  const cases: [string, object, number, string][] = [
    [`PUT ${at}/assignee`, { username: 'somebody' }, 400, 'username must be the name of a user'],
    [`PUT ${at}/assignee`, {}, 400, 'username is required'],
    [`POST ${at}/comments`, { text: ' ' }, 400, 'text must not be blank'],
    [`POST ${at}/comments`, { text: 'a'.repeat(4001) }, 400, 'text must not have more than 4000 characters'],
    [`POST ${at}/comments`, { text: 'a'.repeat(64 * 1024) }, 400, 'text must not have more than 4000 characters'],
    [
      `POST ${at}/comments`,
      { text: 'a\u202eb' },
      400,
      'text must hold no control characters but line breaks and tabs, and none that turn its direction',
    ],
    ['PUT /api/incidents/999999/assignee', { username: null }, 404, 'Incident not found'],
    ['POST /api/incidents/999999/comments', { text: 'a' }, 404, 'Incident not found'],
    ['PUT /api/incidents/0/assignee', { username: null }, 400, 'id must be >= 1'],
  ];
  for (const [route, payload, ...answer] of cases) assert.equal(await refused('write', route, payload), answer, route);
  assert.equal(await refused('read', 'GET /api/incidents/999999/comments'), [404, 'Incident not found']);
});

test('an incident takes no more than 200 comments', async () => {
  const { incident_id } = await report();
  const full = Array.from({ length: 200 }, () => ({ incident_id, author_id: null, author: 'x', text: 'x', created_at: it.deps.now() }));
  await it.store.db.insertInto('incident_comments').values(full).execute();
  const answer = await refused('write', `POST /api/incidents/${incident_id}/comments`, { text: 'one more' });
  assert.equal(answer, [409, 'An incident has at most 200 comments: delete one first']);
});

test('an incident of a hidden namespace is not there', async () => {
  const { incident_id } = await report('web', { namespace: 'hidden' });
  const at = `/api/incidents/${incident_id}`;
  for (const [route, payload] of [
    [`PUT ${at}/assignee`, { username: null }],
    [`POST ${at}/comments`, { text: 'a' }],
    [`PATCH ${at}/comments/1`, { text: 'a' }],
    [`DELETE ${at}/comments/1`],
    [`GET ${at}/comments`],
  ] as [string, object?][])
    assert.equal(await refused('admin', route, payload), [404, 'Incident not found'], route);
});

test('others get a pod_status_change with the unchanged status', async () => {
  const { id, incident_id } = await report();
  await it.send('write', { method: 'PUT', url: `/api/pods/${id}/status`, payload: { status: 'investigating' } });
  const told = async (work: Promise<unknown>) => {
    it.messages.length = 0;
    await work;
    return it.messages;
  };
  const message = { type: 'pod_status_change', data: { id, status: 'investigating', incident_id }, namespace: 'shop' };
  assert.equal(await told(assign(incident_id, 'the-read')), [message]);
  assert.equal(await told(say(incident_id, 'Looking.')), [message]);
  const [comment] = await said(incident_id);
  const at = `/api/incidents/${incident_id}/comments/${comment?.id}`;
  assert.equal(await told(ask('write', `PATCH ${at}`, { text: 'Looked.' })), [message]);
  assert.equal(await told(ask('write', `DELETE ${at}`)), [message]);
  assert.equal(await told(assign(incident_id, 'somebody')), [], 'what is refused is not told');
});

test('a record that fails again keeps both; a new incident of the workload begins without', async () => {
  const { id, incident_id } = await report();
  await assign(incident_id, 'the-write');
  await say(incident_id, 'Looking.');
  await it.send('write', { method: 'PUT', url: `/api/pods/${id}/status`, payload: { status: 'resolved' } });
  it.advance(60_000);
  const again = await report('web', {
    container_statuses: [{ name: 'app', restart_count: 9, state: 'waiting', reason: 'CrashLoopBackOff' }],
  });
  assert.is(again.incident_id, incident_id);
  assert.equal([(await listed(''))[0], (await said(incident_id)).length], [['web', 'the-write'], 1]);
  await it.send('service', { method: 'POST', url: '/api/pods/dismiss-deleted', payload: { namespace: 'shop', pod_name: 'web-1' } });
  it.advance(60_000);
  const later = await report();
  assert.not.equal(later.incident_id, incident_id);
  assert.equal([await listed(''), await said(later.incident_id)], [[['web', null]], []]);
  assert.is((await said(incident_id)).length, 1, 'the one before keeps what was said');
});

test.run();

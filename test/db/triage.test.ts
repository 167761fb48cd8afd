import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assigneeRepository } from '../../src/db/assignees.ts';
import { commentRepository } from '../../src/db/comments.ts';
import { failureRepository } from '../../src/db/failures.ts';
import { incidentRepository } from '../../src/db/incidents.ts';
import { reportRepository } from '../../src/db/failure-reports.ts';
import { userRepository } from '../../src/db/users.ts';
import { aReportRow } from '../support/builders/report.ts';
import { engines } from '../support/database/store.ts';

const T0 = new Date('2026-05-01T10:00:00Z');

for (const engine of engines('triage')) {
  const store = await engine.open();
  const { db } = store;
  const [assignees, comments, incidents, users] = [
    assigneeRepository(db),
    commentRepository(db),
    incidentRepository(db),
    userRepository(db),
  ];
  const assigneeOf = async (failure: number) => (await failureRepository(db).page(failure, T0))?.assignee;
  const person = async (username: string) =>
    (await users.insert({ username, password_hash: null, role: 'write', external_id: null, created_at: T0 }))!;
  const incident = async (): Promise<{ id: number; failure: number }> => {
    const [stored] = await reportRepository(db).store([aReportRow()]);
    return { id: stored!.record.incident_id, failure: stored!.record.id };
  };
  const said = (incident_id: number, author: { id: number; username: string }, text = 'looking') => ({
    ...{ incident_id, author_id: author.id, author: author.username, text, created_at: T0 },
  });

  const test = suite(`triage on ${engine.name}`);
  test.before.each(async () => {
    for (const table of ['failures', 'incidents', 'users'] as const) await db.deleteFrom(table).execute();
  });
  test.after(() => store.close());

  test('an incident has one assignee at a time, found in any case', async () => {
    const { id, failure } = await incident();
    await person('Ada');
    await person('bob');
    assert.is(await assigneeOf(failure), null);
    assert.is(await assignees.assign(id, 'ada'), 'Ada');
    assert.is(await assignees.assign(id, 'bob'), 'bob');
    assert.is(await assigneeOf(failure), 'bob');
    assert.is(await assignees.assign(id, 'nobody'), undefined);
    assert.is(await assigneeOf(failure), 'bob', 'a name that nobody has changes nothing');
    await assignees.unassign(id);
    assert.is(await assigneeOf(failure), null);
    assert.equal(await assignees.names(), ['Ada', 'bob']);
  });

  test('a deleted user loses the assignments; comments keep the name, but a new user of that name does not own them', async () => {
    const { id, failure } = await incident();
    const ada = await person('ada');
    await assignees.assign(id, 'ada');
    const comment = await comments.add(said(id, ada), 200);
    await person('root').then(({ id: root }) => users.change(root, { role: 'admin' }));
    await users.delete(ada.id);
    assert.is(await assigneeOf(failure), null);
    const again = await person('ada');
    assert.equal(
      (await comments.list(id)).map(({ author, author_id, text }) => [author, author_id, text]),
      [['ada', null, 'looking']],
    );
    assert.is(await comments.edit(comment!.id, again.id, 'mine now', T0), undefined);
  });

  test('comments stand in their order, are edited by their author and deleted', async () => {
    const { id } = await incident();
    const [ada, bob] = [await person('ada'), await person('bob')];
    const first = await comments.add(said(id, ada, 'one'), 200);
    await comments.add(said(id, bob, 'two'), 200);
    const later = new Date(T0.getTime() + 60_000);
    assert.is(await comments.edit(first!.id, bob.id, 'not his', later), undefined);
    const edited = await comments.edit(first!.id, ada.id, 'one, better', later);
    assert.equal([edited?.text, edited?.edited_at?.getTime()], ['one, better', later.getTime()]);
    assert.equal(
      (await comments.list(id)).map(({ text }) => text),
      ['one, better', 'two'],
    );
    assert.is(await comments.byId(id + 1, first!.id), undefined, 'of another incident');
    await comments.remove(first!.id);
    assert.is((await comments.list(id)).length, 1);
  });

  test('comments that come at once stay within the bound', async () => {
    const { id } = await incident();
    const ada = await person('ada');
    const added = await Promise.all(Array.from({ length: 8 }, () => comments.add(said(id, ada), 5)));
    assert.is(added.filter(Boolean).length, 5);
    assert.is((await comments.list(id)).length, 5);
    assert.is(await comments.add(said(id + 1, ada), 5), undefined, 'no such incident');
  });

  test('both are deleted with their incident, and not earlier', async () => {
    const { id, failure } = await incident();
    const ada = await person('ada');
    await assignees.assign(id, 'ada');
    await comments.add(said(id, ada), 200);
    await failureRepository(db).close([failure], T0);
    await incidents.closeEmpty([id], T0);
    assert.equal([await assigneeOf(failure), (await comments.list(id)).length], ['ada', 1], 'a closed incident keeps them');
    assert.equal(await incidents.standing(id), { id, namespace: 'shop', owner: 'Deployment/web', failure_id: failure, status: 'resolved' });
    await db.deleteFrom('failures').execute();
    assert.is(await incidents.deleteForgotten(10), 1);
    assert.equal(await comments.list(id), []);
    assert.is(await incidents.standing(id), undefined);
  });

  test.run();
}

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { IncidentStanding } from '../../src/db/incidents.ts';
import { triage, type TriageDeps } from '../../src/failures/triage.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const INCIDENT = { id: 7, namespace: 'shop', failure_id: 70, status: 'new' } as IncidentStanding;
const ANN = { id: 1, username: 'ann', isAdmin: false };
const ROW = { id: 5, incident_id: 7, author: 'ann', author_id: 1, text: 'x', created_at: NOW, edited_at: null };
const SHOWN = { id: 5, author: 'ann', author_id: 1, text: 'x', created_at: NOW.toISOString(), edited_at: null };
const TOLD = { type: 'pod_status_change', data: { id: 70, status: 'new', incident_id: 7 }, namespace: 'shop' };

function world(over: { added?: null; edited?: null; found?: null } = {}) {
  const [asked, told]: [unknown[][], unknown[]] = [[], []];
  const note =
    (what: string, answer?: unknown) =>
    async (...given: unknown[]) => (asked.push([what, ...given]), answer);
  const comments = {
    ...{ list: async () => [ROW], byId: async () => (over.found === null ? undefined : ROW), remove: note('remove') },
    ...{
      add: note('add', over.added === null ? undefined : ROW),
      edit: note('edit', over.edited === null ? undefined : { ...ROW, edited_at: NOW }),
    },
  };
  const assignees = {
    assign: async (_id: number, name: string) => (name === 'nobody' ? undefined : name),
    unassign: note('unassign'),
    names: async () => ['ann'],
  };
  const deps = {
    incidents: { standing: async () => INCIDENT },
    assignees,
    comments,
    hub: { publish: (message: unknown) => void told.push(message) },
  };
  return { it: triage(deps as unknown as TriageDeps), asked, told };
}
const refusalOf = (asking: Promise<unknown>) =>
  asking.then(
    () => 'done',
    ({ message }: Error) => message,
  );

test('an incident is given to a user, or taken from everybody, and others are told', async () => {
  const { it, asked, told } = world();
  assert.equal(await it.assign(INCIDENT, 'ann'), { assignee: 'ann' });
  assert.equal(await it.assign(INCIDENT, null), { assignee: null });
  assert.equal([asked, told], [[['unassign', 7]], [TOLD, TOLD]]);
  assert.is(await refusalOf(it.assign(INCIDENT, 'nobody')), 'username must be the name of a user');
  assert.is(told.length, 2);
});

test('a comment is masked before it is stored', async () => {
  const { it, asked, told } = world();
  assert.equal(await it.comment(INCIDENT, ANN, 'password=hunter2hunter2', NOW), SHOWN);
  assert.equal(asked, [['add', { incident_id: 7, author_id: 1, author: 'ann', text: 'password=***', created_at: NOW }, 200]]);
  assert.equal(told, [TOLD]);
  const full = world({ added: null });
  assert.is(await refusalOf(full.it.comment(INCIDENT, ANN, 'x', NOW)), 'An incident has at most 200 comments: delete one first');
  assert.equal(full.told, []);
});

test('only its author changes a comment, masked too', async () => {
  const { it, asked, told } = world();
  assert.equal(await it.edit(INCIDENT, 5, { author: ANN, text: 'token=hunter2hunter2', now: NOW }), {
    ...SHOWN,
    edited_at: NOW.toISOString(),
  });
  assert.equal([asked, told], [[['edit', 5, 1, 'token=***', NOW]], [TOLD]]);
  const other = world({ edited: null });
  assert.is(await refusalOf(other.it.edit(INCIDENT, 5, { author: ANN, text: 'x', now: NOW })), 'Only its author may change a comment');
  assert.equal(other.told, []);
});

test('its author and administrators delete a comment', async () => {
  const eve = { id: 2, username: 'eve', isAdmin: false };
  for (const [author, is] of [
    [ANN, 'done'],
    [{ ...eve, isAdmin: true }, 'done'],
    [eve, 'Only its author and administrators may delete a comment'],
  ] as const) {
    const { it, asked, told } = world();
    assert.is(await refusalOf(it.remove(INCIDENT, 5, author)), is);
    assert.equal([asked, told], is === 'done' ? [[['remove', 5]], [TOLD]] : [[], []]);
  }
});

test('a comment of another incident is not there', async () => {
  const { it, asked } = world({ found: null });
  assert.is(await refusalOf(it.edit(INCIDENT, 5, { author: ANN, text: 'x', now: NOW })), 'Comment not found');
  assert.is(await refusalOf(it.remove(INCIDENT, 5, ANN)), 'Comment not found');
  assert.equal(asked, []);
});

test('comments are shown as they are, and an incident without a record tells nobody', async () => {
  const { it, told } = world();
  assert.equal(await it.comments(INCIDENT), [SHOWN]);
  await it.assign({ ...INCIDENT, failure_id: null }, 'ann');
  await it.assign({ ...INCIDENT, status: null }, 'ann');
  assert.equal(told, []);
});

test.run();

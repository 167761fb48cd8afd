import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { may, refusalText, standingOf } from '../../../src/chat/policy/role.ts';

const test = suite('roles of people in chats');

const person = { id: 'U1', name: 'Ann', isForeign: false };
const ann = { id: 1, username: 'ann', role: 'write' as const };
const chat = { users: [{ id: 'U1', user: 'ann' }] };

test('a mapped person has the role of the user, and none when the user is gone', () => {
  assert.equal(standingOf(chat, person, ann), { user: ann, role: 'write' });
  assert.equal(standingOf({ ...chat, defaultRole: 'read' }, person, undefined), { user: null, role: null });
});

test('others have the default role, people of other organisations none', () => {
  const other = { ...person, id: 'U2' };
  assert.equal(standingOf(chat, other, ann), { user: null, role: null });
  assert.equal(standingOf({ ...chat, defaultRole: 'read' }, other, ann), { user: null, role: 'read' });
  assert.equal(standingOf({ ...chat, defaultRole: 'read' }, { ...other, isForeign: true }, undefined), { user: null, role: null });
  assert.equal(standingOf(undefined, person, undefined), { user: null, role: null });
});

test('without a role nothing is allowed, a reader may read and not change', () => {
  const can = (role: 'read' | 'write' | null) => [may({ user: null, role }, 'failures.read'), may({ user: null, role }, 'failures.change')];
  assert.equal(
    [can(null), can('read'), can('write')],
    [
      [false, false],
      [true, false],
      [true, true],
    ],
  );
});

test('a refusal says what is lacking, and who may: five names at most', () => {
  const said = (able: string[], role: 'read' | null = 'read') => refusalText('resolve', { standing: { user: null, role }, person, able });
  assert.match(
    said([]),
    /^Sorry, Ann: “Resolve” takes the write role, and you have the read role here\. Nobody in this chat may do it yet\./,
  );
  assert.match(said([], null), 'you have no role here yet');
  assert.match(said(['a', 'b', 'c', 'd', 'e']), 'a, b, c, d, e may do it from this chat.');
  assert.match(said(['a', 'b', 'c', 'd', 'e', 'f', 'g']), 'a, b, c, d, e and 2 more may do it');
  assert.match(refusalText('question', { standing: { user: null, role: null }, person, able: [] }), 'Asking takes the read role');
});

test.run();

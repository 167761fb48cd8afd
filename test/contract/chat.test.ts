import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { actionOf, buttonId, buttonValue, CHAT_ACTIONS, type ChatAction, subjectOf } from '../../src/contract/chat.ts';

const test = suite('buttons in chats');

const ACTIONS: [action: ChatAction, title: string, permission: string][] = [
  ['acknowledge', 'Acknowledge', 'failures.change'],
  ['resolve', 'Resolve', 'failures.change'],
  ['ignore_1d', 'Ignore 1 d', 'suppressions.manage'],
  ['ignore_7d', 'Ignore 7 d', 'suppressions.manage'],
  ['try', 'Try the correction', 'mirrors.run'],
  ['logs', 'Show logs', 'logs.read'],
  ['patch', 'Get the patch', 'failures.read'],
];
test('each action has a title, and the permission of the same action in the API', () => {
  assert.equal(
    Object.entries(CHAT_ACTIONS).map(([action, { title, permission }]) => [action, title, permission]),
    ACTIONS,
  );
});

test('the id of a button leads back to its action, another id to none', () => {
  for (const [action] of ACTIONS) assert.is(actionOf(buttonId(action)), action);
  assert.is(buttonId('try'), 'podmend.try');
  for (const id of ['', 'podmend.', 'podmend.nope', 'other.try', 'try', 'podmend.toString', 'xpodmend.try'])
    assert.is(actionOf(id), undefined, id);
});

test('the value of a button leads back to its incident and record, another value to none', () => {
  const subject = { incident: 12, record: 345 };
  assert.is(buttonValue(subject), '12/345');
  assert.equal(subjectOf('12/345'), subject);
  const longest = { incident: 999_999_999_999_999, record: 1 };
  assert.equal(subjectOf(buttonValue(longest)), longest);
  for (const value of [
    '',
    '1',
    '1/',
    '/1',
    '0/1',
    '1/0',
    '01/1',
    '1/1/1',
    ' 1/1',
    '1/1 ',
    '-1/1',
    '1.5/1',
    '1234567890123456/1',
    '1/1234567890123456',
  ])
    assert.is(subjectOf(value), undefined, value);
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { challengeIn, readObject, readSlackEvent, readSlackPress, readTeams } from '../../../src/chat/policy/request.ts';
import { buttonId, buttonValue } from '../../../src/contract/chat.ts';

const test = suite('what chats send');

const EVENT = { type: 'app_mention', user: 'U1', channel: 'C1', ts: '1.2', text: '<@B> why #12' };
const event = (over: object = {}, body: object = {}) =>
  readSlackEvent({ type: 'event_callback', event_id: 'E1', team_id: 'T1', event: { ...EVENT, ...over }, ...body });
const DIRECT = { type: 'message', channel_type: 'im' };

test('a mention is read, and its answer goes into its thread', () => {
  const asked = event();
  assert.equal(
    [asked?.delivery, asked?.person, asked?.place],
    ['E1', { id: 'U1', name: 'U1', isForeign: false }, { chat: 'slack', channel: 'C1', thread: '1.2' }],
  );
  assert.equal(event({ thread_ts: '0.9' })?.place, { chat: 'slack', channel: 'C1', thread: '0.9' });
});

for (const [sentence, over, body, isRead] of [
  ['a direct message', DIRECT, {}, true],
  ['a direct message that was changed', { ...DIRECT, subtype: 'message_changed' }, {}, false],
  ['a message in a channel', { type: 'message', channel_type: 'channel' }, {}, false],
  ['another event', { type: 'reaction_added' }, {}, false],
  ['another kind of request', {}, { type: 'view_submission' }, false],
  ['a message of a bot', { bot_id: 'B2' }, {}, false],
  ['no user', { user: undefined }, {}, false],
  ['no channel', { channel: '' }, {}, false],
  ['no time', { ts: 7 }, {}, false],
  ['no id of the event', {}, { event_id: undefined }, false],
  ['an id that is too long', { user: 'U'.repeat(201) }, {}, false],
  ['an id that just fits', { user: 'U'.repeat(200) }, {}, true],
] as [string, object, object, boolean][])
  test(`an event of Slack: ${sentence} is ${isRead ? '' : 'not '}read`, () => assert.is(event(over, body) !== undefined, isRead));

test('people of another organisation are strangers, whichever field says it', () => {
  const isForeign = (over: object) => event(over)?.person.isForeign;
  assert.equal([isForeign({}), isForeign({ user_team: 'T1' }), isForeign({ user_team: 'T2' })], [false, false, true]);
  assert.equal([isForeign({ source_team: 'T2' }), isForeign({ team: 'T2' })], [true, true]);
  assert.is(isForeign({ user_team: 'T1', team: 'T2' }), false, 'the first that is there counts');
});

const PRESS = {
  type: 'block_actions',
  trigger_id: 'P1',
  team: { id: 'T1' },
  user: { id: 'U1', name: 'ann', team_id: 'T1' },
  channel: { id: 'C1' },
  container: { channel_id: 'C2', message_ts: '1.2' },
  message: { ts: '9.9' },
  actions: [{ action_id: buttonId('resolve'), value: buttonValue({ incident: 3, record: 12 }), action_ts: '5.5' }],
};
const press = (over: object = {}) => readSlackPress(new URLSearchParams({ payload: JSON.stringify({ ...PRESS, ...over }) }).toString());

test('a press of a button is read', () => {
  assert.equal(press(), {
    delivery: 'P1',
    wish: { kind: 'action', action: 'resolve', target: { kind: 'incident', incident: 3, record: 12 } },
    person: { id: 'U1', name: 'ann', isForeign: false },
    place: { chat: 'slack', channel: 'C1', thread: '1.2' },
  });
  assert.is(press({ message: { ts: '9.9', thread_ts: '0.5' } })?.place.chat, 'slack');
  assert.equal(press({ message: { ts: '9.9', thread_ts: '0.5' } })?.place, { chat: 'slack', channel: 'C1', thread: '0.5' });
});

test('what a press lacks is taken from where else it is', () => {
  assert.equal(press({ channel: undefined, container: { channel_id: 'C2' } })?.place, { chat: 'slack', channel: 'C2', thread: '9.9' });
  assert.is(press({ trigger_id: undefined })?.delivery, 'U1 5.5');
  assert.equal(
    [press({ user: { id: 'U1', username: 'ann' } }), press({ user: { id: 'U1' } })].map((one) => one?.person.name),
    ['ann', 'U1'],
  );
  assert.is(press({ user: { ...PRESS.user, team_id: 'T2' } })?.person.isForeign, true);
});

for (const [sentence, over] of [
  ['another form', { type: 'view_submission' }],
  ['no list of buttons', { actions: {} }],
  ['no button', { actions: [] }],
  ['a button of somebody else', { actions: [{ action_id: 'theirs', value: '3 12' }] }],
  ['a button without a subject', { actions: [{ action_id: buttonId('resolve'), value: 'x' }] }],
  ['no user', { user: {} }],
  ['no channel', { channel: {}, container: { message_ts: '1.2' } }],
  ['no message', { container: { channel_id: 'C1' }, message: {} }],
] as [string, object][])
  test(`a press with ${sentence} is ignored`, () => assert.is(press(over), undefined));

test('forms and texts that are no object are ignored', () => {
  for (const text of ['[]', 'null', '7', '{', '']) {
    assert.is(readObject(text), undefined, text);
    assert.is(readSlackPress(new URLSearchParams({ payload: text }).toString()), undefined, text);
  }
  assert.is(readSlackPress('x=y'), undefined);
});

test('only the request that verifies an address has a challenge', () => {
  assert.is(challengeIn({ type: 'url_verification', challenge: 'abc' }), 'abc');
  assert.equal(
    [
      { type: 'event_callback', challenge: 'abc' },
      { type: 'url_verification' },
      { type: 'url_verification', challenge: 'x'.repeat(1001) },
    ].map(challengeIn),
    [undefined, undefined, undefined],
  );
});

const TEAMS = {
  type: 'message',
  id: 'M1',
  timestamp: '2026-05-01T10:00:00Z',
  text: 'help',
  from: { id: 'a', aadObjectId: 'A', name: 'Ann' },
};
test('a message of Teams is read with its time; what no person wrote is not', () => {
  const asked = readTeams(TEAMS);
  assert.equal(
    [asked?.delivery, asked?.person, asked?.place, asked?.at.toISOString()],
    ['M1', { id: 'A', name: 'Ann', isForeign: false }, { chat: 'teams' }, '2026-05-01T10:00:00.000Z'],
  );
  assert.equal(readTeams({ ...TEAMS, from: { id: 'a' } })?.person, { id: 'a', name: 'a', isForeign: false });
  for (const over of [{ type: 'conversationUpdate' }, { id: '' }, { from: {} }, { timestamp: 'now' }, { timestamp: undefined }])
    assert.is(readTeams({ ...TEAMS, ...over }), undefined, JSON.stringify(over));
});

test.run();

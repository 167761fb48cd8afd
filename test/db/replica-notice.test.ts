import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { channelOf } from '../../src/db/replica-connection.ts';
import { readNotice } from '../../src/db/replica-notice.ts';

const BATCH = { from: 'x', batch: 3, lost: false, messages: [{ type: 'said', id: 7 }] };

const TAKEN: [what: string, sent: object, read?: object][] = [
  ['a greeting', { from: 'x', hello: 1 }],
  ['the answer to it', { from: 'x', here: 1, to: 2 }],
  ['a goodbye', { from: 'x', bye: 0 }],
  ['messages', BATCH],
  ['messages after lost ones', { ...BATCH, lost: true }],
  [
    'several messages, in their order',
    {
      ...BATCH,
      messages: [
        { type: 'b', id: 2 },
        { type: 'a', id: 1 },
      ],
    },
  ],
  ['no messages', { ...BATCH, messages: [] }],
  ['fields that nobody knows', { from: 'x', hello: 1, more: 2 }, { from: 'x', hello: 1 }],
  ['unknown fields of messages', { ...BATCH, more: 1, messages: [{ type: 'said', id: 7, more: 1 }] }, BATCH],
];
for (const [what, sent, read = sent] of TAKEN) test(`${what}: read as sent`, () => assert.equal(readNotice(JSON.stringify(sent)), read));

const REFUSED: [what: string, payload: unknown][] = [
  ['no sender', { hello: 1 }],
  ['a sender that is no text', { from: 1, hello: 1 }],
  ['a sender alone', { from: 'x' }],
  ['a number that is a text', { from: 'x', hello: '1' }],
  ['a broken number', { from: 'x', bye: 1.5 }],
  ['a number beyond all numbers', { from: 'x', bye: 2 ** 53 }],
  ['an answer to nobody', { from: 'x', here: 1 }],
  ['an answer from nobody', { from: 'x', to: 1 }],
  ['messages that are no list', { ...BATCH, messages: {} }],
  ['messages that are null', { ...BATCH, messages: null }],
  ['a message that is none', { ...BATCH, messages: [{ type: 'said', id: 7 }, null] }],
  ['a message without a type', { ...BATCH, messages: [{ id: 7 }] }],
  ['a message without an id', { ...BATCH, messages: [{ type: 'said' }] }],
  ['a type that is no text', { ...BATCH, messages: [{ type: 1, id: 7 }] }],
  ['no number of the batch', { ...BATCH, batch: undefined }],
  ['nothing about lost messages', { ...BATCH, lost: undefined }],
  ['lost as a text', { ...BATCH, lost: 'false' }],
  ['a list', []],
  ['null', null],
  ['a text', 'hello'],
];
for (const [what, payload] of REFUSED) test(`${what}: from no replica`, () => assert.is(readNotice(JSON.stringify(payload)), undefined));
test('no JSON: from no replica', () => assert.is(readNotice('{'), undefined));

test('each name has a channel of its own, which PostgreSQL takes as an identifier without quotes', () => {
  for (const name of ['here', 'Here', 'a/b c', 'x'.repeat(500)]) assert.match(channelOf(name), /^podmend_[0-9a-f]{24}$/);
  assert.is(channelOf('here'), channelOf('here'));
  assert.is.not(channelOf('here'), channelOf('Here'));
});

test.run();

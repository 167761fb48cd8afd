import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isFresh, isTeamsHeader, secretsIn, type Signer, slackMac, slackSigner, teamsSigner } from '../../../src/chat/policy/signature.ts';
import { SECRET, signedBySlack } from '../../support/chat/slack.ts';
import { hmacOf, TEAMS_SECRET } from '../../support/chat/teams.ts';

const test = suite('signatures of chats');
const T0 = 1_531_420_618_000;
const now = new Date(T0);
const SIGNERS: Signer[] = [
  { provider: 'other', secrets: ['0123456789abcdef0123456789abcdef'] },
  { provider: 'on-call', secrets: [SECRET] },
];

/** The example in Slack's documentation ("Verifying requests from Slack"). */
const PUBLISHED = {
  secret: '8f742231b10e8888abcd99yyyzzz85a5',
  timestamp: '1531420618',
  body:
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA' +
    '&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554' +
    '%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
  signature: 'a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
};

test('the example in Slack’s documentation gets the documented signature', () => {
  assert.is(slackMac(PUBLISHED.secret, PUBLISHED.timestamp, Buffer.from(PUBLISHED.body)).toString('hex'), PUBLISHED.signature);
});

/** Test cases 1 and 2 of RFC 4231. Both services use this algorithm. */
test('the algorithm is HMAC-SHA256 of RFC 4231', () => {
  const of = (key: Buffer, data: string) =>
    teamsSigner(`HMAC ${createHmac('sha256', key).update(data).digest('base64')}`, Buffer.from(data), [
      { provider: 'teams', secrets: [key.toString('base64')] },
    ]);
  const first = Buffer.from('b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7', 'hex').toString('base64');
  assert.ok(
    teamsSigner(`HMAC ${first}`, Buffer.from('Hi There'), [{ provider: 'a', secrets: [Buffer.alloc(20, 0x0b).toString('base64')] }]),
  );
  const second = Buffer.from('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843', 'hex').toString('base64');
  const jefe = [{ provider: 'a', secrets: [Buffer.from('Jefe').toString('base64')] }];
  assert.ok(teamsSigner(`HMAC ${second}`, Buffer.from('what do ya want for nothing?'), jefe));
  assert.ok(of(Buffer.alloc(32, 1), 'x'));
});

const sent = (body = '{"type":"event_callback"}', over: { secret?: string; at?: number } = {}) => {
  const { headers, body: text } = signedBySlack('/api/chatops/slack/events', body, { at: T0, ...over });
  return { timestamp: headers['x-slack-request-timestamp'], signature: headers['x-slack-signature'] ?? '', body: Buffer.from(text) };
};
const judge = ({ body, ...headers }: ReturnType<typeof sent>, at = now) => slackSigner(headers, body, { signers: SIGNERS, now: at });

test('a signed request is accepted, with its provider', () => assert.is(judge(sent())?.provider, 'on-call'));

test('while a secret is replaced, both are accepted', () => {
  const signers = [{ provider: 'on-call', secrets: secretsIn(`new-secret-of-slack  ${SECRET}`) }];
  const { body, ...headers } = sent();
  assert.is(slackSigner(headers, body, { signers, now })?.provider, 'on-call');
  assert.equal(secretsIn(' '), []);
});

test('every byte of the body flipped once is refused', () => {
  const whole = sent('{"type":"event_callback","event_id":"Ev1"}');
  for (let index = 0; index < whole.body.length; index++) {
    for (const bit of [1, 0x80]) {
      const body = Buffer.from(whole.body);
      body[index] = (body[index] ?? 0) ^ bit;
      assert.is(judge({ ...whole, body }), undefined, `byte ${index}`);
    }
  }
  assert.is(judge({ ...whole, body: Buffer.concat([whole.body, Buffer.from(' ')]) }), undefined, 'longer');
  assert.is(judge({ ...whole, body: whole.body.subarray(0, -1) }), undefined, 'shorter');
});

test('every character of signature and time changed once is refused', () => {
  const whole = sent();
  const flipped = (text: string, index: number): string =>
    text.slice(0, index) + String.fromCharCode(text.charCodeAt(index) ^ 1) + text.slice(index + 1);
  for (let index = 0; index < whole.signature.length; index++)
    assert.is(judge({ ...whole, signature: flipped(whole.signature, index) }), undefined, `signature ${index}`);
  const { timestamp = '' } = whole;
  for (let index = 0; index < timestamp.length; index++)
    assert.is(judge({ ...whole, timestamp: flipped(timestamp, index) }), undefined, `time ${index}`);
  assert.is(judge({ ...whole, signature: whole.signature.toUpperCase() }), undefined);
});

for (const [what, over, known] of [
  ['five minutes ago', { at: T0 - 300_000 }, true],
  ['more than five minutes ago', { at: T0 - 301_000 }, false],
  ['five minutes ahead: clocks differ', { at: T0 + 300_000 }, true],
  ['more than five minutes ahead', { at: T0 + 301_000 }, false],
  ['with another secret', { secret: 'another secret' }, false],
  ['with an empty secret', { secret: '' }, false],
] as const)
  test(`signed ${what}: ${known ? 'known' : 'refused'}`, () => assert.is(judge(sent('{}', over)) !== undefined, known));

for (const [what, headers] of [
  ['no headers', { timestamp: undefined, signature: undefined }],
  ['no time', { timestamp: undefined, signature: `v0=${'0'.repeat(64)}` }],
  ['a time that is no number', { timestamp: '1531420618.0', signature: `v0=${'0'.repeat(64)}` }],
  ['a negative time', { timestamp: '-1531420618', signature: `v0=${'0'.repeat(64)}` }],
  ['another version', { timestamp: '1531420618', signature: `v1=${'0'.repeat(64)}` }],
  ['a short signature', { timestamp: '1531420618', signature: 'v0=00' }],
  ['two signatures', { timestamp: '1531420618', signature: `v0=${'0'.repeat(64)}, v0=${'0'.repeat(64)}` }],
  ['a list', { timestamp: ['1531420618'], signature: [`v0=${'0'.repeat(64)}`] }],
] as const)
  test(`${what} are refused without a body`, () => assert.not(isFresh(headers, now)));

test('the same request has the same key, and another one another key', () => {
  assert.is(judge(sent())?.key, judge(sent())?.key);
  assert.is.not(judge(sent())?.key, judge(sent('{"type":"event_callback" }'))?.key);
});

test('a request of Teams is known; every byte flipped once is refused', () => {
  const signers = [{ provider: 'teams', secrets: [TEAMS_SECRET] }];
  const body = Buffer.from('{"type":"message","text":"<at>Podmend</at> help"}');
  const header = hmacOf(body);
  assert.is(teamsSigner(header, body, signers)?.provider, 'teams');
  for (let index = 0; index < body.length; index++) {
    const other = Buffer.from(body);
    other[index] = (other[index] ?? 0) ^ 1;
    assert.is(teamsSigner(header, other, signers), undefined, `byte ${index}`);
  }
  // Skip the last character of the base64 text: some of its bits are not decoded, so a change there may give the same signature.
  for (let index = 0; index < header.length - 2; index++) {
    const other = header.slice(0, index) + (header[index] === 'A' ? 'B' : 'A') + header.slice(index + 1);
    assert.is(teamsSigner(other, body, signers), undefined, `header ${index}`);
  }
  assert.is(teamsSigner(hmacOf(body, Buffer.alloc(32).toString('base64')), body, signers), undefined, 'another secret');
});

for (const secret of ['x', '?', '====', '***'])
  test(`no signature with ${secret} is accepted: it is no base64, so the key is empty`, () => {
    const body = Buffer.from('{}');
    const forged = `HMAC ${createHmac('sha256', '').update(body).digest('base64')}`;
    assert.is(teamsSigner(forged, body, [{ provider: 'teams', secrets: [secret] }]), undefined);
    assert.is(teamsSigner(hmacOf(body), body, [{ provider: 'teams', secrets: [secret, TEAMS_SECRET] }])?.provider, 'teams');
  });

test('another spelling of the same signature of Teams is the same request', () => {
  const signers = [{ provider: 'teams', secrets: [TEAMS_SECRET] }];
  const body = Buffer.from('{}');
  const header = hmacOf(body);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const last = header.at(-2) ?? '';
  const twin = `${header.slice(0, -2)}${alphabet[alphabet.indexOf(last) ^ 1]}=`;
  assert.is.not(twin, header);
  assert.is(teamsSigner(twin, body, signers)?.key, teamsSigner(header, body, signers)?.key);
});

for (const header of [undefined, '', 'HMAC', 'HMAC ', 'Bearer abc', `hmac ${'A'.repeat(43)}=`, `HMAC ${'A'.repeat(44)}`, ['HMAC']])
  test(`${JSON.stringify(header)} is no header of Teams`, () => assert.not(isTeamsHeader(header)));

test.run();

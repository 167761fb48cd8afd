import { readFileSync, statSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Check } from 'typebox/value';
import { PROVIDER_TYPES, type ProviderType } from '../../src/crd/notificationprovider.ts';
import { previewOf } from '../../src/notifications/preview.ts';
import { type HttpType, SCHEMAS } from '../support/notifications/schemas.ts';
import { targetOf } from '../support/notifications/targets.ts';

const test = suite('what a provider would be sent');
const CONTEXT = { cluster: 'test', baseUrl: 'https://podmend.example', now: new Date('2026-03-01T10:12:00Z') };

const preview = (type: ProviderType, over: object = {}, keys?: string[]) => {
  const { channel, secret } = targetOf(type, '');
  return previewOf({ type, channel, ...over }, { ...CONTEXT, keys: keys ?? Object.keys(secret) });
};
const counts = (type: ProviderType, over?: object, keys?: string[]) =>
  preview(type, over, keys).map(({ requests, mail }) => requests.length + (mail ? 1 : 0));

for (const type of PROVIDER_TYPES) {
  test(`${type}: every payload fits the schema of the service and says what failed`, () => {
    for (const { requests, mail, silence } of preview(type)) {
      assert.is(requests.length + (mail ? 1 : 0) > 0, silence === null);
      if (type !== 'email') for (const { body } of requests) assert.ok(Check(SCHEMAS[type as HttpType], JSON.parse(body)), body);
    }
    const [opened] = preview(type);
    assert.match(JSON.stringify(opened), /DATABASE.*_URL/);
    assert.match(JSON.stringify(opened), 'https://podmend.example/failures/1');
  });
}

// The number of requests at the beginning, with a verdict, and at the end.
for (const [sentence, type, over, keys, expected] of [
  ['a bot of Slack changes its message and answers in its thread', 'slack', {}, undefined, [1, 2, 2]],
  ['a webhook of Slack sends only the beginning and the end', 'slack', { channel: undefined }, [], [1, 0, 1]],
  ['Teams gets only the beginning and the end', 'teams', {}, undefined, [1, 0, 1]],
  ['mails are sent each time', 'email', {}, undefined, [1, 1, 1]],
  ['what the filter leaves out is not sent', 'discord', { filter: { events: ['incident_opened', 'resolved'] } }, undefined, [1, 0, 1]],
  ['whoever hears of verdicts only hears the first one', 'teams', { filter: { events: ['verdict'] } }, undefined, [0, 1, 0]],
  ['an end without a beginning is not sent', 'pagerduty', { filter: { events: ['resolved'] } }, undefined, [0, 0, 0]],
  ['an end that nobody wants is not sent', 'pagerduty', { filter: { sendResolved: false } }, undefined, [1, 1, 0]],
  ['a malformed filter filters nothing', 'pagerduty', { filter: { events: 5 } }, undefined, [1, 1, 1]],
  ['no filter at all, and a channel of the wrong type', 'discord', { filter: null, channel: 5 }, undefined, [1, 1, 1]],
] as [string, ProviderType, object, string[] | undefined, number[]][]) {
  test(sentence, () => assert.equal(counts(type, over, keys), expected));
}

test('every type has a small picture in the document', () => {
  const document = readFileSync(new URL('../../src/notifications/README.md', import.meta.url), 'utf8');
  for (const type of PROVIDER_TYPES) {
    const picture = `.github/images/notifications/${type}.webp`;
    assert.match(document, picture);
    assert.ok(statSync(new URL(`../../${picture}`, import.meta.url)).size <= 30 * 1024, picture);
  }
});

test('the preview of a webhook masks its signature', () => {
  const [opened] = preview('webhook', { format: 'cloudevents' }, ['signingSecret', 'token']);
  const [request] = opened!.requests;
  assert.equal([request!.headers['webhook-signature'], request!.headers['authorization']], ['v1,***', 'Bearer ***']);
  assert.is((JSON.parse(request!.body) as { specversion: string }).specversion, '1.0');
});

test.run();

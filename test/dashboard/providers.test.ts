import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PROVIDER_TYPES, type ProviderType } from '../../src/crd/notificationprovider.ts';
import type { NotificationSetting } from '../../src/contract/notification.ts';
import { reasonText } from '../../src/dashboard/components/delivery-words.ts';
import {
  draftOf,
  emptyDraft,
  filterText,
  freeName,
  groupingText,
  settingOf,
  withoutSecrets,
} from '../../src/dashboard/notifications/draft.ts';
import { sketchesOf } from '../../src/dashboard/notifications/drawing.ts';
import { markdown, markdownBlocks } from '../../src/dashboard/notifications/markup.ts';
import { clockIn, quietText } from '../../src/dashboard/notifications/quiet.ts';
import { readSelector, selectorText } from '../../src/dashboard/notifications/selector.ts';
import { KINDS } from '../../src/dashboard/notifications/types.ts';
import { previewOf } from '../../src/notifications/preview.ts';
import { judgeTarget } from '../../src/notifications/target.ts';
import { REASONS } from '../../src/notifications/types/service.ts';

// What a provider's form makes of its inputs, and what the preview shows, tested without a browser.

const forms = suite('forms of providers');

forms('every type has a form, and every reason has words', () => {
  assert.equal(Object.keys(KINDS).toSorted(), [...PROVIDER_TYPES].sort());
  for (const reason of REASONS) assert.is.not(reasonText(reason), reasonText('no such reason'), reason);
});

const WIRE: Record<string, string> = { webhook_url: 'address', signing_secret: 'signingSecret', ca_certificate: 'ca.crt' };
const VALUES: Record<string, string> = {
  webhook_url: 'https://service.example/hook',
  token: '123:abc',
  channel: 'team@example.com',
  from: 'podmend@example.com',
};
/** What the server says about a provider with only these members. */
function judge(type: ProviderType, members: readonly string[]): string {
  const values = Object.fromEntries(members.map((name) => [name, VALUES[name] ?? 'value']));
  const { channel, ...secret } = values;
  if (type === 'email' && secret.webhook_url) secret.webhook_url = 'smtp://mail.example';
  const renamed = Object.fromEntries(Object.entries(secret).map(([name, value]) => [WIRE[name] ?? name, value]));
  const readiness = judgeTarget({ type, secretRef: { name: 'x' }, ...(channel && { channel }) }, renamed, []);
  return 'target' in readiness ? 'complete' : readiness.reason;
}
for (const type of PROVIDER_TYPES) {
  forms(`${type}: what the form requires is what the service needs`, () => {
    const required = KINDS[type]!.members.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    // Slack needs one of two members, so neither of them is required.
    const enough = type === 'slack' ? ['webhook_url'] : required;
    assert.is(judge(type, enough), 'complete');
    for (const left of enough)
      assert.is(
        judge(
          type,
          enough.filter((name) => name !== left),
        ),
        'SecretIncomplete',
        left,
      );
  });
}
forms('a bot of Slack needs its channel', () => {
  assert.equal([judge('slack', ['token', 'channel']), judge('slack', ['token'])], ['complete', 'SecretIncomplete']);
});

const STORED: NotificationSetting = {
  provider: 'on-call',
  type: 'slack',
  enabled: true,
  config: {
    channel: '#on-call',
    token: '***',
    filter: {
      events: ['incident_opened', 'resolved'],
      namespaces: ['shop', 'team-*'],
      labelSelector: { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['a', 'b'] }] },
      minSeverity: 'high',
      sendResolved: false,
    },
    grouping: { by: ['namespace'], waitSeconds: 30 },
    quietHours: [{ days: ['Sat', 'Sun'], from: '22:00', to: '08:00', timeZone: 'Europe/Berlin' }],
    chat: { defaultRole: 'read', users: [{ id: 'U1', user: 'ada' }] },
  },
};
const draft = draftOf(STORED);

forms('stored settings are sent back unchanged, with those that the form does not know', () => {
  assert.equal(settingOf(draft, {}, STORED), STORED);
});
for (const [sentence, change, secrets, expected] of [
  ['a secret that is typed replaces the stored one', {}, { token: 'xoxb-2' }, { token: 'xoxb-2' }],
  ['a secret that is removed is null', {}, { token: null }, { token: null }],
  ['a secret that is emptied stays', {}, { token: '' }, { token: '***' }],
  ['a secret that was not there is added', {}, { signing_secret: 'abc' }, { signing_secret: 'abc' }],
  ['without a channel there is none', { members: { channel: ' ' } }, {}, { channel: undefined }],
  ['no quiet hours are no field', { quietHours: [] }, {}, { quietHours: undefined }],
  [
    'all days are no days',
    { quietHours: [{ days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'], from: '1', to: '2', timeZone: 'UTC' }] },
    {},
    { quietHours: [{ from: '1', to: '2', timeZone: 'UTC' }] },
  ],
  ['an empty chat section is no field', { defaultRole: '', users: ' \n ' }, {}, { chat: undefined }],
  ['an empty grouping section is no field', { by: [], waitSeconds: ' ' }, {}, { grouping: undefined }],
  [
    'entries are named once',
    { namespaces: 'a, a  b,' },
    {},
    { filter: { ...(STORED.config['filter'] as object), namespaces: ['a', 'b'] } },
  ],
] as [string, object, Record<string, string | null>, Record<string, unknown>][]) {
  forms(sentence, () => {
    const setting = settingOf({ ...draft, ...change }, secrets, STORED);
    assert.ok('config' in setting);
    for (const [name, value] of Object.entries(expected)) assert.equal(setting.config[name], value);
  });
}
for (const [sentence, change, wrong] of [
  ['labels that nobody can read', { labels: 'app=web, tier in (a' }, /“tier in \(a” cannot be read/],
  ['people without a user', { users: 'U1 ada\nU2' }, /“U2” is not an id/],
  ['an invalid number', { waitSeconds: '1.5' }, /waitSeconds must be a whole number/],
  ['a number below nothing', { repeatSeconds: '-1' }, /repeatSeconds must be a whole number/],
] as [string, object, RegExp][]) {
  forms(`${sentence} are said`, () => {
    const setting = settingOf({ ...draft, ...change }, {}, STORED);
    assert.match('wrong' in setting ? setting.wrong : 'nothing is wrong', wrong);
  });
}
forms('a new provider begins with a name that is free', () => {
  assert.is(freeName('slack', []), 'slack');
  assert.is(freeName('slack', ['teams', 'slack-2']), 'slack');
  assert.is(freeName('slack', ['slack', 'slack-2', 'teams']), 'slack-3');
});
forms('a user name of the Secret that is emptied is removed', () => {
  const before: NotificationSetting = { provider: 'mail', type: 'email', enabled: true, config: { username: 'ada', webhook_url: '***' } };
  const setting = settingOf({ ...draftOf(before), members: { username: '' } }, {}, before);
  assert.equal('config' in setting && setting.config, { webhook_url: '***', username: null });
});
forms('a type of a later version is shown and sent back', () => {
  const later: NotificationSetting = { provider: 'later', type: 'carrier-pigeon', enabled: true, config: {} };
  assert.equal(settingOf(draftOf(later), {}, later), later);
});
forms('for the preview, typed secrets are masked', () => {
  const typed = settingOf(emptyDraft('webhook'), { webhook_url: 'https://secret.example', token: 't' }, undefined);
  assert.ok('config' in typed);
  assert.equal(withoutSecrets(typed).config, { webhook_url: '***', token: '***' });
});
forms('summaries say what differs from the usual', () => {
  assert.equal(
    [filterText(emptyDraft('slack')), filterText(draft)],
    ['everything', '2 of 7 events; in shop, team-*; app=web, tier in (a, b); without the end'],
  );
  assert.equal(
    [groupingText(emptyDraft('slack')), groupingText(draft)],
    ['one message for each incident', 'one message for each namespace, after 30 s'],
  );
});

const selectors = suite('label selectors');
for (const [text, selector] of [
  ['', undefined],
  ['app=web', { matchLabels: { app: 'web' } }],
  ['app = web ,', { matchLabels: { app: 'web' } }],
  [
    'app==web, example.com/tier!=cache',
    { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'example.com/tier', operator: 'NotIn', values: ['cache'] }] },
  ],
  [
    'tier in (a, b), zone notin (x)',
    {
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['a', 'b'] },
        { key: 'zone', operator: 'NotIn', values: ['x'] },
      ],
    },
  ],
  [
    'canary, !old',
    {
      matchExpressions: [
        { key: 'canary', operator: 'Exists' },
        { key: 'old', operator: 'DoesNotExist' },
      ],
    },
  ],
  ['app=', { matchLabels: { app: '' } }],
  ['app=a, app=b', { matchLabels: { app: 'a' }, matchExpressions: [{ key: 'app', operator: 'In', values: ['b'] }] }],
] as const) {
  selectors(`${JSON.stringify(text)} is read`, () => {
    assert.equal(readSelector(text), { selector });
    if (selector) assert.equal(readSelector(selectorText(selector as never)), { selector });
  });
}
for (const text of ['=web', 'a b', 'tier in ()', 'tier in a', 'app=<b>', '!', 'a in (b', '(', ')']) {
  selectors(`${JSON.stringify(text)} is refused`, () => assert.ok('wrong' in readSelector(text), JSON.stringify(readSelector(text))));
}

const quiet = suite('quiet hours in words');
const NIGHT = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' };
for (const [days, from, to, text] of [
  [undefined, '22:00', '07:00', 'every day 22:00 to 07:00 of the next day, Europe/Berlin'],
  [['Mon', 'Tue', 'Wed', 'Thu', 'Fri'], '12:00', '13:00', 'Mon to Fri 12:00 to 13:00, Europe/Berlin'],
  [['Sun', 'Sat'], '00:00', '00:00', 'Sat, Sun 00:00 to 00:00 of the next day, Europe/Berlin'],
  [['Mon', 'Wed', 'Fri'], '12:00', '13:00', 'Mon, Wed, Fri 12:00 to 13:00, Europe/Berlin'],
] as [undefined, string, string, string][]) {
  quiet(text, () => assert.is(quietText({ ...NIGHT, days, from, to }), text));
}
quiet('the clock of a zone is shown; an unknown zone has none', () => {
  const now = new Date('2026-03-01T20:15:00Z');
  assert.equal([clockIn('Asia/Kathmandu', now), clockIn('Mars/Olympus', now), clockIn('', now)], ['Mon 02:00', undefined, undefined]);
});

const drawings = suite('drawings of messages');
const CONTEXT = {
  cluster: 'test',
  baseUrl: 'https://podmend.example',
  now: new Date('2026-03-01T10:12:00Z'),
  keys: ['token', 'signingSecret'],
};
const textIn = (value: unknown): string => JSON.stringify(value);
for (const type of PROVIDER_TYPES) {
  drawings(`${type}: what people must read is drawn, and no mark-up is left`, () => {
    const messages = previewOf({ type, channel: '#on-call' }, CONTEXT);
    for (const message of messages.filter(({ silence }) => silence === null)) {
      const sketches = sketchesOf(type, message);
      assert.is(sketches.length, Math.max(message.requests.length, 1));
      if (type !== 'webhook') assert.not.match(textIn(sketches), /\*\*|```|<b>|<br>|<pre>|&amp;|\\\\[-.]/);
    }
    const opened = sketchesOf(type, messages[0]!);
    assert.is(opened[0]?.place, 'new');
    for (const word of ['CrashLoopBackOff', 'Deployment/payments', 'shop', 'DATABASE_URL']) assert.match(textIn(opened), word);
  });
}
drawings('the preview shows whether a message is changed or a reply', () => {
  const places = (type: ProviderType) =>
    previewOf({ type, channel: '#on-call' }, CONTEXT).map((message) =>
      sketchesOf(type, message)
        .map(({ place }) => place)
        .join(),
    );
  assert.equal(places('slack'), ['new', 'change,reply', 'change,reply']);
  assert.equal(places('discord'), ['new', 'change', 'change']);
  assert.equal(places('googlechat'), ['new', 'reply', 'reply']);
  assert.equal(places('teams'), ['new', '', 'new']);
});
drawings('a payload that the preview does not know is shown as it is', () => {
  const request = { method: 'POST', url: 'https://x.example', headers: {}, body: '{"another":"form"}' };
  for (const type of PROVIDER_TYPES) {
    const [sketch] = sketchesOf(type, { event: 'incident_opened', silence: null, mail: null, requests: [request] });
    assert.ok(sketch, type);
  }
  const [sketch] = sketchesOf('teams', { event: 'incident_opened', silence: null, mail: null, requests: [request] });
  assert.equal(sketch?.blocks, [{ is: 'code', text: '{\n  "another": "form"\n}' }]);
});
drawings('Markdown is read as the services read it', () => {
  assert.equal(markdown('a **b\\*c** `d` [e](https://x) \\_f'), [
    { text: 'a ' },
    { text: 'b*c', style: 'strong' },
    { text: ' ' },
    { text: 'd', style: 'code' },
    { text: ' ' },
    { text: 'e', style: 'link' },
    { text: ' _f' },
  ]);
  assert.equal(markdownBlocks('```\nx **y**\n```'), [{ is: 'code', text: 'x **y**' }]);
});

for (const one of [forms, selectors, quiet, drawings]) one.run();

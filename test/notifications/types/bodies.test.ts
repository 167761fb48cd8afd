import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { mailOf } from '../../../src/notifications/types/email.ts';
import { SERVICES } from '../../../src/notifications/types/list.ts';
import type { Notification, Place, Target } from '../../../src/notifications/types/service.ts';
import { aNotification } from '../../support/notifications/incident.ts';
import type { HttpType } from '../../support/notifications/schemas.ts';
import { targetOf } from '../../support/notifications/targets.ts';

// What each service receives about the same small message.

const NOW = new Date('2026-03-01T10:05:01Z');
const AT = 'https://service.example/x/';
const requests = (
  type: HttpType,
  over: Partial<Notification> = {},
  { place = null, ...target }: Partial<Target> & { place?: Place | null } = {},
) =>
  SERVICES[type]
    .requests({ notification: aNotification({ news: 'Now', ...over }), target: { ...targetOf(type, AT), ...target }, place, now: NOW })
    .map(({ body, ...rest }) => ({ ...rest, body: JSON.parse(body) as Record<string, unknown> }));
const bodyOf = (...given: Parameters<typeof requests>) => requests(...given)[0]!.body as never;
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const LINK = 'https://podmend.example/failures/7';
const TITLE = '🔴 CrashLoopBackOff: Deployment/web in shop';
const TEXT = 'back-off 5m0s restarting failed container';
const LINES = `Now\n\n${TEXT}\n\nCluster: test\n\nWhy\nThe command does not exist.`;
const WITHOUT_FACTS = LINES.replace('Cluster: test\n\n', '');
const BARE = { text: '', news: '', facts: [], sections: [], link: null };

test('slack', () => {
  const words = (text: string) => ({ type: 'plain_text', text, emoji: false });
  const quiet = { unfurl_links: false, unfurl_media: false, parse: 'none', link_names: false, mrkdwn: false };
  const { headers, body } = requests('slack')[0]!;
  assert.equal(headers, { ...JSON_TYPE, authorization: 'Bearer bot-token' });
  assert.equal(body, {
    ...{ channel: '#on-call', ...quiet, text: TITLE },
    blocks: [
      { type: 'header', text: words(TITLE) },
      { type: 'section', text: words(TEXT) },
      { type: 'section', fields: [words('Cluster: test')] },
      { type: 'section', text: words('Why\nThe command does not exist.') },
      { type: 'section', text: { type: 'mrkdwn', verbatim: true, text: `<${LINK}|Open in Podmend>` } },
    ],
  });
  assert.equal((bodyOf('slack', BARE) as { blocks: object[] }).blocks, [{ type: 'header', text: words(TITLE) }]);
  const [, reply] = requests('slack', { event: 'verdict', news: 'It is Fixed.' }, { place: { ts: '1.2' } });
  assert.equal(reply?.body, { channel: '#on-call', thread_ts: '1.2', text: 'It is Fixed.', ...quiet });
  assert.equal(reply?.headers, { ...JSON_TYPE, authorization: 'Bearer bot-token' });
});

test('slack: a bot replies to what people wait for, and only changes its message otherwise', () => {
  const replies = (event: Notification['event']) => requests('slack', { event }, { place: { ts: '1.2' } }).length === 2;
  const said = ['resolved', 'verdict', 'verdict_revised', 'alert', 'finding', 'incident_updated', 'correction'] as const;
  assert.equal(said.map(replies), [true, true, true, true, true, false, false]);
});

test('slack: a webhook sends only the beginning, further findings and the end', () => {
  const sends = (event: Notification['event'], place: Place | null) =>
    requests('slack', { event }, { secret: {}, place }).map(({ url }) => url);
  assert.equal([sends('incident_opened', null), sends('finding', {}), sends('resolved', {})], [[AT], [AT], [AT]]);
  assert.equal([sends('verdict', {}), sends('alert', {})], [[], []]);
});

test('discord', () => {
  assert.equal(bodyOf('discord'), {
    embeds: [
      {
        title: '🔴 CrashLoopBackOff\\: Deployment/web in shop',
        description: `\`\`\`\n${TEXT}\n\`\`\``,
        ...{ url: LINK, color: 0xcf_22_2e, timestamp: '2026-03-01T10:05:00.000Z' },
        fields: [
          { name: 'Cluster', value: '`test`', inline: true },
          { name: 'Why', value: '```\nThe command does not exist.\n```', inline: false },
        ],
      },
    ],
    allowed_mentions: { parse: [] },
  });
  const [embed] = (bodyOf('discord', BARE) as { embeds: Record<string, unknown>[] }).embeds;
  assert.equal([embed?.['description'], embed?.['url'], embed?.['fields']], [undefined, undefined, []]);
  const fields = (length: number) =>
    (bodyOf('discord', { facts: [{ name: 'a', value: 'x'.repeat(length) }] }) as { embeds: { fields: { inline: boolean }[] }[] }).embeds[0]
      ?.fields[0]?.inline;
  assert.equal([fields(39), fields(40)], [true, false]);
});

test('teams', () => {
  const run = (text: string, style = {}) => ({ type: 'TextRun', text, ...style });
  const line = (...inlines: object[]) => ({ type: 'RichTextBlock', inlines });
  const bold = { weight: 'Bolder' };
  assert.equal(bodyOf('teams'), {
    type: 'message',
    attachments: [
      {
        ...{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null },
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          ...{ type: 'AdaptiveCard', version: '1.5', msteams: { width: 'Full' } },
          body: [
            line(run(TITLE, { size: 'Large', ...bold })),
            line(run(TEXT)),
            line(run('Cluster: ', bold), run('test')),
            line(run('Why', bold)),
            line(run('The command does not exist.')),
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'Open in Podmend', url: LINK }],
        },
      },
    ],
  });
  const [{ content }] = (bodyOf('teams', BARE) as { attachments: [{ content: { body: object[]; actions?: object } }] }).attachments;
  assert.equal([content.body.length, content.actions], [1, undefined]);
});

test('mattermost', () => {
  assert.equal(bodyOf('mattermost'), {
    text: [
      '**🔴 CrashLoopBackOff\\: Deployment/web in shop**',
      `\`\`\`\n${TEXT}\n\`\`\``,
      '```\nCluster: test\n```',
      '**Why**',
      '```\nThe command does not exist.\n```',
      `[Open in Podmend](${LINK})`,
    ].join('\n'),
    channel: 'on-call',
  });
  assert.equal(bodyOf('mattermost', BARE, { channel: undefined }), { text: '**🔴 CrashLoopBackOff\\: Deployment/web in shop**' });
  assert.match(bodyOf('mattermost', { link: 'https://a/(b)' })['text'], '(https://a/(b%29)');
});

test('google chat', () => {
  const paragraph = (text: string) => ({ textParagraph: { text } });
  const button = { buttonList: { buttons: [{ text: 'Open in Podmend', onClick: { openLink: { url: LINK } } }] } };
  const widgets = [paragraph(TEXT), paragraph('<b>Cluster</b>: test'), paragraph('<b>Why</b><br>The command does not exist.'), button];
  const cardOf = (...given: Parameters<typeof requests>) => (bodyOf(...given) as { cardsV2: [{ cardId: string; card: object }] }).cardsV2;
  assert.equal(cardOf('googlechat'), [{ cardId: 'podmend', card: { header: { title: TITLE }, sections: [{ widgets }] } }]);
  const reply = [{ cardId: 'podmend', card: { sections: [{ widgets: [paragraph('Now')] }] } }];
  assert.equal(cardOf('googlechat', {}, { place: {} }), reply);
  const [end] = cardOf('googlechat', { event: 'resolved', ...BARE }, { place: {} });
  assert.equal(end.card, {
    header: { title: TITLE.replace('🔴', '🟢') },
    sections: [{ widgets: [paragraph('CrashLoopBackOff')] }],
  });
  assert.match(requests('googlechat')[0]!.url, 'messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD');
});

test('telegram', () => {
  assert.equal(bodyOf('telegram'), {
    chat_id: '-1001',
    text: `<code>${TITLE}</code>\n<pre>${LINES}</pre>\n<a href="${LINK}">Open in Podmend</a>`,
    ...{ parse_mode: 'HTML', link_preview_options: { is_disabled: true } },
  });
  assert.is(bodyOf('telegram', BARE)['text'], `<code>${TITLE}</code>`);
});

test('pagerduty', () => {
  const about = { routing_key: 'the-integration-key', dedup_key: 'podmend/test/7' };
  assert.equal(bodyOf('pagerduty'), {
    ...{ ...about, event_action: 'trigger', client: 'Podmend', client_url: LINK, links: [{ href: LINK, text: 'Open in Podmend' }] },
    payload: {
      ...{ summary: TITLE.slice(3), source: 'test', severity: 'error', timestamp: '2026-03-01T10:05:00.000Z' },
      ...{ component: 'Deployment/web', group: 'shop', class: 'CrashLoopBackOff' },
      custom_details: { Cluster: 'test', message: WITHOUT_FACTS },
    },
  });
  assert.equal(bodyOf('pagerduty', { event: 'resolved' }), { ...about, event_action: 'resolve' });
  const severity = (event: Notification['event']) => (bodyOf('pagerduty', { event }) as { payload: { severity: string } }).payload.severity;
  assert.equal([severity('test'), severity('finding')], ['info', 'warning']);
});

for (const type of ['opsgenie', 'jsm'] as const)
  test(type, () => {
    const { headers, body } = requests(type)[0]!;
    assert.equal(headers, { ...JSON_TYPE, authorization: 'GenieKey the-integration-key' });
    assert.equal(body, {
      ...{
        message: TITLE.slice(3),
        alias: 'podmend/test/7',
        description: LINES,
        entity: 'Deployment/web',
        source: 'Podmend',
        priority: 'P3',
      },
      details: { cluster: 'test', namespace: 'shop', workload: 'Deployment/web', reason: 'CrashLoopBackOff', link: LINK },
    });
    assert.is(bodyOf(type, { event: 'test' })['priority'], 'P5');
    assert.equal(bodyOf(type, {}, { place: {} }), { source: 'Podmend', note: LINES });
    assert.equal(bodyOf(type, { event: 'resolved' }, { place: {} }), { source: 'Podmend', note: 'Now' });
  });

test('incident.io', () => {
  const { headers, body } = requests('incidentio')[0]!;
  assert.equal(headers, { ...JSON_TYPE, authorization: 'Bearer the-integration-key' });
  assert.equal(body, {
    ...{ title: TITLE.slice(3), description: LINES.replaceAll(/^/gm, '    '), deduplication_key: 'podmend/test/7', status: 'firing' },
    source_url: LINK,
    metadata: { cluster: 'test', namespace: 'shop', workload: 'Deployment/web', reason: 'CrashLoopBackOff' },
  });
});

test('alertmanager', () => {
  const { headers, url, body } = requests('alertmanager')[0]!;
  assert.equal([url, headers], ['https://service.example/x/api/v2/alerts', JSON_TYPE]);
  assert.equal(body, [
    {
      labels: {
        alertname: 'PodmendIncident',
        cluster: 'test',
        namespace: 'shop',
        workload: 'Deployment/web',
        podmend_key: 'podmend/test/7',
      },
      annotations: { summary: TITLE.slice(3), reason: 'CrashLoopBackOff', description: LINES },
      ...{ startsAt: '2026-03-01T10:00:00.000Z', endsAt: '2026-03-08T10:05:01.000Z', generatorURL: LINK },
    },
  ]);
  const authorization = (secret: Record<string, string>) => requests('alertmanager', {}, { secret })[0]!.headers['authorization'];
  assert.is(authorization({ token: 't', username: 'u', password: 'p' }), 'Bearer t');
  assert.is(authorization({ username: 'u', password: 'p' }), 'Basic dTpw');
  assert.is(authorization({ username: 'u' }), undefined);
});

test('webhook', () => {
  const { id, at, subject: _1, ...data } = aNotification({ news: 'Now' });
  const plain = requests('webhook', { subject: { incident: 7, record: 70 } })[0]!;
  assert.equal(plain.body, { type: 'podmend.incident_opened', timestamp: at, data });
  assert.equal(
    [plain.headers['webhook-id'], plain.headers['authorization'], plain.headers['content-type']],
    [id, 'Bearer bearer-token', JSON_TYPE['content-type']],
  );
  assert.match(plain.headers['webhook-signature'] ?? '', /^v1,/);
  const event = requests('webhook', { cluster: 'a b' }, { format: 'cloudevents', secret: {} })[0]!;
  assert.equal(event.body, {
    ...{ specversion: '1.0', id, source: '/podmend/a%20b', type: 'dev.podmend.incident_opened', subject: 'podmend/test/7', time: at },
    ...{ datacontenttype: 'application/json', data: { ...data, cluster: 'a b' } },
  });
  assert.equal(event.headers, {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'webhook-id': id,
    'webhook-timestamp': String(NOW.getTime() / 1000),
  });
});

test('a webhook whose secret is rotated is signed with both', () => {
  const key = (letter: string) => Buffer.from(letter.repeat(24)).toString('base64');
  const signed = (signingSecret: string) => requests('webhook', {}, { secret: { signingSecret } })[0]!.headers['webhook-signature'] ?? '';
  const both = signed(` whsec_${key('a')}  ${key('b')} `).split(' ');
  assert.equal(both, [signed(key('a')), signed(key('b'))]);
  const lacks = (signingSecret: string) => SERVICES.webhook.lacks({ ...targetOf('webhook', AT), secret: { signingSecret } }) === undefined;
  const bytes = (count: number) => Buffer.from('x'.repeat(count)).toString('base64');
  assert.equal([23, 24, 64, 65].map(bytes).map(lacks), [false, true, true, false]);
});

test('email', () => {
  const said = { notification: aNotification({ news: 'Now' }), target: targetOf('email', ''), place: null, now: NOW };
  const { text, html, subject, headers, to } = mailOf({ ...said, target: { ...said.target, channel: ' a@b.example ,,c@d.example' } });
  assert.is(subject, TITLE);
  assert.is(text, `${TITLE}\n\n${LINES}\n\n${LINK}\n`);
  assert.is(html, `<h3>${TITLE}</h3><pre>${LINES}</pre><p><a href="${LINK}">Open in Podmend</a></p>`);
  assert.equal([to, headers], ['a@b.example, c@d.example', { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }]);
  const bare = mailOf({ ...said, notification: aNotification({ link: null }) });
  assert.not.match(bare.text + bare.html, 'podmend.example/');
});

const PAUSES: [type: HttpType, pauseMs: number, canUpdate: boolean][] = [
  ['slack', 1_000, true],
  ['discord', 500, true],
  ['teams', 250, false],
  ['mattermost', 200, false],
  ['googlechat', 1_000, true],
  ['telegram', 1_000, true],
  ['pagerduty', 500, true],
  ['opsgenie', 500, true],
  ['jsm', 500, true],
  ['incidentio', 500, true],
  ['alertmanager', 0, true],
  ['webhook', 0, true],
];
for (const [type, pauseMs, canUpdate] of PAUSES)
  test(`${type} gets a message every ${pauseMs} ms at most, ${canUpdate ? 'with' : 'without'} updates`, () => {
    const service = SERVICES[type];
    assert.equal([service.pauseMs, service.canUpdate(targetOf(type, AT))], [pauseMs, canUpdate]);
  });

const CODES: Record<string, string> = {
  ...{ ratelimited: 'RateLimited', rate_limited: 'RateLimited', channel_not_found: 'NoSuchChannel', not_in_channel: 'NoSuchChannel' },
  ...{ is_archived: 'NoSuchChannel', invalid_auth: 'CredentialsRefused', not_authed: 'CredentialsRefused' },
  ...{ token_revoked: 'CredentialsRefused', token_expired: 'CredentialsRefused', account_inactive: 'CredentialsRefused' },
  ...{ missing_scope: 'CredentialsRefused', msg_too_long: 'TooLarge', msg_blocks_too_long: 'TooLarge' },
  ...{ internal_error: 'ServiceError', fatal_error: 'ServiceError', service_unavailable: 'ServiceError', whatever: 'Refused' },
};
for (const [error, reason] of Object.entries(CODES))
  test(`slack’s ${error} is ${reason}`, () => {
    const outcome = SERVICES.slack.read({ status: 200, headers: { 'retry-after': '3' }, body: JSON.stringify({ ok: false, error }) }, NOW);
    assert.equal(outcome, { ok: false, reason, detail: `HTTP 200 ${error}`, retryAfterMs: 3_000 });
  });

test.run();

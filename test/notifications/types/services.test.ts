import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mailLacks, mailOf } from '../../../src/notifications/types/email.ts';
import { SERVICES } from '../../../src/notifications/types/list.ts';
import type { NotificationEvent, Place, Target } from '../../../src/notifications/types/service.ts';
import { signature } from '../../../src/notifications/types/webhook.ts';
import { aNotification } from '../../support/notifications/incident.ts';
import type { HttpType } from '../../support/notifications/schemas.ts';
import { targetOf } from '../../support/notifications/targets.ts';

const NOW = new Date('2026-03-01T10:05:01Z');
const AT = 'https://service.example/x';
const services = suite('services');

/** The expected requests: `to` is `METHOD path`, the other fields are those of the body. */
const SENT: [says: string, type: HttpType, event: NotificationEvent, place: Place | null, expected: object[]][] = [
  ['slack opens with a message', 'slack', 'incident_opened', null, [{ to: 'POST /x/chat.postMessage', channel: '#on-call' }]],
  [
    'slack updates it in place',
    'slack',
    'incident_updated',
    { ts: '1.2', channel: 'C1' },
    [{ to: 'POST /x/chat.update', channel: 'C1', ts: '1.2' }],
  ],
  [
    'slack says a verdict in the thread too',
    'slack',
    'verdict',
    { ts: '1.2', channel: 'C1' },
    [
      { to: 'POST /x/chat.update', ts: '1.2' },
      { to: 'POST /x/chat.postMessage', thread_ts: '1.2', channel: 'C1' },
    ],
  ],
  [
    'slack says the end in the thread too',
    'slack',
    'resolved',
    { ts: '1.2', channel: 'C1' },
    [{ to: 'POST /x/chat.update' }, { to: 'POST /x/chat.postMessage', thread_ts: '1.2' }],
  ],
  ['discord waits for the id of its message', 'discord', 'incident_opened', null, [{ to: 'POST /x?wait=true' }]],
  ['discord changes that message', 'discord', 'resolved', { id: '9' }, [{ to: 'PATCH /x/messages/9' }]],
  ['telegram opens', 'telegram', 'incident_opened', null, [{ to: 'POST /x/bot123:bot-token/sendMessage', chat_id: '-1001' }]],
  [
    'telegram edits',
    'telegram',
    'verdict',
    { message: '5', chat: '-7' },
    [{ to: 'POST /x/bot123:bot-token/editMessageText', chat_id: '-7', message_id: 5 }],
  ],
  [
    'pagerduty triggers',
    'pagerduty',
    'incident_opened',
    null,
    [{ to: 'POST /x/v2/enqueue', event_action: 'trigger', dedup_key: 'podmend/test/7' }],
  ],
  ['pagerduty resolves', 'pagerduty', 'resolved', {}, [{ to: 'POST /x/v2/enqueue', event_action: 'resolve', dedup_key: 'podmend/test/7' }]],
  ['opsgenie opens by alias', 'opsgenie', 'incident_opened', null, [{ to: 'POST /x/v2/alerts', alias: 'podmend/test/7' }]],
  ['opsgenie adds a note', 'opsgenie', 'correction', {}, [{ to: 'POST /x/v2/alerts/podmend%2Ftest%2F7/notes?identifierType=alias' }]],
  ['opsgenie closes', 'opsgenie', 'resolved', {}, [{ to: 'POST /x/v2/alerts/podmend%2Ftest%2F7/close?identifierType=alias' }]],
  ['jsm opens like opsgenie', 'jsm', 'incident_opened', null, [{ to: 'POST /x/v2/alerts', alias: 'podmend/test/7' }]],
  ['incident.io fires', 'incidentio', 'incident_opened', null, [{ to: 'POST /x', status: 'firing', deduplication_key: 'podmend/test/7' }]],
  ['incident.io resolves', 'incidentio', 'resolved', {}, [{ to: 'POST /x', status: 'resolved' }]],
  ['teams posts a card', 'teams', 'incident_opened', null, [{ to: 'POST /x', type: 'message' }]],
  ['mattermost posts to a channel', 'mattermost', 'incident_opened', null, [{ to: 'POST /x', channel: 'on-call' }]],
  ['a webhook gets its event', 'webhook', 'verdict', null, [{ to: 'POST /x', type: 'podmend.verdict' }]],
];
for (const [says, type, event, place, expected] of SENT) {
  services(says, () => {
    const requests = SERVICES[type].requests({ notification: aNotification({ event }), target: targetOf(type, AT), place, now: NOW });
    const told = requests.map(({ method, url, body }, index) => {
      const fields = JSON.parse(body) as Record<string, unknown>;
      const { pathname, search } = new URL(url);
      const shown = Object.keys(expected[index] ?? {}).map((key) => [key, key === 'to' ? `${method} ${pathname}${search}` : fields[key]]);
      return Object.fromEntries(shown) as object;
    });
    assert.equal(told, expected);
  });
}

services('alertmanager keeps the labels of an alert and ends it by its end', () => {
  const alerts = (event: NotificationEvent, reason: string) => {
    const said = { notification: aNotification({ event, reason }), target: targetOf('alertmanager', AT), place: null, now: NOW };
    return JSON.parse(SERVICES.alertmanager.requests(said)[0]!.body) as { labels: object; endsAt: string }[];
  };
  const [open] = alerts('incident_opened', 'Error');
  const [over] = alerts('resolved', 'CrashLoopBackOff');
  assert.equal(open?.labels, over?.labels);
  assert.ok(Date.parse(open?.endsAt ?? '') > NOW.getTime() + 86_400_000);
  assert.is(over?.endsAt, NOW.toISOString());
});

services('google chat keeps one thread for an incident, and sends each message under its own id', () => {
  const sent = (id: string) => {
    const said = { notification: aNotification({ id }), target: targetOf('googlechat', `${AT}?key=k&token=t`), place: null, now: NOW };
    const { url, body } = SERVICES.googlechat.requests(said)[0]!;
    return { query: new URL(url).searchParams, thread: (JSON.parse(body) as { thread: object }).thread };
  };
  const [first, second, again] = [sent('a-1'), sent('a-2'), sent('a-1')];
  assert.equal(first.thread, second.thread);
  assert.is.not(first.query.get('requestId'), second.query.get('requestId'));
  assert.is(first.query.get('requestId'), again.query.get('requestId'));
  assert.equal([first.query.get('key'), first.query.get('token')], ['k', 't']);
});

services('the signature is the one that Standard Webhooks documents', () => {
  const signed = signature({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    body: '{"test": 2432232314}',
    now: new Date(1_614_265_330_000),
    signingSecret: `whsec_${['MfKQ9r8GKYqr', 'TwjUPD8ILPZIo2LaLaSw'].join('')}`,
  });
  assert.equal(signed, { 'webhook-timestamp': '1614265330', 'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=' });
});

services('a mail begins a thread, and later mails refer to it', () => {
  const target = targetOf('email', 'smtps://mail.example.com');
  const first = mailOf({ notification: aNotification(), target, place: null, now: NOW });
  const later = mailOf({ notification: aNotification({ id: 'podmend-7-2', event: 'resolved' }), target, place: {}, now: NOW });
  assert.equal([later.inReplyTo, later.references], [first.messageId, first.messageId]);
  assert.is.not(later.messageId, first.messageId);
  assert.equal([first.to, first.from, first.inReplyTo], ['team@example.com', 'podmend@example.com', undefined]);
});

/** What an answer of a service means. */
const ANSWERS: [type: HttpType, status: number, headers: Record<string, string>, body: string, expected: object][] = [
  ['slack', 200, {}, 'ok', { ok: true, state: 'delivered' }],
  ['slack', 200, {}, '{"ok":true,"ts":"1.2","channel":"C1"}', { ok: true, state: 'delivered', place: { ts: '1.2', channel: 'C1' } }],
  [
    'slack',
    200,
    {},
    '{"ok":false,"error":"channel_not_found"}',
    { ok: false, reason: 'NoSuchChannel', detail: 'HTTP 200 channel_not_found' },
  ],
  ['slack', 200, {}, '{"ok":false,"error":"invalid_auth"}', { ok: false, reason: 'CredentialsRefused', detail: 'HTTP 200 invalid_auth' }],
  ['slack', 200, {}, '<html>', { ok: false, reason: 'Refused', detail: 'HTTP 200 no answer that can be read' }],
  ['slack', 404, {}, 'no_service', { ok: false, reason: 'NoSuchChannel', detail: 'HTTP 404 no_service' }],
  ['slack', 429, { 'retry-after': '30' }, '', { ok: false, reason: 'RateLimited', detail: 'HTTP 429', retryAfterMs: 30_000 }],
  [
    'webhook',
    429,
    { 'retry-after': 'Sun, 01 Mar 2026 10:06:01 GMT' },
    '',
    { ok: false, reason: 'RateLimited', detail: 'HTTP 429', retryAfterMs: 60_000 },
  ],
  ['webhook', 503, { 'retry-after': 'soon' }, '', { ok: false, reason: 'ServiceError', detail: 'HTTP 503' }],
  ['webhook', 302, { location: 'http://10.0.0.1/' }, '', { ok: false, reason: 'Redirected', detail: 'HTTP 302' }],
  ['webhook', 413, {}, 'too\r\nlarge', { ok: false, reason: 'TooLarge', detail: 'HTTP 413 too large' }],
  ['teams', 202, {}, '', { ok: true, state: 'accepted' }],
  ['teams', 401, {}, '', { ok: false, reason: 'CredentialsRefused', detail: 'HTTP 401' }],
  ['discord', 200, {}, '{"id":"9"}', { ok: true, state: 'delivered', place: { id: '9' } }],
  [
    'discord',
    429,
    { 'retry-after': '2' },
    '{"message":"slow","retry_after":1.5}',
    { ok: false, reason: 'RateLimited', detail: 'HTTP 429 slow', retryAfterMs: 1_500 },
  ],
  [
    'telegram',
    200,
    {},
    '{"ok":true,"result":{"message_id":5,"chat":{"id":-7}}}',
    { ok: true, state: 'delivered', place: { message: '5', chat: '-7' } },
  ],
  ['telegram', 400, {}, '{"ok":false,"description":"Bad Request: message is not modified"}', { ok: true, state: 'delivered' }],
  [
    'telegram',
    400,
    {},
    '{"ok":false,"description":"Bad Request: chat not found"}',
    { ok: false, reason: 'NoSuchChannel', detail: 'HTTP 400 Bad Request: chat not found' },
  ],
  [
    'telegram',
    429,
    {},
    '{"ok":false,"description":"Too Many Requests","parameters":{"retry_after":7}}',
    { ok: false, reason: 'RateLimited', detail: 'HTTP 429 Too Many Requests', retryAfterMs: 7_000 },
  ],
  ['pagerduty', 202, {}, '{"status":"success"}', { ok: true, state: 'accepted' }],
  [
    'pagerduty',
    400,
    {},
    '{"message":"Event object is invalid","errors":["\'routing_key\' is missing"]}',
    { ok: false, reason: 'CredentialsRefused', detail: "HTTP 400 Event object is invalid: 'routing_key' is missing" },
  ],
  ['opsgenie', 202, {}, '{}', { ok: true, state: 'accepted' }],
  ['opsgenie', 422, {}, '{"message":"no"}', { ok: false, reason: 'Refused', detail: 'HTTP 422 no' }],
];
for (const [type, status, headers, body, expected] of ANSWERS) {
  services(`${type}: ${status} ${body} is ${JSON.stringify(expected)}`, () => {
    assert.equal(SERVICES[type].read({ status, headers, body }, NOW), expected);
  });
}

/** Targets, and what is said to be wrong with them. */
const LACKS: [type: HttpType, change: Partial<Target>, says: string | undefined][] = [
  ['slack', { secret: {} }, undefined],
  ['slack', { secret: {}, address: 'https://slack.com/api' }, 'the Secret needs the key address (of a webhook) or token (of a bot)'],
  ['slack', { channel: undefined }, 'spec.channel must name a channel for a bot token'],
  ['teams', { address: '' }, 'the Secret needs the key address: the address of the Workflow'],
  ['telegram', { secret: { token: '1/../2:x' } }, 'the Secret needs the key token: the token of the bot'],
  ['pagerduty', { secret: {} }, 'the Secret needs the key token: the integration key of the service'],
  ['webhook', { secret: { signingSecret: 'short' } }, 'the key signingSecret must be whsec_ and 24 to 64 bytes in base64'],
  ['webhook', { secret: {} }, undefined],
];
for (const [type, change, says] of LACKS) {
  services(`${type} with ${JSON.stringify(change)}: ${says ?? 'lacks nothing'}`, () => {
    assert.is(SERVICES[type].lacks({ ...targetOf(type, AT), ...change }), says);
  });
}
for (const [change, says] of [
  [{ address: 'https://mail.example.com' }, /smtp:\/\/ or smtps:\/\//],
  [{ secret: {} }, /the key from/],
  [{ secret: { from: 'a@b.example', username: 'a' } }, /both username and password/],
  [{ channel: 'a@b.example,\r\nBcc: c@d.example' }, /recipients/],
  [{ channel: ' , ' }, /recipients/],
] as [Partial<Target>, RegExp][]) {
  services(`email with ${JSON.stringify(change)} is refused`, () => {
    assert.match(mailLacks({ ...targetOf('email', 'smtp://mail.example.com'), ...change }) ?? '', says);
  });
}

services.run();

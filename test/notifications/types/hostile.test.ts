import { Check, Errors } from 'typebox/value';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mailLacks, mailOf } from '../../../src/notifications/types/email.ts';
import { SERVICES } from '../../../src/notifications/types/list.ts';
import type { Place, ServiceRequest } from '../../../src/notifications/types/service.ts';
import { EVIL, HOSTILE, hostileNotification, notificationOf } from '../../support/notifications/hostile.ts';
import { type HttpType, MAX_BYTES, SCHEMAS } from '../../support/notifications/schemas.ts';
import { targetOf } from '../../support/notifications/targets.ts';
import { longOr } from '../../support/runner/long.ts';

// Thousands of incidents in which every text is hostile. The service must accept each payload, and no payload may contain an injected
// mention or link.

/** For each service. The short form makes 10,400 in all. */
const INCIDENTS = longOr(10_000, 800);
const NOW = new Date('2026-03-01T10:05:01Z');
const ADDRESS = 'https://service.example/hook/T0/B0';
const PLACES: Partial<Record<HttpType, Place>> = {
  slack: { ts: '1.2', channel: 'C1' },
  discord: { id: '9' },
  telegram: { message: '5', chat: '-1001' },
};

interface Card {
  [key: string]: unknown;
}
const bodyOf = ({ body }: ServiceRequest): Card => JSON.parse(body) as Card;

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

const LINK = /https?:\/\/(?!podmend\.example)/i;
/** Removes what Markdown shows literally: code blocks, code spans and escaped characters. */
const bareMarkdown = (text: string): string => text.replaceAll(/\\[!-/:-@[-`{-~]|^```\n[^`]*\n```$|`[^`\n]*`/gm, '');
/** Invisible characters that can hide a text, except for line breaks, tabs and the mark that Podmend inserts. */
const UNSEEN = /(?![\n\t])\p{Cc}|[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2061-\u206f\ufeff\u{e0000}-\u{e007f}]|\p{Cs}/u;
/** The texts with a link, a mention or a tag in any markup. The service hands these texts on to others. */
const handedOn = (value: unknown): string[] =>
  textsOf(value).filter(
    (text) => LINK.test(text) || /<[^\s\u2060…]|@[^\s\u2060…]|\]\(|(?<![a-z])(www|mailto|tel|sip|xmpp)[.:]/i.test(text),
  );
const isClean = (text: string): boolean => !LINK.test(text) && !text.includes('`') && !/[@<[\]](?![\u2060…])/.test(text);

/** What each service would interpret as more than text. Empty: nothing. */
const SMUGGLED: Record<HttpType, (request: ServiceRequest) => string[]> = {
  // Slack shows plain_text literally. In the text for notifications, it interprets entities and angle brackets.
  slack(request) {
    const { text, blocks } = bodyOf(request);
    const entities = /[<>]|&(?!amp;|lt;|gt;|quot;|…)/;
    return [...(entities.test(String(text)) ? [String(text)] : []), ...textsOf([text, blocks]).filter((one) => LINK.test(one))];
  },
  teams: (request) =>
    textsOf((bodyOf(request) as { attachments: { content: { body: unknown } }[] }).attachments[0]?.content.body).filter(
      (text) => text.includes('{{') || /<\/?at>/i.test(text) || LINK.test(text),
    ),
  discord(request) {
    const { embeds } = bodyOf(request) as { embeds: { title: string; description?: string; fields: { name: string; value: string }[] }[] };
    const texts = embeds.flatMap(({ title, description = '', fields }) => [
      title,
      description,
      ...fields.flatMap(({ name, value }) => [name, value]),
    ]);
    return texts.map(bareMarkdown).filter((text) => !isClean(text));
  },
  mattermost(request) {
    const text = bareMarkdown(String(bodyOf(request).text)).replace('[Open in Podmend](https://podmend.example/failures/7)', '');
    return isClean(text) ? [] : [text];
  },
  googlechat: (request) =>
    textsOf(bodyOf(request).cardsV2)
      .filter((text) => !text.startsWith('https://podmend.example/'))
      .filter((text) => LINK.test(text) || (text.includes('<br>') && /<(?!b>|\/b>|br>)/.test(text))),
  telegram(request) {
    const text = String(bodyOf(request).text).replace(/\n<a href="https:\/\/podmend\.example\/failures\/7">Open in Podmend<\/a>$/, '');
    const whole = /^<code>[^<>]*<\/code>(\n<pre>[^<>]*<\/pre>)?$/.test(text);
    return whole ? [] : [text];
  },
  pagerduty: (request) => handedOn((bodyOf(request) as { payload?: unknown }).payload),
  opsgenie: (request) => handedOn({ ...bodyOf(request), details: withoutLink(bodyOf(request)) }),
  jsm: (request) => handedOn({ ...bodyOf(request), details: withoutLink(bodyOf(request)) }),
  // Markdown shows indented lines as code.
  incidentio(request) {
    const { title, metadata, description } = bodyOf(request);
    return [
      ...handedOn([title, metadata]),
      ...String(description)
        .split('\n')
        .filter((line) => !line.startsWith('    ')),
    ];
  },
  alertmanager: (request) => handedOn((JSON.parse(request.body) as Card[]).map(({ labels, annotations }) => [labels, annotations])),
  // Only programs read it, so the texts need no escaping.
  webhook: () => [],
};

const withoutLink = ({ details }: Card): object => Object.fromEntries(Object.entries(details ?? {}).filter(([name]) => name !== 'link'));

/** Asserts that the service accepts the request, and that nothing is injected. */
function judge(type: HttpType, request: ServiceRequest, where: string): void {
  const body: unknown = JSON.parse(request.body);
  if (!Check(SCHEMAS[type], body)) assert.unreachable(`${where}: ${JSON.stringify([...Errors(SCHEMAS[type], body)][0])}`);
  assert.ok(Buffer.byteLength(request.body) <= MAX_BYTES[type], `${where}: ${Buffer.byteLength(request.body)} bytes`);
  assert.equal(SMUGGLED[type](request), [], where);
  assert.not.match(request.url, EVIL, where);
  assert.equal(
    textsOf(body).filter((text) => UNSEEN.test(text)),
    [],
    where,
  );
  assert.ok(
    Object.values(request.headers).every((value) => !/[^\u0020-\u007e]/.test(value)),
    where,
  );
}

const hostile = suite('hostile incidents');

for (const [type, service] of Object.entries(SERVICES) as [HttpType, (typeof SERVICES)[HttpType]][]) {
  hostile(`${type}: ${INCIDENTS} payloads keep to the schema and the limits, and smuggle nothing in`, () => {
    const target = targetOf(type, ADDRESS);
    assert.is(service.lacks(target), undefined);
    for (let seed = 0; seed < INCIDENTS; seed++) {
      const notification = hostileNotification(seed);
      const place = seed % 3 === 0 ? (PLACES[type] ?? {}) : null;
      const format = type === 'webhook' && seed % 2 === 0 ? ('cloudevents' as const) : undefined;
      for (const request of service.requests({ notification, target: { ...target, format }, place, now: NOW }))
        judge(type, request, `seed ${seed} (${notification.event})`);
    }
  });
}

for (const [type, service] of Object.entries(SERVICES) as [HttpType, (typeof SERVICES)[HttpType]][]) {
  const own = [...HOSTILE[type === 'jsm' ? 'opsgenie' : type], ...HOSTILE.any];
  hostile(`${type}: ${own.length} texts in its own language, in every field, are only texts`, () => {
    for (const text of own)
      for (const event of ['incident_opened', 'verdict', 'resolved'] as const)
        for (const place of [null, PLACES[type] ?? {}])
          for (const request of service.requests({
            notification: notificationOf(text, event),
            target: targetOf(type, ADDRESS),
            place,
            now: NOW,
          }))
            judge(type, request, `${JSON.stringify(text)}, ${event}`);
  });
}

hostile('discord: the texts of an embed have at most 6,000 characters together', () => {
  const target = targetOf('discord', ADDRESS);
  for (let seed = 0; seed < INCIDENTS; seed++) {
    const [request] = SERVICES.discord.requests({ notification: hostileNotification(seed), target, place: null, now: NOW });
    const { embeds } = bodyOf(request!) as { embeds: Card[] };
    const [{ title, description, fields }] = embeds as [Card];
    const total = textsOf([title, description, fields]).reduce((sum, text) => sum + text.length, 0);
    assert.ok(total <= 6_000, `seed ${seed}: ${total}`);
  }
});

hostile('telegram: the text has at most 4,096 characters once it is read', () => {
  const target = targetOf('telegram', 'https://api.telegram.org');
  for (let seed = 0; seed < INCIDENTS; seed++) {
    const [request] = SERVICES.telegram.requests({ notification: hostileNotification(seed), target, place: null, now: NOW });
    const read = String(bodyOf(request!).text)
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/&(amp|lt|gt|quot);/g, '&');
    assert.ok(read.length <= 4_096, `seed ${seed}: ${read.length}`);
  }
});

hostile(`email: mails have one line of subject, no header of others and no link of others`, () => {
  const target = targetOf('email', 'smtp://mail.example.com');
  assert.is(mailLacks(target), undefined);
  const given = [
    ...Array.from({ length: INCIDENTS }, (_, seed) => hostileNotification(seed)),
    ...[...HOSTILE.email, ...HOSTILE.any].map((text) => notificationOf(text, 'incident_opened')),
  ];
  for (const [index, notification] of given.entries()) {
    const mail = mailOf({ notification, target, place: index % 2 ? {} : null, now: NOW });
    const where = `mail ${index}`;
    assert.not.match(mail.subject, /[\r\n\u2028\u2029]/, where);
    assert.ok(mail.subject.length <= 201, where);
    assert.not.match(mail.text, LINK, where);
    assert.not.match(mail.text, /(?<![a-z])mailto:|@[^\s\u2060…]/i, where);
    assert.equal([mail.from, mail.to], ['podmend@example.com', 'team@example.com'], where);
    for (const header of [mail.messageId, mail.references ?? '', ...Object.values(mail.headers)]) assert.match(header, /^[ -~]*$/, where);
    assert.not.ok(
      [mail.subject, mail.text, mail.html].some((text) => UNSEEN.test(text)),
      where,
    );
    const html = mail.html.replaceAll(/<\/?(h3|pre|p)>|<a href="https:\/\/podmend\.example\/failures\/7">|<\/a>/g, '');
    assert.not.match(html, /[<>]/, where);
  }
});

hostile.run();

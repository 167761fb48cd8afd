import { Check, Errors } from 'typebox/value';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mailLacks, mailOf } from '../../../src/notifications/types/email.ts';
import { SERVICES } from '../../../src/notifications/types/list.ts';
import type { Place, ServiceRequest } from '../../../src/notifications/types/service.ts';
import { EVIL, hostileNotification } from '../../support/notifications/hostile.ts';
import { type HttpType, MAX_BYTES, SCHEMAS } from '../../support/notifications/schemas.ts';
import { targetOf } from '../../support/notifications/targets.ts';

// Thousands of incidents whose every text is hostile: no payload that the service would refuse, no mention and no link in it.

const INCIDENTS = 500;
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

/** Every text in a value. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

const LINK = /https?:\/\/(?!podmend\.example)/i;
/** Markdown without what is shown as it is: blocks, spans and escaped characters, in the order in which they stand. */
const bareMarkdown = (text: string): string => text.replaceAll(/\\[!-/:-@[-`{-~]|^```\n[^`]*\n```$|`[^`\n]*`/gm, '');
const isClean = (text: string): boolean => !LINK.test(text) && !text.includes('`') && !/[@<[\]](?![\u2060…])/.test(text);

/** What each service would read as more than text; empty when nothing. */
const SMUGGLED: Record<HttpType, (request: ServiceRequest) => string[]> = {
  // plain_text shows everything as it is; the text of notifications reads entities and angle brackets.
  slack: (request) =>
    [String(bodyOf(request).text)].filter((text) => /[<>]/.test(text) || /&(?!amp;|lt;|gt;|quot;|…)/.test(text) || LINK.test(text)),
  teams: (request) => textsOf(bodyOf(request)).filter((text) => text.includes('{{') || /<\/?at>/i.test(text)),
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
  pagerduty: (request) => textsOf((bodyOf(request) as { links?: unknown }).links).filter((text) => text.includes(EVIL)),
  opsgenie: ({ url }) => (url.includes(EVIL) ? [url] : []),
  jsm: ({ url }) => (url.includes(EVIL) ? [url] : []),
  // Indented lines are code in Markdown.
  incidentio: (request) =>
    String(bodyOf(request).description)
      .split('\n')
      .filter((line) => !line.startsWith('    ')),
  alertmanager: (request) =>
    textsOf((JSON.parse(request.body) as Card[]).map(({ generatorURL }) => generatorURL)).filter((text) => text.includes(EVIL)),
  webhook: () => [],
};

const hostile = suite('hostile incidents');

for (const [type, service] of Object.entries(SERVICES) as [HttpType, (typeof SERVICES)[HttpType]][]) {
  hostile(`${type}: ${INCIDENTS} payloads keep to the schema and the limits, and smuggle nothing in`, () => {
    const target = targetOf(type, ADDRESS);
    assert.is(service.lacks(target), undefined);
    for (let seed = 0; seed < INCIDENTS; seed++) {
      const notification = hostileNotification(seed);
      const place = seed % 3 === 0 ? (PLACES[type] ?? {}) : null;
      const format = type === 'webhook' && seed % 2 === 0 ? ('cloudevents' as const) : undefined;
      for (const request of service.requests({ notification, target: { ...target, format }, place, now: NOW })) {
        const where = `seed ${seed} (${notification.event})`;
        const body: unknown = JSON.parse(request.body);
        if (!Check(SCHEMAS[type], body)) assert.unreachable(`${where}: ${JSON.stringify([...Errors(SCHEMAS[type], body)][0])}`);
        assert.ok(Buffer.byteLength(request.body) <= MAX_BYTES[type], `${where}: ${Buffer.byteLength(request.body)} bytes`);
        assert.equal(SMUGGLED[type](request), [], where);
        assert.not.match(request.url, EVIL, where);
        assert.not.match(request.body, /[\u202a-\u202e\u2066-\u2069]|\\u00[01][0-8]/, where);
        assert.ok(
          Object.values(request.headers).every((value) => !/[\r\n]/.test(value)),
          where,
        );
      }
    }
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

hostile(`email: ${INCIDENTS} mails have one line of subject, no header of others and no link of others`, () => {
  const target = targetOf('email', 'smtp://mail.example.com');
  assert.is(mailLacks(target), undefined);
  for (let seed = 0; seed < INCIDENTS; seed++) {
    const mail = mailOf({ notification: hostileNotification(seed), target, place: seed % 2 ? {} : null, now: NOW });
    assert.not.match(mail.subject, /[\r\n]/, `seed ${seed}`);
    assert.ok(mail.subject.length <= 201, `seed ${seed}`);
    assert.not.match(mail.text, LINK, `seed ${seed}`);
    assert.not.match(
      mail.html.replaceAll(/<\/?(h3|pre|p)>|<a href="https:\/\/podmend\.example\/failures\/7">|<\/a>/g, ''),
      /[<>]/,
      `seed ${seed}`,
    );
  }
});

hostile.run();

import type { Notification, NotificationEvent } from '../../../src/notifications/types/service.ts';
import { type Random, random } from '../builders/random.ts';

/** Where a link that somebody smuggles in would lead to. */
export const EVIL = 'evil.example';

/** What services read as a link, a mention, a command, or the end of what surrounds it. */
const ATTACKS = [
  `https://${EVIL}/x`,
  `http://${EVIL}`,
  `[click](https://${EVIL})`,
  `![](https://${EVIL}/pixel.png)`,
  `<https://${EVIL}|click>`,
  `<a href="https://${EVIL}">click</a>`,
  `[x]: https://${EVIL}`,
  `<https://${EVIL}>`,
  `www.${EVIL}`,
  `mailto:a@${EVIL}`,
  '@here',
  '@channel',
  '@everyone',
  '@all',
  '<!channel>',
  '<!here>',
  '<@U012AB3CD>',
  '<@&123456789012345678>',
  '<#C024BE7LR>',
  '<users/all>',
  '<at>everyone</at>',
  '{{DATE(2030-01-01T00:00:00Z)}}',
  '```',
  '`',
  '\\`',
  '**bold**',
  '\\',
  '</pre>',
  '</code>',
  '&lt;!channel&gt;',
  '&',
  '"',
  '\r\nBcc: a@b.example\r\n\r\n',
  '\u202Eevil\u202C',
  '\u0000\u0007\u001B[31m',
  '\uD800',
  '👩‍👩‍👧‍👦',
  'ﷺ',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢',
  '\n\n\n',
  '/start',
  '#hashtag',
  ':smile:',
  '~town-square',
  '||spoiler||',
];
const EVENTS: NotificationEvent[] = ['incident_opened', 'incident_updated', 'correction', 'verdict', 'verdict_revised', 'resolved', 'test'];

function hostileText(chance: Random, max: number): string {
  const pieces = Array.from({ length: chance.integer(12) }, () => (chance.chance(0.8) ? chance.pick(ATTACKS) : 'word '));
  const text = pieces.join(chance.pick(['', ' ', '\n', '/']));
  return chance.chance(0.2) ? text.repeat(1 + chance.integer(Math.ceil(max / (text.length + 1)))) : text;
}

/** An incident of which every text is from somebody hostile: long, odd, empty. The same for the same seed. */
export function hostileNotification(seed: number): Notification {
  const chance = random(seed);
  const text = (max: number) => hostileText(chance, max);
  return {
    id: `podmend-${seed}-1`,
    key: `podmend/test/${seed}`,
    event: chance.pick(EVENTS),
    title: text(3_000),
    text: text(40_000),
    news: text(3_000),
    facts: Array.from({ length: chance.integer(30) }, () => ({ name: text(500), value: text(5_000) })),
    sections: Array.from({ length: chance.integer(12) }, () => ({ title: text(500), text: text(60_000) })),
    link: chance.chance(0.5) ? 'https://podmend.example/failures/7' : null,
    cluster: text(300),
    namespace: text(300),
    workload: text(300),
    reason: text(300),
    startedAt: '2026-03-01T10:00:00.000Z',
    at: '2026-03-01T10:05:00.000Z',
  };
}

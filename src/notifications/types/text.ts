import type { Notification } from './service.ts';

/** An invisible character. It is inserted where a service would otherwise detect a link or a mention. */
const JOINER = '\u2060';

// Control, direction and invisible characters, which could hide text. The joiners that scripts and emoji need are kept.
const UNWANTED =
  /(?![\n\t])\p{Cc}|[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** Texts are cut to this length. */
const LONGEST = 8_000;

/** Text that every service can store: well-formed, with `\n` and tab as the only control characters. */
export function plain(text: string): string {
  return text.slice(0, LONGEST).toWellFormed().replaceAll('\r\n', '\n').replaceAll(UNWANTED, '\ufffd');
}

export const oneLine = (text: string): string => plain(text).replaceAll(/\s+/g, ' ').trim();

/** Cuts text to at most `max` UTF-16 units of its encoded form, at whole characters. Cut text ends with `…`. */
export function clipped(text: string, max: number, encode: (character: string) => string = (character) => character): string {
  let out = '';
  /** The longest part that leaves room for the ellipsis. */
  let short = '';
  for (const character of text) {
    out += encode(character);
    if (out.length < max) short = out;
    if (out.length > max) return `${short}…`;
  }
  return out;
}

/** Text in which clients detect no link. It reads the same. */
export function withoutLinks(text: string): string {
  return text.replaceAll(/:(?=\/\/)/g, `:${JOINER}`).replaceAll(/(?<![a-z])(www|mailto|tel|xmpp|sip)(?=[.:])/gi, `$1${JOINER}`);
}

/** Text in which clients detect no link, mention or command. It reads the same. */
export const unlinked = (text: string): string => withoutLinks(text).replaceAll(/@(?=\S)/g, `@${JOINER}`);

/** Like `unlinked`, for services that pass texts on to other programs, which may interpret markup. */
export const inert = (text: string): string =>
  unlinked(text)
    .replaceAll(/<(?=\S)/g, `<${JOINER}`)
    .replaceAll('](', `]${JOINER}(`);

/** Applies a function to every text of a message. */
export function mapTexts(notification: Notification, change: (text: string) => string): Notification {
  const { title, text, news, facts, sections } = notification;
  return {
    ...notification,
    title: change(title),
    text: change(text),
    news: change(news),
    facts: facts.map(({ name, value }) => ({ name: change(name), value: change(value) })),
    sections: sections.map((section) => ({ title: change(section.title), text: change(section.text) })),
    cluster: change(notification.cluster),
    namespace: change(notification.namespace),
    workload: change(notification.workload),
    reason: change(notification.reason),
  };
}

/** Escapes characters for the HTML subsets of chats. */
export const HTML = (character: string): string =>
  character === '&' ? '&amp;' : character === '<' ? '&lt;' : character === '>' ? '&gt;' : character === '"' ? '&quot;' : character;

/** A text for HTML. */
export const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, HTML);

/** Escapes Markdown's special characters with a backslash. */
export const MARKDOWN = (character: string): string => (/[\\`*_{}[\]()#+\-!|<>~:&.]/.test(character) ? `\\${character}` : character);

/** A fenced block of Markdown with at most `max` characters. Backticks become apostrophes, so that nothing in it can end the block. */
export function codeBlock(text: string, max: number, encode?: (character: string) => string): string {
  return `\`\`\`\n${clipped(text.replaceAll('`', "'"), max - 8, encode)}\n\`\`\``;
}

const CAPS = { title: 200, text: 2_000, news: 300, facts: 10, fact: 300, sections: 5, section: 6_000 };
const SHARES = [1, 0.5, 0.25, 0.1, 0];

/** Shortens the texts of a message. Share 1 keeps as much as any service takes; share 0 keeps only the name of the incident. */
export function shortened(notification: Notification, share: number): Notification {
  const part = (max: number, least = 0): number => Math.max(least, Math.floor(max * share));
  const { facts, sections } = notification;
  return {
    ...notification,
    title: clipped(oneLine(notification.title), CAPS.title) || 'Failure',
    text: clipped(plain(notification.text).trim(), part(CAPS.text, 200)),
    news: clipped(oneLine(notification.news), CAPS.news),
    facts: facts.slice(0, CAPS.facts).map(({ name, value }) => ({
      name: clipped(oneLine(name), 60) || '-',
      value: clipped(oneLine(value), part(CAPS.fact, 80)) || '-',
    })),
    sections: sections.slice(0, Math.ceil(CAPS.sections * share)).map(({ title, text }) => ({
      title: clipped(oneLine(title), 100) || '-',
      text: clipped(plain(text).trim(), part(CAPS.section)) || '-',
    })),
    cluster: clipped(oneLine(notification.cluster), 100) || '-',
    namespace: clipped(oneLine(notification.namespace), 100) || '-',
    workload: clipped(oneLine(notification.workload), 200) || '-',
    reason: clipped(oneLine(notification.reason), 100) || '-',
  };
}

/** The longest body that is not larger than `maxBytes` of UTF-8. */
export function fitted(notification: Notification, maxBytes: number, build: (notification: Notification) => unknown): string {
  let body = '';
  const whole = shortened(notification, 1);
  for (const share of SHARES) {
    body = JSON.stringify(build(share === 1 ? whole : shortened(whole, share)));
    if (Buffer.byteLength(body) <= maxBytes) return body;
  }
  return body;
}

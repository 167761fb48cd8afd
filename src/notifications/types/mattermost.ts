import { JSON_TYPE, read } from './answers.ts';
import type { Notification, Service } from './service.ts';
import { clipped, codeBlock, fitted, MARKDOWN, unlinked } from './text.ts';
import { headOf } from './words.ts';

/** A post has at most 16,383 characters. */
const MAX_BYTES = 16_000;

/** Mattermost, by incoming webhook. Its messages cannot be changed later. */
export const mattermost: Service = {
  pauseMs: 200,
  canUpdate: () => false,
  lacks: ({ address }) => (address === '' ? 'the Secret needs the key address: the address of the webhook' : undefined),
  requests: ({ notification, target }) => {
    const { channel } = target;
    const body = fitted(notification, MAX_BYTES, (said) => ({ text: textOf(said), ...(channel && { channel }) }));
    return [{ method: 'POST', url: target.address, headers: { ...JSON_TYPE }, body }];
  },
  read,
};

function textOf(said: Notification): string {
  const facts = said.facts.map(({ name, value }) => `${name}: ${value}`).join('\n');
  const block = (text: string) => (text === '' ? [] : [codeBlock(text, 6_000)]);
  return [
    `**${clipped(unlinked(headOf(said)), 600, MARKDOWN)}**`,
    ...block(said.text),
    ...block(facts),
    ...said.sections.flatMap(({ title, text }) => [`**${clipped(unlinked(title), 300, MARKDOWN)}**`, codeBlock(text, 6_000)]),
    ...(said.link ? [`[Open in Podmend](${said.link.replaceAll(')', '%29')})`] : []),
  ].join('\n');
}

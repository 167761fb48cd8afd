import { detailOf, JSON_TYPE, objectOf, read } from './answers.ts';
import type { Notification, Service } from './service.ts';
import { clipped, codeBlock, fitted, MARKDOWN, unlinked } from './text.ts';
import { colourOf, headOf } from './words.ts';

/** The limit for all texts of the embeds together. The body is larger because of its JSON. */
const MAX_TEXT = 6_000;
const MAX_BYTES = 20_000;

/** Discord, by the address of a webhook. Messages are edited in place. */
export const discord: Service = {
  pauseMs: 500,
  canUpdate: () => true,
  lacks: ({ address }) => (address === '' ? 'the Secret needs the key address: the address of the webhook' : undefined),
  requests: ({ notification, target, place }) => {
    const url = new URL(target.address);
    if (place?.id) url.pathname = `${url.pathname.replace(/\/+$/, '')}/messages/${encodeURIComponent(place.id)}`;
    else url.searchParams.set('wait', 'true');
    const body = fitted(notification, MAX_BYTES, message);
    return [{ method: place?.id ? 'PATCH' : 'POST', url: url.href, headers: { ...JSON_TYPE }, body }];
  },
  read(answer, now) {
    const outcome = read(answer, now);
    const { id, message: said, retry_after: wait } = objectOf(answer.body);
    if (outcome.ok) return typeof id === 'string' ? { ...outcome, place: { id } } : outcome;
    const detail = typeof said === 'string' ? detailOf(answer.status, said) : outcome.detail;
    return { ...outcome, detail, ...(typeof wait === 'number' && { retryAfterMs: wait * 1000 }) };
  },
};

function message(said: Notification): object {
  const title = clipped(unlinked(headOf(said)), 250, MARKDOWN);
  const description = said.text === '' ? '' : codeBlock(said.text, 1_800);
  const facts = said.facts.map(({ name, value }) => ({
    name: clipped(unlinked(name), 100, MARKDOWN),
    value: `\`${clipped(value.replaceAll('`', "'"), 300)}\``,
    inline: value.length < 40,
  }));
  let left =
    MAX_TEXT - 200 - title.length - description.length - facts.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  const sections = said.sections.flatMap((section) => {
    const name = clipped(unlinked(section.title), 100, MARKDOWN);
    const max = Math.min(1_024, left - name.length);
    if (max < 100) return [];
    const value = codeBlock(section.text, max);
    left -= name.length + value.length;
    return [{ name, value, inline: false }];
  });
  const embed = {
    title,
    ...(description && { description }),
    ...(said.link && { url: said.link }),
    color: colourOf(said),
    timestamp: said.at,
    fields: [...facts, ...sections],
  };
  return { embeds: [embed], allowed_mentions: { parse: [] } };
}

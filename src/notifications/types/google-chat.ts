import { hash } from 'node:crypto';
import { detailOf, isResolved, JSON_TYPE, objectOf, read } from './answers.ts';
import type { Notification, Service } from './service.ts';
import { clipped, fitted, HTML, inert, unlinked } from './text.ts';
import { headOf } from './words.ts';

/** A message has at most 32,000 bytes. */
const MAX_BYTES = 30_000;

/** Google Chat, by the address of a webhook. Later messages are replies in the thread of the first one. */
export const googleChat: Service = {
  pauseMs: 1_000,
  canUpdate: () => true,
  lacks: ({ address }) => (address === '' ? 'the Secret needs the key address: the address of the webhook' : undefined),
  requests: ({ notification, target, place }) => {
    const url = new URL(target.address);
    const threadKey = `podmend-${hash('sha256', notification.key).slice(0, 32)}`;
    url.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD');
    // The service accepts a request id only once.
    url.searchParams.set('requestId', hash('sha256', notification.id).slice(0, 32));
    const isReply = place !== null && !isResolved(notification);
    const body = fitted(notification, MAX_BYTES, (said) => ({ ...(isReply ? reply(said) : card(said)), thread: { threadKey } }));
    return [{ method: 'POST', url: url.href, headers: { ...JSON_TYPE }, body }];
  },
  read(answer, now) {
    const outcome = read(answer, now);
    if (!outcome.ok) {
      const { error } = objectOf(answer.body);
      const said = typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : answer.body;
      return { ...outcome, detail: detailOf(answer.status, said) };
    }
    return outcome;
  },
};

const html = (text: string, max: number): string =>
  clipped(unlinked(text), max, (character) => (character === '\n' ? '<br>' : HTML(character)));
const paragraph = (text: string) => ({ textParagraph: { text } });

/** The message as a card, because `<users/all>` does not mention anybody in a card. */
function card(said: Notification): object {
  const facts = said.facts.map(({ name, value }) => `<b>${html(name, 200)}</b>: ${html(value, 1_500)}`).join('<br>');
  const widgets = [
    ...(said.text === '' ? [] : [paragraph(html(said.text, 8_000))]),
    ...(facts === '' ? [] : [paragraph(facts)]),
    ...said.sections.map(({ title, text }) => paragraph(`<b>${html(title, 400)}</b><br>${html(text, 12_000)}`)),
    ...(said.link ? [{ buttonList: { buttons: [{ text: 'Open in Podmend', onClick: { openLink: { url: said.link } } }] } }] : []),
  ];
  const sections = widgets.length > 0 ? [{ widgets }] : [{ widgets: [paragraph(html(said.reason, 400))] }];
  return { cardsV2: [{ cardId: 'podmend', card: { header: { title: clipped(inert(headOf(said)), 200) }, sections } }] };
}

function reply(said: Notification): object {
  const widgets = [paragraph(html(said.news || said.title, 2_000))];
  return { cardsV2: [{ cardId: 'podmend', card: { sections: [{ widgets }] } }] };
}

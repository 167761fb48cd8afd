import { JSON_TYPE, read } from './answers.ts';
import type { Notification, Service, Target } from './service.ts';
import { fitted, withoutLinks } from './text.ts';
import { headOf } from './words.ts';

/** Teams accepts 28 KB, but some senders report refusals from 21 KB on. */
const MAX_BYTES = 20_000;

/**
 * Microsoft Teams, by the address of a Workflow ("Post to a channel when a webhook request is received"). It answers 202 before it posts,
 * so a message is only `accepted`. Messages cannot be changed later.
 */
export const teams: Service = {
  pauseMs: 250,
  canUpdate: () => false,
  lacks: ({ address }) => (address === '' ? 'the Secret needs the key address: the address of the Workflow' : undefined),
  requests: ({ notification, target }) => [
    {
      method: 'POST',
      url: target.address,
      headers: { ...JSON_TYPE },
      body: fitted(notification, MAX_BYTES, (said) => message(said, target)),
    },
  ],
  read(answer, now) {
    const outcome = read(answer, now);
    return outcome.ok ? { ok: true, state: 'accepted' } : outcome;
  },
};

function message(said: Notification, { secret }: Target): object {
  // Teams signs requests to outgoing webhooks, but not presses of buttons.
  const hint = secret.signingSecret && said.subject ? [`To act, mention the outgoing webhook: acknowledge #${said.subject.record}`] : [];
  return teamsCard(
    [
      line([run(headOf(said), { size: 'Large', weight: 'Bolder' })]),
      ...(said.text === '' ? [] : [line([run(said.text)])]),
      ...said.facts.map(({ name, value }) => line([run(`${name}: `, { weight: 'Bolder' }), run(value)])),
      ...said.sections.flatMap(({ title, text }) => [line([run(title, { weight: 'Bolder' })]), line([run(text)])]),
      ...hint.map((text) => line([run(text)])),
    ],
    said.link,
  );
}

/** A message with one Adaptive Card: its body, and the button that opens the link. */
export function teamsCard(body: object[], link: string | null): object {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.5',
    msteams: { width: 'Full' },
    body,
    ...(link && { actions: [{ type: 'Action.OpenUrl', title: 'Open in Podmend', url: link }] }),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

/** A line of text. It is a RichTextBlock, because a TextBlock would interpret the text as Markdown. */
export const line = (inlines: object[]) => ({ type: 'RichTextBlock', inlines });
/** A piece of text without braces and `<at>`: braces would start a function of the card's template language, and `<at>` a mention. */
export const run = (text: string, style: object = {}) => ({
  type: 'TextRun',
  text: withoutLinks(text)
    .replaceAll(/\{(?=\{)/g, '{\u2060')
    .replaceAll(/<(?=\/?at>)/gi, '<\u2060'),
  ...style,
});

import { hash } from 'node:crypto';
import type { Said, Target } from './service.ts';
import { clipped, escaped, oneLine, shortened, unlinked } from './text.ts';
import { headOf, linesOf } from './words.ts';

/** A mail, ready to be sent. Mails about one incident form a thread by `references`. */
export interface Mail {
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  inReplyTo?: string;
  references?: string;
  headers: Record<string, string>;
}

const ADDRESS = /^[^\s@<>,;"]+@[^\s@<>,;"]+$/;

/**
 * What an `email` provider lacks, as a sentence. It needs `address` (smtp:// or smtps://) and `from` in the Secret, and recipients in
 * `spec.channel`.
 */
export function mailLacks({ address, channel, secret }: Target): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '')
    return 'the Secret needs the key address: smtp:// or smtps:// with the name of the mail server';
  if (!ADDRESS.test(secret.from ?? '')) return 'the Secret needs the key from: the address of the sender';
  if (Boolean(secret.username) !== Boolean(secret.password)) return 'the Secret needs both username and password, or neither';
  const recipients = recipientsOf(channel);
  return recipients.length > 0 && recipients.every((one) => ADDRESS.test(one))
    ? undefined
    : 'spec.channel must have the addresses of the recipients, separated by commas';
}

const recipientsOf = (channel = ''): string[] =>
  channel
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** Writes the mail for a message. */
export function mailOf({ notification, target, place }: Said): Mail {
  const said = shortened(notification, 1);
  const subject = clipped(unlinked(oneLine(headOf(said))), 200);
  const body = unlinked(linesOf(said));
  const domain = target.secret.from?.split('@')[1] ?? 'podmend.invalid';
  const thread = `<${hash('sha256', said.key).slice(0, 32)}@${domain}>`;
  const own = place === null ? thread : `<${hash('sha256', said.id).slice(0, 32)}@${domain}>`;
  const link = said.link ? `\n\n${said.link}` : '';
  const shown = said.link ? `<p><a href="${escaped(said.link)}">Open in Podmend</a></p>` : '';
  return {
    from: target.secret.from ?? '',
    to: recipientsOf(target.channel).join(', '),
    subject,
    text: `${unlinked(headOf(said))}\n\n${body}${link}\n`,
    html: `<h3>${escaped(unlinked(headOf(said)))}</h3><pre>${escaped(body)}</pre>${shown}`,
    messageId: own,
    ...(place === null ? {} : { inReplyTo: thread, references: thread }),
    // These headers ask mail servers not to send automatic replies.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
}

import type { ChatSubject } from '../../contract/chat.ts';
import { slackButtons } from '../../notifications/types/slack.ts';
import { line, run, teamsCard } from '../../notifications/types/teams.ts';
import { clipped, HTML, plain, unlinked } from '../../notifications/types/text.ts';
import { maskText } from '../../redact/text.ts';

/** An answer in a chat, as text without markup. */
export interface ChatMessage {
  title: string;
  /** Paragraphs. */
  lines: string[];
  /** Shown in a fixed width, as it is. */
  code?: { title: string; text: string };
  link?: string | null;
  /** What buttons below it act on. */
  subject?: ChatSubject;
}

const MAX = { title: 300, line: 2_500, lines: 8, code: 2_800 };

/** The message with its secrets masked and every text cut. */
export function fitted({ title, lines, code, ...rest }: ChatMessage): ChatMessage {
  return {
    ...rest,
    title: clipped(plain(maskText(title)).replaceAll(/\s+/g, ' ').trim(), MAX.title) || '-',
    lines: lines.slice(0, MAX.lines).map((text) => clipped(plain(maskText(text)).trim(), MAX.line) || '-'),
    ...(code && { code: { title: code.title, text: clipped(plain(code.text), MAX.code) || '-' } }),
  };
}

/** The last lines of a text that fit into one message, and the number of lines that were cut. */
export function tailOf(text: string): { text: string; cut: number } {
  return wholeLines(text, (lines) => lines.pop());
}

/** The first lines of a text that fit into one message, and the number of lines that were cut. */
export function headOf(text: string): { text: string; cut: number } {
  const { text: kept, cut } = wholeLines(text, (lines) => lines.shift());
  return { text: kept.split('\n').reverse().join('\n'), cut };
}

function wholeLines(text: string, next: (lines: string[]) => string | undefined): { text: string; cut: number } {
  const lines = text.replace(/\n+$/, '').split('\n');
  const kept: string[] = [];
  let length = 0;
  for (let one = next(lines); one !== undefined; one = next(lines)) {
    const short = clipped(one, 400);
    if (length + short.length + 1 > MAX.code) return { text: kept.join('\n'), cut: lines.length + 1 };
    kept.unshift(short);
    length += short.length + 1;
  }
  return { text: kept.join('\n'), cut: 0 };
}

/** The fields of a Slack message. Only our own link is a link; nothing else is markup or a mention. */
export function slackFields(message: ChatMessage): object {
  const { title, lines, code, link, subject } = fitted(message);
  const section = (text: string) => ({ type: 'section', text: { type: 'plain_text', text, emoji: false } });
  const literal = code && {
    type: 'rich_text',
    elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: code.text }] }],
  };
  const blocks = [
    section(title),
    ...lines.map(section),
    ...(code && literal ? [section(code.title), literal] : []),
    ...(link ? [{ type: 'section', text: { type: 'mrkdwn', verbatim: true, text: `<${link}|Open in Podmend>` } }] : []),
    ...(subject ? [slackButtons(subject)] : []),
  ];
  const quiet = { unfurl_links: false, unfurl_media: false, parse: 'none', link_names: false, mrkdwn: false };
  return { text: clipped(unlinked(title), 300, HTML), blocks, ...quiet };
}

/** A Teams message, used as the answer to an outgoing webhook and as the post of a Workflow. */
export function teamsBody(message: ChatMessage): object {
  const { title, lines, code, link } = fitted(message);
  const codeLines = code ? [line([run(code.title, { weight: 'Bolder' })]), line([run(code.text, { fontType: 'Monospace' })])] : [];
  return teamsCard([line([run(title, { weight: 'Bolder' })]), ...lines.map((text) => line([run(text)])), ...codeLines], link ?? null);
}

/** A piece of text in one line. */
export interface Run {
  text: string;
  style?: 'strong' | 'code' | 'link';
}
export type Block =
  | { is: 'head'; runs: Run[] }
  | { is: 'line'; runs: Run[] }
  | { is: 'code'; text: string }
  | { is: 'facts'; facts: { name: string; value: string }[] }
  | { is: 'buttons'; names: string[] }
  | { is: 'tag'; text: string };

/** Entities as characters again. */
export const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** Parses the Markdown of messages: bold, code, links, fenced blocks, escaped characters. */
export function markdownBlocks(text: string): Block[] {
  return text.split(/```\n(.*?)\n```/s).flatMap((part, index): Block[] => {
    if (index % 2 === 1) return [{ is: 'code', text: part }];
    const lines = part.split('\n').filter((one) => one.trim() !== '');
    return lines.map((one) => ({ is: 'line', runs: markdown(one) }));
  });
}

const INLINE = /\*\*((?:\\.|[^*\\])+)\*\*|`([^`]+)`|\[((?:\\.|[^\]\\])+)\]\([^)]*\)|((?:\\.|[^*`[\\])+)/gs;

/** One line of the same. */
export function markdown(text: string): Run[] {
  return [...text.matchAll(INLINE)].map(([, strong, code, label, plain]): Run => {
    if (strong !== undefined) return { text: unslashed(strong), style: 'strong' };
    if (code !== undefined) return { text: code, style: 'code' };
    return label === undefined ? { text: unslashed(plain ?? '') } : { text: unslashed(label), style: 'link' };
  });
}

const unslashed = (text: string): string => text.replaceAll(/\\(.)/gs, '$1');

/** Its text alone. */
export const plainMarkdown = (text: string): string =>
  markdown(text)
    .map(({ text: shown }) => shown)
    .join('');

/** Parses the HTML of a Google Chat card: bold text and line breaks. */
export function cardHtml(text: string): Run[] {
  const parts = text.split(/<b>(.*?)<\/b>/s);
  return parts.map((part, index): Run => ({
    text: unescaped(part.replaceAll('<br>', '\n')),
    ...(index % 2 === 1 && { style: 'strong' }),
  }));
}

/** Parses Telegram's HTML: a title as code, preformatted text, and a link. */
export function telegramHtml(text: string): Block[] {
  return [...text.matchAll(/<(code|pre|a)[^>]*>(.*?)<\/\1>/gs)].map(([, tag, inner = '']): Block => {
    if (tag === 'code') return { is: 'head', runs: [{ text: unescaped(inner) }] };
    return tag === 'a' ? { is: 'line', runs: [{ text: unescaped(inner), style: 'link' }] } : { is: 'code', text: unescaped(inner) };
  });
}

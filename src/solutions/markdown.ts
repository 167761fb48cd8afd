import { fenced } from './quote.ts';

// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const FENCE = /^\s{0,3}(?:```+|~~~+)/;

/**
 * Markdown of a model as it may be shown: paragraphs, lists, emphasis, code. No HTML, links, images, headings, quotes or tables: none
 * can lead a reader away, load anything, or pass for a part of the page. Long texts are cut.
 */
export function plainMarkdown(text: string, max = 4000): string {
  const lines = cut(text.replaceAll('\r\n', '\n').replace(UNPRINTABLE, '').toWellFormed(), max).split('\n');
  const shown: string[] = [];
  let block: string[] | undefined;
  for (const line of lines) {
    if (!FENCE.test(line)) {
      if (block) block.push(line);
      else shown.push(plainLine(line));
    } else if (block) {
      shown.push(fenced('text', block.join('\n')));
      block = undefined;
    } else block = [];
  }
  // A fence that nobody closed would swallow what comes after it.
  if (block) shown.push(fenced('text', block.join('\n')));
  return shown
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}

/** Code spans stay as they are; all else loses what leads away. */
function plainLine(line: string): string {
  const words = withoutLead(line)
    .replace(/^\s{0,3}(?:-{3,}|={2,}|\*{3,}|_{3,})\s*$/, '')
    .replace(/^(?: {4,}|\t+)(?=\S)/, '  ')
    .split(/(`[^`\n]{1,500}`)/)
    .map((part, index) => (index % 2 === 1 ? part : plainWords(part)))
    .join('');
  // What was taken away may have stood before another one.
  return withoutLead(words);
}

/** Without the signs that make a heading, a quote or a table of a line. */
function withoutLead(line: string): string {
  return line.replace(/^\s{0,3}(?:(?:#{1,6}|&gt;|>|[=|])\s*)+/, '');
}

function plainWords(text: string): string {
  return (
    text
      // `[text](address)` and `![text](address)` keep their text.
      .replace(/!?\[([^\]\n]{0,300})\]\([^)\n]{0,1000}\)/g, '$1')
      .replace(/!?\[([^\]\n]{0,300})\]\[[^\]\n]{0,300}\]/g, '$1')
      .replace(/`/g, "'")
      .replace(/<\/?[A-Za-z!?][^>\n]{0,1000}>?/g, '')
      .replace(/[<>]/g, (sign) => (sign === '<' ? '&lt;' : '&gt;'))
      .replace(/[[\]|]/g, '\\$&')
      // Renderers make links of bare addresses.
      .replace(/(?:(?:https?|ftp|file|javascript|data|mailto|vbscript):|www\.)[^\s`"')]{1,500}/gi, (address) => `\`${address}\``)
  );
}

import { fenced } from '../../diagnosis/rendering/quote.ts';

// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const FENCE = /^\s{0,3}(?:```+|~~~+)/;

/**
 * A model's Markdown with only paragraphs, lists, emphasis and code. HTML, links, images, headings, quotes and tables are removed, so that the
 * text cannot lead a reader to another site, load anything, or look like a part of the page. Long texts are cut.
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
  // A code block without an end would include all text after it, so close it.
  if (block) shown.push(fenced('text', block.join('\n')));
  return shown
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}

/** Code spans stay as they are. Links, HTML and table characters are removed from the other text. */
function plainLine(line: string): string {
  const words = withoutLead(line)
    .replace(/^(?: {4,}|\t+)(?=\S)/, '  ')
    .split(/(`[^`\n]{1,500}`)/)
    .map((part, index) => (index % 2 === 1 ? part : plainWords(part)))
    .join('');
  // Another mark may follow the removed one, so remove marks once more.
  return withoutLead(words);
}

const LEAD = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+|(?:#{1,6}|&gt;|>|[=|])\s*)+/;
/** Horizontal rules, underlines of headings, and the line below a table's head. */
const RULE = /^\s*(?:\d{1,9}[.)]\s+)*[\s*_=:|-]*$/;

/** Removes the marks of headings, quotes, tables and rules, in list items too. */
function withoutLead(line: string): string {
  return RULE.test(line) ? '' : line.replace(LEAD, (lead) => lead.replace(/#+\s*|(?:&gt;|[>=|])\s*/g, ''));
}

const ADDRESS =
  /(?:(?:https?|ftp|file|javascript|data|mailto|vbscript):|www\.)[^\s`"')]{1,500}|[\w.%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/gi;

function plainWords(text: string): string {
  return (
    text
      // A backslash could escape the next character, or undo an escape that is added here.
      .replaceAll('\\', '\\\\')
      // `[text](address)` and `![text](address)` keep their text.
      .replace(/!?\[([^\]\n]{0,300})\]\([^)\n]{0,1000}\)/g, '$1')
      .replace(/!?\[([^\]\n]{0,300})\]\[[^\]\n]{0,300}\]/g, '$1')
      .replace(/`/g, "'")
      .replace(/<\/?[A-Za-z!?][^>\n]{0,1000}>?/g, '')
      .replace(/[<>]/g, (sign) => (sign === '<' ? '&lt;' : '&gt;'))
      .replace(/[[\]|]/g, '\\$&')
      // Renderers turn bare addresses into links.
      .replace(ADDRESS, (address) => `\`${address}\``)
  );
}

import { diffLine, paint } from './colour.ts';

/**
 * Markdown for a terminal: headings in capitals, bold text without marks, code in quotes, fenced text indented, in colour if wanted. The
 * content of code stays unchanged.
 */
export function forTerminal(markdown: string, hasColours: boolean): string {
  const painted: Paint = (format, text) => (hasColours ? paint(format, text) : text);
  let fence: { mark: string; language: string } | undefined;
  const lines = markdown.split('\n').flatMap((line): string[] => {
    if (fence) {
      if (line === fence.mark) {
        fence = undefined;
        return [];
      }
      return [`  ${hasColours && fence.language === 'diff' ? diffLine(line) : line}`];
    }
    const [, mark, language = ''] = /^(`{3,16})([a-z]{0,16})$/.exec(line) ?? [];
    if (!mark) return [proseLine(line, painted)];
    fence = { mark, language };
    return [];
  });
  return lines.join('\n');
}

type Paint = typeof paint;

function proseLine(line: string, painted: Paint): string {
  if (line.startsWith('## ')) return painted(['bold', 'cyan'], withoutMarks(line.slice(3)).toUpperCase());
  if (line.startsWith('# ')) return painted('bold', withoutMarks(line.slice(2)));
  const end = line.startsWith('**') ? line.indexOf('**', 2) : -1;
  if (end < 0) return withoutMarks(line);
  return painted('bold', withoutMarks(line.slice(2, end))) + withoutMarks(line.slice(end + 2));
}

/** Replaces backticks by quotes and removes asterisks outside code. */
function withoutMarks(text: string): string {
  let out = '';
  let at = 0;
  while (at < text.length) {
    const start = text.indexOf('`', at);
    if (start < 0) break;
    const fence = /^`{1,200}/.exec(text.slice(start, start + 200))?.[0] ?? '`';
    const end = endOfCode(text, start + fence.length, fence);
    if (end < 0) break;
    const code = text.slice(start + fence.length, end);
    out += text.slice(at, start).replaceAll('**', '');
    at = end + fence.length;
    const words = fence.length > 1 ? code.replace(/^ /, '').replace(/ $/, '') : code;
    out += isAlone(out, text.slice(at)) ? words : quoted(words);
  }
  return out + text.slice(at).replaceAll('**', '');
}

/** Whether a code span is the start of a list item or everything after a colon. It then needs no quotes. */
function isAlone(before: string, after: string): boolean {
  return before === '- ' || (before.endsWith(': ') && after === '');
}

function quoted(text: string): string {
  const mark = text.includes('"') ? "'" : '"';
  return `${mark}${text}${mark}`;
}

/** The position of the next run of backticks of the same length. */
function endOfCode(text: string, from: number, fence: string): number {
  for (let at = text.indexOf(fence, from); at >= 0; at = text.indexOf(fence, at + 1)) {
    if (text[at - 1] !== '`' && text[at + fence.length] !== '`') return at;
  }
  return -1;
}

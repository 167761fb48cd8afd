const BOLD = '1';
const DIM = '2';
const RED = '31';
const GREEN = '32';
const CYAN = '1;36';

/** A diagnosis in Markdown with the colours of a terminal: headings, the lines of a diff, bold words. No other character changes. */
export function coloured(markdown: string): string {
  let fence: { mark: string; language: string } | undefined;
  return markdown
    .split('\n')
    .map((line) => {
      if (fence) {
        if (line !== fence.mark) return fence.language === 'diff' ? diffLine(line) : line;
        fence = undefined;
        return paint(line, DIM);
      }
      const [, mark, language = ''] = /^(`{3,16})([a-z]{0,16})$/.exec(line) ?? [];
      if (!mark) return proseLine(line);
      fence = { mark, language };
      return paint(line, DIM);
    })
    .join('\n');
}

function diffLine(line: string): string {
  if (line.startsWith('+')) return paint(line, GREEN);
  return line.startsWith('-') ? paint(line, RED) : line;
}

function proseLine(line: string): string {
  if (line.startsWith('## ')) return paint(line, CYAN);
  if (line.startsWith('# ')) return paint(line, BOLD);
  const end = line.startsWith('**') ? line.indexOf('**', 2) : -1;
  return end === -1 ? line : paint(line.slice(0, end + 2), BOLD) + line.slice(end + 2);
}

function paint(text: string, how: string): string {
  return `\u001b[${how}m${text}\u001b[0m`;
}

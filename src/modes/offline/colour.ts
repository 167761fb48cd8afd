import { styleText } from 'node:util';
import type { Io } from '../mode.ts';

/** Whether to print colours: on a terminal, unless the user opts out (no-color.org). */
export function isColourful({ stdout, env }: Io): boolean {
  return stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

/** Markdown with terminal colours for headings, diff lines and bold words. All other characters stay the same. */
export function coloured(markdown: string): string {
  let fence: { mark: string; language: string } | undefined;
  return markdown
    .split('\n')
    .map((line) => {
      if (fence) {
        if (line !== fence.mark) return fence.language === 'diff' ? diffLine(line) : line;
        fence = undefined;
        return paint('dim', line);
      }
      const [, mark, language = ''] = /^(`{3,16})([a-z]{0,16})$/.exec(line) ?? [];
      if (!mark) return proseLine(line);
      fence = { mark, language };
      return paint('dim', line);
    })
    .join('\n');
}

/** A diff line in the colour of its sign. */
export function diffLine(line: string): string {
  if (line.startsWith('+')) return paint('green', line);
  return line.startsWith('-') ? paint('red', line) : line;
}

function proseLine(line: string): string {
  if (line.startsWith('## ')) return paint(['bold', 'cyan'], line);
  if (line.startsWith('# ')) return paint('bold', line);
  const end = line.startsWith('**') ? line.indexOf('**', 2) : -1;
  return end === -1 ? line : paint('bold', line.slice(0, end + 2)) + line.slice(end + 2);
}

/** The text with the marks of a terminal. */
export function paint(format: Parameters<typeof styleText>[0], text: string): string {
  return styleText(format, text, { validateStream: false });
}

/** What no single line can hold: control characters, line separators, marks that turn the writing direction. */
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

/** Text from outside as one printable line of at most `max` characters (an ellipsis tells of a cut). */
export function oneLine(text: string, max = 300): string {
  const cut = text.length > max ? `${text.slice(0, max - 1)}…` : text;
  return cut.replace(UNPRINTABLE, ' ').toWellFormed().trim();
}

/** Text from outside as a Markdown code span that its own backticks cannot end. */
export function code(text: string | number, max = 200): string {
  const line = oneLine(String(text), max) || ' ';
  if (!line.includes('`')) return `\`${line}\``;
  const fence = '`'.repeat(longestBackticks(line) + 1);
  return `${fence} ${line} ${fence}`;
}

/** A fenced Markdown block that no line of `text` can end. */
export function fenced(language: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, longestBackticks(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** One word of a POSIX shell command, quoted when it needs to be. */
export function shellWord(word: string): string {
  const line = oneLine(word, 1000);
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(line) ? line : `'${line.replaceAll("'", `'\\''`)}'`;
}

function longestBackticks(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

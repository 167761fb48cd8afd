/** Characters that must not stand in one line: control characters, line separators, marks that change the writing direction. */
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

/** Text from outside as one printable line of at most `max` characters, with an ellipsis if it was cut. */
export function oneLine(text: string, max = 300): string {
  const cut = text.length > max ? `${text.slice(0, max - 1)}…` : text;
  return cut.replace(UNPRINTABLE, ' ').toWellFormed().trim();
}

/** A code span, which ends at the next run of the same number of backticks. Its groups are the backticks and the code. */
export const CODE_SPAN = /(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/gs;

/** Text from outside as a Markdown code span; its own backticks cannot end the span. */
export function code(text: string | number, max = 200): string {
  const line = oneLine(String(text), max) || ' ';
  if (!line.includes('`')) return `\`${line}\``;
  const fence = '`'.repeat(longestBackticks(line) + 1);
  return `${fence} ${line} ${fence}`;
}

/** A fenced Markdown block; no line of `text` can end it. */
export function fenced(language: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, longestBackticks(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

const WRAPPERS =
  /^(?:Error(?: response from daemon)?: |Failed to (?:create pod sandbox|start container): |\[?rpc error: code = \w{1,30} desc = |failed to (?:create containerd (?:task|container)|create shim task|start containerd task|set ?up network for sandbox|set up sandbox container|generate container)(?: "[^"]{1,100}")?(?: spec| network for pod "[^"]{1,300}")?: |OCI runtime (?:create|start) failed: |runc create failed: |container create failed: |unable to start container process: |error during container init: |networkPlugin cni failed to set up pod "[^"]{1,300}" network: |Pod was rejected: )/i;

/** An error message without the prefixes that kubelet and runtimes wrap around it: one line of at most 200 characters. */
export function withoutWrappers(text: string): string {
  let rest = text.slice(0, 2000).trim();
  for (let found = WRAPPERS.exec(rest); found; found = WRAPPERS.exec(rest)) rest = rest.slice(found[0].length).trimStart();
  return oneLine(rest.replace(/: unknown$/, ''), 200);
}

/** One word of a POSIX shell command, quoted if necessary. */
export function shellWord(word: string): string {
  const line = oneLine(word, 1000);
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(line) ? line : `'${line.replaceAll("'", `'\\''`)}'`;
}

/**
 * Any text as one word of a POSIX shell command, uncut. Control characters are kept only if the text is JSON, which escapes them itself.
 */
export function shellText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The text as a POSIX here-document; none of its lines can end it. */
export function heredoc(text: string): string {
  let end = 'EOF';
  while (text.split('\n').includes(end)) end = `${end}_`;
  return `<<'${end}'\n${text.endsWith('\n') ? text : `${text}\n`}${end}`;
}

function longestBackticks(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

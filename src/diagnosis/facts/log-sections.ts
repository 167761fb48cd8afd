import type { Case } from '../case.ts';

/** The log of one run of a container. */
export interface LogSection {
  container: string | null;
  /** The run, as part of a quote's source: ` (current)`, ` (previous)`, or empty when unknown. */
  run: string;
  text: string;
}

/** Of a longer log, only the beginning (with the first error) and the end are read. */
const MAX_HEAD = 64 * 1024;
const MAX_TAIL = 128 * 1024;
/** No pod has more container runs. The bound also stops programs that print such headings themselves. */
const MAX_SECTIONS = 40;
/** Related lines are near the beginning, where the first error is. */
const MAX_SEARCHED = 40_000;
const NO_LOG =
  /^(?:unable to retrieve container logs for |Error from server \(BadRequest\): (?:previous terminated )?container|Error from server \(NotFound\): pods? "|Error from server \(Forbidden\): pods "[^"]{1,253}" is forbidden: .{0,300}pods\/log|Error from server[^:]{0,40}: Get "https?:\/\/[^"]{0,300}\/containerLogs\/|failed to try resolving symlinks|log not available)/;

/** The logs of the failing container and its termination message. If the case names no container, all containers are read. */
export function logSections(subject: Case): LogSection[] {
  const sections = splitSections(subject.logs);
  const wanted = subject.container;
  const own = wanted === null ? sections : sections.filter(({ container }) => container === null || container === wanted);
  const status = subject.statuses.find(({ name }) => name === wanted);
  const ended = status?.message && status.state === 'terminated' ? status.message : (status?.last_state?.message ?? '');
  const message =
    ended && !/OCI runtime|containerd task/.test(ended) ? [{ container: wanted, run: ' (termination message)', text: ended }] : [];
  // If the container runs now, the current log is not that of the failed run.
  if (status?.state === 'running') own.sort((a, b) => Number(b.run.includes('previous')) - Number(a.run.includes('previous')));
  return [...own, ...message];
}

/** The first group of the first match in the logs, for what the line with the error does not say and one beside it does; empty without one. */
export function foundInLogs(subject: Case, pattern: RegExp): string {
  for (const { text } of logSections(subject)) {
    const found = pattern.exec(text.slice(0, MAX_SEARCHED));
    if (found) return found.slice(1).find(Boolean) ?? '';
  }
  return '';
}

/** What stands behind a line in its log; empty when no log has the line as it is. */
export function logBehind(subject: Case, line: string): string {
  const text = logWith(subject, line);
  return text.slice(text.indexOf(line) + line.length);
}

/** The same for what stands before it. */
export function logBefore(subject: Case, line: string): string {
  const text = logWith(subject, line);
  return text.slice(0, text.indexOf(line));
}

const logWith = (subject: Case, line: string): string => logSections(subject).find(({ text }) => text.includes(line))?.text ?? line;

function splitSections(logs: string): LogSection[] {
  const sections: LogSection[] = [];
  let section: LogSection = { container: null, run: '', text: '' };
  let start = 0;
  const keep = (end: number): void => {
    section.text = unwrapped(withCauses(withPlainTraces(withTracesOfRecords(clipped(logs.slice(start, end))))));
    if (section.text.trim() !== '' && !NO_LOG.test(section.text.trimStart())) sections.push(section);
  };
  for (
    let at = logs.startsWith('==> ') ? 0 : logs.indexOf('\n==> ');
    at >= 0 && sections.length < MAX_SECTIONS;
    at = logs.indexOf('\n==> ', at + 1)
  ) {
    const head = /^\n?==> (\S{1,253}) \((current|previous)\) <==\r?(?:\n|$)/.exec(logs.slice(at, at + 300));
    if (!head) continue;
    keep(at);
    section = { container: head[1] as string, run: ` (${head[2]})`, text: '' };
    start = at + head[0].length;
    at = start - 2;
  }
  keep(logs.length);
  return sections;
}

/** Longer records are not parsed. */
const MAX_RECORD = 32_000;
/** What a trace has in a text of JSON: exceptions that led to each other in Java, and the head of a trace of Python. */
const TRACES = ['\\nCaused by: ', 'Traceback (most recent call last):\\n'];
const hasTrace = (text: string): boolean => TRACES.some((one) => text.includes(one));

/** The text with the traces of records in JSON as lines below their records. */
function withTracesOfRecords(text: string): string {
  if (!hasTrace(text)) return text;
  const isTraced = (line: string): boolean => line.startsWith('{') && line.length < MAX_RECORD && hasTrace(line);
  return text
    .split('\n')
    .flatMap((line) => (isTraced(line) ? [line, ...tracesIn(line)] : [line]))
    .join('\n');
}

function tracesIn(record: string): string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(record);
  } catch {
    return [];
  }
  const isTrace = (value: unknown): value is string => typeof value === 'string' && /\nCaused by: |^Traceback \(/m.test(value);
  const values = Object.values(parsed as object).flatMap((value: unknown) =>
    typeof value === 'object' && value !== null ? Object.values(value) : [value],
  );
  return values.filter(isTrace).map((trace) => trace.trimEnd());
}

/** A log that repeats its prefix before every line of a trace has hardly more prefixes than this. */
const MAX_PREFIXES = 20;
const PREFIXED_TRACE = /^(\S.{0,120}?[\]:|)>-] {0,4})Traceback \(most recent call last\):\r?$/m;

/** Traces as Python prints them, where a logger or a supervisor writes its prefix before each of their lines. */
function withPlainTraces(text: string): string {
  let plain = text;
  for (let turn = 0; turn < MAX_PREFIXES; turn++) {
    const found = plain.includes('Traceback (most recent call last):') ? PREFIXED_TRACE.exec(plain) : null;
    const prefix = found?.[1];
    if (!found || prefix === undefined) break;
    const lines = plain.slice(found.index).split('\n');
    const other = lines.findIndex((line) => !line.startsWith(prefix.trimEnd()));
    const count = other < 0 ? lines.length : other;
    plain = plain.slice(0, found.index) + lines.map((line, index) => (index < count ? line.slice(prefix.length) : line)).join('\n');
  }
  return plain;
}

/** An error and those that led to it, as the crate `anyhow` prints them: numbered if there are several. */
const CHAIN = /^(Error: .{1,300})\n\nCaused by:\n((?: {4}.{1,600}(?:\n|$)){1,10})/gm;

/** The text with each such error in one line, the last cause at its end. */
function withCauses(text: string): string {
  if (!text.includes('\n\nCaused by:\n')) return text;
  return text.replaceAll(CHAIN, (_, head: string, causes: string) => {
    const lines = causes.trimEnd().split('\n');
    return `${[head, ...lines.map((line) => line.trim().replace(/^\d{1,2}: /, ''))].join(': ')}\n`;
  });
}

/** The head of an error that Symfony's console prints as a block of a fixed width (Symfony Console, `Application::doRenderThrowable`). */
const BLOCK = /^In \S{1,100}\.php line \d{1,6}:\n {4,}\n((?: {2}.{2,200} {2}\n){1,40})/gm;

/** The text with the lines of such a block put together again, which are broken in the middle of words. */
function unwrapped(text: string): string {
  if (!text.includes('.php line ')) return text;
  return text.replaceAll(BLOCK, (whole, block: string) => {
    const lines = block.split('\n').slice(0, -1);
    const joined = lines.map((line) => line.slice(2, -2)).map((line) => (line.endsWith(' ') ? `${line.trimEnd()}\n` : line));
    const plain = joined.join('').trimEnd().split('\n');
    return whole.replace(block, () => `${plain.map((line) => `  ${line}`).join('\n')}\n`);
  });
}

function clipped(text: string): string {
  return text.length <= MAX_HEAD + MAX_TAIL ? text : `${text.slice(0, MAX_HEAD)}\n${text.slice(-MAX_TAIL)}`;
}

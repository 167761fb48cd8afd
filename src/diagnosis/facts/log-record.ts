/** Longer records are not parsed; their beginning is enough. */
const MAX_RECORD = 16_000;
/** The maximum number of lines that may belong to a headline, and the maximum length of each. */
const MAX_MORE = 3;
const MAX_LENGTH = 200;

/** A line that announces the next ones. */
const HEADLINE = /[:*]\s*$|\bvalidation errors? for \w{1,80}$|\bERRORS FOUND\b[^:=]{0,60}$/;
/** The name of a field on a line of its own, as pydantic writes it. It may be the name of a level: `debug`. */
const FIELD = /^[A-Za-z_]\w{0,80}(?:\.\w{1,80}){0,6}$/;
/** The errors that a headline announces. */
const ANNOUNCED = /^\s*(?:[*-] )?error [a-z]/;
/** A line that names nothing: no number, name, path or value. */
const VAGUE = /^[^"'`=:/\d]+$/;
/** The beginnings of lines that do not continue another: log records, stack frames, usage help. */
const OTHER =
  /^\s*(?:at |\.{3} |File "|from |in |#\d|\d{1,3}: |goroutine |\(\w{1,40} \d|note: |usage\b|Traceback \(|node:|[{[]|\d{4}[-/]|\d{1,2}[:/]\d|[IWEF]\d{4} |[A-Z][a-z]{2} \d|time=|ts=|level=|(?:error|warn(?:ing)?|info|debug|trace|notice|fatal|critical|npm)\b)/i;
/** A line with the reason for the lines above it. */
const REASON = /^\s{0,20}(?:[Rr]eason|[Cc]ause|[Cc]aused by|[Bb]ecause|[Dd]etails?)\b ?[:=-]/;
const EXCEPTION = /^\s*(?:[a-z]\w{0,40}\.){1,8}[A-Z]\w{0,80}(?:Exception|Error)\b/;

const MESSAGES = ['msg', 'message', '@message', 'MESSAGE', 'event', 'text'];
const ERRORS = ['err', 'error', 'error.message', 'exception', 'stack_trace', 'exc_info', 'attr', 'cause'];

/** The message of a log record in JSON or `key="value"` form, followed by its error. Other lines are returned unchanged. */
export function messageOf(line: string): string {
  const message = line.startsWith('{') ? ofJson(line) : /(?:^|\s)level=\w/.test(line.slice(0, 300)) ? ofPairs(line) : undefined;
  return message ?? line;
}

/**
 * The following lines that belong to a line: what a headline announces, the line after one that names nothing, or the exception at the end
 * of a record.
 */
export function continuationOf(text: string, end: number, line: string): string {
  const isHeadline = HEADLINE.test(line);
  const isVague = VAGUE.test(line);
  const more: string[] = [];
  let from = end + 1;
  for (let looked = 0; looked < 2 * MAX_MORE && more.length < (isHeadline ? MAX_MORE : 1) && from < text.length; looked++) {
    const stop = text.indexOf('\n', from);
    const next = text.slice(from, Math.min(stop < 0 ? text.length : stop, from + MAX_LENGTH));
    from = stop < 0 ? text.length : stop + 1;
    if (next.trim() === '') {
      if (isHeadline && more.length === 0) continue;
      break;
    }
    const belongs = (isHeadline && isAnnounced(line, next, more.length)) || ((isHeadline || isVague) && !OTHER.test(next));
    if (!(belongs && next.length < MAX_LENGTH) && !EXCEPTION.test(next) && !REASON.test(next)) break;
    more.push(next.trim());
  }
  return more.join(' ');
}

/** Whether a headline announces this line, which otherwise looks like one of its own. `before` counts the lines between them. */
const isAnnounced = (headline: string, next: string, before: number): boolean =>
  ANNOUNCED.test(next) || (before === 0 && FIELD.test(next) && /\bvalidation errors? for/.test(headline));

function ofJson(line: string): string | undefined {
  if (line.length > MAX_RECORD) return undefined;
  try {
    const record = JSON.parse(line) as Record<string, unknown>;
    const message = MESSAGES.flatMap((key) => textOf(record[key])).find(Boolean);
    const error = ERRORS.flatMap((key) => textOf(record[key])).find(Boolean);
    return joined(message, error);
  } catch {
    return undefined;
  }
}

/** A text, or the message in an error object. */
function textOf(value: unknown): string[] {
  if (typeof value === 'string') return [firstLines(value.trim().split('\n'))];
  if (typeof value !== 'object' || value === null) return [];
  const inner = value as Record<string, unknown>;
  const file = [inner.path, inner.file].find((one) => typeof one === 'string' && one.startsWith('/'));
  const [text] = ['message', 'msg', 'errmsg', 'error', 'Message'].flatMap((key) => textOf(inner[key]));
  if (text === undefined) return [];
  return [typeof file === 'string' && !text.includes(file) ? `${file}: ${text}` : text];
}

/** The first line, with the next one if the first announces it. */
function firstLines([first = '', second = '']: string[]): string {
  return HEADLINE.test(first) ? `${first} ${second.trim()}`.trim() : first;
}

function ofPairs(line: string): string | undefined {
  const pair = (key: string): string | undefined => {
    const found = new RegExp(String.raw`(?:^|\s)${key}=(?:"((?:[^"\\]|\\.){0,2000})"|(\S{1,500}))`).exec(line.slice(0, MAX_RECORD));
    const lines = (found?.[1] ?? found?.[2])?.replaceAll(/\\(["\\])/g, '$1').split('\\n');
    return lines && firstLines(lines);
  };
  return joined(pair('msg'), pair('(?:err|error)'));
}

function joined(message: string | undefined, error: string | undefined): string | undefined {
  if (!message) return error || undefined;
  return error && !message.includes(error) ? `${message}: ${error}` : message;
}

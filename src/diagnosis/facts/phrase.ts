import { code } from '../rendering/quote.ts';

/** What comes before the message of a log line: times, levels, processes, loggers, exceptions with their package. */
const PREFIXES: readonly RegExp[] = [
  /^\[?\d{4}[-/]\d{2}[-/]\d{2}[T ]?\d{2}:\d{2}(?::\d{2})?(?:[.,]\d{1,9})?(?: ?(?:Z|UTC|[+-]\d{2}:?\d{2}))?\]?/,
  /^\[?(?:\d{2}-[A-Z][a-z]{2}-\d{4} )?\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?\]?(?=\s|$)/,
  /^\d{1,7}:[A-Z] \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2}\.\d{3} [#*.-]/,
  /^[IWEF]\d{4} \d{2}:\d{2}:\d{2}\.\d{1,6} {1,8}(?:\d{1,7} )?[\w.-]{1,60}\.\w{1,4}:\d{1,5}\]?(?=\s)/,
  /^\[?(?:FATAL|ERROR|CRITICAL|PANIC|EMERG|ALERT|SEVERE|WARN(?:ING)?|HINT|fatal|error|critical|panic|emerg|alert|crit|Error|Fatal|Fatal error)(?:\/\w{1,40})?\]?(?:[:!]|(?=\s)(?!\s(?:\d|(?:in|of|while|with|when|during)\b)))/,
  /^(?:nginx|httpd|psql|postgres|npm|node|php-fpm|AH\d{5}): /,
  /^npm (?:ERR!|error) /,
  /^\[[^\],]{1,60}\]:?/,
  /^\(\d{1,7}\) ?:?/,
  /^\d{1,7} (?=\[)/,
  /^config : /,
  /^[:=*>-]{1,4} /,
  /^(?:validating config: )?MULTIPLE CONFIG ERRORS FOUND, PLEASE READ CAREFULLY(?:\\n|\s)?(?:CONFIG ERROR: )?/,
  /^(?:Caused by: |Exception in thread "[^"]{1,100}" |Unhandled exception\. )/,
  /^(?:\w{1,60}[.$]){1,9}(?=[A-Z]\w{1,80}(?:Error|Exception)(?: \(0x[\da-f]{1,16}\))?: \S)/,
  // A frame of Ruby.
  /^\/\S{1,300}\.rb:\d{1,6}:in ['`][^'`]{1,120}['`]:(?= )/,
  /^thread '[^']{1,60}'(?: \(\d{1,9}\))? panicked at /,
];
const MAX_PREFIXES = 10;
/** A longer message is cut at the end of a sentence. */
const MAX_WORDS = 160;
/** Words that are not many. */
const SHORT = 110;

/** The message of a log line, without its prefixes. */
export function plainWords(line: string): string {
  let rest = line.trim();
  for (let turn = 0; turn < MAX_PREFIXES; turn++) {
    const before = rest;
    for (const prefix of PREFIXES) rest = rest.replace(prefix, '').trimStart();
    if (rest === before) break;
  }
  return rest === '' ? line.trim() : rest;
}

/** The message of a log line in backticks, cut if it is long. */
export function quotedLine(line: string): string {
  return code(plainWords(line), 160);
}

/** Where in a file something is wrong: `/etc/nginx/nginx.conf:12`, `line 12 of /etc/httpd.conf`. */
const PLACES: readonly RegExp[] = [/(?<![\w/])(?:\/[\w.@+-]{1,80}){1,12}:\d{1,6}(?!\d)/, /line \d{1,6} of (?:\/[\w.@+-]{1,80}){1,12}/];

/** The position in a file that a line names; empty if it names none. */
export function placeIn(line: string): string {
  return PLACES.flatMap((pattern) => pattern.exec(line)?.[0] ?? [])[0] ?? '';
}

/** A sentence that only says that something failed: the next one may say why. */
const FAILS = /^(?!.*["'`=/\d]).*\b(?:unable|fail\w{0,4}|cannot|can't|could ?n[o']t|error|refused|invalid)\b/i;

/** The message of a log line. A long message is cut at the end of a sentence. */
export function phraseIn(line: string): string {
  const words = plainWords(line);
  if (words.length <= SHORT) return words;
  const end = words.slice(0, MAX_WORDS + 1).search(/(?<=.{40})[.;!] |\n/);
  if (end > 0 && words.length <= MAX_WORDS && FAILS.test(words.slice(0, end))) return words;
  return words.slice(0, end > 0 ? end : MAX_WORDS).trim();
}

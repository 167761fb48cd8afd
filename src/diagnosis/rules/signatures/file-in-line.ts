import type { Case } from '../../case.ts';
import { logBefore, logBehind } from '../../facts/log-sections.ts';

const PATH = String.raw`(?:\/[\w.@+%~-]{1,120}){1,16}\/?`;

/** A path directly before the text of the error, or directly after the operation that failed. */
const BESIDE = new RegExp(
  String.raw`(?<![\w/])(${PATH})['"\`)\]]{0,2}\s?[:,]?\s?(?:\(?\d{0,3}[:)]? ?)?(?:is |was )?(?:[Nn]o such file|[Pp]ermission denied|[Rr]ead-only file|[Ii]s a directory|does not exist|doesn't exist|not found|not writable)`,
);

/** A place in the source of a program. */
const SOURCE = /(?:\/[\w.@+-]{1,80}){1,12}\.(?:c|cc|cpp|cxx|h|go|rs):\d{1,6}\b/g;

/** The place in a script that Perl writes behind a message. */
const OF_SCRIPT = / at \/\S{1,200} line \d{1,6}\.?$/;

/** The path of the program itself, at the beginning of the line. */
const OWN_NAME = /^(?:\/[\w.-]{1,60}){0,8}\/s?bin\/[\w.-]{1,60}: (?=Error\b|error\b|fatal\b|.{0,200}\/)/;

/** The file in a line about a denied or missing file; empty if the line names none. */
export function fileIn(whole: string): string {
  const line = whole.replace(OWN_NAME, '').replaceAll(SOURCE, '').replace(OF_SCRIPT, '');
  const beside = BESIDE.exec(line)?.[1];
  if (beside) return beside;
  return new RegExp(String.raw`(?<![\w/])${PATH}`).exec(line.replace(/^.{0,60}?\bFile "[^"]{1,300}", line \d{1,6}.{0,80}/, ''))?.[0] ?? '';
}

/** A frame of a trace, or a line about something that went well. */
const NOT_ABOUT_IT = /^\s*at |\b(?:INFO|DEBUG|TRACE)\b/;

/** The file that one of the two next lines of the log names. */
export function fileBehind(subject: Case, line: string): string {
  const lines = logBehind(subject, line).slice(0, 600).split('\n');
  return (
    lines
      .slice(1, 3)
      .filter((one) => !NOT_ABOUT_IT.test(one))
      .map(fileIn)
      .find(Boolean) ?? ''
  );
}

/** The file in the line above: in a numbered chain of causes as Rust's anyhow prints it, or where a message of Perl goes on in the next line. */
export function fileAbove(subject: Case, line: string): string {
  return /^\d{1,2}: |^No such file or directory at \S{1,200} line \d/.test(line)
    ? fileIn(logBefore(subject, line).trimEnd().split('\n').at(-1) ?? '')
    : '';
}

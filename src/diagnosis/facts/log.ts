import type { Case } from '../case.ts';
import { SIGNATURES, type Signature } from '../rules/signatures/list.ts';
import { lastUncaught } from './exceptions.ts';
import { hintFilter } from './hints.ts';
import { type LogSection, logSections } from './log-sections.ts';
import type { Quote } from './message.ts';
import { continuationOf, messageOf } from './log-record.ts';

/** The log line that names the cause, found by a signature. */
export interface LogFact {
  kind: 'log';
  signature: Signature;
  groups: Record<string, string>;
  /** The program tries again or calls it a warning, so it may not be the cause. */
  mild: boolean;
  line: string;
  container: string | null;
  evidence: Quote;
}
/** The last log line of a container, used when no signature matches. */
export interface LastLineFact {
  kind: 'last-line';
  line: string;
  container: string | null;
  evidence: Quote;
}
export type FactFromLog = LogFact | LastLineFact;

/** Lines are cut to this length before patterns see them. All patterns are fast on this many characters. */
const MAX_LINE = 1000;
/** In a repetitive log many lines may contain a signature's words, so only the first ones are tried. */
const MAX_TRIES = 40;
/** Levels of lines that report no failure. Serilog and zerolog write three letters. */
const MILD = /\b(?:warn(?:ing)?|info|debug|trace|notice)\b|\b(?:WRN|INF|DBG|TRC|VRB)\b/i;
/** The program does without what it names. */
const DOES_WITHOUT =
  /\b(?:not set|unset|missing|not found|undefined)\b.{0,20}[.,;(] ?(?:so )?(?:using|use|assuming|defaulting|falling back|ignor|skipp|continuing|setting (?:it )?to)|(?<![\w.])\.env(?:\.\w{1,20})?\b.{0,80}(?:no such file|not found|missing)|(?:not find|not read|not load|not open|no|no such file.{1,20}|ENOENT.{1,40}) .{0,20}(?<![\w.])\.env\b|^`[^`]{1,200}` is not writable\.$|^I\d{4} .{0,200}\bConfig File "[^"]{1,80}" Not Found/i;
/** A tool of a start script that only lists or searches: the script goes on. */
const ONLY_LISTS = /^(?:find|ls): /;
const AGAIN = /\bretry|\bretries|\bretrying|attempt \d|will try again|reconnecting/i;

/** The cause according to the logs of the failing container. If the case names no container, all containers are read. */
export function readLogs(subject: Case): (LogFact | LastLineFact)[] {
  const sections = logSections(subject);
  const facts = sections.flatMap(({ container, run, text }) => {
    const found = firstCause(text);
    return found
      ? [{ ...withReadableLine(found, text), container, evidence: { from: `log of ${container ?? 'the pod'}${run}`, text: found.line } }]
      : [];
  });
  // The run with the best line; of equal ones the first, which is the run that ended.
  const best = facts.toSorted((a, b) => tier(b) - tier(a))[0];
  return best ? [best] : lastLine(sections);
}

/** The cause that a single line of the same log names, if one does that is no guess. */
export function causeIn(line: string, { container, evidence }: Pick<LogFact, 'container' | 'evidence'>): LogFact | undefined {
  const found = firstCause(line.slice(0, MAX_LINE));
  return found && !found.mild && !found.signature.general
    ? { ...found, container, evidence: { ...evidence, text: found.line } }
    : undefined;
}

/** A line that a signature matches. */
interface MatchedLine {
  kind: 'log';
  /** Where the line begins. */
  at: number;
  signature: Signature;
  groups: Record<string, string>;
  mild: boolean;
  /** The program does without what the line names, and goes on. */
  goesOn: boolean;
  line: string;
}

/** The first line that matches a specific signature, or else a warning or a line that matches a general signature. */
function firstCause(text: string): MatchedLine | undefined {
  // In a record, quotes stand behind a backslash. Hints have plain ones, and positions stay.
  const folded = text.toLowerCase().replaceAll('\\"', '"\0');
  let best: MatchedLine | undefined;
  for (const [signature, hints] of hinted(folded)) {
    // A line of a general signature never beats one of a specific signature.
    if (signature.general && best && !best.signature.general && tier(best) > 0) continue;
    const found = firstMatch(text, folded, { signature, hints });
    if (!found) continue;
    const better = best ? tier(found) - tier(best) || best.at - found.at : 1;
    if (better > 0) best = found;
  }
  if (!best) return uncaught(text);
  if (!best.signature.general) return best;
  return (
    panicMessage(text, best) ??
    afterItWorked(text, best) ??
    deepestCause(text, best) ??
    lastException(text, best) ??
    plainerLine(text, best)
  );
}

const HINTS = SIGNATURES.flatMap((signature) => signature.hints.map((hint) => ({ signature, hint })));
const mayHold = hintFilter(HINTS.map(({ hint }) => hint));

/** The signatures that a lower-case text may match, in order, with those of their hints that it may contain. */
function hinted(folded: string): Map<Signature, string[]> {
  const found = new Map<Signature, string[]>();
  for (const index of mayHold(folded)) {
    const { signature, hint } = HINTS[index] as (typeof HINTS)[number];
    const hints = found.get(signature);
    if (hints) hints.push(hint);
    else found.set(signature, [hint]);
  }
  return found;
}

function tier(found: Pick<MatchedLine, 'signature' | 'mild' | 'goesOn'>): number {
  return found.goesOn ? 0 : (found.signature.general ? 0 : 2) + (found.mild ? 0 : 1);
}

/** The earliest matching line. `hints` are the signature's hints that the text may contain. */
function firstMatch(
  text: string,
  folded: string,
  { signature, hints }: { signature: Signature; hints: readonly string[] },
): MatchedLine | undefined {
  let plain: MatchedLine | undefined;
  let mild: MatchedLine | undefined;
  for (const hint of hints) {
    let tries = 0;
    for (let at = folded.indexOf(hint); at >= 0 && tries < MAX_TRIES && at < (plain?.at ?? Infinity); tries++) {
      const start = text.lastIndexOf('\n', at) + 1;
      const end = endOfLine(text, at);
      const found = matchLine(text.slice(Math.max(start, at - MAX_LINE / 2), Math.min(end, at + MAX_LINE / 2)), signature);
      if (found && !found.mild) plain = { ...found, at: start };
      else if (found && start < (mild?.at ?? Infinity) && !recovered(folded, end)) mild = { ...found, at: start };
      at = folded.indexOf(hint, end);
    }
  }
  return plain && mild && mild.at < plain.at && isSame(mild, plain) ? { ...mild, mild: false } : (plain ?? mild);
}

/** Whether both lines are about the same thing: the pattern's groups are equal, or if it has none, everything the lines name. */
function isSame(a: MatchedLine, b: MatchedLine): boolean {
  const of = ({ groups, line }: Pick<MatchedLine, 'groups' | 'line'>): string =>
    Object.values(groups).join() || (line.match(NAMED) ?? []).join();
  return a.signature === b.signature && of(a) === of(b);
}

/** Paths, and hosts with their ports. */
const NAMED = /(?:\/[\w.@+-]{1,80}){2,12}|[\w.-]{1,100}:\d{2,5}\b/g;

/** A line of the program itself, which a trace shows. */
const IN_CODE = /^\s{0,40}(?:throw|raise|return|await|ErrorCaptureStackTrace)\b/;

/** A statement that names an exception, and not what it says. */
const AS_CODE = /^\s{1,40}(?:raise|throw(?: new)?) [\w.:]{2,100}\(\s*(?:_?errno\.|[\w.]{0,60}$|\))/;

function matchLine(line: string, signature: Signature): Omit<MatchedLine, 'at'> | undefined {
  const match = signature.pattern.exec(line) ?? (line.includes('\\"') ? signature.pattern.exec(line.replaceAll('\\"', '"')) : null);
  if (!match || (signature.general ? IN_CODE : AS_CODE).test(line)) return undefined;
  const goesOn = DOES_WITHOUT.test(line);
  const mild = goesOn || signature.vague === true || ONLY_LISTS.test(line) || AGAIN.test(line) || isMildLevel(line.slice(0, 120));
  if (mild && signature.general) return undefined;
  return { kind: 'log', signature, groups: groupsOf(match), mild, goesOn, line: line.trim() };
}

/** The match with a line that says more. */
function withLine(found: MatchedLine, line: string): MatchedLine {
  return { ...found, line, goesOn: DOES_WITHOUT.test(line) };
}

/** The level that begins a line: what it reports is no failure, whatever its words are. */
const BEGINS_MILD = /^\W{0,3}(?:INFO|DEBUG|TRACE|NOTICE)\b[\]:]/;

function isMildLevel(level: string): boolean {
  if (BEGINS_MILD.test(level)) return true;
  return MILD.test(level) && !/\b(?:error|fatal|panic|critical|exception)\b/i.test(level);
}

function groupsOf(match: RegExpExecArray): Record<string, string> {
  if (!match.groups) return {};
  return Object.fromEntries(Object.entries(match.groups).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Makes the line readable: the message instead of the whole record, a headline with the lines that it announces. */
function withReadableLine(found: MatchedLine, text: string): MatchedLine {
  const { signature, at } = found;
  const end = endOfLine(text, at);
  const message = messageOf(text.slice(at, end).trim());
  if (message === text.slice(at, end).trim()) {
    const more = signature.general || signature.headline ? continuationOf(text, end, found.line) : '';
    return more ? withLine(found, `${found.line} ${more}`) : found;
  }
  const line = message.slice(0, MAX_LINE);
  const match = signature.pattern.exec(line);
  if (match) return { ...withLine(found, line), groups: groupsOf(match) };
  return signature.general ? withLine(found, line) : found;
}

/** Whether a problem that the program retries was solved later. */
function recovered(folded: string, from: number): boolean {
  const rest = folded.slice(from, from + 20_000);
  return /\b(?:connected to|connection (?:established|restored|succeeded)|reconnected|successfully connected)\b/.test(rest);
}

/** For a log without any known line: the last exception that nothing caught. */
function uncaught(text: string): MatchedLine | undefined {
  const last = lastUncaught(text);
  const signature = SIGNATURES.at(-1);
  if (!last || !signature) return undefined;
  const line = last.line.slice(0, MAX_LINE).trim();
  return { kind: 'log', signature, groups: {}, mild: false, goesOn: DOES_WITHOUT.test(line), line, at: last.at };
}

/** Java prints the cause last: the deepest "Caused by" of the first exception. */
function deepestCause(text: string, best: MatchedLine): MatchedLine | undefined {
  const tail = text.slice(best.at, best.at + 40_000);
  const at = tail.lastIndexOf('\nCaused by: ');
  // Spring writes a description.
  const described = at < 0 ? /\nDescription:\s{1,10}(?=\S)/.exec(tail) : undefined;
  if (at < 0 && !described) return undefined;
  const start = best.at + (described ? described.index + described[0].length : at + 1);
  return { ...withLine(best, text.slice(start, Math.min(endOfLine(text, start), start + MAX_LINE)).trim()), at: start };
}

/** Since 1.73 Rust prints the place of a panic in one line and its message in the next. */
function panicMessage(text: string, best: MatchedLine): MatchedLine | undefined {
  const start = endOfLine(text, best.at) + 1;
  if (!/\bpanicked at \S{1,200}:\d{1,7}:\d{1,5}:$/.test(best.line) || start >= text.length) return undefined;
  const line = text.slice(start, Math.min(endOfLine(text, start), start + MAX_LINE)).trim();
  return line === '' || line.startsWith('note: ') ? undefined : { ...withLine(best, line), at: start };
}

/** The part of a line before its message, up to its first level. */
const PREFIX =
  /^.*?\b(?:FATAL|ERROR|CRITICAL|PANIC|EMERG|SEVERE|fatal|error|critical|(?:Error|Fatal)(?=:))\b[^\w"'(]*(?:[\w.:$@-]{1,80}\] - )?/;
/** A message that only says that the program does not start. */
const ONLY_ENDS =
  /^(?=.*(?:fail|fatal|error|exception|unable|abort|invalid))(?=.*(?:start|initiali|boot|launch|set ?up|running|exit|shut|config))[^"'`=:/\d]{1,100}$/i;
/** The same of a command of the program. */
const NO_COMMAND = /^(?:[Ff]ailed to (?:run|execute)|[Ee]rror (?:running|executing)) ['"`]?[\w:-]{2,40}['"`]?(?: command)?\.?$/;
/** How many lines after such a message its error may follow. Empty lines and rulers do not count. */
const MAX_BEHIND = 4;
const RULER = /^\W*$/;

/** For a line that only says that the program does not start: the next error after it, or the same line when none is near. */
function plainerLine(text: string, best: MatchedLine): MatchedLine {
  const isOnlyEnd = (line: string): boolean => ((said) => ONLY_ENDS.test(said) || NO_COMMAND.test(said))(line.replace(PREFIX, '').trim());
  if (!isOnlyEnd(messageOf(best.line))) return best;
  let at = endOfLine(text, best.at) + 1;
  for (let looked = 0; looked < MAX_BEHIND && at < text.length; looked++) {
    const line = text.slice(at, Math.min(endOfLine(text, at), at + MAX_LINE)).trim();
    const found = /^(?:at |\.{3} |File "|from )/.test(line) ? undefined : matchLine(line, best.signature);
    if (found && !isOnlyEnd(messageOf(line))) return { ...found, at };
    if (RULER.test(line)) looked--;
    at = endOfLine(text, at) + 1;
  }
  return best;
}

/** A message that only says that something of the program ended. */
const SOMETHING_ENDED =
  /^[^"'`=:/]{0,60}\b(?:worker|process|child|thread|task|app(?:lication)?|service|server|job)\b.{0,40}\b(?:died|exited|crashed|terminated|stopped|fail\w{0,4})\b|\b(?:unhandled|uncaught|unexpected|internal) (?:\w{1,20} )?(?:exception|error|rejection)|^exception in worker/i;
/** Nothing that could be looked for: no value, path, number or pair. */
const NAMES_NOTHING = /^[^"'`=:/\d]{1,100}$/;

/** What a server says at its end, behind the exception that ended it. */
const ENDS_AFTER = /^Application startup failed\. Exiting\.?$/i;

/** The last uncaught exception behind a line that names nothing (`Exception in worker process`). */
function lastException(text: string, best: MatchedLine): MatchedLine | undefined {
  // A colon at the end only announces the next lines.
  const said = messageOf(best.line).replace(PREFIX, '').replace(/:\s*$/, '').trim();
  const next = endOfLine(text, best.at) + 1;
  // Elixir indents the exception that led to another one below it.
  const isFollowed =
    /^\s{0,4}Traceback \(most recent call last\):/.test(text.slice(next, next + 60)) ||
    /^[ \t]{1,16}\*\* \(/.test(text.slice(next, next + 40));
  if (!isFollowed && !NAMES_NOTHING.test(said) && !ONLY_ENDS.test(said) && !SOMETHING_ENDED.test(said)) return undefined;
  // Servers of Python log the exception first, and then that they end.
  const behind = lastUncaught(text.slice(best.at));
  const before = behind || !ENDS_AFTER.test(said) ? undefined : lastUncaught(text.slice(0, best.at));
  const last = behind ?? before;
  if (!last) return undefined;
  const line = last.line.slice(0, MAX_LINE).trim();
  const general = SIGNATURES.filter((signature) => signature.general).flatMap((signature) => matchLine(line, signature) ?? []);
  return { ...withLine({ ...best, ...general[0] }, line), at: (behind ? best.at : 0) + last.at };
}

const WORKS = /(?<![/\w-])(?:listening|serving|server started|ready to (?:accept|serve)|accepting connections)\b/gi;

/** What a program says after it worked in spite of an error: that error did not end it. undefined when it says nothing that names the end. */
function afterItWorked(text: string, best: MatchedLine): MatchedLine | undefined {
  WORKS.lastIndex = endOfLine(text, best.at);
  let from = -1;
  for (let found = WORKS.exec(text); found; found = WORKS.exec(text)) from = endOfLine(text, found.index) + 1;
  const later = from < 0 ? undefined : firstCause(text.slice(from));
  const said = messageOf(later?.line ?? '')
    .replace(PREFIX, '')
    .trim();
  if (!later || later.mild || ONLY_ENDS.test(said) || SOMETHING_ENDED.test(said)) return undefined;
  return { ...later, at: from + later.at };
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function lastLine(sections: LogSection[]): LastLineFact[] {
  for (const { container, run, text } of sections) {
    const kept = text.trimEnd();
    const line = kept.slice(Math.max(kept.lastIndexOf('\n') + 1, kept.length - MAX_LINE)).trim();
    if (line)
      return [{ kind: 'last-line', line, container, evidence: { from: `log of ${container ?? 'the pod'}${run}, last line`, text: line } }];
  }
  return [];
}

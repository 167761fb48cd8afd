import type { Case } from '../case.ts';
import { SIGNATURES, type Signature } from '../rules/signatures/list.ts';
import { hintFilter } from './hints.ts';
import type { Quote } from './message.ts';
import { continuationOf, wordsOf } from './said.ts';

/** The line of a log that tells the cause: what a signature matched. */
export interface LogFact {
  kind: 'log';
  signature: Signature;
  groups: Record<string, string>;
  /** The program tries again, or calls it a warning: not by itself the cause. */
  mild: boolean;
  line: string;
  container: string | null;
  evidence: Quote;
}
/** The last thing a container said, when no signature knows it. */
export interface LastLineFact {
  kind: 'last-line';
  line: string;
  container: string | null;
  evidence: Quote;
}
/** A port that the container says it listens on. `local`: only for its own loopback. */
export interface ListeningFact {
  kind: 'listening';
  port: number;
  local: boolean;
  container: string | null;
  evidence: Quote;
}
export type LogKind = LogFact | LastLineFact | ListeningFact;

interface Section {
  container: string | null;
  run: string;
  text: string;
}

/** Longer lines are cut before a pattern sees them: no pattern is slow on this many letters. */
const MAX_LINE = 1000;
/** A signature's words may stand in many lines of a log that repeats itself; the first ones decide. */
const MAX_TRIES = 40;
/** Of a longer log only its beginning (the first error) and its end (the last words) are read. */
const MAX_HEAD = 64 * 1024;
const MAX_TAIL = 128 * 1024;
/** No pod has more runs of containers; a program that writes such headings itself makes no more of them than that. */
const MAX_SECTIONS = 40;
const NO_LOG = /^(?:unable to retrieve container logs for |Error from server |failed to try resolving symlinks|log not available)/;
const MILD = /\b(?:warn(?:ing)?|info|debug|trace|notice)\b/i;
const AGAIN = /\bretry|\bretries|\bretrying|attempt \d|will try again|reconnecting/i;
const LISTENING =
  /(?:listening|listen|started|running|serving|bound|ready|available|server|http|port)\b.{0,80}?(?:(?:port[( =s]{1,3}|(\[::\]|0\.0\.0\.0|127\.0\.0\.1|localhost|\[::1\]|\*)?:)(\d{2,5}))\b/i;
/** Times of day and places in a source file look like ports. */
const NO_PORT = /\b\d{1,2}:\d\d:\d\d\b|\.(?:go|[cm]?[jt]sx?|py|rb|java|kt|scala|rs|cs|c|cc|cpp|hpp|h|php|exs?|lua):\d{1,6}\b/g;

/** The ports that the failing container says it listens on (all containers when the case names none). */
export function readListening(subject: Case): ListeningFact[] {
  return sectionsOf(subject).flatMap(listening).slice(0, 4);
}

/** What the logs of the failing container tell of the cause (those of all containers when the case names none). */
export function readLogs(subject: Case): (LogFact | LastLineFact)[] {
  const sections = sectionsOf(subject);
  const facts = sections.flatMap(({ container, run, text }) => {
    const found = firstCause(text);
    return found
      ? [{ ...toldBy(found, text), container, evidence: { from: `log of ${container ?? 'the pod'}${run}`, text: found.line } }]
      : [];
  });
  // The run that says it most plainly; of two that say it alike, the first in order (the run that ended).
  const best = facts.toSorted((a, b) => tier(b) - tier(a))[0];
  return best ? [best] : lastLine(sections);
}

function sectionsOf(subject: Case): Section[] {
  const sections = splitSections(subject.logs);
  const wanted = subject.container;
  const own = wanted === null ? sections : sections.filter(({ container }) => container === null || container === wanted);
  const status = subject.statuses.find(({ name }) => name === wanted);
  const ended = status?.message && status.state === 'terminated' ? status.message : (status?.last_state?.message ?? '');
  const message =
    ended && !/OCI runtime|containerd task/.test(ended) ? [{ container: wanted, run: ' (termination message)', text: ended }] : [];
  // A running container's present log is not the one of the run that failed.
  if (status?.state === 'running') own.sort((a, b) => Number(b.run.includes('previous')) - Number(a.run.includes('previous')));
  return [...own, ...message];
}

function splitSections(logs: string): Section[] {
  const sections: Section[] = [];
  let section: Section = { container: null, run: '', text: '' };
  let start = 0;
  const keep = (end: number): void => {
    section.text = clipped(logs.slice(start, end));
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

function clipped(text: string): string {
  return text.length <= MAX_HEAD + MAX_TAIL ? text : `${text.slice(0, MAX_HEAD)}\n${text.slice(-MAX_TAIL)}`;
}

interface Found {
  kind: 'log';
  /** Where its line begins. */
  at: number;
  signature: Signature;
  groups: Record<string, string>;
  mild: boolean;
  line: string;
}

/** The first line that a specific signature knows; one that is only a warning, or general, when there is no better. */
function firstCause(text: string): Found | undefined {
  const folded = text.toLowerCase();
  let best: Found | undefined;
  const mayHold = hintFilter(folded);
  for (const signature of SIGNATURES) {
    const hints = signature.hints.filter(mayHold);
    const found = hints.length > 0 ? firstMatch(text, folded, { signature, hints }) : undefined;
    if (!found) continue;
    const better = best ? tier(found) - tier(best) || best.at - found.at : 1;
    if (better > 0) best = found;
  }
  return best?.signature.general ? (deepestCause(text, best) ?? best) : best;
}

function tier(found: Pick<Found, 'signature' | 'mild'>): number {
  return (found.signature.general ? 0 : 2) + (found.mild ? 0 : 1);
}

/** `hints` are those of the signature that the text may hold. */
function firstMatch(
  text: string,
  folded: string,
  { signature, hints }: { signature: Signature; hints: readonly string[] },
): Found | undefined {
  let mild: Found | undefined;
  for (const hint of hints) {
    let tries = 0;
    for (let at = folded.indexOf(hint); at >= 0 && tries < MAX_TRIES; tries++) {
      const start = text.lastIndexOf('\n', at) + 1;
      const end = endOfLine(text, at);
      const found = matchLine(text.slice(Math.max(start, at - MAX_LINE / 2), Math.min(end, at + MAX_LINE / 2)), signature);
      if (found && !found.mild) return mild && mild.at < start && isSame(mild, found) ? mild : { ...found, at: start };
      if (found && !mild && !recovered(folded, end)) mild = { ...found, at: start };
      at = folded.indexOf(hint, end);
    }
  }
  return mild;
}

function isSame(a: Found, b: Omit<Found, 'at'>): boolean {
  return a.signature === b.signature && Object.values(a.groups).join() === Object.values(b.groups).join();
}

function matchLine(line: string, signature: Signature): Omit<Found, 'at'> | undefined {
  const match = signature.pattern.exec(line);
  if (!match) return undefined;
  const level = line.slice(0, 120);
  const mild = (MILD.test(level) && !/\b(?:error|fatal|panic|critical|exception)\b/i.test(level)) || AGAIN.test(line);
  if (mild && signature.general) return undefined;
  return { kind: 'log', signature, groups: groupsOf(match), mild, line: line.trim() };
}

function groupsOf(match: RegExpExecArray): Record<string, string> {
  return Object.fromEntries(Object.entries(match.groups ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** The same in words: a record's message instead of the record, and with a headline what it announces. */
function toldBy(found: Found, text: string): Found {
  const { signature, at } = found;
  const end = endOfLine(text, at);
  const words = wordsOf(text.slice(at, end).trim());
  if (words === text.slice(at, end).trim()) {
    const more = signature.general || signature.headline ? continuationOf(text, end, found.line) : '';
    return more ? { ...found, line: `${found.line} ${more}` } : found;
  }
  const line = words.slice(0, MAX_LINE);
  const match = signature.pattern.exec(line);
  return match ? { ...found, line, groups: groupsOf(match) } : signature.general ? { ...found, line } : found;
}

/** Whether a trouble that the program meant to try again was over later. */
function recovered(folded: string, from: number): boolean {
  const rest = folded.slice(from, from + 20_000);
  return /\b(?:connected to|connection (?:established|restored|succeeded)|reconnected|successfully connected)\b/.test(rest);
}

/** Java tells the cause last: the deepest "Caused by" of the first exception. */
function deepestCause(text: string, best: Found): Found | undefined {
  const tail = text.slice(best.at, best.at + 40_000);
  const at = tail.lastIndexOf('\nCaused by: ');
  // Spring describes in words what it cannot do.
  const described = at < 0 ? /\nDescription:\s{1,10}(?=\S)/.exec(tail) : undefined;
  if (at < 0 && !described) return undefined;
  const start = best.at + (described ? described.index + described[0].length : at + 1);
  return { ...best, at: start, line: text.slice(start, Math.min(endOfLine(text, start), start + MAX_LINE)).trim() };
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function lastLine(sections: Section[]): LastLineFact[] {
  for (const { container, run, text } of sections) {
    const kept = text.trimEnd();
    const line = kept.slice(Math.max(kept.lastIndexOf('\n') + 1, kept.length - MAX_LINE)).trim();
    if (line)
      return [{ kind: 'last-line', line, container, evidence: { from: `log of ${container ?? 'the pod'}${run}, last line`, text: line } }];
  }
  return [];
}

function listening({ container, run, text }: Section): ListeningFact[] {
  const facts: ListeningFact[] = [];
  // Servers say where they listen when they start: the first part of a log is enough.
  for (const line of text.slice(0, 8000).split('\n', 60)) {
    const found = LISTENING.exec(line.slice(0, 300).replaceAll(NO_PORT, ' '));
    const port = Number(found?.[2]);
    if (!found || port < 1 || port > 65535 || /connect(?:ing|ed)? to|refused|error|failed/i.test(line)) continue;
    const local = /127\.0\.0\.1|localhost|\[::1\]/.test(found[1] ?? '');
    facts.push({
      kind: 'listening',
      port,
      local,
      container,
      evidence: { from: `log of ${container ?? 'the pod'}${run}`, text: line.slice(0, 300).trim() },
    });
  }
  return facts;
}

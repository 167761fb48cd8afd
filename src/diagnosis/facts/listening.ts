import type { Case } from '../case.ts';
import { type LogSection, logSections } from './log-sections.ts';
import type { Quote } from './message.ts';

/** A port that the container logs it listens on. `local` means on loopback only. */
export interface ListeningFact {
  kind: 'listening';
  port: number;
  local: boolean;
  container: string | null;
  evidence: Quote;
}

const LISTENING =
  /(?:listening|listen|started|running|serving|bound|ready|available|server|http|port)\b.{0,80}?(?:(?:port[( =s]{1,3}|(\[::\]|0\.0\.0\.0|127\.0\.0\.1|localhost|\[::1\]|\*)?:)(\d{2,5}))\b/i;
/** Words about another server, about something else than a port, or of Spring about a port that it opens when all else has started. */
const NO_LISTENING =
  /initialized with port|connect(?:ing|ed)? to|refused|error|failed|\b(?:curl|wget)\b|\bfetch|\bGet "|\bfrom https?:|transport: {1,4}\w+:|no such host|not reachable|exitCode/i;
/** Text that looks like a port but is a time of day or a line number. */
const NO_PORT =
  /(?<!\d)\d{1,2}:\d\d:\d\d\b|\.(?:go|[cm]?[jt]sx?|py|rb|java|kt|scala|rs|cs|c|cc|cpp|hpp|h|php|exs?|lua)(?::\d{1,6}){1,2}\b/g;

/** The ports that the failing container logs it listens on. If the case names no container, all containers are read. */
export function readListening(subject: Case): ListeningFact[] {
  return logSections(subject).flatMap(listening).slice(0, 4);
}

function listening({ container, run, text }: LogSection): ListeningFact[] {
  const facts: ListeningFact[] = [];
  // Servers log their port when they start, so the beginning of the log is enough.
  for (const line of text.slice(0, 8000).split('\n', 60)) {
    const found = LISTENING.exec(line.slice(0, 300).replaceAll(NO_PORT, ' '));
    const port = Number(found?.[2]);
    if (!found || port < 1 || port > 65535 || NO_LISTENING.test(line)) continue;
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

import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { maskShapes } from './redact/shapes.ts';

export type { Logger };

/** The mask that stands in place of a secret everywhere in Podmend. */
const MASK = '***';

const SECRET_KEY =
  '(?:password|passwd|secret|token|authorization|cookie|set-cookie|x-service-token|connection_?string|database_?url|webhook_?url' +
  '|(?:setup|service|access|refresh|id|session|bearer)[_-]?token|(?:client|session|signing)[_-]?secret|(?:api|private|encryption|secret)[_-]?key)';
/** A value under a secret key, whatever its depth: text, number or a list of those. */
const KEYED = new RegExp(`("${SECRET_KEY}":)("(?:[^"\\\\]|\\\\.)*"|\\[[^\\]]*\\]|-?[\\d.]+)`, 'gi');
/** A secret parameter of an address; its value ends at the next parameter, a blank or the end of the text. */
const QUERY = new RegExp(`([?&]${SECRET_KEY}=)[^&\\s"\\\\#]+`, 'gi');
/** User and password in an address; the user's name goes with it. */
const CREDENTIALS = /(:\/\/)[^/\s"@]+@/g;
const SCHEME = /\b(Bearer|Basic) +[\w.~+/=-]{6,}/gi;

/**
 * A JSON logger (pino). Secrets never reach `destination` (standard output without one): the finished line is masked, so that no
 * depth of nesting, error message or address of a request escapes. Messages are constants; what varies is in fields.
 */
export function createLog({ level }: { level: string }, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
    hooks: { streamWrite: masked },
  };
  return pino(options, destination ?? (level === 'silent' ? NOWHERE : gatheringOutput()));
}

const NOWHERE: DestinationStream = { write() {} };

/**
 * Standard output, where the lines of one turn of the event loop are one write: under load a write for each costs as much as a
 * tenth of what is logged. The write is synchronous: one that were still under way when the process exits could lose lines or repeat
 * parts of them. The last lines are written when the process exits, whichever way it does by itself.
 */
function gatheringOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true });
  let lines = '';
  const write = (): void => {
    if (lines !== '') output.write(lines);
    lines = '';
  };
  process.once('exit', () => {
    write();
    output.flushSync();
  });
  return {
    write(line) {
      if (lines === '') setImmediate(write);
      lines += line;
    },
  };
}

/** What helps to find the cause, and no more: drivers hang the query and its parameters on their errors. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  // pino's own joins the messages and stacks of the causes.
  const { type, message, stack, code, reason } = pino.stdSerializers.err(error) as unknown as Record<string, unknown>;
  return { type, message, stack, code, reason };
}

function masked(line: string): string {
  const known = line
    .replace(KEYED, `$1"${MASK}"`)
    .replace(QUERY, `$1${MASK}`)
    .replace(CREDENTIALS, `$1${MASK}@`)
    .replace(SCHEME, `$1 ${MASK}`);
  return maskShapes(known);
}

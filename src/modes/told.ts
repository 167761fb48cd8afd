import type { Change } from '../contract/failure.ts';
import type { Confidence } from '../contract/mirror.ts';
import { dumpManifest } from '../crd/manifest.ts';
import type { Case } from '../solutions/case.ts';
import { diagnose } from '../solutions/diagnose.ts';
import { applyChanges } from '../solutions/fix/apply.ts';
import { withoutServerFields } from '../solutions/fix/clean.ts';
import { oneLine } from '../solutions/quote.ts';
import { renderSolution } from '../solutions/render.ts';
import { coloured } from './colour.ts';
import { InputError, type Io } from './mode.ts';

// What `diagnose` and `why` have in common: what they print, and how they end.

/** One entry of `failures` (DESIGN section 2). Without a correction: `fixed_manifest` and `confidence` null, no changes. */
interface Told {
  pod_name: string;
  namespace: string;
  failure_reason: string;
  failure_message: string;
  container: string | null;
  evidence: string[];
  solution: string;
  fixed_manifest: string | null;
  changes: Change[];
  confidence: Confidence | null;
  is_fallback: boolean;
}

const FORMATS = ['text', 'json', 'yaml'] as const;
export type Format = (typeof FORMATS)[number];

/** The format of `-o`; text when none was named. Throws `InputError`. */
export function formatOf(output: string | undefined): Format {
  const format = FORMATS.find((name) => name === (output ?? 'text'));
  if (!format) throw new InputError(`unknown output ${JSON.stringify(output)}: -o is text, json or yaml`);
  return format;
}

/** Writes the diagnosis of every case, or that nothing fails `where`. Answers the exit code: 0 when there is none, 1 otherwise. */
export async function tellAll(io: Io, cases: Case[], format: Format, where = ''): Promise<number> {
  const told = cases.map(tell);
  const text = format === 'text' ? asText(told, where) : asData(told, format);
  await write(io, format === 'text' && isColourful(io) ? coloured(text) : text);
  return told.length > 0 ? 1 : 0;
}

/** Runs a command; of bad input it tells one line on stderr and answers 2. */
export async function orBadInput(mode: string, io: Io, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    io.stderr.write(`podmend ${mode}: ${oneLine(error.message, 500)}\n`);
    return 2;
  }
}

/** On a terminal, unless its user does not want any (no-color.org). */
function isColourful({ stdout, env }: Io): boolean {
  return stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

function tell(subject: Case): Told {
  const diagnosis = diagnose(subject);
  const [best] = diagnosis.corrections;
  const manifest = subject.manifest();
  return {
    pod_name: subject.pod_name,
    namespace: subject.namespace,
    failure_reason: subject.reason,
    failure_message: subject.message,
    container: subject.container,
    evidence: diagnosis.evidence,
    solution: renderSolution(diagnosis),
    fixed_manifest: best && manifest ? dumpManifest(withoutServerFields(applyChanges(manifest, best.changes))) : null,
    changes: best?.changes ?? [],
    confidence: best?.confidence ?? null,
    is_fallback: true,
  };
}

function asData(failures: Told[], format: 'json' | 'yaml'): string {
  return format === 'json' ? `${JSON.stringify({ failures }, null, 2)}\n` : dumpManifest({ failures });
}

function asText(told: Told[], where: string): string {
  if (told.length === 0) return `Nothing fails${where}.\n`;
  const title = ({ namespace, pod_name, failure_reason }: Told) => `# ${oneLine(`${namespace}/${pod_name}`)}: ${oneLine(failure_reason)}`;
  return told.map((failure) => `${title(failure)}\n\n${failure.solution}`).join('\n');
}

function write({ stdout }: Io, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

import { parseArgs } from 'node:util';
import type { Change } from '../contract/failure.ts';
import type { Confidence } from '../contract/mirror.ts';
import { dumpManifest } from '../crd/manifest.ts';
import type { Case } from '../solutions/case.ts';
import { diagnose } from '../solutions/diagnose.ts';
import { applyChanges } from '../solutions/fix/apply.ts';
import { withoutServerFields } from '../solutions/fix/clean.ts';
import { oneLine } from '../solutions/quote.ts';
import { failingCases } from '../solutions/recording.ts';
import { renderSolution } from '../solutions/render.ts';
import { InputError, readRecordings } from './diagnose-input.ts';
import type { Command, Io } from './mode.ts';

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
type Format = (typeof FORMATS)[number];

/**
 * `podmend diagnose -f FILE|DIR|- [-o text|json|yaml]`: says why the pods of a recording fail and what cures them, without a
 * cluster. Answers 0 when nothing fails, 1 when something does, 2 on bad input (one line on stderr).
 */
export const runDiagnose: Command = async (argv, io) => {
  try {
    const { files, format } = readArguments(argv);
    const recordings = await readRecordings(files, io.stdin);
    const failures = recordings.flatMap(({ name, recording }) => casesOf(name, () => failingCases(recording)));
    const told = failures.map(tell);
    await write(io, format === 'text' ? asText(told) : asData(told, format));
    return told.length > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    io.stderr.write(`podmend diagnose: ${oneLine(error.message, 500)}\n`);
    return 2;
  }
};

function readArguments(argv: string[]): { files: string[]; format: Format } {
  const { values, positionals } = parse(argv);
  if (positionals[0] !== undefined) throw new InputError(`unexpected argument ${JSON.stringify(positionals[0])}: name inputs with -f`);
  const format = FORMATS.find((name) => name === (values.output ?? 'text'));
  if (!format) throw new InputError(`unknown output ${JSON.stringify(values.output)}: -o is text, json or yaml`);
  if (!values.filename?.length) throw new InputError('name an input: -f FILE, -f DIR or -f - for standard input');
  return { files: values.filename, format };
}

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: { filename: { type: 'string', short: 'f', multiple: true }, output: { type: 'string', short: 'o' } },
    });
  } catch (error) {
    throw new InputError((error as Error).message);
  }
}

/** Statuses of a senseless shape are bad input, not a defect of ours. */
function casesOf(name: string, find: () => Case[]): Case[] {
  try {
    return find();
  } catch (error) {
    throw new InputError(`${name}: a status or event has not the shape that Kubernetes writes (${(error as Error).message})`);
  }
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

function asText(told: Told[]): string {
  if (told.length === 0) return 'Nothing fails.\n';
  const title = ({ namespace, pod_name, failure_reason }: Told) => `# ${oneLine(`${namespace}/${pod_name}`)}: ${oneLine(failure_reason)}`;
  return told.map((failure) => `${title(failure)}\n\n${failure.solution}`).join('\n');
}

function write({ stdout }: Io, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

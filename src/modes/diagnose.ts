import type { Case } from '../diagnosis/case.ts';
import { failingCases } from '../failures/detect/recording.ts';
import { readRecordings } from './offline/read-files.ts';
import { type Command, InputError, parseArguments } from './mode.ts';
import { formatOf, orBadInput, type Presentation, printAll } from './offline/output.ts';

/**
 * `podmend diagnose -f FILE|DIR|- [-o text|json|yaml|patch] [--show-secrets]`: says why the pods of a recording fail and which corrections
 * may help, without a cluster. Returns 0 when nothing fails, 1 when something does, 2 on bad input (one line on stderr).
 */
export const runDiagnose: Command = (argv, io) =>
  orBadInput('diagnose', io, async () => {
    const { files, format, showSecrets } = readArguments(argv);
    const recordings = await readRecordings(files, io.stdin);
    const cases = recordings.flatMap(({ name, recording }) => casesOf(name, () => failingCases(recording)));
    return printAll(io, cases, { format, showSecrets });
  });

function readArguments(argv: string[]): { files: string[] } & Presentation {
  const { values, positionals } = parse(argv);
  if (positionals[0] !== undefined) throw new InputError(`unexpected argument ${JSON.stringify(positionals[0])}: name inputs with -f`);
  const format = formatOf(values.output);
  if (!values.filename?.length) throw new InputError('name an input: -f FILE, -f DIR or -f - for standard input');
  return { files: values.filename, format, showSecrets: values['show-secrets'] === true };
}

function parse(argv: string[]) {
  return parseArguments({
    args: argv,
    allowPositionals: true,
    options: {
      filename: { type: 'string', short: 'f', multiple: true },
      output: { type: 'string', short: 'o' },
      'show-secrets': { type: 'boolean' },
    },
  });
}

/** A malformed status is bad input, not a bug. */
function casesOf(name: string, find: () => Case[]): Case[] {
  try {
    return find();
  } catch (error) {
    throw new InputError(`${name}: a status or event does not have the shape that Kubernetes writes (${(error as Error).message})`);
  }
}

import { parseArgs } from 'node:util';
import type { Case } from '../solutions/case.ts';
import { failingCases } from '../solutions/recording.ts';
import { readRecordings } from './diagnose-input.ts';
import { type Command, InputError } from './mode.ts';
import { type Format, formatOf, orBadInput, tellAll } from './told.ts';

/**
 * `podmend diagnose -f FILE|DIR|- [-o text|json|yaml]`: says why the pods of a recording fail and what cures them, without a
 * cluster. Answers 0 when nothing fails, 1 when something does, 2 on bad input (one line on stderr).
 */
export const runDiagnose: Command = (argv, io) =>
  orBadInput('diagnose', io, async () => {
    const { files, format } = readArguments(argv);
    const recordings = await readRecordings(files, io.stdin);
    const cases = recordings.flatMap(({ name, recording }) => casesOf(name, () => failingCases(recording)));
    return tellAll(io, cases, format);
  });

function readArguments(argv: string[]): { files: string[]; format: Format } {
  const { values, positionals } = parse(argv);
  if (positionals[0] !== undefined) throw new InputError(`unexpected argument ${JSON.stringify(positionals[0])}: name inputs with -f`);
  const format = formatOf(values.output);
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

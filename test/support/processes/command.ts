import { Readable, Writable } from 'node:stream';
import type { Command } from '../../../src/modes/mode.ts';

/** The output of a command, and its exit code. */
export interface Spoken {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a Podmend command in this process. */
export async function spoken(
  command: Command,
  argv: string[],
  { stdin = '', env = {}, isTTY = false }: { stdin?: string; env?: NodeJS.ProcessEnv; isTTY?: boolean } = {},
): Promise<Spoken> {
  const written = { stdout: '', stderr: '' };
  const sink = (name: keyof typeof written) =>
    new Writable({
      write(chunk, _, done) {
        written[name] += String(chunk);
        done();
      },
    });
  const stdout = Object.assign(sink('stdout'), { isTTY });
  const code = await command(argv, { stdin: Readable.from([stdin]), stdout, stderr: sink('stderr'), env });
  return { code, ...written };
}

import { FileFault, Files } from '../files.ts';
import { expandText } from './expand.ts';
import type { Shell, Streams } from './interpret.ts';
import type { Redirect } from './syntax.ts';

/** Returns the streams after redirection. When a file cannot be opened, it writes the error and returns undefined. */
export async function redirected(shell: Shell, redirects: Redirect[], streams: Streams): Promise<Streams | undefined> {
  let current = { ...streams };
  for (const { operator, descriptor, target } of redirects) {
    const name = await expandText(target, shell.scope(streams));
    if (operator === '>&') {
      const to = name === '2' ? current.err : current.out;
      current = descriptor === 2 ? { ...current, err: to } : { ...current, out: to };
      continue;
    }
    const path = Files.resolve(name, shell.directory);
    try {
      if (operator === '<') current = { ...current, input: shell.machine.files.read(path) };
      else {
        const write = writer(shell, path, operator === '>>', streams);
        current = descriptor === 2 ? { ...current, err: write } : { ...current, out: write };
      }
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      streams.err(`${shell.name}: ${redirectFault(operator, name, error.message)}\n`);
      return undefined;
    }
  }
  return current;
}

function writer(shell: Shell, path: string, append: boolean, streams: Streams): (text: string) => void {
  if (path === '/dev/stdout' || path === '/proc/1/fd/1') return streams.out;
  if (path === '/dev/stderr' || path === '/proc/1/fd/2') return streams.err;
  const { files, uid } = shell.machine;
  files.write(path, '', { uid, append });
  return (text) => files.write(path, text, { uid, append: true });
}

function redirectFault(operator: string, name: string, fault: string): string {
  const isMissing = fault === 'No such file or directory';
  if (operator === '<') return `can't open ${name}: ${isMissing ? 'no such file' : fault}`;
  return `can't create ${name}: ${isMissing ? 'nonexistent directory' : fault}`;
}

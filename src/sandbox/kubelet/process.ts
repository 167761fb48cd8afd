import { Files } from './files.ts';
import type { Machine } from './machine.ts';
import { ProcessEnd } from './machine.ts';
import { applet } from './shell/applets.ts';
import { Shell } from './shell/interpret.ts';

/** Exit codes of a process that a signal ended. */
const KILLED = 137;
/** The exit code of a Go program that receives SIGTERM as process 1. */
const GO_TERMINATED = 2;

const STATUS_TEXT: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

/** The first process of a container. `done` is its exit code. */
export interface Process {
  done: Promise<number>;
  signal(name: 'TERM' | 'KILL'): void;
}

/** Why the program cannot be started, in runc's words; undefined if it can. */
export function startFault(files: Files, [program = '']: string[], path: string): string | undefined {
  const quoted = JSON.stringify(program);
  if (!program.includes('/')) {
    const found = path.split(':').some((folder) => files.isExecutable(`${folder}/${program}`));
    return found ? undefined : `exec: ${quoted}: executable file not found in $PATH`;
  }
  const full = Files.resolve(program);
  if (!files.exists(full)) return `exec: ${quoted}: stat ${program}: no such file or directory`;
  if (files.isDirectory(full)) return `exec: ${quoted}: is a directory`;
  return files.isExecutable(full) ? undefined : `exec: ${quoted}: permission denied`;
}

const logTime = (at: Date) => at.toISOString().slice(0, 19).replaceAll('-', '/').replace('T', ' ');

/** The program of `web:1`: an HTTP server. Its argument is the listening address (`:80`). */
function web(machine: Machine, args: string[]): void {
  const address = args[0] ?? ':80';
  const port = Number(address.split(':').at(-1));
  const log = (text: string) => machine.log(`${logTime(machine.now())} ${text}\n`);
  log(`listening on ${address}`);
  machine.listeners.set(port, (path) => {
    const status = Number(/^\/status\/(\d+)/.exec(path)?.[1] ?? 200);
    log(`GET ${path} ${status}`);
    return { status, body: `${STATUS_TEXT[status] ?? ''}\n` };
  });
}

/** Runs a command beside the first process (hooks, exec probes). Returns its exit code and its output. */
export async function runCommand(machine: Machine, words: string[]): Promise<{ exitCode: number; output: string }> {
  let output = '';
  const write = (text: string) => (output += text);
  const shell = new Shell(machine);
  const exitCode = await shell.execute(words, { input: '', out: write, err: write }, machine.environment).catch((error: unknown) => {
    if (error instanceof ProcessEnd) return error.exitCode;
    throw error;
  });
  return { exitCode, output };
}

/** Starts the first process of a container. `startFault` must have found no fault. */
export function startProcess(machine: Machine, argv: string[]): Process {
  const [program = '', ...args] = argv;
  const { promise: done, resolve } = Promise.withResolvers<number>();
  const isWeb = Files.resolve(program) === '/web' || program === 'web';
  const finish = (exitCode: number) => resolve(exitCode);

  if (isWeb) {
    machine.onTerminate = () => finish(GO_TERMINATED);
    web(machine, args);
  } else {
    const shell = new Shell(machine, { isFirst: true, ...shellArguments(args) });
    shell.onTrapExit = finish;
    const streams = { input: '', out: machine.log, err: machine.log };
    const script = scriptOf(program, args);
    const name = program.includes('/') ? (program.split('/').at(-1) ?? program) : program;
    const run =
      script === undefined
        ? applet(
            { machine, directory: machine.workingDirectory, environment: machine.environment, streams, shell },
            program.startsWith('/bin/') || !program.includes('/') ? name : `script ${program}`,
            args,
          )
        : shell.run(script, streams);
    run.then(finish, (error: unknown) => finish(error instanceof ProcessEnd ? error.exitCode : fault(machine, error)));
  }
  return {
    done,
    signal: (name) => {
      if (name === 'KILL') finish(KILLED);
      else machine.onTerminate?.();
    },
  };
}

/** Errors of the interpreter itself are written where the user sees them. */
function fault(machine: Machine, error: unknown): number {
  machine.log(`sandbox: this command is not understood here: ${(error as Error).message}\n`);
  return 1;
}

const flagAt = (args: string[]) => args.findIndex((arg) => /^-[a-z]*c$/.test(arg));

/** The script of `sh -c SCRIPT`, so that it runs as the first process itself. */
function scriptOf(program: string, args: string[]): string | undefined {
  if (!/^(\/bin\/)?(ba|a)?sh$/.test(program)) return undefined;
  const at = flagAt(args);
  const options = at >= 0 ? (args[at] as string).replace(/[-c]/g, '') : '';
  return at >= 0 ? `${options ? `set -${options}\n` : ''}${args[at + 1] ?? ''}` : undefined;
}

function shellArguments(args: string[]): { name?: string; args?: string[] } {
  const at = flagAt(args);
  return at >= 0 && args[at + 2] !== undefined ? { name: args[at + 2] as string, args: args.slice(at + 3) } : {};
}

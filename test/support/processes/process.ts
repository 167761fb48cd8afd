import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import packageJson from '../../../package.json' with { type: 'json' };
import { until } from '../runner/wait.ts';

const LAUNCHER = fileURLToPath(new URL('../../../src/podmend.js', import.meta.url));

/** Processes are started like `npm start` does it. */
const START = packageJson.scripts.start.split(' ');
/** And with the flag of the test processes (see runner/processes.ts). */
const FLAGS = [...START.filter((word) => word.startsWith('--')), ...process.execArgv.filter((flag) => flag === '--liftoff-only')];
const VARIABLES = Object.fromEntries(START.filter((word) => /^\w+=/.test(word)).map((word) => word.split('=') as [string, string]));

/**
 * A start takes three seconds of CPU. On a machine with forty busy processes, these are a minute. If the process ends, the wait ends at
 * once.
 */
const LINE_LIMIT_MS = 180_000;

/** A running `podmend MODE`. All output is kept, because a failed test shows it. */
export interface Running {
  child: ChildProcess;
  output(): string;
  /** The first match of a pattern in the output. After `timeoutMs`, it ends the process and throws an error with the output. */
  line(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>;
  /** Sends the signal and returns the exit code (null when a signal ended it). */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts a mode as its own process. Its environment is `env`, PATH, HOME and the variables of `npm start`. `launcher` is another tree's
 * `podmend.js`.
 */
export function startMode(mode: string, env: Record<string, string>, args: string[] = [], launcher = LAUNCHER): Running {
  const child = spawn(process.execPath, [...FLAGS, launcher, mode, ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...VARIABLES, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = once(child, 'exit') as Promise<[number | null]>;
  // Node emits `close` after all output has been read.
  let isClosed = false;
  child.once('close', () => (isClosed = true));
  return {
    child,
    output: () => text,
    line: async (pattern, timeoutMs = LINE_LIMIT_MS) => {
      const what = () => `${String(pattern)} in the output of podmend ${mode}:\n${text.slice(-4000)}`;
      try {
        const found = await until(() => pattern.exec(text) ?? isClosed, { timeoutMs, what });
        if (typeof found === 'boolean')
          throw new Error(`podmend ${mode} ended with ${child.exitCode ?? child.signalCode} before ${what()}`);
        return found;
      } catch (error) {
        child.kill('SIGKILL');
        throw error;
      }
    },
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}

/** A port of 127.0.0.1 that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { CACHE, root } from './files.ts';
import { type Result, resultOf } from './result.ts';

/** An embedded database lives for about a second in a test. Optimising its WebAssembly would take longer than it saves. */
const FLAGS = ['--liftoff-only', '--import', new URL('hooks.ts', import.meta.url).href];
/** All processes share the compiled modules. Coverage needs them compiled anew. */
const env = process.env['NODE_V8_COVERAGE'] ? process.env : { ...process.env, NODE_COMPILE_CACHE: CACHE.pathname };
/** A shared process with more memory than this is replaced. */
const MAX_RSS_BYTES = 1_500_000_000;
/** How long a shared process may take to exit when it has no more files. */
const END_LIMIT_MS = 15_000;

const alive = new Set<number>();

/** Ends every process group that still runs. */
export function endAll(): void {
  for (const pid of alive) endGroup(pid);
}

/** Starts it in its own process group, so that killing a hanging file also kills what it started. */
function start(args: string[], withMessages: boolean): { child: ChildProcess; output: () => string } {
  const stdio = ['ignore' as const, 'pipe' as const, 'pipe' as const, ...(withMessages ? ['ipc' as const] : [])];
  const child = spawn(process.execPath, [...FLAGS, ...args], { cwd: root, env, detached: true, stdio });
  let output = '';
  const collect = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  alive.add(child.pid ?? 0);
  child.once('exit', () => {
    endGroup(child.pid ?? 0);
    alive.delete(child.pid ?? 0);
  });
  return { child, output: () => output };
}

function endGroup(pid: number): void {
  try {
    if (pid > 0) process.kill(-pid, 'SIGKILL');
  } catch {
    // The process group has already ended.
  }
}

/** Runs one file in a process of its own. */
export async function runAlone(file: string, limitMs: number): Promise<Result> {
  const begun = performance.now();
  const { child, output } = start([file], false);
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    endGroup(child.pid ?? 0);
  }, limitMs);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(limit);
  const ending = isLate ? `\nended after ${limitMs / 1000} s: something kept it open\n` : '';
  return resultOf(file, { output: output() + ending, code: isLate ? 1 : code, seconds: (performance.now() - begun) / 1000 });
}

/** What a shared process sends after each file. */
export interface FileDone {
  output: string;
  code: number;
  rssBytes: number;
  /** The process ends with this file, because of an uncaught error. */
  isCrash?: true;
  /** What the file left open, as Node names it: servers, child processes. Sockets and timers may end by themselves. */
  leftOpen: string[];
}

/** A process that runs one file after another. It starts with the first file, and again after a crash. */
export interface SharedProcess {
  run(file: string, limitMs: number): Promise<Result>;
  /** Ends the process. Returns a failed result if something that a file left open keeps the process alive. */
  end(): Promise<Result | undefined>;
}

export function sharedProcess(): SharedProcess {
  let current: ReturnType<typeof start> | undefined;
  let suspects: string[] = [];

  async function end(): Promise<Result | undefined> {
    const ending = current;
    current = undefined;
    if (!ending) return undefined;
    const begun = performance.now();
    // After a disconnect, Node emits no "close" event.
    const ended = once(ending.child, 'exit').then(() => true);
    ending.child.disconnect();
    const hasEnded = await Promise.race([ended, sleep(END_LIMIT_MS, false, { ref: false })]);
    if (hasEnded) return undefined;
    endGroup(ending.child.pid ?? 0);
    await ended;
    const output = `A shared process did not end by itself within ${END_LIMIT_MS / 1000} s. Left open: ${suspects.join(', ') || 'unknown, perhaps a timer or a socket'}\n${ending.output()}`;
    return resultOf('a shared process', { output, code: 1, seconds: (performance.now() - begun) / 1000 });
  }

  return {
    async run(file, limitMs) {
      const begun = performance.now();
      const seconds = (): number => (performance.now() - begun) / 1000;
      const { child, output } = (current ??= start([new URL('worker.ts', import.meta.url).pathname], true));
      const crash = { output: '', code: 1, rssBytes: 0, leftOpen: [], isCrash: true as const };
      let isLate = false;
      const limit = setTimeout(() => {
        isLate = true;
        endGroup(child.pid ?? 0);
      }, limitMs);
      const done = await new Promise<FileDone>((resolve) => {
        const onMessage = (message: unknown): void => finish(message as FileDone);
        const onClose = (): void =>
          finish({ ...crash, output: `${output()}\n${isLate ? `ended after ${limitMs / 1000} s` : 'the process ended early'}\n` });
        const finish = (outcome: FileDone): void => {
          child.off('message', onMessage).off('close', onClose);
          resolve(outcome);
        };
        child.on('message', onMessage).on('close', onClose);
        child.send(file, (error) => error && onClose());
      });
      clearTimeout(limit);
      suspects.push(...done.leftOpen.map((what) => `${what} (${file})`));
      if (done.isCrash) current = undefined;
      // A failed test often does not reach the line that closes what it opened. That is no failure of its own.
      if (done.code !== 0) {
        void end();
        suspects = [];
      }
      if (done.rssBytes < MAX_RSS_BYTES) return resultOf(file, { ...done, seconds: seconds() });
      const stuck = await end();
      suspects = [];
      return resultOf(file, {
        output: done.output + (stuck?.output ?? ''),
        code: stuck ? 1 : done.code,
        seconds: seconds(),
      });
    },
    end,
  };
}

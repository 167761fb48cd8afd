import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { FileDone } from './processes.ts';

// A process that runs test files one after another. Each message names a file, and each answer is its FileDone. uvu collects suites in a
// global queue. In its deferred mode, this process decides when they run. So each file has its own queue and its own summary.

interface UvuGlobals {
  UVU_DEFER: boolean;
  UVU_QUEUE: unknown[][];
}
const uvu = globalThis as unknown as UvuGlobals;
uvu.UVU_DEFER = true;
uvu.UVU_QUEUE = [];
const { exec } = (await import(new URL('../../../node_modules/uvu/dist/index.mjs', import.meta.url).href)) as { exec(): Promise<void> };

/** Only resources that never end by themselves. */
const ENDLESS = ['TCPServerWrap', 'PipeServerWrap', 'ProcessWrap', 'FSEventWrap', 'Worker', 'MessagePort'];

let output = '';
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    output += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const done = rest.at(-1);
    if (typeof done === 'function') process.nextTick(done as () => void);
    return true;
  };
}

function endless(): string[] {
  return process.getActiveResourcesInfo().filter((name) => ENDLESS.includes(name));
}

async function run(file: string): Promise<FileDone> {
  output = '';
  process.exitCode = 0;
  uvu.UVU_QUEUE.splice(0, Infinity, [null]);
  const before = endless().length;
  try {
    await import(pathToFileURL(file).href);
    await exec();
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
  // A resource that is closing is gone after one turn of the event loop. The first callback still runs within the turn that closes it.
  for (let turn = 0; turn < 2; turn++) await new Promise((done) => setImmediate(done));
  return { output, code: Number(process.exitCode), rssBytes: process.memoryUsage.rss(), leftOpen: endless().slice(before) };
}

process.on('message', (file: string) => void answer(file));

/** Well before the runner gives up. */
const STILL_HERE_MS = 10_000;

// The runner disconnects when no file is left. What keeps this process alive then is what a file left open.
process.on('disconnect', () => {
  const tell = (): void =>
    void writeSync(process.stderr.fd, `What is still open: ${process.getActiveResourcesInfo().join(', ') || 'nothing'}\n`);
  setTimeout(tell, STILL_HERE_MS).unref();
});

async function answer(file: string): Promise<void> {
  const done = await run(file);
  process.exitCode = 0;
  process.send?.(done);
}

// An uncaught error ends this process, as it would end the file's own process. The output so far is sent with it.
process.on('uncaughtExceptionMonitor', (error) => {
  const crash: FileDone = { output: `${output}\n${error.stack}\n`, code: 1, rssBytes: 0, leftOpen: [], isCrash: true };
  process.send?.(crash);
});

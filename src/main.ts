import { setTimeout as sleep } from 'node:timers/promises';
import packageJson from '../package.json' with { type: 'json' };
import { ConfigError, processEnvironment, readConfig } from './config.ts';
import { loadClientInParts } from './kube/client-loading.ts';
import { nearestName } from './diagnosis/corrections/similar-names.ts';
import { DatabaseUnavailable, FolderLocked } from './db/errors.ts';
import { createLog } from './log.ts';
import { MODES } from './modes/index.ts';
import { type Io, type Mode, UsageError } from './modes/mode.ts';

/** A stop that takes longer is cut off: most senders of a signal wait 10 s. */
const STOP_WITHIN_MS = 9_500;
/** A start that takes longer waits for something outside, such as a database that is away. There is nothing to drain. */
const STARTING_MS = 2_000;
/** npm passes Ctrl-C on to a process that the terminal has signalled already: a second signal within this time is the same one. */
const SAME_SIGNAL_MS = 1_000;

loadClientInParts();
// After an error the process ends at once: a connection that a failed start left open would keep it alive for half a minute.
process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => process.exit(explain(error)));

/** argv → mode → run → stop cleanly. Resolves to the exit code; a service resolves only after a signal to stop. */
async function main(argv: string[]): Promise<number> {
  const [first = 'operator', ...rest] = argv;
  if (first === '--version') return print(packageJson.version);
  if (['--help', '-h', 'help'].includes(first)) return print(overview());
  const [name, args] = first.startsWith('-') ? ['operator', argv] : [first, rest];
  const mode = Object.hasOwn(MODES, name) ? MODES[name] : undefined;
  if (!mode) throw new UsageError(`unknown mode ${JSON.stringify(name)}${similarMode(name)}: podmend --help lists them all`);
  // Words after `--` are no options.
  const options = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  if (options.some((word) => word === '--help' || word === '-h')) return print(`podmend ${name}: ${mode.summary}\n\n${mode.help.trim()}`);
  return 'command' in mode ? (await mode.load())(args, io()) : serve(name, mode, args);
}

function io(): Io {
  const { stdin, stdout, stderr } = process;
  return { stdin, stdout, stderr, env: processEnvironment() };
}

async function serve(name: string, mode: Extract<Mode, { service: unknown }>, args: string[]): Promise<number> {
  if (args.length > 0)
    throw new UsageError(`podmend ${name} takes no arguments, the environment configures it: ${JSON.stringify(args[0])}`);
  const env = processEnvironment();
  const config = readConfig(env, mode.service);
  const log = createLog({ level: config.logLevel });
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unexpected failure');
    process.exit(1);
  });
  // Listens from the start: a signal during the start takes effect as soon as there is something to stop.
  const stopped = stopSignal();
  const starting = mode.load().then((start) => start({ env, config, log }));
  const running = await Promise.race([starting, stopped.then(() => sleep(STARTING_MS, undefined))]);
  if (typeof running === 'number') return running;
  await stopped;
  await running?.stop();
  process.exit(0);
}

/** Resolves at the first SIGTERM or SIGINT. From then on the stop has its deadline, and a second signal ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let signalledAt: number | undefined;
    // The listeners stay: between the last one and the next, a signal would end the process by itself.
    const obey = (): void => {
      if (signalledAt === undefined) {
        signalledAt = performance.now();
        setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
        resolve();
      } else if (performance.now() - signalledAt >= SAME_SIGNAL_MS) process.exit(1);
    };
    process.on('SIGTERM', obey);
    process.on('SIGINT', obey);
  });
}

function overview(): string {
  const width = Math.max(...Object.keys(MODES).map((name) => name.length));
  const lines = Object.entries(MODES).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    'Usage: podmend [MODE] [OPTIONS]',
    '',
    'Modes (operator when none is named):',
    ...lines,
    '',
    'Run podmend MODE --help for the details of a mode.',
  ].join('\n');
}

function similarMode(name: string): string {
  const [near] = nearestName(name, Object.keys(MODES));
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

/** A problem that the user can solve is one line. Anything else is a defect, and the stack shows where it happened. */
function explain(error: unknown): number {
  process.stderr.write(`podmend: ${error instanceof Error ? wordsOf(error) : String(error)}\n`);
  return error instanceof UsageError ? 2 : 1;
}

function wordsOf(error: Error): string {
  const expected = [ConfigError, UsageError, FolderLocked, DatabaseUnavailable].some((kind) => error instanceof kind);
  // The message of an operating system error (no such file, address in use) already says what failed.
  if (!expected && !('syscall' in error)) return error.stack ?? error.message;
  if ('code' in error && error.code === 'EADDRINUSE') return `${error.message}: PORT chooses another port`;
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

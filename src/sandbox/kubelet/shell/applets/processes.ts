import { ProcessEnd } from '../../machine.ts';
import { isTrue } from '../test.ts';
import { type Applet, type Call, inPlace } from './call.ts';
import { SIGKILL } from './memory.ts';

const sleep: Applet = async (call, args) => {
  let seconds = 0;
  for (const arg of args) {
    const match = /^(\d*\.?\d+)([smhd]?)$/.exec(arg);
    if (arg === 'infinity' || arg === 'inf') seconds = Number.POSITIVE_INFINITY;
    else if (!match) {
      call.streams.err(`sleep: invalid number '${arg}'\n`);
      return 1;
    } else seconds += Number(match[1]) * ({ '': 1, s: 1, m: 60, h: 3600, d: 86_400 }[match[2] ?? ''] ?? 1);
  }
  await call.machine.sleep(seconds * 1000);
  return 0;
};

const test: Applet = (call, args) => {
  const { files } = call.machine;
  const answer = isTrue(args, { directory: call.directory, files });
  if (typeof answer === 'boolean') return Number(!answer);
  call.streams.err(`sh: ${answer}\n`);
  return 2;
};

const sh: Applet = async (call, args) => {
  const at = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  const shell = call.shell.another({
    name: at >= 0 ? (args[at + 2] ?? 'sh') : 'sh',
    args: at >= 0 ? args.slice(at + 3) : args.slice(1),
    environment: call.environment,
    directory: call.directory,
  });
  const options = at >= 0 ? (args[at] as string).replace(/[-c]/g, '') : '';
  if (at >= 0) return shell.run(`${options ? `set -${options}\n` : ''}${args[at + 1] ?? ''}`, call.streams);
  if (args.length === 0) return call.streams.input ? shell.run(call.streams.input, call.streams) : 0;
  return script(call, args[0] as string, args.slice(1));
};

/** Runs a file as a script. */
export async function script(call: Call, name: string, args: string[]): Promise<number> {
  const path = inPlace(call, name);
  if (!call.machine.files.exists(path)) {
    call.streams.err(`sh: can't open '${name}': No such file or directory\n`);
    return 2;
  }
  const shell = call.shell.another({ name, args, environment: call.environment, directory: call.directory });
  return shell.run(call.machine.files.read(path).replace(/^#!.*/, ''), call.streams);
}

const kill: Applet = (call, args) => {
  const signal = args[0]?.startsWith('-') ? args[0].slice(1) : 'TERM';
  if (args.at(-1) === '1' && /^(SIG)?TERM$|^15$/.test(signal)) call.machine.onTerminate?.();
  if (args.at(-1) === '1') return 0;
  throw new ProcessEnd(/^(SIG)?KILL$|^9$/.test(signal) ? SIGKILL : 143);
};

const env: Applet = async (call, args) => {
  const at = args.findIndex((arg) => !arg.includes('='));
  const environment: Record<string, string> = {
    ...call.environment,
    ...Object.fromEntries(args.slice(0, at < 0 ? undefined : at).map((arg) => arg.split(/=(.*)/s).slice(0, 2))),
  };
  if (at >= 0) return call.shell.execute(args.slice(at), call.streams, environment);
  call.streams.out(
    Object.entries(environment)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  return 0;
};

const date: Applet = ({ machine, streams }, args) => {
  const now = machine.now();
  streams.out(args[0] === '+%s' ? `${Math.floor(now.getTime() / 1000)}\n` : `${now.toUTCString()}\n`);
  return 0;
};

const id: Applet = ({ machine: { uid }, streams }, args) => {
  streams.out(args.includes('-u') ? `${uid}\n` : `uid=${uid} gid=${uid}\n`);
  return 0;
};

/** Programs about processes and the machine itself; `sh` and `env` start others. */
export const PROCESSES: Record<string, Applet> = {
  '[': test,
  ash: sh,
  date,
  env,
  false: () => 1,
  hostname: ({ machine, streams }) => (streams.out(`${machine.hostname}\n`), 0),
  id,
  kill,
  pwd: ({ directory, streams }) => (streams.out(`${directory}\n`), 0),
  sh,
  sleep,
  test,
  true: () => 0,
  whoami: ({ machine, streams }) => (streams.out(machine.uid === 0 ? 'root\n' : 'nobody\n'), 0),
};

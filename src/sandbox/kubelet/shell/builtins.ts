import { FileFault, Files } from '../files.ts';
import { ProcessEnd } from '../machine.ts';
import { LoopEnd, Return } from './flow.ts';
import type { Shell, Streams } from './interpret.ts';
import { parseScript } from './parse.ts';

type Builtin = (shell: Shell, args: string[], streams: Streams) => number | Promise<number>;

/** `wait` without a background job returns at once. The jobs of a sandbox run until the container ends. */
const WAIT_MS = 10;

const declare =
  (isExport: boolean): Builtin =>
  (shell, args) => {
    for (const arg of args) {
      const [variable = '', value] = arg.split(/=(.*)/s);
      if (value !== undefined) shell.variables.set(variable, value);
      if (isExport) shell.exported.add(variable);
    }
    return 0;
  };

const leaveLoop =
  (isBreak: boolean): Builtin =>
  () => {
    throw new LoopEnd(isBreak);
  };

const source: Builtin = async (shell, [name = ''], streams) => {
  try {
    return await shell.list(parseScript(shell.machine.files.read(Files.resolve(name, shell.directory))), streams);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    streams.err(`${shell.name}: .: line 0: can't open '${name}': ${error.message}\n`);
    throw new ProcessEnd(2);
  }
};

const cd: Builtin = (shell, [to = shell.value('HOME') ?? '/'], streams) => {
  const path = Files.resolve(to, shell.directory);
  if (!shell.machine.files.isDirectory(path)) {
    streams.err(`${shell.name}: cd: line 0: can't cd to ${to}: No such file or directory\n`);
    return 2;
  }
  shell.directory = path;
  return 0;
};

const exec: Builtin = async (shell, args, streams) => {
  const [name] = args;
  if (name === undefined) return 0;
  if (shell.program(name) === 'missing') {
    streams.err(`${shell.name}: exec: line 0: ${name}: not found\n`);
    throw new ProcessEnd(127);
  }
  shell.machine.onTerminate = undefined;
  throw new ProcessEnd(await shell.execute(args, streams, shell.environment));
};

const trap: Builtin = (shell, [action, ...signals], streams) => {
  if (action === undefined || !signals.some((signal) => /^(SIG)?TERM$|^15$/.test(signal)) || !shell.isFirst) return 0;
  shell.machine.onTerminate = action === '-' ? undefined : () => void shell.trapped(action, streams);
  return 0;
};

/** The built-in commands, which act on the shell itself. */
export const BUILTINS: Record<string, Builtin> = {
  '.': source,
  break: leaveLoop(true),
  cd,
  continue: leaveLoop(false),
  eval: (shell, args, streams) => shell.list(parseScript(args.join(' ')), streams),
  exec,
  exit: (shell, [code]) => {
    throw new ProcessEnd(code === undefined ? shell.status : Number(code) & 255);
  },
  export: declare(true),
  false: () => 1,
  local: declare(false),
  readonly: declare(false),
  return: (shell, [status]) => {
    throw new Return(status === undefined ? shell.status : Number(status));
  },
  set: (shell, args) => {
    for (const arg of args) for (const letter of arg.slice(1)) shell.options[arg.startsWith('-') ? 'add' : 'delete'](letter);
    return 0;
  },
  shift: (shell, [count = '1']) => {
    shell.args.splice(0, Number(count));
    return 0;
  },
  source,
  trap,
  unset: (shell, args) => {
    for (const variable of args) shell.variables.delete(variable);
    return 0;
  },
  wait: async (shell) => {
    await shell.machine.sleep(WAIT_MS);
    return 0;
  },
};

import { FileFault, Files } from '../files.ts';
import type { Machine } from '../machine.ts';
import { ProcessEnd } from '../machine.ts';
// sh, env and xargs start shells, and a shell starts applets.
// oxlint-disable-next-line import/no-cycle
import { Shell, type Streams } from './interpret.ts';
import { isTrue } from './test.ts';

/** What a program of the image is started with. */
export interface Call {
  machine: Machine;
  directory: string;
  environment: Record<string, string>;
  streams: Streams;
  shell: Shell;
}

type Applet = (call: Call, args: string[]) => number | Promise<number>;

/** How fast a program that eats memory eats: it needs about a second, as on a real machine. */
const EATING_MS = 700;
const SIGKILL = 137;

const inPlace = ({ directory }: Call, path: string) => Files.resolve(path, directory);
const splitFlags = (args: string[]) => ({
  flags: args.filter((a) => /^-[^-\d]/.test(a)).join(''),
  rest: args.filter((a) => !/^-[^-\d]/.test(a)),
});

/** Does something to each path, and complains of those that fault. */
function each(
  call: Call,
  paths: string[],
  act: (path: string, name: string) => void,
  complaint: (name: string, fault: string) => string,
): number {
  let status = 0;
  for (const name of paths)
    try {
      act(inPlace(call, name), name);
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      call.streams.err(`${complaint(name, error.message)}\n`);
      status = 1;
    }
  return status;
}

/** Takes memory until the kernel kills: the container's limit is the end. */
async function eat(call: Call, bytes: number): Promise<number | undefined> {
  if (bytes <= call.machine.memoryLimit) return undefined;
  await call.machine.sleep(EATING_MS);
  call.machine.onOutOfMemory();
  return SIGKILL;
}

const bytesOf = (text: string): number => {
  const match = /^(\d+)([cwbkKMG]?)/.exec(text);
  const size: Record<string, number> = { '': 1, c: 1, w: 2, b: 512, k: 1024, K: 1024, M: 1 << 20, G: 1 << 30 };
  return Number(match?.[1] ?? 0) * (size[match?.[2] ?? ''] ?? 1);
};

const unescape = (text: string): string =>
  text.replace(
    /\\(n|t|r|\\|0?[0-7]{1,3}|e)/g,
    (_, c: string) => ({ n: '\n', t: '\t', r: '\r', '\\': '\\', e: '\u001B' })[c] ?? String.fromCharCode(parseInt(c, 8)),
  );

const echo: Applet = ({ streams }, args) => {
  const flags = /^-[neE]+$/.test(args[0] ?? '') ? (args[0] as string) : '';
  const text = args.slice(flags ? 1 : 0).join(' ');
  streams.out((flags.includes('e') ? unescape(text) : text) + (flags.includes('n') ? '' : '\n'));
  return 0;
};

const printf: Applet = ({ streams }, [format = '', ...args]) => {
  const values = [...args];
  const once = () =>
    unescape(format).replace(/%(-?\d*)(?:\.(\d+))?([sdiufxc%])/g, (_, width: string, _precision: string, type: string) => {
      if (type === '%') return '%';
      const value = values.shift() ?? (type === 's' ? '' : '0');
      const text = type === 's' ? value : type === 'x' ? Number(value).toString(16) : String(Math.trunc(Number(value)));
      return width.startsWith('-') ? text.padEnd(Number(width.slice(1))) : text.padStart(Number(width));
    });
  let text = once();
  while (values.length > 0 && values.length < args.length) text += once();
  streams.out(text);
  return 0;
};

const cat: Applet = (call, args) => {
  if (args.length === 0) call.streams.out(call.streams.input);
  return each(
    call,
    args,
    (path) => call.streams.out(path === '/dev/stdin' ? call.streams.input : call.machine.files.read(path)),
    (name, fault) => (fault === 'Is a directory' ? `cat: read error: ${fault}` : `cat: can't open '${name}': ${fault}`),
  );
};

const mkdir: Applet = (call, args) => {
  const { flags, rest } = splitFlags(args);
  const { files, uid } = call.machine;
  const make = (path: string) => {
    if (!flags.includes('p')) return files.makeDirectory(path, uid);
    const parts = path.split('/').filter(Boolean);
    for (let i = 1; i <= parts.length; i += 1) {
      const part = `/${parts.slice(0, i).join('/')}`;
      if (!files.exists(part)) files.makeDirectory(part, uid);
    }
  };
  return each(call, rest, make, (name, fault) => `mkdir: can't create directory '${name}': ${fault}`);
};

const touch: Applet = (call, args) => {
  const { files, uid } = call.machine;
  return each(
    call,
    splitFlags(args).rest,
    (path) => files.exists(path) || files.write(path, '', { uid }),
    (name, fault) => `touch: ${name}: ${fault}`,
  );
};

const rm: Applet = (call, args) => {
  const { flags, rest } = splitFlags(args);
  const { files, uid } = call.machine;
  return each(
    call,
    rest,
    (path) => {
      if (flags.includes('f') && !files.exists(path)) return;
      files.remove(path, uid);
    },
    (name, fault) => `rm: can't remove '${name}': ${fault}`,
  );
};

const ls: Applet = (call, args) => {
  const { files } = call.machine;
  const { rest } = splitFlags(args);
  return each(
    call,
    rest.length ? rest : ['.'],
    (path, name) =>
      call.streams.out(
        files.isDirectory(path)
          ? files
              .names(path)
              .map((n) => `${n}\n`)
              .join('')
          : (files.read(path), `${name}\n`),
      ),
    (name, fault) => `ls: ${name}: ${fault}`,
  );
};

const copy =
  (name: string, moves: boolean): Applet =>
  (call, args) => {
    const [from = '', to = ''] = splitFlags(args).rest;
    const { files, uid } = call.machine;
    const source = inPlace(call, from);
    if (!files.exists(source)) {
      call.streams.err(`${name}: can't ${moves ? 'rename' : 'stat'} '${from}': No such file or directory\n`);
      return 1;
    }
    const target = inPlace(call, to);
    const path = files.isDirectory(target) ? `${target}/${from.split('/').at(-1) ?? ''}` : target;
    return each(
      call,
      [path],
      () => {
        files.write(path, files.read(source), { uid });
        if (moves) files.remove(source, uid);
      },
      (_, fault) => `${name}: can't create '${to}': ${fault}`,
    );
  };

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

const takeLines =
  (name: string, cut: (lines: string[], count: number) => string[]): Applet =>
  async (call, args) => {
    const isBytes = args.includes('-c');
    const files = args.filter((a, i) => !a.startsWith('-') && !['-n', '-c'].includes(args[i - 1] ?? ''));
    const count = Number(/\d+/.exec(args.find((a, i) => /^-n?\d+$/.test(a) || args[i - 1] === '-n') ?? '10')?.[0] ?? 10);
    if (name === 'tail' && files.some((f) => f === '/dev/zero')) return (await eat(call, Number.POSITIVE_INFINITY)) ?? 0;
    if (name === 'head' && isBytes && files.includes('/dev/zero')) {
      const size = bytesOf(args[args.indexOf('-c') + 1] ?? '0');
      call.streams.out('\0'.repeat(Math.min(size, 1 << 16)));
      return 0;
    }
    const follows = args.some((a) => /^-[a-zA-Z]*[fF]/.test(a));
    const status = each(
      call,
      files.length ? files : ['/dev/stdin'],
      (path) => {
        const text = path === '/dev/stdin' ? call.streams.input : call.machine.files.read(path);
        const lines = text.split(/(?<=\n)/);
        call.streams.out(cut(lines, count).join(''));
      },
      (file, fault) => (name === 'tail' ? `tail: can't open '${file}': ${fault}\ntail: no files` : `head: ${file}: ${fault}`),
    );
    if (follows && status === 0) await call.machine.sleep(Number.POSITIVE_INFINITY);
    return status;
  };

const dd: Applet = async (call, args) => {
  const options = Object.fromEntries(args.map((arg) => arg.split(/=(.*)/s).slice(0, 2))) as Record<string, string>;
  const size = bytesOf(options['bs'] ?? '512');
  const killed = await eat(call, size);
  if (killed !== undefined) return killed;
  const { files, uid } = call.machine;
  const source = options['if'] ?? '/dev/stdin';
  const status = each(
    call,
    [source],
    (path) => void (path === '/dev/stdin' || files.read(path)),
    (name, fault) => `dd: can't open '${name}': ${fault}`,
  );
  if (status !== 0) return status;
  if (options['count'] === undefined && source === '/dev/zero') await call.machine.sleep(Number.POSITIVE_INFINITY);
  const count = Number(options['count'] ?? 1);
  const target = options['of'];
  const written =
    target === undefined
      ? 0
      : each(
          call,
          [target],
          (path) => files.write(path, '', { uid, extraBytes: size * count }),
          (name, fault) => `dd: can't open '${name}': ${fault}`,
        );
  if (written !== 0) return written;
  call.streams.err(`${count}+0 records in\n${count}+0 records out\n`);
  return 0;
};

const nslookup: Applet = (call, [name = '']) => {
  const address = call.machine.network.lookup(name);
  call.streams.out('Server:\t\t10.96.0.10\nAddress:\t10.96.0.10:53\n\n');
  if (!address) {
    call.streams.out(`** server can't find ${name}: NXDOMAIN\n\n** server can't find ${name}: NXDOMAIN\n\n`);
    return 1;
  }
  call.streams.out(`Name:\t${name}\nAddress: ${address}\n\n`);
  return 0;
};

const wget: Applet = async (call, args) => {
  const { err, out } = call.streams;
  const address = args.find((a, i) => !a.startsWith('-') && !['-O', '-T', '-t', '-P'].includes(args[i - 1] ?? '')) ?? '';
  const match = /^(?:http:\/\/)?([^/:]+)(?::(\d+))?(\/.*)?$/.exec(address);
  const [host, port, path] = [match?.[1] ?? '', Number(match?.[2] ?? 80), match?.[3] ?? '/'];
  const ip = /^[\d.]+$/.test(host) ? host : host === 'localhost' ? '127.0.0.1' : call.machine.network.lookup(host);
  const isQuiet = args.some((a) => /^-[a-zA-Z]*q/.test(a));
  if (!ip) {
    err(`wget: bad address '${host}'\n`);
    return 1;
  }
  if (!isQuiet)
    err(
      `Connecting to ${host}${host === ip ? '' : ''}:${port} (${ip}:${port})\n`.replace(
        `${host}:${port} (`,
        `${host}${match?.[2] ? `:${port}` : ''} (`,
      ),
    );
  const answer = call.machine.network.get(ip, port, path);
  if (answer === 'timeout') {
    const seconds = Number(args[args.indexOf('-T') + 1] ?? 0);
    await call.machine.sleep((args.includes('-T') ? seconds : 900) * 1000);
    err('wget: download timed out\n');
    return 1;
  }
  if (answer === 'refused') {
    err(`wget: can't connect to remote host (${ip}): Connection refused\n`);
    return 1;
  }
  if (answer.status >= 400) {
    err(`wget: server returned error: HTTP/1.1 ${answer.status} ${answer.body.trim()}\n`);
    return 1;
  }
  if (args.some((a) => /^-[a-zA-Z]*O-?$/.test(a))) out(answer.body);
  return 0;
};

const nc: Applet = (call, args) => {
  const [host = '', port = '0'] = args.filter((a, i) => !a.startsWith('-') && args[i - 1] !== '-w');
  const ip = /^[\d.]+$/.test(host) ? host : call.machine.network.lookup(host);
  if (!ip) {
    call.streams.err(`nc: bad address '${host}'\n`);
    return 1;
  }
  const answer = call.machine.network.get(ip, Number(port), '/');
  if (typeof answer !== 'string') return 0;
  call.streams.err(`nc: can't connect to remote host (${ip}): ${answer === 'refused' ? 'Connection refused' : 'Connection timed out'}\n`);
  return 1;
};

const grep: Applet = (call, args) => {
  const { flags, rest } = splitFlags(args);
  const [pattern = '', ...files] = rest;
  const matcher = new RegExp(
    flags.includes('F') ? pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : pattern,
    flags.includes('i') ? 'i' : '',
  );
  let found = 0;
  const search = (text: string) => {
    for (const line of text.split('\n').slice(0, text.endsWith('\n') ? -1 : undefined)) {
      if (matcher.test(line) === flags.includes('v')) continue;
      found += 1;
      if (!flags.includes('q') && !flags.includes('c')) call.streams.out(`${line}\n`);
    }
  };
  const status = files.length
    ? each(
        call,
        files,
        (path) => search(call.machine.files.read(path)),
        (name, fault) => `grep: ${name}: ${fault}`,
      )
    : 0;
  if (files.length === 0) search(call.streams.input);
  if (flags.includes('c')) call.streams.out(`${found}\n`);
  return status ? 2 : Number(found === 0);
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
  const shell = new Shell(call.machine, {
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
async function script(call: Call, name: string, args: string[]): Promise<number> {
  const path = inPlace(call, name);
  if (!call.machine.files.exists(path)) {
    call.streams.err(`sh: can't open '${name}': No such file or directory\n`);
    return 2;
  }
  const shell = new Shell(call.machine, { name, args, environment: call.environment, directory: call.directory });
  return shell.run(call.machine.files.read(path).replace(/^#!.*/, ''), call.streams);
}

const kill: Applet = (call, args) => {
  const signal = args[0]?.startsWith('-') ? args[0].slice(1) : 'TERM';
  if (args.at(-1) === '1' && /^(SIG)?TERM$|^15$/.test(signal)) call.machine.onTerminate?.();
  if (args.at(-1) === '1') return 0;
  throw new ProcessEnd(/^(SIG)?KILL$|^9$/.test(signal) ? SIGKILL : 143);
};

const uptime = (seconds: number) => `${seconds}\n`;

const APPLETS: Record<string, Applet> = {
  '[': test,
  cat,
  chmod: (call, args) =>
    each(
      call,
      args.slice(1),
      (path) => call.machine.files.setExecutable(path),
      (name, fault) => `chmod: ${name}: ${fault}`,
    ),
  cp: copy('cp', false),
  date: (call, args) => {
    const now = call.machine.now();
    call.streams.out(args[0] === '+%s' ? uptime(Math.floor(now.getTime() / 1000)) : `${now.toUTCString()}\n`);
    return 0;
  },
  dd,
  echo,
  env: async (call, args) => {
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
  },
  false: () => 1,
  grep,
  head: takeLines('head', (lines, count) => lines.slice(0, count)),
  hostname: ({ machine, streams }) => (streams.out(`${machine.hostname}\n`), 0),
  id: ({ machine, streams }, args) => (
    streams.out(args.includes('-u') ? `${machine.uid}\n` : `uid=${machine.uid} gid=${machine.uid === 0 ? 0 : machine.uid}\n`),
    0
  ),
  kill,
  ls,
  mkdir,
  mv: copy('mv', true),
  nc,
  nslookup,
  printf,
  pwd: ({ directory, streams }) => (streams.out(`${directory}\n`), 0),
  rm,
  seq: ({ streams }, args) => {
    const [first, last] = args.length > 1 ? [Number(args[0]), Number(args.at(-1))] : [1, Number(args[0])];
    for (let i = first; i <= last; i += 1) streams.out(`${i}\n`);
    return 0;
  },
  sh,
  ash: sh,
  sleep,
  tail: takeLines('tail', (lines, count) => lines.slice(-count)),
  test,
  touch,
  true: () => 0,
  wc: ({ streams }) => (streams.out(`${streams.input.split('\n').length - 1}\n`), 0),
  wget,
  whoami: ({ machine, streams }) => (streams.out(machine.uid === 0 ? 'root\n' : 'nobody\n'), 0),
};

/** The programs that `busybox:1.35` brings here, as files under /bin. */
export const APPLET_PATHS: string[] = [...Object.keys(APPLETS), 'busybox'].map((name) => `/bin/${name}`);

/** Runs a program by its name under /bin (`script PATH` runs that file) and answers its exit status. */
export async function applet(call: Call, name: string, args: string[]): Promise<number> {
  if (name.startsWith('script ')) return script(call, name.slice(7), args);
  const [own, rest] = name === 'busybox' ? [args[0] ?? '', args.slice(1)] : [name, args];
  const run = APPLETS[own];
  if (run) return run(call, rest);
  call.streams.err(`${own}: applet not found\n`);
  return 127;
}

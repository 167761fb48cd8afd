import { type Applet, each, inPlace, splitFlags } from './call.ts';
import { bytesOf, eat } from './memory.ts';

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

const chmod: Applet = (call, args) =>
  each(
    call,
    args.slice(1),
    (path) => call.machine.files.setExecutable(path),
    (name, fault) => `chmod: ${name}: ${fault}`,
  );

/** Programs that work on the machine's files. */
export const FILES: Record<string, Applet> = { chmod, cp: copy('cp', false), dd, ls, mkdir, mv: copy('mv', true), rm, touch };

import { type Applet, each, splitFlags } from './call.ts';
import { bytesOf, eat } from './memory.ts';

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

const seq: Applet = ({ streams }, args) => {
  const [first, last] = args.length > 1 ? [Number(args[0]), Number(args.at(-1))] : [1, Number(args[0])];
  for (let i = first; i <= last; i += 1) streams.out(`${i}\n`);
  return 0;
};

/** What `wc` can count, in the order in which it prints. */
const COUNTS: [flag: string, count: (text: string) => number][] = [
  ['l', (text) => text.split('\n').length - 1],
  ['w', (text) => text.split(/\s+/).filter(Boolean).length],
  ['m', (text) => Array.from(text).length],
  ['c', (text) => Buffer.byteLength(text)],
];

const wc: Applet = (call, args) => {
  const { flags, rest } = splitFlags(args);
  const counts = COUNTS.filter(([flag]) => (flags || 'lwc').includes(flag));
  const totals = counts.map(() => 0);
  const print = (numbers: number[], name: string) => {
    const columns = numbers.map((number) => (numbers.length > 1 ? String(number).padStart(9) : String(number)));
    call.streams.out(`${[...columns, ...(name ? [name] : [])].join(' ')}\n`);
  };
  const show = (text: string, name: string) => {
    const numbers = counts.map(([, count]) => count(text));
    numbers.forEach((number, column) => (totals[column] = (totals[column] ?? 0) + number));
    print(numbers, name);
  };
  if (rest.length === 0) show(call.streams.input, '');
  const status = each(
    call,
    rest,
    (path, name) => show(call.machine.files.read(path), name),
    (name, fault) => `wc: ${name}: ${fault}`,
  );
  if (rest.length > 1) print(totals, 'total');
  return status;
};

/** Programs that write and read text. */
export const TEXT: Record<string, Applet> = {
  cat,
  echo,
  grep,
  head: takeLines('head', (lines, count) => lines.slice(0, count)),
  printf,
  seq,
  tail: takeLines('tail', (lines, count) => lines.slice(-count)),
  wc,
};

import { Files } from '../files.ts';

interface Place {
  directory: string;
  files: Files;
}

const NUMERIC: Record<string, (a: number, b: number) => boolean> = {
  '-eq': (a, b) => a === b,
  '-ne': (a, b) => a !== b,
  '-lt': (a, b) => a < b,
  '-le': (a, b) => a <= b,
  '-gt': (a, b) => a > b,
  '-ge': (a, b) => a >= b,
};

function unary(operator: string, operand: string, { directory, files }: Place): boolean | undefined {
  const path = Files.resolve(operand, directory);
  switch (operator) {
    case '-n':
      return operand !== '';
    case '-z':
      return operand === '';
    case '-e':
    case '-r':
    case '-w':
      return files.exists(path);
    case '-f':
      return files.exists(path) && !files.isDirectory(path);
    case '-d':
      return files.isDirectory(path);
    case '-x':
      return files.isExecutable(path) || files.isDirectory(path);
    case '-s':
      return files.exists(path) && !files.isDirectory(path) && files.read(path) !== '';
    default:
      return undefined;
  }
}

function binary(left: string, operator: string, right: string): boolean | string {
  if (operator === '=' || operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  const compare = NUMERIC[operator];
  if (!compare) return `${left}: unknown operand`;
  for (const operand of [left, right])
    if (!/^\s*[-+]?\d+\s*$/.test(operand)) return operand === '' ? 'out of range' : `${operand}: bad number`;
  return compare(Number(left), Number(right));
}

/** `test` and `[`: the result, or the error message for an invalid expression. */
export function isTrue(args: string[], place: Place): boolean | string {
  const words = args.at(-1) === ']' ? args.slice(0, -1) : args;
  for (const [joiner, isAny] of [
    ['-o', true],
    ['-a', false],
  ] as const) {
    const at = words.indexOf(joiner, 1);
    if (at <= 0 || at === words.length - 1) continue;
    const [left, right] = [isTrue(words.slice(0, at), place), isTrue(words.slice(at + 1), place)];
    if (typeof left === 'string') return left;
    if (typeof right === 'string') return right;
    return isAny ? left || right : left && right;
  }
  if (words[0] === '!' && words.length > 1) {
    const inner = isTrue(words.slice(1), place);
    return typeof inner === 'boolean' ? !inner : inner;
  }
  const [a = '', b = '', c = ''] = words;
  if (words.length === 0) return false;
  if (words.length === 1) return a !== '';
  if (words.length === 2) return unary(a, b, place) ?? `${a}: unknown operand`;
  return binary(a, b, c);
}

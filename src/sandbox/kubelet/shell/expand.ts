import type { Part, Word } from './syntax.ts';
import { partsOf } from './words.ts';

/** The variables and positional parameters of a shell, and how it runs `$(…)`. */
export interface Scope {
  value(name: string): string | undefined;
  assign(name: string, value: string): void;
  substitute(source: string): Promise<string>;
  /** `set -u`. */
  isStrict: boolean;
}

/** Thrown when `${X:?message}` or `set -u` stops the shell. */
export class ExpansionFault extends Error {}

/** A shell pattern (`*`, `?`, `[…]`) as a regular expression over the whole text. */
export function patternOf(pattern: string): RegExp {
  const body = pattern
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
    .replace(/\[!/g, '[^');
  return new RegExp(`^${body}$`, 's');
}

/** Integer arithmetic of `$((…))`: numbers, names, `+ - * / %`, comparison, brackets. Throws `ExpansionFault`. */
export function arithmetic(source: string, value: (name: string) => string | undefined): number {
  const tokens = source.match(/\d+|[A-Za-z_]\w*|\$\w+|[<>=!]=|&&|\|\||[-+*/%()<>!]/g) ?? [];
  let at = 0;
  const LEVELS = [['||'], ['&&'], ['==', '!='], ['<', '>', '<=', '>='], ['+', '-'], ['*', '/', '%']];
  const apply = (operator: string, a: number, b: number): number => {
    if ((operator === '/' || operator === '%') && b === 0) throw new ExpansionFault('divide by zero');
    const results: Record<string, number> = {
      '+': a + b,
      '-': a - b,
      '*': a * b,
      '/': Math.trunc(a / b),
      '%': a % b,
      '<': Number(a < b),
      '>': Number(a > b),
      '<=': Number(a <= b),
      '>=': Number(a >= b),
      '==': Number(a === b),
      '!=': Number(a !== b),
      '&&': Number(a !== 0 && b !== 0),
      '||': Number(a !== 0 || b !== 0),
    };
    return results[operator] ?? 0;
  };
  const primary = (): number => {
    const token = tokens[at++];
    if (token === '(') {
      const inner = level(0);
      at += 1;
      return inner;
    }
    if (token === '-') return -primary();
    if (token === '!') return Number(primary() === 0);
    if (token === undefined) throw new ExpansionFault('arithmetic syntax error');
    return /^\d/.test(token) ? Number(token) : Number(value(token.replace(/^\$/, '')) || 0);
  };
  const level = (n: number): number => {
    if (n === LEVELS.length) return primary();
    let left = level(n + 1);
    while (LEVELS[n]?.includes(tokens[at] ?? '')) {
      const operator = tokens[at++] as string;
      left = apply(operator, left, level(n + 1));
    }
    return left;
  };
  const result = level(0);
  if (at < tokens.length) throw new ExpansionFault('arithmetic syntax error');
  return result;
}

async function textOf(part: Part, scope: Scope): Promise<string> {
  if (part.type === 'text') return part.text;
  if (part.type === 'command') return (await scope.substitute(part.source)).replace(/\n+$/, '');
  if (part.type === 'arithmetic') return String(arithmetic(part.source, (name) => scope.value(name)));
  return variable(part, scope);
}

async function variable({ name, operator, argument }: Extract<Part, { type: 'variable' }>, scope: Scope): Promise<string> {
  const value = scope.value(name);
  if (operator === '' && value === undefined && scope.isStrict && /^\w+$/.test(name))
    throw new ExpansionFault(`${name}: parameter not set`);
  if (operator === '') return value ?? '';
  if (operator === '#' && argument === '') return String((value ?? '').length);
  const otherwise = async () => (await expandWord(partsOf(argument), scope)).join(' ');
  if (!/^:?[-=+?]$/.test(operator)) return trimmed(value ?? '', operator, await otherwise());
  // With a colon, an empty value counts as unset.
  const present = operator.startsWith(':') && value === '' ? undefined : value;
  return substituted({ name, kind: operator.at(-1) ?? '', present }, otherwise, scope);
}

/** `${X-word}`, `${X=word}`, `${X+word}` and `${X?word}`. */
async function substituted(
  { name, kind, present }: { name: string; kind: string; present: string | undefined },
  otherwise: () => Promise<string>,
  scope: Scope,
): Promise<string> {
  if (kind === '+') return present === undefined ? '' : otherwise();
  if (present !== undefined) return present;
  const word = await otherwise();
  if (kind === '?') throw new ExpansionFault(`${name}: ${word || 'parameter not set'}`);
  if (kind === '=') scope.assign(name, word);
  return word;
}

/** `${X#pattern}` and its variants: removes the shortest (or, if doubled, the longest) match from the front or the back. */
function trimmed(value: string, operator: string, pattern: string): string {
  const matcher = patternOf(pattern);
  const lengths = [...Array(value.length + 1).keys()];
  if (operator.length === 2) lengths.reverse();
  const isFront = operator.startsWith('#');
  const cut = lengths.find((n) => matcher.test(isFront ? value.slice(0, n) : value.slice(value.length - n)));
  if (cut === undefined) return value;
  return isFront ? value.slice(cut) : value.slice(0, value.length - cut);
}

/** A word as the fields it becomes: unquoted values are split at blanks, `"$@"` gives one field per argument. */
export async function expandWord(word: Word, scope: Scope): Promise<string[]> {
  const fields: string[] = [];
  let current: string | undefined;
  for (const part of word) {
    const text = await textOf(part, scope);
    if (part.quoted || part.type === 'text') {
      current = (current ?? '') + text;
      continue;
    }
    const pieces = text.split(/[ \t\n]+/);
    for (const [i, piece] of pieces.entries()) {
      if (i > 0 && current !== undefined) {
        fields.push(current);
        current = undefined;
      }
      if (piece !== '') current = (current ?? '') + piece;
    }
  }
  if (current !== undefined) fields.push(current);
  return fields;
}

/** A word as one text: assignments, targets of redirections, `case`. */
export async function expandText(word: Word, scope: Scope): Promise<string> {
  let text = '';
  for (const part of word) text += await textOf(part, scope);
  return text;
}

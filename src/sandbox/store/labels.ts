import { badRequest } from '../api/errors.ts';
import type { Requirement } from './selectors.ts';

/** Words and signs of a label selector; the end is the empty token. */
const tokensOf = (text: string): string[] => [...(text.match(/==|!=|[=!<>(),]|[^\s=!<>(),]+/g) ?? []), ''];
const isWord = (token: string): boolean => /^[^=!<>(),]/.test(token);
const shown = (token: string): string => `found '${token}'`;
const refused = (why: string) => badRequest(`unable to parse requirement: ${why}`);

/** Reads a label selector in its query form: `a=b,c!=d,e in (f,g),!h,i>5`. Throws a 400 in the words of the real parser. */
export function parseLabels(text: string): Requirement[] {
  const tokens = tokensOf(text);
  const requirements: Requirement[] = [];
  const take = () => tokens.shift() ?? '';
  const next = () => tokens[0] ?? '';

  function values(): string[] {
    if (next() !== '(') throw refused(`${shown(next())}, expected: '('`);
    take();
    const found: string[] = [];
    for (;;) {
      found.push(isWord(next()) ? take() : '');
      const token = next();
      if (token !== ',' && token !== ')') throw refused(`${shown(token)}, expected: ',' or ')'`);
      take();
      if (token === ')') return found;
    }
  }

  function requirement(): Requirement {
    const isNot = next() === '!' && take() === '!';
    const key = take();
    if (!isWord(key)) throw refused(`${shown(key)}, expected: identifier`);
    if (isNot) return { key, operator: 'DoesNotExist' };
    if (next() === '' || next() === ',') return { key, operator: 'Exists' };
    const sign = take();
    if (sign === 'in' || sign === 'notin') return { key, operator: sign === 'in' ? 'In' : 'NotIn', values: values() };
    const operator = ({ '=': 'In', '==': 'In', '!=': 'NotIn', '>': 'Gt', '<': 'Lt' } as const)[sign];
    if (!operator) throw refused(`${shown(sign)}, expected: in, notin, =, ==, !=, gt, lt`);
    const value = isWord(next()) ? take() : '';
    if ((operator === 'Gt' || operator === 'Lt') && !/^-?\d+$/.test(value))
      throw refused(`values[0]: Invalid value: ${JSON.stringify(value)}: for 'Gt', 'Lt' operators, the value must be an integer`);
    return { key, operator, values: [value] };
  }

  if (next() === '') return [];
  for (;;) {
    if (!isWord(next()) && next() !== '!') throw badRequest(`${shown(next())}, expected: !, identifier, or 'end of string'`);
    requirements.push(requirement());
    const token = take();
    if (token === '') return requirements;
    if (token !== ',') throw badRequest(`${shown(token)}, expected: ',' or 'end of string'`);
    if (!isWord(next()) && next() !== '!') throw badRequest(`${shown(next())}, expected: identifier after ','`);
  }
}

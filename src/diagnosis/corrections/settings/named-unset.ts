import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { nearVariables } from './near-variable.ts';
import { renamed } from './rename.ts';

/** A variable's name with at least two words. */
const NAME = /(?<![\w/.-])[A-Z][A-Z\d]{1,40}(?:_[A-Z\d]{1,40}){1,8}(?![\w/.-])/g;

/** A setting as a path in a configuration, which programs often fill from a variable: `app.keys` from `APP_KEYS`. */
const PATH = /(?<![\w/.@-])[a-z]{2,30}\.[a-z]{2,30}(?![\w/.(-])/g;

/** A line with more such names is probably a list of something else. */
const MOST_NAMES = 8;

/** Renames the only variable with nearly the name of an unset variable that the line mentions. */
export function namedUnset(input: RuleInput, line: string): { name: string; wanted: string; correction: Correction } | undefined {
  const place = input.place();
  const names = (place?.container?.env ?? []).map(({ name }) => name);
  const asVariable = (path: string): string => path.replaceAll('.', '_').toUpperCase();
  const paths = (line.match(PATH) ?? []).filter((path) => !names.includes(path));
  const said = [...new Set([...(line.match(NAME) ?? []), ...paths.map(asVariable)])].slice(0, MOST_NAMES);
  const others = names.filter((name) => !said.includes(name));
  const found = said
    .filter((wanted) => !names.includes(wanted))
    .flatMap((wanted) => {
      const [near, ...more] = nearVariables(wanted, others);
      return near && more.length === 0 && near.confidence === 'likely' ? [{ name: near.name, wanted }] : [];
    });
  const [only, ...more] = found;
  if (!place || !only || more.length > 0) return undefined;
  const { name, wanted } = only;
  return {
    name,
    wanted,
    correction: renamed(
      place,
      { from: name, to: wanted },
      {
        why: `the program reads ${code(wanted)}`,
        explanation: `The program names ${code(wanted)}, of which ${code(name)} looks like a slip.`,
      },
    ),
  };
}

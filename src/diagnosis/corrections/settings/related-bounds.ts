import { DURATION, secondsIn } from './duration.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { type Given, givenIn, rewritten, setTo } from '../given-values.ts';
import { isSameSetting } from './bounds.ts';

/** How a program says that one setting must be larger or smaller than another. */
const RELATED =
  /\b(?<a>[A-Za-z][\w.-]{3,60}) (?:must|should|has to|needs to) be (?:(?<greater>greater|larger|longer|more|higher)|less|smaller|shorter|lower|fewer) than (?:or equal to )?(?:the )?(?<b>[A-Za-z][\w.-]{3,60})/;

/** Makes the setting smaller that must be, to two thirds of the other one, as Kubernetes has it for the times of an election. */
export function relatedBounds(input: RuleInput, line: string): { name: string; correction: Correction } | undefined {
  const { a = '', b = '', greater } = RELATED.exec(line)?.groups ?? {};
  const place = input.place();
  const [large, small] = greater === undefined ? [b, a] : [a, b];
  const only = (setting: string): Given | undefined => {
    const found = place && setting !== '' ? givenIn(place).filter(({ name }) => isSameSetting(name, setting)) : [];
    return found.length === 1 ? found[0] : undefined;
  };
  const [more, less] = [only(large), only(small)];
  if (!place || !more || !less) return undefined;
  const [most, is] = [secondsIn(more.value), secondsIn(less.value)];
  if (most === undefined || is === undefined || is < most) return undefined;
  const to = withUnit(Math.max(1, Math.floor((most * 2) / 3)), less.value);
  if (to === less.value) return undefined;
  return {
    name: less.name,
    correction: {
      title: `Set ${code(less.name)} to ${code(to)}`,
      changes: [rewritten(place, less, to, `it must be less than ${code(`${more.name}=${more.value}`)}`)],
      confidence: 'likely',
      explanation: 'The program names the relation itself.',
      mirrorable: true,
    },
  };
}

/** Numbers above another one, each behind its setting: `pm.min_spare_servers(2) and pm.max_spare_servers(8) cannot be greater than pm.max_children(4)`. */
const ABOVE =
  /(?<list>(?:[\w.-]{3,60}\(\d{1,9}\)(?:, | and )?){1,4}) (?:cannot|can't|must not|may not|should not) be (?:greater|larger|higher|more) than [\w.-]{3,60}\((?<most>\d{1,9})\)/;

/** Lowers the only setting of the container with a number that is above another one in the line. */
export function aboveOther(input: RuleInput, line: string): { name: string; correction: Correction } | undefined {
  const { list = '', most = '' } = ABOVE.exec(line)?.groups ?? {};
  const place = input.place();
  const above = [...list.matchAll(/([\w.-]{3,60})\((\d{1,9})\)/g)].filter(([, , value]) => Number(value) > Number(most));
  const found = above.flatMap(([, setting = '', number = '']) =>
    place ? givenIn(place).filter(({ name, value }) => value === number && hasItsWords(name, setting)) : [],
  );
  const [only, ...more] = found;
  if (!place || !only || more.length > 0) return undefined;
  return {
    name: only.name,
    correction: setTo(place, only, most, {
      why: `it may be ${code(most)} at most`,
      explanation: 'The program names the relation itself. The other setting may be raised in its place.',
    }),
  };
}

/** Whether two of the words of a setting are those of a variable: `PHP_FPM_MAX_SPARE` for `pm.max_spare_servers`. */
function hasItsWords(name: string, setting: string): boolean {
  const words = (text: string): string[] => text.toLowerCase().match(/[a-z]{3,}/g) ?? [];
  const own = words(name);
  return words(setting).filter((word) => own.includes(word)).length > 1;
}

const withUnit = (seconds: number, like: string): string => (DURATION.test(like) ? `${seconds}s` : String(seconds));

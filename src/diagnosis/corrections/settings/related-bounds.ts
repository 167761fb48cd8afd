import { DURATION, secondsIn } from './duration.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { type Given, givenIn, rewritten } from '../given-values.ts';
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

const withUnit = (seconds: number, like: string): string => (DURATION.test(like) ? `${seconds}s` : String(seconds));

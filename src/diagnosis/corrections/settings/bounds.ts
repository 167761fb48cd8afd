import type { Given } from '../given-values.ts';

/** A number outside of the bounds that the program names. */
export interface OutOfBounds {
  given: Given;
  /** The nearest number within the bounds. */
  to: number;
}

/** How a program names a setting and the bound that it must keep. */
const DEMAND =
  /['"`]?\b(?<name>[A-Za-z][\w.-]{2,60})['"`]?(?: value| Input)? (?:(?<not>cannot be|can't be|can not be|may not be|must not be|should not be)|(?:must|should|has to|needs to) be(?: a)?) (?<relation>at least|at most|greater than or equal to|less than or equal to|(?:less|lower|smaller|greater|more|larger|higher) than(?: or equal to)?|below|above|>=|<=|>|<|between|in (?:the )?range|positive|non-?negative|negative)(?: [[(]?(?<a>-?\d{1,12}(?:\.\d{1,6})?))?(?:(?: and | ?- ?|\.{2,3}|, ?)(?<b>-?\d{1,12}(?:\.\d{1,6})?))?/i;

/** PHP-FPM names both bounds together with the settings that they come from. */
const POOL_OF_PROCESSES =
  /(?<name>pm\.\w{3,40})\(\d{1,6}\) must not be less than pm\.\w{3,40}\((?<a>\d{1,6})\) and not greater than pm\.\w{3,40}\((?<b>\d{1,6})\)/;

/** The only setting of a pool whose size the line calls too small (`has 10 connections but must have at least 27`). */
function tooFewConnections(given: readonly Given[], line: string): OutOfBounds | undefined {
  const [, is, least] = /\bpool\b.{0,80}\bhas (\d{1,5}) connections? but (?:must|should) have at least (\d{1,5})/i.exec(line) ?? [];
  const [only, ...more] = is === undefined ? [] : given.filter(({ name, value }) => value === is && /pool|conn/i.test(name));
  return only && more.length === 0 ? { given: only, to: Number(least) } : undefined;
}

/** The only value that violates the bound in the line: `HIKARI_MAX_POOL_SIZE=0` for `maxPoolSize cannot be less than 1`. */
export function outOfBounds(given: readonly Given[], line: string): OutOfBounds | undefined {
  const pool = tooFewConnections(given, line);
  if (pool) return pool;
  const { name = '', not, relation = '', a, b } = (POOL_OF_PROCESSES.exec(line) ?? DEMAND.exec(line))?.groups ?? {};
  const bounds = POOL_OF_PROCESSES.test(line)
    ? { least: Number(a), most: Number(b) }
    : boundsOf({ isNot: not !== undefined, relation: relation.toLowerCase(), a: numberOf(a), b: numberOf(b) });
  if (!bounds) return undefined;
  const found = given.flatMap((one): OutOfBounds[] => {
    const value = /^-?\d{1,12}(?:\.\d{1,6})?$/.test(one.value) ? Number(one.value) : undefined;
    if (value === undefined || !isSameSetting(one.name, name)) return [];
    // If the program wants a fraction, a number up to 100 was meant as a percentage.
    const isShare = bounds.least === 0 && bounds.most === 1 && value > 1 && value <= 100;
    // If it wants a percentage, a number below 1 was meant as a fraction.
    const isPercent = bounds.least === 1 && bounds.most >= 100 && value > 0 && value < 1;
    const to = isShare ? value / 100 : isPercent ? value * 100 : Math.min(Math.max(value, bounds.least), bounds.most);
    return to === value ? [] : [{ given: one, to }];
  });
  return found.length === 1 ? found[0] : undefined;
}

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

function boundsOf(demand: {
  isNot: boolean;
  relation: string;
  a: number | undefined;
  b: number | undefined;
}): { least: number; most: number } | undefined {
  const { isNot, relation, a, b } = demand;
  const [least, most] = [-Infinity, Infinity];
  if (relation === 'positive') return isNot ? undefined : { least: 1, most };
  if (/^non-?negative$/.test(relation) || (relation === 'negative' && isNot)) return { least: 0, most };
  if (a === undefined) return undefined;
  if (relation === 'between' || relation.endsWith('range')) return b === undefined || isNot ? undefined : { least: a, most: b };
  const isEqual = /equal|=|at least|at most/.test(relation);
  const isUpward = /greater|more|larger|higher|above|>|at least/.test(relation);
  // "Must not be less than 1" allows 1 itself, unless the line excludes that as well.
  if (isNot) return isUpward ? { least, most: isEqual ? a - 1 : a } : { least: isEqual ? a + 1 : a, most };
  return isUpward ? { least: isEqual ? a : a + 1, most } : { least, most: isEqual ? a : a - 1 };
}

/** Whether the variable or option is the setting: `HIKARI_MAX_POOL_SIZE` and `--max-pool-size` are `maxPoolSize`. */
export function isSameSetting(name: string, setting: string): boolean {
  const [own, wanted] = [name, setting].map((one) => one.toLowerCase().replaceAll(/[^a-z\d]/g, '')) as [string, string];
  return own === wanted || (wanted.length > 3 && own.endsWith(wanted)) || (own.length > 3 && wanted.endsWith(own));
}

/** A unit of a setting that is a length of time, and its length in seconds. */
const UNITS = { seconds: 1, minutes: 60 } as const;
export type LengthUnit = keyof typeof UNITS;

/** The units of time, the longest first: the text to show, the accepted spellings, and the seconds. */
const NAMES: [name: string, read: RegExp, seconds: number][] = [
  ['day', /^d(ays?)?$/, 86_400],
  ['hour', /^h(ours?|rs?)?$/, 3_600],
  ['minute', /^m(in(ute)?s?)?$/, 60],
  ['second', /^s(ec(ond)?s?)?$/, 1],
];
const WEEK: (typeof NAMES)[number] = ['week', /^w(eeks?)?$/, 7 * 86_400];

export function isLengthUnit(unit: string): unit is LengthUnit {
  return Object.hasOwn(UNITS, unit);
}

/** `30 days`, `1 hour 30 minutes`, `0`: of a whole number of the unit. */
export function lengthText(value: number, unit: LengthUnit): string {
  let left = value * UNITS[unit];
  const parts = NAMES.flatMap(([name, , seconds]) => {
    const count = Math.floor(left / seconds);
    left -= count * seconds;
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`];
  });
  return parts.join(' ') || '0';
}

/**
 * `30 days`, `12h` or `1 h 30 min` as a number of the unit; `0` needs no unit. Undefined for anything else, even for a number without a unit:
 * 30 minutes instead of 30 days would delete data that somebody wants to keep.
 */
export function lengthIn(text: string, unit: LengthUnit): number | undefined {
  const words = text.trim().toLowerCase();
  if (words === '0') return 0;
  if (!/^(\d{1,9}(\.\d{1,3})?\s*[a-z]+[\s,]*)+$/.test(words)) return undefined;
  let seconds = 0;
  for (const [, count, name = ''] of words.matchAll(/([\d.]+)\s*([a-z]+)/g)) {
    const known = [WEEK, ...NAMES].find(([, read]) => read.test(name));
    if (!known) return undefined;
    seconds += Number(count) * known[2];
  }
  const value = Math.round(seconds * 1000) / 1000 / UNITS[unit];
  return Number.isInteger(value) ? value : undefined;
}

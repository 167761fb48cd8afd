/** The units of durations, in the short form of Go and of Prometheus, and their seconds. */
export const TIME_UNITS: readonly (readonly [unit: RegExp, short: string, seconds: number])[] = [
  [/^(?:ms|millis(?:econds?)?|milliseconds?)$/i, 'ms', 0.001],
  [/^(?:s|secs?|seconds?)$/i, 's', 1],
  [/^(?:m|mins?|minutes?)$/i, 'm', 60],
  [/^(?:h|hrs?|hours?)$/i, 'h', 3600],
  [/^(?:d|days?)$/i, 'd', 86_400],
  [/^(?:w|weeks?)$/i, 'w', 604_800],
];

/** A duration with one unit: `20s`, `1m`. */
export const DURATION = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)$/;

/** The seconds of a duration, or a plain number as it is; undefined for another text. */
export function secondsIn(text: string): number | undefined {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const [, number, unit] = DURATION.exec(text) ?? [];
  const seconds = TIME_UNITS.find(([, short]) => short === unit)?.[2];
  return number === undefined || seconds === undefined ? undefined : Number(number) * seconds;
}

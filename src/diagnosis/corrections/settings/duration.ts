/** A duration with one unit: `20s`, `1m`. */
export const DURATION = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)$/;
const SECONDS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };

/** The seconds of a duration, or a plain number as it is; undefined for another text. */
export function secondsIn(text: string): number | undefined {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const [, number, unit] = DURATION.exec(text) ?? [];
  return number === undefined || unit === undefined ? undefined : Number(number) * (SECONDS[unit] ?? 1);
}

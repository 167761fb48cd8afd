import type { Change } from '../../contract/failure.ts';

/** The effect of changes without their reasons. Corrections with the same effect are equal. */
export function effectOf(changes: readonly Change[]): string {
  return JSON.stringify(changes.map(({ path, from, to }) => [path, from ?? null, to ?? null]));
}

/** `42 s`, `4 min 5 s` or `90 min`; never hours. */
export function lengthOf(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
}

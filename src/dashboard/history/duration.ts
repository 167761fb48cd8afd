const UNITS: [unit: string, seconds: number][] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
];

/** A duration in seconds as `45 s`, `12 min` or `3.5 h`; a dash for null. */
export function durationOf(seconds: number | null): string {
  if (seconds === null) return '–';
  const [unit, length] = UNITS.find(([, one]) => seconds >= one) ?? ['s', 1];
  const value = seconds / length;
  return `${value < 10 && unit !== 's' ? Math.round(value * 10) / 10 : Math.round(value)} ${unit}`;
}

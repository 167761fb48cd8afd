const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const SHORT: Partial<Record<Intl.RelativeTimeFormatUnit, string>> = { day: 'd', hour: 'h', minute: 'min' };
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** `3 minutes ago`; under a minute `just now`. */
export function agoOf(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  const [unit, length] = UNITS.find(([, one]) => Math.abs(seconds) >= one) ?? [];
  return unit && length ? RELATIVE.format(Math.trunc(seconds / length), unit) : 'just now';
}

/** The age for a column: `3 min`, `2 h`, `5 d`; under a minute `now`. */
export function ageOf(at: Date, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - at.getTime()) / 1000);
  const [unit, length] = UNITS.find(([, one]) => seconds >= one) ?? [];
  return unit && length ? `${Math.trunc(seconds / length)} ${SHORT[unit]}` : 'now';
}

/** A date and time in the reader's time zone, and in UTC: `22 Nov 2026, 08:02:11 · 2026-11-22 07:02:11 UTC`. */
export function exactly(at: Date): string {
  return `${EXACT.format(at)} · ${at.toISOString().replace('T', ' ').slice(0, 19)} UTC`;
}

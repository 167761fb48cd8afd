import type { QuietHours } from '../../crd/notificationprovider.ts';

const MINUTE_MS = 60_000;
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
/** At most this many adjacent quiet times are joined, so that a setting without any break still sends messages at some time. */
const MAX_JOINED = 64;

/** When the quiet hours around `now` end; null outside quiet hours. Quiet hours with an unknown time zone are ignored. */
export function quietUntil(quiet: readonly QuietHours[] | undefined, now: Date): Date | null {
  let until: Date | null = null;
  for (let joined = 0; joined < MAX_JOINED; joined++) {
    const at: Date = until ?? now;
    const ends = (quiet ?? []).map((hours) => endOf(hours, at)).filter((end) => end !== null);
    if (ends.length === 0) return until;
    until = ends.reduce((latest, end) => (end > latest ? end : latest));
  }
  return until;
}

/** Whether the runtime knows a time zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** When the quiet time around `at` ends; null outside. */
function endOf({ days, from, to, timeZone }: QuietHours, at: Date): Date | null {
  if (!isTimeZone(timeZone)) return null;
  const { day, minute } = localTime(at, timeZone);
  const [first, last] = [minutesOf(from), minutesOf(to)];
  const begins = (on: number): boolean => !days || days.includes(DAYS[(on + 7) % 7] as (typeof DAYS)[number]);
  const isOvernight = last <= first;
  const beganToday = minute >= first && (isOvernight || minute < last) && begins(day);
  const beganYesterday = isOvernight && minute < last && begins(day - 1);
  if (!beganToday && !beganYesterday) return null;
  const left = beganYesterday && !beganToday ? last - minute : isOvernight ? last + 1_440 - minute : last - minute;
  const begun = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
  return atMinute(new Date(begun + left * MINUTE_MS), timeZone, last);
}

/** The instant of a wall-clock minute of the day, also on days when the clocks change. */
function atMinute(at: Date, timeZone: string, minute: number): Date {
  const shown = localTime(at, timeZone).minute;
  const off = ((minute - shown + 720 + 1_440) % 1_440) - 720;
  return Math.abs(off) > 180 ? at : new Date(at.getTime() + off * MINUTE_MS);
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Day of the week (Sunday = 0) and minute of the day in a time zone. */
function localTime(at: Date, timeZone: string): { day: number; minute: number } {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const day = DAYS.indexOf(parts.weekday as (typeof DAYS)[number]);
  return { day, minute: Number(parts.hour) * 60 + Number(parts.minute) };
}

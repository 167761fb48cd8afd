export const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
export type Day = (typeof DAYS)[number];

/** Quiet hours as in the API. Without `days`, every day. */
export interface Quiet {
  days?: Day[] | undefined;
  from: string;
  to: string;
  timeZone: string;
}

/** Quiet hours as a sentence: `Mon to Fri 22:00 to 07:00 of the next day, Europe/Berlin`. */
export function quietText({ days, from, to, timeZone }: Quiet): string {
  return `${daysText(days)} ${from} to ${to}${to <= from ? ' of the next day' : ''}, ${timeZone}`;
}

/** Days in a row are a range. */
function daysText(days: readonly Day[] | undefined): string {
  const known = DAYS.filter((day) => days?.includes(day));
  if (known.length === 0 || known.length === 7) return 'every day';
  const [first = 'Mon', last = first] = [known[0], known.at(-1)];
  const isRow = DAYS.indexOf(last) - DAYS.indexOf(first) === known.length - 1;
  return isRow && known.length > 2 ? `${first} to ${last}` : known.join(', ');
}

/** The current time in that zone as `Mon 14:05`; undefined for a zone that the browser does not know. */
export function clockIn(timeZone: string, now: Date): string | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
    return `${parts['weekday']} ${parts['hour']}:${parts['minute']}`;
  } catch {
    return undefined;
  }
}

/** The zone of this browser. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

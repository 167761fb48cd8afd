import type { CronJob } from './objects.ts';

/** A CronJob that runs in more hours of the day cannot explain failures in one hour. */
const MOST_HOURS = 4;
const MINUTES = 60;
const DAY_MINUTES = 24 * MINUTES;

/**
 * Whether a CronJob starts within the hour before, or the half hour after, that time of the day (`03:00`), and in few other hours. UTC
 * only.
 */
export function runsDailyIn({ spec }: CronJob, time: string): boolean {
  const [minute = '', hour = '', ...rest] = spec.schedule.trim().split(/\s+/);
  const zone = spec.timeZone ?? 'UTC';
  if (spec.suspend || rest.length !== 3 || !/^(Etc\/)?UTC$/.test(zone)) return false;
  const [minutes, hours] = [fieldOf(minute, MINUTES), fieldOf(hour, 24)];
  if (hours.length > MOST_HOURS) return false;
  const [about = 0, past = 0] = time.split(':').map(Number);
  const starts = hours.flatMap((one) => minutes.map((other) => one * MINUTES + other));
  return starts.some((start) => (about * MINUTES + past + MINUTES / 2 - start + DAY_MINUTES) % DAY_MINUTES <= 1.5 * MINUTES);
}

/** The values of a schedule field: stars, steps, ranges and lists. Empty for any other form. */
function fieldOf(text: string, size: number): number[] {
  return text.split(',').flatMap((part) => {
    const found = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part);
    if (!found) return [];
    const [, from, to, step] = found;
    const last = Number(to ?? (from === undefined || step !== undefined ? size - 1 : from));
    return Array.from({ length: size }, (_, value) => value).filter(
      (value) => value >= Number(from ?? 0) && value <= last && (value - Number(from ?? 0)) % Math.max(1, Number(step ?? 1)) === 0,
    );
  });
}

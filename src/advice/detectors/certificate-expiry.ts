const DAY_MS = 24 * 60 * 60 * 1000;
const SOON_MS = 30 * DAY_MS;
/**
 * Tools renew certificates before nine tenths of their validity are over: cert-manager after two thirds, others a day before the end of a
 * week.
 */
const LAST_PART = 10;

/**
 * Whether a certificate is so close to its end that its renewal must have failed, or that nobody renews it: at most a tenth of its validity
 * is left, and at most 30 days. False if a date cannot be read, or if the end is not after the beginning.
 */
export function endsSoon(from: Date, end: Date, now: Date): boolean {
  const whole = end.getTime() - from.getTime();
  return whole > 0 && end.getTime() - now.getTime() <= Math.min(SOON_MS, whole / LAST_PART);
}

/** `expires on 2026-05-02`, `expired on 2026-05-02`. Only the day, so that the sentence does not change each hour. */
export function endTold(end: Date, now: Date): string {
  return `${end <= now ? 'expired' : 'expires'} on ${end.toISOString().slice(0, 10)}`;
}

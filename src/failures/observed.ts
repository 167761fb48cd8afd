/** Clocks of nodes that are kept by NTP are closer than this; a sender that is further off is wrong. */
const SKEW_MS = 60_000;

/**
 * When the sender of a message saw what it tells: never later than `now`. Its clock is believed, so that what it saw keeps its order
 * whichever message came first; only a clock that is off by more than a minute (by the `Date` of the request, which is when it was sent)
 * is set right. Without a readable `told` it is `now`.
 */
export function observedAt(told: string | null | undefined, sent: string | undefined, now: Date): Date {
  const seen = Date.parse(told ?? '');
  if (Number.isNaN(seen)) return now;
  const skew = now.getTime() - Date.parse(sent ?? '');
  const at = Math.abs(skew) > SKEW_MS ? seen + skew : seen;
  return new Date(Math.max(0, Math.min(at, now.getTime())));
}

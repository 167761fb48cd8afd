/** Clocks synchronised by NTP differ by less than this. A clock that differs by more is wrong. */
const SKEW_MS = 60_000;

/**
 * When the sender of a message saw what it reports, never later than `now`. The sender's clock counts, so that messages keep their order
 * whichever comes first. A clock that is off by more than a minute is corrected by the `Date` of the request. Without a readable
 * `observed` it is `now`.
 */
export function observedAt(observed: string | null | undefined, sent: string | undefined, now: Date): Date {
  const seen = Date.parse(observed ?? '');
  if (Number.isNaN(seen)) return now;
  const skew = now.getTime() - Date.parse(sent ?? '');
  const at = Math.abs(skew) > SKEW_MS ? seen + skew : seen;
  return new Date(Math.max(0, Math.min(at, now.getTime())));
}

/** How many consecutive failures open the circuit breaker. */
export const BREAKER_FAILURES = 5;
/** The circuit breaker stays open this long after the last failure. */
const OPEN_MS = 60_000;

/** The newest calls of a configuration: how many in a row failed, when the last one did, and how many are under way. */
export interface RecentCalls {
  failures: number;
  last_failure: Date | null;
  running: number;
}

/** When the next call is allowed; undefined for now. After the breaker was open for its time, one call at a time is allowed. */
export function breakerOpenUntil({ failures, last_failure, running }: RecentCalls, now: Date): Date | undefined {
  if (failures < BREAKER_FAILURES || !last_failure) return undefined;
  const until = new Date(last_failure.getTime() + OPEN_MS);
  if (until > now) return until;
  return running > 0 ? new Date(now.getTime() + OPEN_MS) : undefined;
}

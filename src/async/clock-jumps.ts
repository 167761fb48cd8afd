/** A clock that is set by hand or by NTP in steps moves at once; slower corrections than this are none. */
const STEP_MS = 2_000;

/**
 * Counts how often the wall clock has jumped since the start. Each call compares the time that has passed by `now` with the time by
 * `steadyMs`, a clock that nobody can set.
 */
export function clockJumps(now: () => Date, steadyMs: () => number = () => performance.now()): () => number {
  let [wall, steady, jumps] = [now().getTime(), steadyMs(), 0];
  return () => {
    const [wallNow, steadyNow] = [now().getTime(), steadyMs()];
    if (Math.abs(wallNow - wall - (steadyNow - steady)) > STEP_MS) jumps += 1;
    [wall, steady] = [wallNow, steadyNow];
    return jumps;
  };
}

import type { RunFact } from '../facts/status.ts';
import { factsOf, type RuleInput } from '../facts/input.ts';

/** Exit codes of a process that was ended from outside: SIGKILL and SIGTERM. */
export const KILLED: readonly number[] = [137, 143];
/** A run that is this much longer than the last one has survived what ended that one. */
const MORE_SECONDS = 5;

/**
 * The last run of the failing container if it ended by itself with an error: no signal from outside ended it, and it was over before a probe
 * can have given up. Some programs end with a code of their own when kubelet asks them to stop.
 */
export function endedByItself(input: RuleInput): RunFact | undefined {
  const { container } = input.subject;
  const run = factsOf(input, 'run').find((one) => one.container === container);
  if (!run || run.exitCode === 0 || KILLED.includes(run.exitCode) || run.signal || run.reason === 'OOMKilled') return undefined;
  const isKilled = factsOf(input, 'probe-kill').some((kill) => kill.container === null || kill.container === container);
  return !isKilled || (run.seconds ?? Infinity) < soonestKill(input) ? run : undefined;
}

/**
 * Whether the failing container is down, or started again so recently that the present run says nothing yet. Then a failed probe is an effect
 * of the crash. The newest event tells how late it is.
 */
export function isStillCrashing(input: RuleInput, run: RunFact): boolean {
  const status = input.subject.statuses.find(({ name }) => name === run.container);
  if (status?.state !== 'running') return true;
  const from = Date.parse(status.started_at ?? '');
  const newest = Math.max(...input.subject.events.map(({ timestamp }) => Date.parse(timestamp ?? '') || 0), 0);
  return from > 0 && newest > 0 && (newest - from) / 1000 <= (run.seconds ?? 0) + MORE_SECONDS;
}

/** The shortest time after which kubelet can kill the container because of a probe, in seconds. */
function soonestKill(input: RuleInput): number {
  const { startupProbe, livenessProbe } = input.place()?.container ?? {};
  const probe = startupProbe ?? livenessProbe;
  return probe ? (probe.initialDelaySeconds ?? 0) + (probe.periodSeconds ?? 10) * ((probe.failureThreshold ?? 3) - 1) : 0;
}

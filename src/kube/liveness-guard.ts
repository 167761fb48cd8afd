import { setTimeout as sleep } from 'node:timers/promises';
import { singleFlight } from '../async/single-flight.ts';

/** A call that takes less time than this is not checked. */
const PROBE_AFTER_MS = 500;
/** After a pause of our own process, this time is enough to read an answer that arrived meanwhile. */
const GRACE_MS = 50;
/** The deadline of a probe is counted in steps of this length. */
const STEP_MS = 50;

export interface LivenessGuardOptions {
  /** Sends a cheap request to the peer. Any answer will do. */
  probe(signal: AbortSignal): Promise<unknown>;
  /** How long the peer may take to answer the probe. Times in which our own process could not run do not count. */
  probeMs: number;
  /** Makes the error of a call that is given up. */
  silent(): Error;
}

/**
 * Guards calls against a peer that died silently. When a call takes long, `probe` asks the peer for any answer. If none comes in time, the
 * call fails with the error that `silent` makes. A call that is slow because its answer is large goes on. All calls share one probe.
 */
export function livenessGuard({ probe, probeMs, silent }: LivenessGuardOptions): <T>(call: Promise<T>) => Promise<T> {
  const isSilent = singleFlight(async () => {
    const deadline = new AbortController();
    const settled = new AbortController();
    void stepsOf(probeMs, settled.signal).then(
      () => deadline.abort(),
      () => {},
    );
    return probe(deadline.signal)
      .then(
        () => false,
        () => true,
      )
      .finally(() => settled.abort());
  });
  return async (call) => {
    let isDone = false;
    const end = (): void => void (isDone = true);
    const settled = call.then(end, end);
    const silence = async (): Promise<never> => {
      for (;;) {
        await Promise.race([sleep(PROBE_AFTER_MS, undefined, { ref: false }), settled]);
        if (isDone) return new Promise<never>(() => {});
        if (!(await isSilent())) continue;
        await Promise.race([sleep(GRACE_MS), settled]);
        if (!isDone) throw silent();
      }
    };
    return Promise.race([call, silence()]);
  };
}

/** Waits in steps. If our process had to wait for the processor, a long step still counts as one, because an answer may have arrived meanwhile. */
async function stepsOf(ms: number, signal: AbortSignal): Promise<void> {
  for (let left = ms; left > 0; left -= STEP_MS) await sleep(Math.min(left, STEP_MS), undefined, { ref: false, signal });
}

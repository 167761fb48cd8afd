import { setTimeout as sleep } from 'node:timers/promises';

/** How long a call is left in peace. */
const PATIENCE_MS = 500;
/** A process that was busy itself hears the answer that came meanwhile. */
const GRACE_MS = 50;

export interface PatienceOptions {
  /** Asks the other side for any answer. */
  probe(signal: AbortSignal): Promise<unknown>;
  /** How long the other side may take to say anything at all. */
  probeMs: number;
  /** Makes the error that a call is given up with. */
  silent(): Error;
}

/**
 * Waits for a call as long as the other side lives: when it takes long, `probe` asks for any answer, and where none comes in time the call
 * is given up. A call that is slow because it is much stays. Calls share a probe. Rejects with what `silent` makes.
 */
export function patience({ probe, probeMs, silent }: PatienceOptions): <T>(call: Promise<T>) => Promise<T> {
  let asking: Promise<boolean> | undefined;
  const isSilent = (): Promise<boolean> =>
    (asking ??= probe(AbortSignal.timeout(probeMs))
      .then(
        () => false,
        () => true,
      )
      .finally(() => (asking = undefined)));
  return async (call) => {
    let isDone = false;
    const end = (): void => void (isDone = true);
    const settled = call.then(end, end);
    const silence = async (): Promise<never> => {
      for (;;) {
        await Promise.race([sleep(PATIENCE_MS, undefined, { ref: false }), settled]);
        if (isDone) return new Promise<never>(() => {});
        if (!(await isSilent())) continue;
        await Promise.race([sleep(GRACE_MS), settled]);
        if (!isDone) throw silent();
      }
    };
    return Promise.race([call, silence()]);
  };
}

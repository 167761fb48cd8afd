import { setTimeout as sleep } from 'node:timers/promises';

/** How long a call is left in peace. */
const PATIENCE_MS = 500;
/** How long a server may take to say anything at all, so that its silence is known within 2 s. */
const PROBE_MS = 1_300;
/** A process that was busy itself hears the answer that came meanwhile. */
const GRACE_MS = 50;

/**
 * Waits for a call as long as the other side lives: when it takes long, `probe` asks for any answer, and where none comes in time the call
 * is given up. A call that is slow because it is much stays. Calls share a probe. Rejects with what `silent` makes.
 */
export function patience(probe: (signal: AbortSignal) => Promise<unknown>, silent: () => Error): <T>(call: Promise<T>) => Promise<T> {
  let asking: Promise<boolean> | undefined;
  const isSilent = (): Promise<boolean> =>
    (asking ??= probe(AbortSignal.timeout(PROBE_MS))
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

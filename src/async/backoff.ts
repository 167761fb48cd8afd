/** How the waits between attempts grow: the first one, then each `factor` times the one before, up to the longest. */
export interface Backoff {
  firstMs: number;
  maxMs: number;
  /** 2 unless given. */
  factor?: number;
}

/** The wait in milliseconds after `failures` failures in a row. The first failure is 1. */
export function backoffMs({ firstMs, maxMs, factor = 2 }: Backoff, failures: number): number {
  return Math.min(maxMs, firstMs * factor ** (failures - 1));
}

/** The wait give or take a quarter, so that clients that failed together do not come back together. `random` is from 0 up to 1. */
export function jittered(ms: number, random = Math.random()): number {
  return ms * (0.75 + random / 2);
}

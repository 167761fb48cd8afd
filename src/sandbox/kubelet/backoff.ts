/** How a run of a container ended; `by` decides how long the kubelet waits before the next run. */
export interface Ending {
  exitCode: number;
  by: 'itself' | 'start' | 'probe' | 'hook' | 'stop';
}

export const BACK_OFF_MS = 10_000;
export const MAX_BACK_OFF_MS = 300_000;

/** The waits before the next run after this many crashes: `delayMs` in all, of which the status shows the crash itself for `beforeMs`. */
export function waitsBefore(crashes: number, by: Ending['by']): { isFree: boolean; beforeMs: number; delayMs: number } {
  const free = by === 'probe' ? 2 : 1;
  const step = crashes - free;
  if (step <= 0) return { isFree: true, beforeMs: 0, delayMs: by === 'start' ? 1000 : 200 };
  const delayMs = Math.min(BACK_OFF_MS * 2 ** (step - 1), MAX_BACK_OFF_MS);
  // A real kubelet updates an undisturbed pod only at the end of a long wait. Until then the status shows the crash itself.
  const beforeMs = by === 'itself' && step === 1 ? 1000 : by === 'itself' || by === 'start' ? delayMs - 800 : 0;
  return { isFree: false, beforeMs, delayMs };
}

/** `10s`, `1m20s`, `5m0s`: Go's way. */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

import type { Evidence } from '../../contract/failure.ts';

/** How far a mirror is in its observation window, as `Ready 12 of 38 s`; `Not Ready, 38 s of it are needed` before; undefined where nothing was seen. */
export function progressOf(evidence: Evidence | null, now: Date): string | undefined {
  if (!evidence) return undefined;
  const { ready_since: since, window_seconds: window } = evidence;
  if (since === null) return `Not Ready, ${window} s of it are needed`;
  const seconds = Math.floor((now.getTime() - Date.parse(since)) / 1000);
  return `Ready ${Math.min(window, Math.max(0, seconds))} of ${window} s`;
}

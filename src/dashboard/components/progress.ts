import type { Evidence } from '../../contract/failure.ts';

/**
 * The progress of a mirror's observation window: `Ready 12 of 38 s`, or before that `Not Ready, 38 s of it are needed`. Undefined before
 * the first observation.
 */
export function progressOf(evidence: Evidence | null, now: Date): string | undefined {
  if (!evidence) return undefined;
  const { ready_since: since, window_seconds: window } = evidence;
  if (since === null) return `Not Ready, ${window} s of it are needed`;
  const seconds = Math.floor((now.getTime() - Date.parse(since)) / 1000);
  return `Ready ${Math.min(window, Math.max(0, seconds))} of ${window} s`;
}

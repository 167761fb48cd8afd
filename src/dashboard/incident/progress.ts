import type { Evidence } from '../../contract/failure.ts';

/** How far a mirror is in its observation window, as `Ready 12 of 38 s`; `Not Ready yet` before; undefined where nothing was seen. */
export function progressOf(evidence: Evidence | null, now: Date): string | undefined {
  if (!evidence) return undefined;
  const { ready_since: since, window_seconds: window } = evidence;
  if (since === null) return `Not Ready, ${window} s of it are needed`;
  const seconds = Math.floor((now.getTime() - Date.parse(since)) / 1000);
  return `Ready ${Math.min(window, Math.max(0, seconds))} of ${window} s`;
}

/** What was seen and for how long, in plain sentences. */
export function seenIn({ restarts, readiness_lost: lost, window_seconds: window, window_reason: reason, ...source }: Evidence): string[] {
  const { source_runs: runs, longest_source_run_seconds: longest, probes_asked: probes } = source;
  const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);
  return [
    `It is watched for ${window} s. ${reason}`,
    runs > 0
      ? `${runs === 1 ? 'One run' : `${runs} runs`} of the source before a failure ${runs === 1 ? 'is' : 'are'} known, the longest of ${longest} s.`
      : 'No run of the source before a failure is known.',
    restarts === 0 ? 'No container was restarted.' : `Containers were restarted ${times(restarts)}.`,
    ...(lost > 0 ? [`Readiness was lost ${times(lost)}.`] : []),
    ...(probes.length > 0 ? [`Probes asked: ${probes.join(', ')}.`] : []),
  ];
}

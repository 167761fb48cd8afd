import type { Evidence } from '../../contract/failure.ts';

/** The observations and their duration in sentences. */
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

import type { KeptLog } from '../contract/log.ts';
import { Refusal } from '../contract/refusal.ts';
import type { TrialRepository } from '../db/trials.ts';
import { ClusterUnavailable } from '../kube/errors.ts';
import type { LogLine, LogWish, PodLogs } from '../kube/pod-logs.ts';
import { lastLines } from './policy/kept-log.ts';

/** Adds stored logs to `logs`: if a mirror pod is gone, its log is the one that was kept. */
export function withKeptLogs(logs: PodLogs, trials: Pick<TrialRepository, 'keptLog'>): PodLogs {
  const keptInstead = async ({ namespace, pod_name: name }: LogWish, error: unknown): Promise<KeptLog> => {
    const isGone = error instanceof ClusterUnavailable || (error instanceof Refusal && error.kind === 'missing');
    const kept = isGone ? await trials.keptLog(namespace, name) : undefined;
    if (!kept) throw error;
    return kept;
  };
  return {
    read: (wish, previous) =>
      logs.read(wish, previous).catch(async (error: unknown) => {
        const kept = await keptInstead(wish, error);
        const { name, text } = runIn(kept, wish.container, previous);
        const { namespace, pod_name, tailLines } = wish;
        const containers = kept.containers.map((one) => one.name);
        return { pod_name, namespace, container: name, containers, logs: lastLines(text, tailLines) };
      }),
    follow: (wish, options) =>
      logs.follow(wish, options).catch(async (error: unknown) => {
        const { text } = runIn(await keptInstead(wish, error), wish.container, false);
        // A reader with `after` has read these lines already. Kept lines have no times, so reading cannot continue in the middle.
        return linesIn(options.after === undefined ? lastLines(text, wish.tailLines) : '');
      }),
  };
}

function runIn({ container, containers }: KeptLog, wanted: string | undefined, previous: boolean): { name: string; text: string } {
  const run = containers.find(({ name }) => name === (wanted ?? container));
  if (!run) throw new Refusal('invalid', `container must be one of ${containers.map(({ name }) => name).join(', ')}`);
  if (previous && run.previous === null) throw new Refusal('missing', `Container ${run.name} had no run before this one`);
  return { name: run.name, text: (previous ? run.previous : run.current) ?? '' };
}

async function* linesIn(text: string): AsyncGenerator<LogLine> {
  const whole = text.endsWith('\n') ? text.slice(0, -1) : text;
  if (whole !== '') for (const line of whole.split('\n')) yield { at: '', text: line };
}

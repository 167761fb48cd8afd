import type { Api } from '../api/api.ts';
import type { Loose, Stored } from '../store/object.ts';
import { timeText } from '../store/object.ts';
import { recorder } from './recorder.ts';
import { controllerLoop } from './loop.ts';
import { createPod, deletePod, isFinished, isReady, ownerKeys, podsOf, withCondition } from './pods.ts';

const RETRY_MS = 10_000;
const MAX_RETRY_MS = 600_000;

interface Counts {
  active: Stored[];
  succeeded: number;
  failed: Stored[];
}

/** Runs a Job's pods until enough have succeeded or too many have failed. A new attempt waits 10 s, doubling with each failure. */
export function startJobs(api: Api): () => void {
  const kind = api.registry.builtin('jobs');
  const record = recorder(api, 'job-controller');

  function count(job: Stored): Counts {
    const pods = podsOf(api, job);
    return {
      active: pods.filter((pod) => !isFinished(pod) && !pod.metadata.deletionTimestamp),
      succeeded: pods.filter((pod) => pod.status?.phase === 'Succeeded').length,
      failed: pods.filter((pod) => pod.status?.phase === 'Failed'),
    };
  }

  /** If the pods restart their containers, these restarts count as failures too. */
  const restarts = (counts: Counts) =>
    counts.active.reduce(
      (sum, pod) => sum + (pod.status?.containerStatuses ?? []).reduce((n: number, s: Loose) => n + s.restartCount, 0),
      0,
    );

  function end(job: Stored, counts: Counts, type: 'Complete' | 'Failed', reason: string, message: string): void {
    for (const pod of counts.active) deletePod(api, job, pod, record);
    const now = timeText(api.clock.now());
    record({
      object: job,
      type: type === 'Failed' ? 'Warning' : 'Normal',
      reason: type === 'Failed' ? reason : 'Completed',
      message: type === 'Failed' ? message : 'Job completed',
    });
    // The verdict comes first, then the counts: a Job is over only when all its pods are counted.
    const first = type === 'Failed' ? 'FailureTarget' : 'SuccessCriteriaMet';
    const say = (conditions: Loose[] | undefined, each: string) =>
      withCondition(conditions, { lastProbeTime: now, message, reason, status: 'True', type: each }, now);
    api.change(kind, job, 'status', (copy) => {
      const { active: _active, ...rest } = copy.status ?? {};
      copy.status = { ...rest, conditions: say(rest.conditions, first), ready: 0 };
    });
    api.change(kind, job, 'status', (copy) => {
      copy.status = {
        ...copy.status,
        conditions: say(copy.status.conditions, type),
        ...(type === 'Complete' && { completionTime: now }),
        ...tally({ ...counts, active: [] }),
      };
    });
  }

  const tally = ({ active, succeeded, failed }: Counts) => ({
    ...(active.length && { active: active.length }),
    ...(failed.length && { failed: failed.length }),
    ...(succeeded && { succeeded }),
    ready: active.filter(isReady).length,
    terminating: 0,
    uncountedTerminatedPods: {},
  });

  function settle(job: Stored, counts: Counts): boolean {
    const { backoffLimit, completions, activeDeadlineSeconds } = job.spec;
    const age = api.clock.now().getTime() - Date.parse(job.status?.startTime ?? job.metadata.creationTimestamp);
    if (counts.succeeded >= completions) end(job, counts, 'Complete', 'CompletionsReached', 'Reached expected number of succeeded pods');
    else if (counts.failed.length + restarts(counts) > backoffLimit)
      end(job, counts, 'Failed', 'BackoffLimitExceeded', 'Job has reached the specified backoff limit');
    else if (activeDeadlineSeconds && age >= activeDeadlineSeconds * 1000)
      end(job, counts, 'Failed', 'DeadlineExceeded', 'Job was active longer than specified deadline');
    else return false;
    return true;
  }

  /** By Job: how many failures caused its present wait, and whether that is over. */
  const waits = new Map<string, { failures: number; isOver: boolean; cancel: () => void }>();
  function isWaiting(key: string, { metadata: { uid } }: Stored, failures: number): boolean {
    if (failures === 0) return false;
    const known = waits.get(uid);
    if (known?.failures === failures) return !known.isOver;
    known?.cancel();
    const cancel = api.clock.after(Math.min(RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS), () => {
      wait.isOver = true;
      loop.enqueue(key);
    });
    const wait = { failures, isOver: false, cancel };
    waits.set(uid, wait);
    return true;
  }

  const loop = controllerLoop(api, ownerKeys(api, kind.storage, 'Job'), (key) => {
    const job = api.store.get(kind.storage, key);
    if (!job || job.metadata.deletionTimestamp || job.spec.suspend) return;
    if (job.status?.conditions?.some((c: Loose) => ['Complete', 'Failed'].includes(c.type) && c.status === 'True')) return;
    const counts = count(job);
    if (settle(job, counts)) return;
    const wanted = Math.min(job.spec.parallelism, job.spec.completions - counts.succeeded) - counts.active.length;
    if (wanted > 0 && !isWaiting(key, job, counts.failed.length))
      for (let i = 0; i < wanted; i += 1) if (createPod(api, job, record)) throw new Error('refused');
    api.change(kind, job, 'status', (copy) => {
      const { active: _active, failed: _failed, succeeded: _succeeded, ...rest } = copy.status ?? {};
      copy.status = { ...rest, startTime: rest.startTime ?? timeText(api.clock.now()), ...tally(count(job)) };
    });
    if (job.spec.activeDeadlineSeconds) loop.enqueue(key, job.spec.activeDeadlineSeconds * 1000);
  });
  return () => {
    for (const { cancel } of waits.values()) cancel();
    loop.stop();
  };
}

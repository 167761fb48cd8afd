import type { FailingPod } from '../contract/agent.ts';
import type { CoreEvent, Pod } from '../crd/kubernetes.ts';
import type { Logger } from '../log.ts';
import { type Failure, type Graces, examine, podHealth, recoversAt } from './detect.ts';
import { containerEvidence, isMirrorPod } from './evidence.ts';
import { occurrenceKey } from './identity.ts';
import { wakeups } from './wakeups.ts';

export interface PatrolDeps {
  graces: Graces & { recoverySeconds: number };
  now: () => Date;
  log: Logger;
  /** The pod's events. Asked for only while a pod is not well, so that healthy pods cost the API server nothing. */
  events(pod: Pod): Promise<CoreEvent[]>;
  /** A pod fails, in a way not told before. A rejection is logged and told again at the next look. */
  failed(pod: Pod, failure: Failure, events: CoreEvent[]): Promise<void>;
  /** A pod that failed has been well for long enough, or has completed. */
  recovered(pod: Pod): void;
}

/** Watches over pods: give it every change, it tells what fails, once per occurrence, and what has recovered. */
export interface Patrol {
  seen(pod: Pod): void;
  /** The pod is not there any more (or not ours). Answers whether it was failing or had not recovered. */
  gone(pod: Pod): boolean;
  /** What fails or has not yet recovered: a crash loop between two restarts is among it. */
  failing(): (FailingPod & { node: string })[];
  pods(): Pod[];
  /** Resolves when everything seen so far has been looked at. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

interface Watched {
  pod: Pod;
  /** Occurrence and label of what was told last; undefined when nothing is open. */
  told: string | undefined;
  container: string | null;
}

/** Looks at a time: more would only make the API server answer more event lists at once. */
const CONCURRENCY = 4;
/** Events are written beside the status: a second look sharpens a label that came too early. */
const SECOND_LOOK_MS = 10_000;
const RETRY_MS = 5_000;

export function patrol(deps: PatrolDeps): Patrol {
  const { now, log, graces } = deps;
  const watched = new Map<string, Watched>();
  const queue = new Set<string>();
  const running = new Map<string, Promise<void>>();
  const waiters: (() => void)[] = [];
  let isStopped = false;
  const enqueue = (uid: string) => {
    queue.add(uid);
    drain();
  };
  const alarm = wakeups({ now, wake: enqueue });
  const soon = (uid: string, ms: number) => alarm.at(uid, new Date(now().getTime() + ms));

  const drain = () => {
    for (const uid of queue) {
      if (isStopped || running.size >= CONCURRENCY) return;
      // One look at a pod at a time; a change meanwhile stays in the queue.
      if (running.has(uid)) continue;
      queue.delete(uid);
      running.set(uid, lookAt(uid));
    }
    if (queue.size === 0 && running.size === 0) for (const resolve of waiters.splice(0)) resolve();
  };

  const lookAt = async (uid: string) => {
    await Promise.resolve();
    try {
      const entry = watched.get(uid);
      if (entry) await judge(uid, entry);
    } catch (error) {
      log.warn({ err: error, pod_uid: uid }, 'pod could not be examined; will look again');
      soon(uid, RETRY_MS);
    } finally {
      running.delete(uid);
      drain();
    }
  };

  const judge = async (uid: string, entry: Watched) => {
    const { pod } = entry;
    const events = isWell(pod) ? [] : await deps.events(pod);
    const view = { pod, events, now: now(), graces };
    const { failure, lookAgainAt } = examine(view);
    if (failure) return await tell(uid, entry, { pod, failure, events });
    if (entry.told !== undefined) return settle(uid, entry);
    if (lookAgainAt) alarm.at(uid, lookAgainAt);
  };

  const tell = async (uid: string, entry: Watched, { pod, failure, events }: { pod: Pod; failure: Failure; events: CoreEvent[] }) => {
    const container = failure.container ?? null;
    const key = `${failure.reason}|${occurrenceKey({ container, container_statuses: containerEvidence(pod) })}`;
    if (entry.told === key || watched.get(uid) !== entry) return;
    await deps.failed(pod, failure, events);
    entry.told = key;
    entry.container = container;
    soon(uid, SECOND_LOOK_MS);
  };

  const settle = (uid: string, entry: Watched) => {
    if (podHealth({ pod: entry.pod, events: [], now: now(), graces, recoverySeconds: graces.recoverySeconds }) === 'recovered') {
      entry.told = undefined;
      deps.recovered(entry.pod);
      return;
    }
    const at = recoversAt(entry.pod, graces.recoverySeconds);
    if (at) alarm.at(uid, at);
  };

  return {
    seen(pod) {
      const { uid } = pod.metadata;
      if (!uid || isStopped || isMirrorPod(pod)) return;
      const entry = watched.get(uid);
      if (entry) entry.pod = pod;
      else watched.set(uid, { pod, told: undefined, container: null });
      enqueue(uid);
    },
    gone(pod) {
      const uid = pod.metadata.uid ?? '';
      const entry = watched.get(uid);
      watched.delete(uid);
      queue.delete(uid);
      alarm.cancel(uid);
      return entry?.told !== undefined;
    },
    failing: () => [...watched.values()].flatMap((entry) => openPod(entry, now(), graces)),
    pods: () => [...watched.values()].map(({ pod }) => pod),
    idle: () => (queue.size === 0 && running.size === 0 ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve))),
    async stop() {
      isStopped = true;
      alarm.stop();
      queue.clear();
      await Promise.all(running.values());
      for (const resolve of waiters.splice(0)) resolve();
    },
  };
}

/** Ready, or completed: whatever events say about such a pod, it is not failing. */
function isWell({ status }: Pod): boolean {
  if (status?.phase === 'Succeeded') return true;
  return status?.phase === 'Running' && status.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true;
}

/** What was told and is open, or runs again too shortly after a crash for anybody to say that it has recovered. */
function openPod({ pod, told, container }: Watched, now: Date, graces: PatrolDeps['graces']): (FailingPod & { node: string })[] {
  const crashed = crashedContainer(pod);
  if (told === undefined && !(crashed && isUnsettled(pod, now, graces.recoverySeconds))) return [];
  const { uid = '', name = '', namespace = '' } = pod.metadata;
  return [{ pod_uid: uid, pod_name: name, namespace, container: container ?? crashed ?? null, node: pod.spec.nodeName ?? '' }];
}

function isUnsettled(pod: Pod, now: Date, recoverySeconds: number): boolean {
  const at = isWell(pod) ? recoversAt(pod, recoverySeconds) : undefined;
  return at !== undefined && at > now;
}

function crashedContainer({ status }: Pod): string | undefined {
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return statuses.find(({ restartCount, lastState }) => restartCount > 0 && (lastState?.terminated?.exitCode ?? 0) !== 0)?.name;
}

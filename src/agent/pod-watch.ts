import type { FailingPod } from '../contract/agent.ts';
import type { ContainerStatus, CoreEvent, Pod } from '../crd/kubernetes.ts';
import type { Logger } from '../log.ts';
import { retryAfterOf } from '../kube/errors.ts';
import { type Failure, type Graces, detectRecentCrash, examine, podHealth, recoversAt } from '../failures/detect/detect.ts';
import { containerEvidence } from '../failures/detect/evidence.ts';
import { isMirrorPod } from '../crd/mirrorpod.ts';
import { occurrenceKey } from '../failures/policy/identity.ts';
import { examinationWaiters } from './examination-waiters.ts';
import { type Backoff, backoffMs } from '../async/backoff.ts';
import { deadlineQueue } from '../async/deadline-queue.ts';

export interface PodWatchDeps {
  graces: Graces & { recoverySeconds: number };
  now: () => Date;
  log: Logger;
  /** Lists the events of a pod. Only called for unhealthy pods, so that healthy pods cost the API server nothing. */
  events(pod: Pod): Promise<CoreEvent[]>;
  /**
   * Reports a new failure. If it rejects, the error is logged, and the failure is reported at the next examination. `isWorking`: nothing was
   * reported, because the log shows that the container works (it is examined again after its grace time), or because its Job has succeeded or
   * was overtaken. `isDue`: evidence is missing, so the same failure is reported again a few times, the last time with `isLastTry`.
   */
  failed(failure: ObservedFailure, isLastTry: boolean): Promise<{ isDue: boolean; isWorking?: boolean }>;
  /** Called when a failed pod has been healthy for long enough, or has completed. */
  recovered(pod: Pod, seenAt: Date): void;
  /** The wait between attempts. The API server may ask for a longer one. */
  backoff?: Backoff;
}

/** A pod that fails, as it was at `seenAt`. */
export interface ObservedFailure {
  pod: Pod;
  failure: Failure;
  events: CoreEvent[];
  seenAt: Date;
}

export type OpenPod = FailingPod & { node: string };

/** Gets every change of pods. Reports each failure once per occurrence, and each recovery. */
export interface PodWatch {
  seen(pod: Pod): void;
  /**
   * Call this when a pod was deleted. If its last state has a failure that was not examined yet, the failure is reported first. Returns
   * whether the pod was failing or had not recovered.
   */
  gone(pod: Pod): Promise<boolean>;
  /** Forgets a pod, because another watch has it from now on. */
  leave(pod: Pod): void;
  /** Call this when the reports of these pods were lost. Pods that still fail are reported again. */
  again(uids: string[]): void;
  /** Pods that fail or have not recovered yet, for example a crash loop between two restarts. */
  failing(): OpenPod[];
  /**
   * Pods that were not reported, but may be unhealthy: they could not be examined yet, or they have not been Ready for long enough and may
   * have failed before this watch first saw them.
   */
  unsettled(): OpenPod[];
  pods(): Pod[];
  /** Resolves when everything seen so far is examined, however many changes arrive meanwhile. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

interface Watched {
  pod: Pod;
  /** Whether `pod` still has to be examined in its current state. */
  isNew: boolean;
  /** The pod before its deletion began, until that state has been examined. */
  before: Pod | undefined;
  /** Label and occurrence of the last report; undefined when nothing is open. */
  reported: string | undefined;
  container: string | null;
  /** The reported failure whose evidence is due, the number of repeated reports, and the time of the next one. */
  due: { failure: ObservedFailure; tries: number; at: number } | undefined;
  /** Examinations that failed in a row. */
  failedAttempts: number;
  /** Whether an examination has succeeded. */
  isKnown: boolean;
  /** Whether the kubelet had the pod before this watch saw it. It may already have failed then. */
  isInherited: boolean;
}

/** This many examinations run at once. More would only make the API server answer more lists of events at the same time. */
const CONCURRENCY = 4;
/** Events and status are written separately, so a later examination may find a better label than an early one. */
const SECOND_EXAMINATION_MS = 10_000;
const BACKOFF = { firstMs: 2_000, maxMs: 60_000 };
/** A failure whose evidence is due is reported at most this many times again, which takes about a minute. */
const MAX_TRIES = 6;
/** Marks a report that was lost. The failure is open, and is reported again if it still exists. */
const LOST = '';

export function podWatch(deps: PodWatchDeps): PodWatch {
  const { now, log, graces, backoff = BACKOFF } = deps;
  const watched = new Map<string, Watched>();
  const queue = new Set<string>();
  const running = new Map<string, Promise<void>>();
  const waiters = examinationWaiters();
  let isStopped = false;
  const enqueue = (uid: string) => {
    queue.add(uid);
    drain();
  };
  const deadlines = deadlineQueue({ now, onDue: enqueue });
  const soon = (uid: string, ms: number) => deadlines.add(uid, new Date(now().getTime() + ms));

  const waitMs = (tries: number): number => backoffMs(backoff, tries);

  const drain = () => {
    for (const uid of queue) {
      if (isStopped || running.size >= CONCURRENCY) return;
      // One examination of a pod at a time. A change during it stays in the queue.
      if (running.has(uid)) continue;
      queue.delete(uid);
      waiters.begins(uid);
      running.set(uid, attempt(uid));
    }
  };

  const forget = (uid: string) => {
    watched.delete(uid);
    queue.delete(uid);
    deadlines.cancel(uid);
    waiters.forget(uid);
  };

  const attempt = async (uid: string) => {
    await Promise.resolve();
    const entry = watched.get(uid);
    try {
      if (entry) await examinePod(uid, entry);
    } catch (error) {
      if (!entry) return;
      entry.isNew = true;
      entry.failedAttempts += 1;
      const pauseMs = Math.max(waitMs(entry.failedAttempts), retryAfterOf(error));
      log.warn({ err: error, pod_uid: uid, wait_ms: pauseMs }, 'pod could not be examined; will look again');
      soon(uid, pauseMs);
    } finally {
      running.delete(uid);
      waiters.ends(uid);
      drain();
    }
  };

  const examinePod = async (uid: string, entry: Watched) => {
    const { pod, before } = entry;
    entry.isNew = false;
    if (before) await examineBefore(uid, entry, before);
    const seenAt = now();
    const events = isQuiet(pod) ? [] : await deps.events(pod);
    const view = { pod, events, now: seenAt, graces };
    const { failure: present, lookAgainAt } = examine(view);
    const failure = present ?? (isWell(pod) ? detectRecentCrash({ ...view, recoverySeconds: graces.recoverySeconds }) : undefined);
    entry.isKnown = true;
    entry.failedAttempts = 0;
    if (failure) await report(uid, entry, { pod, failure, events, seenAt });
    if (entry.due) await reportDue(uid, entry, entry.due);
    if (present) return;
    if (entry.reported !== undefined) return settle(uid, entry);
    if (lookAgainAt) deadlines.add(uid, lookAgainAt);
  };

  /** Examines the last state before the deletion, because a failure counts even if the pod is deleted right after it. */
  const examineBefore = async (uid: string, entry: Watched, pod: Pod) => {
    const seenAt = now();
    const events = isQuiet(pod) ? [] : await deps.events(pod);
    const { failure } = examine({ pod, events, now: seenAt, graces });
    if (failure) await report(uid, entry, { pod, failure, events, seenAt });
    entry.before = undefined;
  };

  const report = async (uid: string, entry: Watched, observed: ObservedFailure) => {
    const { pod, failure } = observed;
    const container = failure.container ?? null;
    const key = `${failure.reason}|${occurrenceKey({ container, container_statuses: containerEvidence(pod) })}`;
    if (entry.reported === key || watched.get(uid) !== entry) return;
    const { isDue, isWorking = false } = await deps.failed(observed, false);
    if (isWorking) {
      if (entry.reported === LOST) entry.reported = undefined;
      // A pod that has ended stays as it is.
      if (pod.status?.phase !== 'Failed') deadlines.add(uid, new Date(now().getTime() + graces.pendingSeconds * 1000));
      return;
    }
    entry.reported = key;
    entry.container = container;
    entry.due = isDue ? { failure: observed, tries: 0, at: now().getTime() + waitMs(1) } : undefined;
    soon(uid, isDue ? waitMs(1) : SECOND_EXAMINATION_MS);
  };

  /** Reports the failure as it was first seen, so that it is the same occurrence whatever the pod has done since. */
  const reportDue = async (uid: string, entry: Watched, due: NonNullable<Watched['due']>) => {
    if (now().getTime() < due.at) return soon(uid, due.at - now().getTime());
    due.tries += 1;
    const { isDue } = await deps.failed(due.failure, due.tries >= MAX_TRIES);
    due.at = now().getTime() + waitMs(due.tries + 1);
    if (!isDue) entry.due = undefined;
    soon(uid, isDue ? due.at - now().getTime() : SECOND_EXAMINATION_MS);
  };

  const settle = (uid: string, entry: Watched) => {
    const seenAt = now();
    if (podHealth({ pod: entry.pod, events: [], now: seenAt, graces, recoverySeconds: graces.recoverySeconds }) === 'recovered') {
      entry.reported = undefined;
      entry.due = undefined;
      deps.recovered(entry.pod, seenAt);
      return;
    }
    const at = recoversAt(entry.pod, graces.recoverySeconds);
    if (at) deadlines.add(uid, at);
  };

  return {
    seen(pod) {
      const { uid } = pod.metadata;
      if (!uid || isStopped || isMirrorPod(pod)) return;
      const entry = watched.get(uid);
      if (!entry)
        watched.set(uid, {
          pod,
          isNew: true,
          before: undefined,
          reported: undefined,
          container: null,
          due: undefined,
          failedAttempts: 0,
          isKnown: false,
          isInherited: pod.status?.startTime !== undefined,
        });
      else {
        if (entry.isNew && isDeleting(pod) && !isDeleting(entry.pod)) entry.before = entry.pod;
        Object.assign(entry, { pod, isNew: true });
      }
      enqueue(uid);
    },
    async gone(pod) {
      const uid = pod.metadata.uid ?? '';
      const entry = watched.get(uid);
      if (entry && !isStopped) await waiters.until(queue.has(uid) ? [uid] : [], running.has(uid) ? [uid] : []);
      forget(uid);
      return entry?.reported !== undefined;
    },
    leave: ({ metadata: { uid = '' } }) => forget(uid),
    again(uids) {
      for (const uid of uids) {
        const entry = watched.get(uid);
        if (entry?.reported === undefined) continue;
        entry.reported = LOST;
        enqueue(uid);
      }
    },
    failing: () => [...watched.values()].filter(({ reported }) => reported !== undefined).map(openPod),
    unsettled: () => [...watched.values()].filter((entry) => isUnsettled(entry, now(), graces)).map(openPod),
    pods: () => [...watched.values()].map(({ pod }) => pod),
    idle: () =>
      waiters.until(
        queue,
        [...running.keys()].filter((uid) => !queue.has(uid)),
      ),
    async stop() {
      isStopped = true;
      deadlines.stop();
      queue.clear();
      await Promise.all(running.values());
      waiters.stop();
    },
  };
}

/** Whether a pod is Ready or has completed. Such a pod does not fail, whatever its events say. */
function isWell({ status }: Pod): boolean {
  if (status?.phase === 'Succeeded') return true;
  return status?.phase === 'Running' && status.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true;
}

function isDeleting({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Whether a pod is healthy and its containers were never restarted. Its events are not needed then. */
function isQuiet(pod: Pod): boolean {
  return isWell(pod) && statusesOf(pod).every(({ restartCount }) => restartCount === 0);
}

function isUnsettled({ pod, reported, isKnown, isInherited }: Watched, now: Date, graces: PodWatchDeps['graces']): boolean {
  if (reported !== undefined) return false;
  return podHealth({ pod, events: [], now, graces, recoverySeconds: graces.recoverySeconds }) !== 'recovered' && (isInherited || !isKnown);
}

function openPod({ pod, container }: Watched): OpenPod {
  const { uid = '', name = '', namespace = '' } = pod.metadata;
  return { pod_uid: uid, pod_name: name, namespace, container, node: pod.spec.nodeName ?? '' };
}

function statusesOf({ status }: Pod): ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
}

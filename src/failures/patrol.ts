import type { FailingPod } from '../contract/agent.ts';
import type { ContainerStatus, CoreEvent, Pod } from '../crd/kubernetes.ts';
import type { Logger } from '../log.ts';
import { retryAfterOf } from '../kube/errors.ts';
import { type Failure, type Graces, detectRecentCrash, examine, podHealth, recoversAt } from './detect.ts';
import { containerEvidence, isMirrorPod } from './evidence.ts';
import { occurrenceKey } from './identity.ts';
import { waitingForLooks } from './waiting.ts';
import { wakeups } from './wakeups.ts';

export interface PatrolDeps {
  graces: Graces & { recoverySeconds: number };
  now: () => Date;
  log: Logger;
  /** The pod's events. Asked for only while a pod is not well, so that healthy pods cost the API server nothing. */
  events(pod: Pod): Promise<CoreEvent[]>;
  /**
   * A pod fails, in a way not told before, as was seen at `seenAt`. A rejection is logged and told again at the next look. As long as it
   * answers that something `isDue`, the same sight is given again later, a few times, at last with `isLastTry`.
   */
  failed(sight: Sight, isLastTry: boolean): Promise<{ isDue: boolean }>;
  /** A pod that failed has been well for long enough, or has completed. */
  recovered(pod: Pod, seenAt: Date): void;
  /** First and longest wait before the next try, in milliseconds: doubled each time, and longer where the API server asks for it. */
  backoff?: { firstMs: number; maxMs: number };
}

export interface Sight {
  pod: Pod;
  failure: Failure;
  events: CoreEvent[];
  seenAt: Date;
}

export type OpenPod = FailingPod & { node: string };

/** Watches over pods: give it every change, it tells what fails, once per occurrence, and what has recovered. */
export interface Patrol {
  seen(pod: Pod): void;
  /**
   * The pod is not there any more. A failure that it showed and nobody has looked at yet is told first. Answers whether it was failing
   * or had not recovered.
   */
  gone(pod: Pod): Promise<boolean>;
  /** The pod is not ours any more. */
  leave(pod: Pod): void;
  /** Pods of which nobody knows what was told: when they fail (still), it is told again. */
  again(uids: string[]): void;
  /** What fails or has not yet recovered: a crash loop between two restarts is among it. */
  failing(): OpenPod[];
  /**
   * Pods that were told of nothing, but of which nobody can say that they are well: nobody could look at them yet, or they have not been
   * Ready for long enough and may have failed before they were seen first.
   */
  unsettled(): OpenPod[];
  pods(): Pod[];
  /** Resolves when everything seen so far has been looked at, however much is seen meanwhile. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

interface Watched {
  pod: Pod;
  /** Whether nobody has looked at it as it is now. */
  isNew: boolean;
  /** As it was before its deletion began, while nobody has looked at that yet. */
  before: Pod | undefined;
  /** Occurrence and label of what was told last; undefined when nothing is open. */
  told: string | undefined;
  container: string | null;
  /** What was told and has something due, how often it was told again, and when it will be next. */
  due: { sight: Sight; tries: number; at: number } | undefined;
  /** Looks that failed, one after another. */
  failedLooks: number;
  /** Whether a look at it has succeeded. */
  isKnown: boolean;
  /** Whether the kubelet knew it before us: it may have failed then. */
  isInherited: boolean;
}

/** Looks at a time: more would only make the API server answer more event lists at once. */
const CONCURRENCY = 4;
/** Events are written beside the status: a second look sharpens a label that came too early. */
const SECOND_LOOK_MS = 10_000;
const BACKOFF = { firstMs: 2_000, maxMs: 60_000 };
/** How often what was told is told again for the sake of what is due: for a minute. */
const MAX_TRIES = 6;
/** Stands for what was told when nobody knows of it: it is open, and told again when it is (still) seen. */
const LOST = '';

export function patrol(deps: PatrolDeps): Patrol {
  const { now, log, graces, backoff = BACKOFF } = deps;
  const watched = new Map<string, Watched>();
  const queue = new Set<string>();
  const running = new Map<string, Promise<void>>();
  const waiting = waitingForLooks();
  let isStopped = false;
  const enqueue = (uid: string) => {
    queue.add(uid);
    drain();
  };
  const alarm = wakeups({ now, wake: enqueue });
  const soon = (uid: string, ms: number) => alarm.at(uid, new Date(now().getTime() + ms));

  const waitOf = (tries: number): number => Math.min(backoff.maxMs, backoff.firstMs * 2 ** (tries - 1));

  const drain = () => {
    for (const uid of queue) {
      if (isStopped || running.size >= CONCURRENCY) return;
      // One look at a pod at a time; a change meanwhile stays in the queue.
      if (running.has(uid)) continue;
      queue.delete(uid);
      waiting.begins(uid);
      running.set(uid, lookAt(uid));
    }
  };

  /** Whatever waits for a look at this pod waits no longer. */
  const forget = (uid: string) => {
    watched.delete(uid);
    queue.delete(uid);
    alarm.cancel(uid);
    waiting.forget(uid);
  };

  const lookAt = async (uid: string) => {
    await Promise.resolve();
    const entry = watched.get(uid);
    try {
      if (entry) await judge(uid, entry);
    } catch (error) {
      if (!entry) return;
      entry.isNew = true;
      entry.failedLooks += 1;
      const waitMs = Math.max(waitOf(entry.failedLooks), retryAfterOf(error));
      log.warn({ err: error, pod_uid: uid, wait_ms: waitMs }, 'pod could not be examined; will look again');
      soon(uid, waitMs);
    } finally {
      running.delete(uid);
      waiting.ends(uid);
      drain();
    }
  };

  const judge = async (uid: string, entry: Watched) => {
    const { pod, before } = entry;
    entry.isNew = false;
    if (before) await judgeBefore(uid, entry, before);
    const seenAt = now();
    const events = isQuiet(pod) ? [] : await deps.events(pod);
    const view = { pod, events, now: seenAt, graces };
    const { failure: present, lookAgainAt } = examine(view);
    const failure = present ?? (isWell(pod) ? detectRecentCrash({ ...view, recoverySeconds: graces.recoverySeconds }) : undefined);
    entry.isKnown = true;
    entry.failedLooks = 0;
    if (failure) await tell(uid, entry, { pod, failure, events, seenAt });
    if (entry.due) await tellDue(uid, entry, entry.due);
    if (present) return;
    if (entry.told !== undefined) return settle(uid, entry);
    if (lookAgainAt) alarm.at(uid, lookAgainAt);
  };

  /** A deletion that follows soon does not undo what went wrong before it. */
  const judgeBefore = async (uid: string, entry: Watched, pod: Pod) => {
    const seenAt = now();
    const events = isQuiet(pod) ? [] : await deps.events(pod);
    const { failure } = examine({ pod, events, now: seenAt, graces });
    if (failure) await tell(uid, entry, { pod, failure, events, seenAt });
    entry.before = undefined;
  };

  const tell = async (uid: string, entry: Watched, sight: Sight) => {
    const { pod, failure } = sight;
    const container = failure.container ?? null;
    const key = `${failure.reason}|${occurrenceKey({ container, container_statuses: containerEvidence(pod) })}`;
    if (entry.told === key || watched.get(uid) !== entry) return;
    const { isDue } = await deps.failed(sight, false);
    entry.told = key;
    entry.container = container;
    entry.due = isDue ? { sight, tries: 0, at: now().getTime() + waitOf(1) } : undefined;
    soon(uid, isDue ? waitOf(1) : SECOND_LOOK_MS);
  };

  /** The sight is the one that was told, so that it is the same occurrence, whatever the pod does meanwhile. */
  const tellDue = async (uid: string, entry: Watched, due: NonNullable<Watched['due']>) => {
    if (now().getTime() < due.at) return soon(uid, due.at - now().getTime());
    due.tries += 1;
    const { isDue } = await deps.failed(due.sight, due.tries >= MAX_TRIES);
    due.at = now().getTime() + waitOf(due.tries + 1);
    if (!isDue) entry.due = undefined;
    soon(uid, isDue ? due.at - now().getTime() : SECOND_LOOK_MS);
  };

  const settle = (uid: string, entry: Watched) => {
    const seenAt = now();
    if (podHealth({ pod: entry.pod, events: [], now: seenAt, graces, recoverySeconds: graces.recoverySeconds }) === 'recovered') {
      entry.told = undefined;
      entry.due = undefined;
      deps.recovered(entry.pod, seenAt);
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
      if (!entry)
        watched.set(uid, {
          pod,
          isNew: true,
          before: undefined,
          told: undefined,
          container: null,
          due: undefined,
          failedLooks: 0,
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
      if (entry && !isStopped) await waiting.until(queue.has(uid) ? [uid] : [], running.has(uid) ? [uid] : []);
      forget(uid);
      return entry?.told !== undefined;
    },
    leave: ({ metadata: { uid = '' } }) => forget(uid),
    again(uids) {
      for (const uid of uids) {
        const entry = watched.get(uid);
        if (entry?.told === undefined) continue;
        entry.told = LOST;
        enqueue(uid);
      }
    },
    failing: () => [...watched.values()].filter(({ told }) => told !== undefined).map(openPod),
    unsettled: () => [...watched.values()].filter((entry) => isUnsettled(entry, now(), graces)).map(openPod),
    pods: () => [...watched.values()].map(({ pod }) => pod),
    idle: () =>
      waiting.until(
        queue,
        [...running.keys()].filter((uid) => !queue.has(uid)),
      ),
    async stop() {
      isStopped = true;
      alarm.stop();
      queue.clear();
      await Promise.all(running.values());
      waiting.stop();
    },
  };
}

/** Ready, or completed: whatever events say about such a pod, it is not failing. */
function isWell({ status }: Pod): boolean {
  if (status?.phase === 'Succeeded') return true;
  return status?.phase === 'Running' && status.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true;
}

function isDeleting({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** A well pod of which events have nothing to add: none of its containers was ever restarted. */
function isQuiet(pod: Pod): boolean {
  return isWell(pod) && statusesOf(pod).every(({ restartCount }) => restartCount === 0);
}

function isUnsettled({ pod, told, isKnown, isInherited }: Watched, now: Date, graces: PatrolDeps['graces']): boolean {
  if (told !== undefined) return false;
  return podHealth({ pod, events: [], now, graces, recoverySeconds: graces.recoverySeconds }) !== 'recovered' && (isInherited || !isKnown);
}

function openPod({ pod, container }: Watched): OpenPod {
  const { uid = '', name = '', namespace = '' } = pod.metadata;
  return { pod_uid: uid, pod_name: name, namespace, container, node: pod.spec.nodeName ?? '' };
}

function statusesOf({ status }: Pod): ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
}

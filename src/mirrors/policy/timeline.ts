import type { ContainerState, ContainerStateTerminated, ContainerStatus, CoreEvent, Pod } from '../../crd/kubernetes.ts';
import type { MirrorContainerTimeline as ContainerTimeline, MirrorPodOver, MirrorTimeline as Timeline } from '../../crd/mirrorpod.ts';
import { containersOf } from '../../crd/containers.ts';
import { detectFailure } from '../../failures/detect/detect.ts';
import { eventsOf } from '../../failures/detect/events.ts';
import { millis, type Failure } from '../../failures/detect/view.ts';

/** One look at a mirror pod. */
export interface Look {
  pod: Pod;
  events: readonly CoreEvent[];
  now: Date;
  /** When the mirror's time is over. */
  expiresAt: Date;
  /** When this process last looked. Changes that it sees now happened after that. */
  lookedAt?: Date;
  /** The clock has jumped since the last look, so times before and after the jump cannot be compared. */
  hasClockJumped?: boolean;
}

const NOTHING: Timeline = { readinessLost: 0, restarts: 0, pullErrors: 0, containers: [] };

/** Adds one look to the timeline. A second look at the same state changes nothing. */
export function foldLook(before: Timeline | undefined, look: Look): Timeline {
  const old = before ?? NOTHING;
  if (old.over) return old;
  const endingSince = old.endingSince ?? endingIn(look.pod);
  const until = endOf(look, endingSince);
  const containers = foldContainers(old, look, until);
  const next: Timeline = {
    readinessLost: old.readinessLost,
    restarts: Math.max(old.restarts, sum(statusesOf(look.pod).map(({ restartCount }) => restartCount))),
    pullErrors: Math.max(old.pullErrors, pullErrorsOf(look)),
    containers,
  };
  const how = overOf(look.pod);
  return {
    ...next,
    ...foldReadiness(old, look, { until, containers }),
    ...(endingSince ? { endingSince } : {}),
    ...(how || endingSince ? keptFailure(old) : foldFailure(old, look)),
    ...(how ? { over: { how, at: text(Math.min(look.now.getTime(), until)), ...(isUnseen(look) ? { unseen: true } : {}) } } : {}),
  };
}

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);
const statusesOf = ({ status }: Pod): ContainerStatus[] => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
const keptFailure = ({ failure }: Timeline): Pick<Timeline, 'failure'> => (failure ? { failure } : {});

/** How often containers ended. For init containers only failed runs count. */
export const endsOf = ({ containers }: Pick<Timeline, 'containers'>): number => sum(containers.map(({ ended }) => ended));

/** The longest run of a mirror container that ended, in seconds. */
export const ownRunSeconds = ({ containers }: Pick<Timeline, 'containers'>): number =>
  Math.max(0, ...containers.map(({ longestRunSeconds }) => longestRunSeconds));

/** The longest time between two looks while the operator runs. */
const LOOKS_SECONDS = 90;

/** Whether the last look is too long ago to know what happened since. A process that has just started relies on the stored timeline. */
export function isUnseen({ now, lookedAt }: Pick<Look, 'now' | 'lookedAt'>): boolean {
  return lookedAt !== undefined && now.getTime() - lookedAt.getTime() > LOOKS_SECONDS * 1000;
}

function overOf({ metadata, status }: Pod): MirrorPodOver['how'] | undefined {
  if (status?.reason === 'DeadlineExceeded') return 'DeadlineExceeded';
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return status.phase;
  return metadata.deletionTimestamp ? 'Deleted' : undefined;
}

/**
 * When the kubelet began to end the pod. When a kubelet ends a pod because of its deadline or its node, the Ready condition says that the
 * pod has failed, but the phase stays Running until all containers have ended. A quick container may have ended already by then.
 */
function endingIn({ status }: Pod): string | undefined {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.reason === 'PodFailed' && status?.phase === 'Running' ? ready.lastTransitionTime : undefined;
}

/**
 * The time, in milliseconds, when the pod is ended from outside: its time is over, somebody deletes it, or the kubelet ends it at its
 * deadline. Ends of containers after that do not count.
 */
function endOf({ pod, expiresAt, now, lookedAt }: Look, endingSince: string | undefined): number {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata;
  const deleted = millis(deletionTimestamp);
  const started = millis(pod.status?.startTime);
  const deadline = pod.spec.activeDeadlineSeconds;
  const isAtDeadline = started !== undefined && deadline !== undefined && pod.status?.reason === 'DeadlineExceeded';
  const ends = [
    now < expiresAt ? Infinity : expiresAt.getTime(),
    millis(endingSince) ?? Infinity,
    deleted === undefined ? Infinity : deleted - deletionGracePeriodSeconds * 1000,
    isAtDeadline ? started + deadline * 1000 : Infinity,
  ];
  const end = Math.min(...ends);
  // The end must be in the past. If it is in the future, a clock was set back, and only facts from an earlier look count.
  const isPast = end === Infinity || end <= now.getTime();
  // The kubelet writes times in whole seconds.
  return Math.floor((isPast ? end : (lookedAt ?? now).getTime()) / 1000) * 1000;
}

function foldContainers(old: Timeline, { pod }: Look, until: number): ContainerTimeline[] {
  const all = containersOf(pod);
  const policy = pod.spec.restartPolicy ?? 'Always';
  const appsEndedAt = endOfApps(
    all.flatMap(({ kind, status }) => (kind === 'app' ? [status] : [])),
    policy,
  );
  return all.flatMap(({ spec, kind, status }) => {
    const known = old.containers.find(({ name }) => name === spec.name);
    if (!status) return known ?? [];
    const isFailure = (run: ContainerStateTerminated): boolean =>
      run.exitCode !== 0 || kind === 'sidecar' || (kind === 'app' && policy === 'Always');
    // The kubelet stops sidecars when the app containers have ended. That is not a failure.
    const counts = (run: ContainerStateTerminated): boolean =>
      isFailure(run) && endAt(run) < until && !(kind === 'sidecar' && endAt(run) >= appsEndedAt);
    return foldContainer(known, status, { counts, isInit: kind === 'init' });
  });
}

const endAt = ({ finishedAt }: ContainerStateTerminated): number => millis(finishedAt) ?? -Infinity;

/** When the last app container ended for good; Infinity while one still runs or will be restarted. */
function endOfApps(statuses: (ContainerStatus | undefined)[], policy: string): number {
  if (policy === 'Always') return Infinity;
  const ends = statuses.map((status) => {
    const ended = status?.state?.terminated;
    return ended && (ended.exitCode === 0 || policy === 'Never') ? endAt(ended) : Infinity;
  });
  return Math.max(...ends);
}

const NEW: Omit<ContainerTimeline, 'name'> = { ended: 0, run: 0, longestRunSeconds: 0 };

function foldContainer(
  before: ContainerTimeline | undefined,
  { name, restartCount, state, lastState }: ContainerStatus,
  { counts, isInit }: { counts(run: ContainerStateTerminated): boolean; isInit: boolean },
): ContainerTimeline {
  const known = before ?? { name, ...NEW };
  const last = lastState?.terminated;
  const now = endedNow(state);
  const ended = [last, now].flatMap((run) => (run && counts(run) ? [run] : []));
  const newest = ended.at(-1);
  // During a run, the restart count already includes the end of the run before it.
  const isUncounted = newest !== undefined && !state?.running && known.lastEnd !== idOf(newest);
  // A successful init container runs again only when the pod's sandbox was created again. That is not a failure.
  const restarts = isInit && last?.exitCode === 0 ? 0 : restartCount;
  return {
    ...known,
    ended: Math.max(known.ended, restarts + (isUncounted ? 1 : 0)),
    run: Math.max(known.run, restartCount),
    longestRunSeconds: Math.max(known.longestRunSeconds, ...ended.map(lengthOf)),
    ...(newest ? { lastEnd: idOf(newest) } : {}),
  };
}

/** The state of an ended container. Undefined if it never started: the kubelet then shows an end in 1970. */
function endedNow(state: ContainerState | undefined): ContainerStateTerminated | undefined {
  return millis(state?.terminated?.finishedAt) === undefined ? undefined : state?.terminated;
}

const MAX_ID = 128;
const idOf = ({ containerID, finishedAt }: ContainerStateTerminated): string => (containerID || finishedAt || '').slice(-MAX_ID);

function lengthOf({ startedAt, finishedAt }: ContainerStateTerminated): number {
  const [from, to] = [millis(startedAt), millis(finishedAt)];
  return from === undefined || to === undefined ? 0 : Math.max(0, Math.round((to - from) / 1000));
}

const SECOND_MS = 1000;

type Readiness = Pick<Timeline, 'readySince' | 'readyChanged' | 'unreadySince' | 'readinessLost'>;

function foldReadiness(old: Timeline, look: Look, { until, containers }: { until: number; containers: ContainerTimeline[] }): Readiness {
  const ready = look.pod.status?.conditions?.find(({ type }) => type === 'Ready');
  if (!ready) return readinessOf(old);
  const change: Change = {
    changed: ready.lastTransitionTime,
    hasEnded: endsOf({ containers }) > endsOf(old),
    isNewRun: containers.some(({ name, run }) => run > (old.containers.find((one) => one.name === name)?.run ?? run)),
  };
  return ready.status === 'True' ? foldReady(old, look, change) : foldUnready(old, look, { ...change, until });
}

/** The changes since the last look: the time of the Ready condition, and whether a container ended or started. */
interface Change {
  changed: string | undefined;
  hasEnded: boolean;
  isNewRun: boolean;
}

/** The time of a change, which happened between two of our looks. If the node's clock says otherwise, the time of the later look counts. */
function bracket({ now, lookedAt }: Look, at: number): number {
  const from = lookedAt?.getTime() ?? -Infinity;
  return at < from - SECOND_MS || at > now.getTime() ? now.getTime() : Math.max(at, from);
}

function foldUnready(old: Timeline, look: Look, { changed, hasEnded, isNewRun, until }: Change & { until: number }): Readiness {
  const { pod, now, hasClockJumped } = look;
  const isLost = old.readySince !== undefined && (millis(changed) ?? 0) < until && overOf(pod) !== 'Succeeded';
  if (isLost) {
    const unreadySince = text(bracket(look, millis(changed) ?? now.getTime()));
    return { unreadySince, readinessLost: old.readinessLost + (hasEnded ? 0 : 1), ...(changed ? { readyChanged: changed } : {}) };
  }
  const { readySince, ...stays } = readinessOf(old);
  // The pod was not Ready without a break before it was ended from outside.
  if (hasEnded || isNewRun) return stays;
  if (hasClockJumped && stays.unreadySince !== undefined) return { ...stays, unreadySince: text(now.getTime()) };
  return readySince ? { ...stays, readySince } : stays;
}

function foldReady(old: Timeline, look: Look, { changed, hasEnded, isNewRun }: Change): Readiness {
  const { pod, now, hasClockJumped } = look;
  const isSame = old.readySince !== undefined && old.readyChanged === changed;
  const isUnbroken = isSame && !isNewRun && !hasEnded;
  if (isUnbroken && !hasClockJumped) return readinessOf(old);
  const wasLost = old.readySince !== undefined && old.readyChanged !== changed && !hasEnded && !isNewRun;
  const starts = statusesOf(pod).map(({ state }) => millis(state?.running?.startedAt) ?? 0);
  const since = hasClockJumped ? now.getTime() : bracket(look, Math.max(millis(changed) ?? 0, ...starts));
  return {
    readySince: text(since),
    readinessLost: old.readinessLost + (wasLost ? 1 : 0),
    ...(changed ? { readyChanged: changed } : {}),
  };
}

const text = (at: number): string => new Date(at).toISOString();

function readinessOf({ readySince, readyChanged, unreadySince, readinessLost }: Timeline): Readiness {
  return {
    readinessLost,
    ...(readySince ? { readySince } : {}),
    ...(readyChanged ? { readyChanged } : {}),
    ...(unreadySince ? { unreadySince } : {}),
  };
}

/** The number of failed image pulls, by the kubelet's events. At least 1 while a container waits because a pull failed. */
function pullErrorsOf({ pod, events }: Look): number {
  const perContainer = new Map<string, number>();
  for (const event of eventsOf({ ...pod, kind: 'Pod' }, [...events])) {
    if (event.reason !== 'Failed' || !event.message?.startsWith('Failed to pull image')) continue;
    const container = event.involvedObject?.fieldPath ?? '';
    perContainer.set(container, (perContainer.get(container) ?? 0) + (event.series?.count ?? event.count ?? 1));
  }
  const isWaiting = statusesOf(pod).some(({ state }) => /^(?:ErrImagePull|ImagePullBackOff)$/.test(state?.waiting?.reason ?? ''));
  return Math.max(isWaiting ? 1 : 0, ...perContainer.values());
}

/**
 * The failure that this look shows. The kubelet writes only about 25 events for a pod and then hardly any. So without events a readiness
 * probe may still fail; it has only passed if the pod is Ready, or the container runs anew.
 */
function foldFailure(old: Timeline, look: Look): Pick<Timeline, 'failure'> {
  const seen = seenFailure(look);
  const isReady = look.pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
  const sameRun = sum(statusesOf(look.pod).map(({ restartCount }) => restartCount)) <= old.restarts;
  return seen.failure || isReady || !sameRun || old.failure?.reason !== 'Unhealthy' ? seen : keptFailure(old);
}

function seenFailure({ pod, events, now }: Look): Pick<Timeline, 'failure'> {
  const failure: Failure | undefined = detectFailure({ pod, events: [...events], now, graces: { pendingSeconds: 0, unreadySeconds: 0 } });
  if (!failure) return {};
  const { reason, container } = failure;
  return { failure: { reason, ...(container ? { container } : {}) } };
}

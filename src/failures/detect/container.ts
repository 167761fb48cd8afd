import type { Container, ContainerStateTerminated, ContainerStatus, CoreEvent } from '../../crd/kubernetes.ts';
import { containersOf } from '../evidence.ts';
import { type Family, familyOf } from '../identity.ts';
import { lastSeen, newest } from './events.ts';
import { type EndedRun, labelRun, probeKill } from './run.ts';
import { type Failure, type Look, millis } from './view.ts';

interface Watched {
  look: Look;
  spec: Container;
  kind: 'init' | 'sidecar' | 'app';
  status: ContainerStatus;
  /** The events about this container, oldest first. */
  events: CoreEvent[];
}

/** Waiting words that are no failure: the kubelet is on its way. */
const STARTING = new Set(['', 'ContainerCreating', 'PodInitializing']);
/** Waiting words that are said better. Every other one is its own label. */
const WAITING: Record<string, string> = {
  ErrImagePull: 'ImagePullBackOff',
  RegistryUnavailable: 'ImagePullBackOff',
  SignatureValidationFailed: 'ImagePullBackOff',
  RunContainerError: 'StartError',
  ContainerCannotRun: 'StartError',
};
/** After a run of ten minutes the kubelet forgets its back-off: what happened before is another story. */
const SETTLED_SECONDS = 600;
/** A first restart comes at once; a container that is still down after this long is not merely being restarted. */
const RESTART_SECONDS = 5;

/** The first failing container in start order. `events` are the pod's, oldest first. */
export function containerFailure(look: Look, events: CoreEvent[]): Failure | undefined {
  for (const container of watched(look, events)) {
    const failure = failureOf(container);
    if (failure) return failure;
  }
  return undefined;
}

function watched(look: Look, events: CoreEvent[]): Watched[] {
  const { pod } = look;
  const all = containersOf(pod);
  const seen = all.flatMap(({ spec, kind, status }) =>
    status ? [{ look, spec, kind, status, events: events.filter((event) => isAbout(event, spec.name, all.length)) }] : [],
  );
  // Sidecars are stopped when the others have ended, and their end says nothing then.
  const apps = seen.filter(({ kind }) => kind === 'app');
  const isOver = pod.status?.phase === 'Failed' || (apps.length > 0 && apps.every(({ status }) => isFinal(look, status)));
  return isOver ? [...seen.filter(({ kind }) => kind !== 'sidecar'), ...sidecarsOfFailed(look, seen)] : seen;
}

function sidecarsOfFailed({ pod }: Look, seen: Watched[]): Watched[] {
  return pod.status?.phase === 'Failed' ? seen.filter(({ kind }) => kind === 'sidecar') : [];
}

function isFinal({ pod }: Look, { state }: ContainerStatus): boolean {
  return state?.terminated !== undefined && pod.spec.restartPolicy !== undefined && pod.spec.restartPolicy !== 'Always';
}

function isAbout({ involvedObject, message }: CoreEvent, name: string, containers: number): boolean {
  const path = involvedObject?.fieldPath;
  if (path) return path.endsWith(`{${name}}`);
  return containers === 1 || new RegExp(`\\bcontainer "?${name}\\b`, 'i').test(message ?? '');
}

function failureOf(container: Watched): Failure | undefined {
  const { state } = container.status;
  if (state?.running) return runningFailure(container);
  if (state?.terminated) return endedFailure(container, state.terminated);
  return waitingFailure(container);
}

function waitingFailure(container: Watched): Failure | undefined {
  const { state, lastState } = container.status;
  const waiting = state?.waiting?.reason ?? '';
  if (STARTING.has(waiting)) return undefined;
  if (waiting === 'CrashLoopBackOff' && lastState?.terminated) return labelRun(runOf(container, lastState.terminated));
  const reason = WAITING[waiting] ?? waiting;
  return said(container, reason, waitingMessage(container, reason) || waiting);
}

/** Older kubelets say only `Back-off pulling image` in the status; the cause is then in the event of the attempt. */
function waitingMessage({ status, events }: Watched, reason: string): string | undefined {
  const message = status.state?.waiting?.message;
  if (reason !== 'ImagePullBackOff' || (message && !/^Back-off pulling image "[^"]*"$/.test(message))) return message;
  const attempt = events.findLast((event) => event.reason === 'Failed' && /^Failed to pull image/.test(event.message ?? ''));
  return attempt?.message ?? message;
}

function endedFailure(container: Watched, ended: ContainerStateTerminated): Failure | undefined {
  const { look, status, kind, events } = container;
  const run = runOf(container, ended);
  if (ended.exitCode === 0) {
    if (kind === 'init' || !run.restarts || status.restartCount === 0 || isLong(ended)) return undefined;
    return status.restartCount >= 2 || newest(events, 'BackOff') ? labelRun(run) : undefined;
  }
  if (run.restarts && !look.past(ended.finishedAt, Math.min(RESTART_SECONDS, look.graces.unreadySeconds))) return undefined;
  return labelRun(run);
}

/** A running container fails while it only lives from crash to crash, or when its probes keep it unready for too long. */
function runningFailure(container: Watched): Failure | undefined {
  const { look, status, kind } = container;
  if (status.ready && kind !== 'init') return undefined;
  const last = status.lastState?.terminated;
  const startedAt = status.state?.running?.startedAt;
  if (last && status.restartCount > 0 && crashes(container, last, startedAt)) return labelRun(runOf(container, last));
  if (kind === 'init') {
    if (!look.past(startedAt, look.graces.pendingSeconds)) return undefined;
    return said(container, 'PodInitializing', `init container ${status.name} has not finished`);
  }
  return unready(container, startedAt);
}

function crashes(container: Watched, last: ContainerStateTerminated, startedAt: string | undefined): boolean {
  const { look, status, kind } = container;
  const ready = look.pod.status?.conditions?.find(({ type }) => type === 'Ready');
  const wasReady = kind !== 'init' && (millis(ready?.lastTransitionTime) ?? 0) > (millis(startedAt) ?? Infinity);
  if (wasReady || isAgo(look, startedAt, SETTLED_SECONDS) || isLong(last)) return false;
  const run = runOf(container, last);
  if (status.restartCount >= 2) return last.exitCode !== 0 || probeKill(run) !== undefined;
  const counts = kind === 'init' ? last.exitCode !== 0 : probeKill(run) !== undefined;
  return counts && look.past(startedAt, look.graces.unreadySeconds);
}

function unready(container: Watched, startedAt: string | undefined): Failure | undefined {
  const { look, spec, events } = container;
  const from = (millis(startedAt) ?? 0) - 1000;
  const failing = events.findLast(
    (event) => event.reason === 'Unhealthy' && lastSeen(event) >= from && /^(?:Readiness|Startup) probe/.test(event.message ?? ''),
  );
  const seconds = look.graces.unreadySeconds;
  const ready = look.pod.status?.conditions?.find(({ type }) => type === 'Ready');
  const since = Math.max(millis(startedAt) ?? 0, millis(ready?.lastTransitionTime) ?? 0) || undefined;
  const isStarting = container.status.started === false || /^Startup/.test(failing?.message ?? '');
  const allowed = isStarting ? startup(spec) : (spec.readinessProbe?.initialDelaySeconds ?? 0);
  if (!look.past(since, seconds === 0 ? 0 : seconds + allowed)) return undefined;
  if (failing) return { ...said(container, 'Unhealthy', failing.message?.trim() ?? ''), family: 'unready' };
  if (seconds === 0 || !spec.readinessProbe || isStarting) return undefined;
  return { ...said(container, 'Unhealthy', `container ${spec.name} runs and its readiness probe does not succeed`), family: 'unready' };
}

/** How long a startup probe may fail before the kubelet gives up, in seconds. */
function startup({ startupProbe: probe }: Container): number {
  return probe ? (probe.initialDelaySeconds ?? 0) + (probe.periodSeconds ?? 10) * (probe.failureThreshold ?? 3) : 0;
}

function runOf({ look, spec, kind, status, events }: Watched, ended: ContainerStateTerminated): EndedRun {
  const policy = spec.restartPolicy ?? look.pod.spec.restartPolicy ?? 'Always';
  const isAlive = look.pod.status?.phase !== 'Failed' && look.pod.status?.phase !== 'Succeeded';
  const restarts =
    isAlive && (policy === 'OnFailure' || kind === 'init' ? policy !== 'Never' && ended.exitCode !== 0 : policy === 'Always');
  return { container: status.name, ended, events, restarts };
}

function said({ look, spec, status, events }: Watched, reason: string, message: string): Failure {
  void look;
  void events;
  const family: Family = familyOf({ reason });
  return {
    reason,
    family: family === 'other' && /image|pull/i.test(reason) ? 'image' : family,
    message,
    container: spec.name || status.name,
  };
}

function isLong({ startedAt, finishedAt }: ContainerStateTerminated): boolean {
  const [from, to] = [millis(startedAt), millis(finishedAt)];
  return from !== undefined && to !== undefined && to - from >= SETTLED_SECONDS * 1000;
}

function isAgo({ now }: Look, instant: string | undefined, seconds: number): boolean {
  const at = millis(instant);
  return at !== undefined && now.getTime() - at >= seconds * 1000;
}

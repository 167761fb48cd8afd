import type { Container, ContainerStateTerminated, ContainerStatus, CoreEvent, PodCondition } from '../../crd/kubernetes.ts';
import { containersOf } from '../../crd/containers.ts';
import { familyOf } from '../policy/family.ts';
import { lastSeen, newest } from './events.ts';
import { type EndedRun, KILLED, labelRun, probeKill } from './ended-run.ts';
import { type Failure, type Look, millis } from './view.ts';

interface Watched {
  look: Look;
  spec: Container;
  kind: 'init' | 'sidecar' | 'app';
  status: ContainerStatus;
  /** The events about this container, oldest first. */
  events: CoreEvent[];
}

/** Reasons of waiting that are not failures: the kubelet is working. */
const STARTING = new Set(['', 'ContainerCreating', 'PodInitializing']);
/** Reasons of waiting for which a better label exists. Every other reason is its own label. */
const WAITING: Record<string, string> = {
  ErrImagePull: 'ImagePullBackOff',
  RegistryUnavailable: 'ImagePullBackOff',
  SignatureValidationFailed: 'ImagePullBackOff',
  RunContainerError: 'StartError',
  ContainerCannotRun: 'StartError',
};
const BARE_BACK_OFF = /^Back-off pulling image "[^"]*"$/;
/** How long a probe with default values may fail: three failures, ten seconds apart. */
const USUAL_BUDGET_SECONDS = 30;
const USUAL_FAILURES = 3;
/** After a run of ten minutes the kubelet resets its back-off: earlier crashes do not count any more. */
const SETTLED_SECONDS = 600;
/** If a container started this long ago and the kubelet still does not report it as running, its postStart hook has not ended. */
const HOOK_SECONDS = 60;
/** The first restart comes at once. A container that is down for longer is not merely being restarted. */
const RESTART_SECONDS = 5;

/** The first failing container in start order. `events` are the pod's, oldest first. */
export function containerFailure(look: Look, events: CoreEvent[]): Failure | undefined {
  for (const container of watched(look, events)) {
    const failure = failureOf(container);
    if (failure) return failure;
  }
  return undefined;
}

/**
 * The crash of a pod that is Ready again, if it happened less than `seconds` ago, so that the pod has not recovered yet. The kubelet
 * restarts at once, so the crash itself may be visible only for a moment. Crashes through a reboot of the node do not count.
 */
export function recentCrash(look: Look, events: CoreEvent[], seconds: number): Failure | undefined {
  for (const container of watched(look, events)) {
    const last = container.status.lastState?.terminated;
    if (!last || container.status.restartCount === 0 || last.reason === 'Unknown') continue;
    const startedAt = container.status.state?.running?.startedAt;
    // Runtimes that have forgotten the end say 1970: it was before the present run.
    if (isAgo(look, millis(last.finishedAt) === undefined ? startedAt : last.finishedAt, seconds)) continue;
    const run = runOf(container, last);
    if (last.exitCode !== 0 || probeKill(run) !== undefined || isEndedSince(container, startedAt))
      return overcome(labelRun(run), last, startedAt);
  }
  return undefined;
}

/**
 * The crash loop of a pod that is Ready for a moment only: a container has crashed more than once, or its liveness probe fails again after
 * killing it. The newest crash was less than `seconds` ago.
 */
export function returningCrash(look: Look, events: CoreEvent[], seconds: number): Failure | undefined {
  const looping = watched(look, events).filter(
    (container) =>
      isBeingKilled(container) ||
      (isYoung(container) &&
        (isKilledAgain(container) || isKilledAtOnce(container) || (container.status.restartCount >= 2 && !isAskedToEnd(container)))),
  );
  const names = new Set(looping.map(({ status }) => status.name));
  const failure = names.size > 0 ? recentCrash(look, events, seconds) : undefined;
  return failure && names.has(failure.container ?? '') ? failure : undefined;
}

/** A program needs a minute to show that it works. If it ran for longer before it crashed, it needs as long again. */
const YOUNG_SECONDS = 60;
/** One that crashed at once before has shown it sooner: after six times as long as it ran then, and at least this long. */
const MIN_YOUNG_SECONDS = 18;

/**
 * Whether the kubelet reported a back-off after the start of the present run. Then this run has ended too, although its status does not say
 * so yet.
 */
function isEndedSince({ events, status, look: { pod } }: Watched, startedAt: string | undefined): boolean {
  const [from, backOff] = [millis(startedAt), newest(events, 'BackOff')];
  const isRestarted = (pod.spec.restartPolicy ?? 'Always') === 'Always';
  return isRestarted && status.restartCount >= 2 && from !== undefined && backOff !== undefined && lastSeen(backOff) > from;
}

/** How long the kubelet waits before the next restart. A run that is longer than every wait so far has survived what ended the others. */
function backOffSeconds(restarts: number): number {
  return 10 * 2 ** Math.min(5, Math.max(0, restarts));
}

/** A readiness probe that succeeds for the first time shows that the program got further than in the runs that crashed. */
const SHOWN_SECONDS = 15;

/** Whether the pod became Ready in the present run only, by a readiness probe of this container. */
function isReadyNow({ look, spec, status }: Watched): boolean {
  const [since, startedAt] = [millis(readyCondition(look)?.lastTransitionTime), millis(status.state?.running?.startedAt)];
  return spec.readinessProbe !== undefined && status.ready && since !== undefined && startedAt !== undefined && since >= startedAt;
}

/** Whether the present run is too short to say that the crashes are over. */
function isYoung(container: Watched): boolean {
  const {
    look,
    status: { state, lastState, restartCount },
  } = container;
  const [from, to] = [millis(lastState?.terminated?.startedAt), millis(lastState?.terminated?.finishedAt)];
  if (to === undefined || !state?.running) return false;
  const lasted = from === undefined ? 0 : (to - from) / 1000;
  const shown = isReadyNow(container)
    ? Math.max(SHOWN_SECONDS, lasted * 3)
    : Math.min(YOUNG_SECONDS, Math.max(MIN_YOUNG_SECONDS, from === undefined ? YOUNG_SECONDS : lasted * 6));
  return !isAgo(look, state.running.startedAt, Math.max(Math.min(shown, backOffSeconds(restartCount)), lasted));
}

/** Ended by SIGTERM and not for a failing probe: somebody stopped the program, it did not end by itself. */
function isAskedToEnd(container: Watched): boolean {
  const last = container.status.lastState?.terminated;
  return last?.exitCode === 143 && probeKill(runOf(container, last)) === undefined;
}

function isKilledAgain({ status, events }: Watched): boolean {
  const from = millis(status.state?.running?.startedAt);
  const isFailing = (event: CoreEvent): boolean =>
    from !== undefined && lastSeen(event) > from && event.message?.startsWith('Liveness probe') === true;
  return status.restartCount > 0 && events.some(isFailing);
}

/** Whether the kubelet kills the present run too for its liveness probe, although the status does not say so yet. */
function isBeingKilled({ status, events }: Watched): boolean {
  const [from, kill] = [millis(status.state?.running?.startedAt), newest(events, 'Killing')];
  return (
    status.restartCount > 0 &&
    from !== undefined &&
    kill !== undefined &&
    lastSeen(kill) > from &&
    /failed liveness probe/.test(kill.message ?? '')
  );
}

/**
 * Whether the liveness probe killed the last run as soon as it could, because no answer came in time. What the program is waiting for may be there
 * in the next run; a command that takes longer than its time will do so again.
 */
function isKilledAtOnce(container: Watched): boolean {
  const last = container.status.lastState?.terminated;
  const { livenessProbe } = container.spec;
  const kill = last && probeKill(runOf(container, last));
  if (!last || !livenessProbe || !kill || !/timed out|deadline exceeded|Client\.Timeout/.test(kill)) return false;
  return lengthOf(last) <= budgetSeconds(livenessProbe) + (livenessProbe.periodSeconds ?? 10);
}

/** Says of a crash that it is over, and how: its message ends with `; exit code 1 at INSTANT, running again since INSTANT`. */
function overcome(failure: Failure, { exitCode, finishedAt }: ContainerStateTerminated, startedAt: string | undefined): Failure {
  const at = (instant: string | undefined): string => (millis(instant) === undefined ? '' : ` ${instant}`);
  const code = /exit code/.test(failure.message) ? 'ended' : `exit code ${exitCode}`;
  const ended = at(finishedAt) ? `${code} at${at(finishedAt)}` : code;
  return { ...failure, message: `${failure.message}; ${ended}, running again${at(startedAt) ? ` since${at(startedAt)}` : ''}` };
}

function watched(look: Look, events: CoreEvent[]): Watched[] {
  const { pod } = look;
  const all = containersOf(pod);
  const seen = all.flatMap(({ spec, kind, status }) =>
    status ? [{ look, spec, kind, status, events: events.filter((event) => isAbout(event, spec.name, all.length)) }] : [],
  );
  // Sidecars are stopped when the others have ended: their exit says nothing then.
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
  if (STARTING.has(waiting)) return hangingHook(container);
  if (waiting === 'CrashLoopBackOff' && lastState?.terminated) return labelRun(runOf(container, lastState.terminated));
  const reason = WAITING[waiting] ?? waiting;
  return said(container, reason, waitingMessage(container, reason) || waiting);
}

/**
 * The kubelet calls a container running when its postStart hook has ended, and says nothing while the hook runs. See "Container Lifecycle Hooks"
 * in the Kubernetes documentation.
 */
function hangingHook(container: Watched): Failure | undefined {
  const { look, status, events } = container;
  const created = newest(events, 'Started', 'Created', 'Failed', 'Killing', 'BackOff');
  if (status.state?.waiting?.reason !== 'ContainerCreating' || created?.reason !== 'Started') return undefined;
  if (!look.past(lastSeen(created), Math.max(HOOK_SECONDS, look.graces.pendingSeconds))) return undefined;
  return said(container, 'PostStartHookError', `container ${status.name} was started, and its postStart hook has not ended`);
}

/** In older kubelets the status says only `Back-off pulling image`. The cause is then in the event of the failed pull. */
function waitingMessage({ status, events }: Watched, reason: string): string | undefined {
  const message = status.state?.waiting?.message;
  if (reason !== 'ImagePullBackOff' || (message && !BARE_BACK_OFF.test(message))) return message;
  const attempt = events.findLast((event) => event.reason === 'Failed' && event.message?.startsWith('Failed to pull image'));
  return attempt?.message ?? message;
}

function endedFailure(container: Watched, ended: ContainerStateTerminated): Failure | undefined {
  const { look, status, kind, events } = container;
  const run = runOf(container, ended);
  if (ended.exitCode === 0) {
    if (staysEnded(container, run) && look.past(ended.finishedAt, Math.min(RESTART_SECONDS, look.graces.unreadySeconds)))
      return notStartedAgain(container, labelRun(run));
    if (kind === 'init' || !run.restarts || status.restartCount === 0 || isLong(ended)) return undefined;
    return status.restartCount >= 2 || newest(events, 'BackOff') ? labelRun(run) : undefined;
  }
  if (run.restarts && !look.past(ended.finishedAt, Math.min(RESTART_SECONDS, look.graces.unreadySeconds))) return undefined;
  return labelRun(run);
}

/** Controllers that want their pods to be ready for ever. */
const WANT_READY = new Set(['ReplicaSet', 'ReplicationController', 'StatefulSet', 'DaemonSet']);

/**
 * Whether a container is not started again because of its own restart policy, in a pod of a controller that wants it ready. The pod is never
 * ready then. In a Job's pod or a pod without a controller, containers are meant to end.
 */
function staysEnded({ look: { pod }, spec, kind }: Watched, { restarts }: EndedRun): boolean {
  if (kind !== 'app' || restarts || !spec.restartPolicy || spec.restartPolicy === 'Always') return false;
  return pod.metadata.ownerReferences?.some((owner) => owner.controller === true && WANT_READY.has(owner.kind)) === true;
}

function notStartedAgain({ spec }: Watched, failure: Failure): Failure {
  return { ...failure, message: `${failure.message}, and its restartPolicy ${spec.restartPolicy} does not start it again` };
}

/** A running container fails when it crashes again and again, or when its probes keep it unready for too long. */
function runningFailure(container: Watched): Failure | undefined {
  const { look, status, kind } = container;
  if (status.ready && kind !== 'init') return undefined;
  const startedAt = status.state?.running?.startedAt;
  const last = crashBefore(container, startedAt);
  if (last) return labelRun(runOf(container, last));
  if (kind !== 'init') return unreadyOrCrashed(container, startedAt);
  if (!look.past(startedAt, look.graces.pendingSeconds)) return undefined;
  return said(container, 'PodInitializing', `init container ${status.name} has not finished`);
}

/** The crash that a running container comes from, unless it has been Ready since, or has run for so long that it is over. */
function crashBefore(container: Watched, startedAt: string | undefined): ContainerStateTerminated | undefined {
  const { look, status, kind } = container;
  const last = status.lastState?.terminated;
  if (!last || status.restartCount === 0 || isLong(last) || isAgo(look, startedAt, SETTLED_SECONDS)) return undefined;
  if (kind !== 'init' && (millis(readyCondition(look)?.lastTransitionTime) ?? 0) > (millis(startedAt) ?? Infinity)) return undefined;
  const isKilled = probeKill(runOf(container, last)) !== undefined;
  if (status.restartCount >= 2) return last.exitCode !== 0 || isKilled || isEndedSince(container, startedAt) ? last : undefined;
  // After the first restart it may simply be starting again: it has its grace time.
  const counts = kind === 'init' ? last.exitCode !== 0 : isKilled;
  return counts && look.past(startedAt, look.graces.unreadySeconds) ? last : undefined;
}

/**
 * An unready container whose last run ended by itself, and whose present run is no longer yet than that one: the crash is the failure. A
 * probe that gets an HTTP status proves that the program serves now.
 */
function unreadyOrCrashed(container: Watched, startedAt: string | undefined): Failure | undefined {
  const failure = unready(container, startedAt);
  const last = container.status.lastState?.terminated;
  if (!failure || !last || container.status.restartCount === 0 || last.exitCode === 0 || KILLED.includes(last.exitCode)) return failure;
  const run = runOf(container, last);
  const isEarly = !isAgo(container.look, startedAt, lengthOf(last) + RESTART_SECONDS) && !isLong(last);
  const isServing = /statuscode: \d/.test(failure.message);
  return isEarly && !isServing && last.reason !== 'Unknown' && probeKill(run) === undefined ? labelRun(run) : failure;
}

function unready(container: Watched, startedAt: string | undefined): Failure | undefined {
  const { look, spec } = container;
  const failing = failingProbe(container, startedAt);
  const seconds = look.graces.unreadySeconds;
  const since = Math.max(millis(startedAt) ?? 0, millis(readyCondition(look)?.lastTransitionTime) ?? 0) || undefined;
  const isStarting = container.status.started === false || failing?.message?.startsWith('Startup') === true;
  const allowed = allowedSeconds(spec, { isStarting, isRecording: seconds === 0 });
  const isSpent = seconds === 0 && !isStarting && isCounted(container, startedAt);
  if (!look.past(since, isSpent ? 0 : seconds + allowed)) return undefined;
  const message = failing?.message?.trim() ?? (isStarting ? undefined : unheard(spec, seconds));
  return message === undefined ? undefined : { ...said(container, 'Unhealthy', message), family: 'unready' };
}

/** How long probes may fail beyond the grace time. Recordings have no grace time, so only the part above the usual budget counts. */
function allowedSeconds(
  { startupProbe, readinessProbe }: Container,
  { isStarting, isRecording }: { isStarting: boolean; isRecording: boolean },
) {
  const budget = budgetSeconds(isStarting ? startupProbe : readinessProbe);
  const isSlow = (readinessProbe?.failureThreshold ?? USUAL_FAILURES) > USUAL_FAILURES;
  return isSlow || (isStarting && !isRecording) ? budget : Math.max(0, budget - USUAL_BUDGET_SECONDS);
}

/** The newest failure of a readiness probe in this run, or of the startup probe as long as it has not succeeded. */
function failingProbe({ status, events }: Watched, startedAt: string | undefined): CoreEvent | undefined {
  const from = (millis(startedAt) ?? 0) - 1000;
  const isProbe = (message = '') =>
    message.startsWith('Readiness probe') || (status.started !== true && message.startsWith('Startup probe'));
  return events.findLast((event) => event.reason === 'Unhealthy' && lastSeen(event) >= from && isProbe(event.message));
}

/** Whether the events of this run report as many failures as the readiness probe allows. The kubelet may have dropped one. */
function isCounted({ spec, events }: Watched, startedAt: string | undefined): boolean {
  const from = (millis(startedAt) ?? 0) - 1000;
  const failures = events.filter((event) => lastSeen(event) >= from && event.message?.startsWith('Readiness probe'));
  const count = failures.reduce((sum, event) => sum + (event.series?.count ?? event.count ?? 1), 0);
  return count >= (spec.readinessProbe?.failureThreshold ?? 3) - 1;
}

/** A container with a readiness probe that stays unready. The probe must be failing, even if its events were dropped. */
function unheard({ name, readinessProbe }: Container, graceSeconds: number): string | undefined {
  return readinessProbe && graceSeconds > 0 ? `container ${name} runs and its readiness probe does not succeed` : undefined;
}

function readyCondition({ pod }: Look): PodCondition | undefined {
  return pod.status?.conditions?.find(({ type }) => type === 'Ready');
}

/** How long a probe may fail before it counts as failed, in seconds. */
function budgetSeconds(probe: Container['startupProbe']): number {
  return probe ? (probe.initialDelaySeconds ?? 0) + (probe.periodSeconds ?? 10) * (probe.failureThreshold ?? 3) : 0;
}

function runOf({ look, spec, kind, status, events }: Watched, ended: ContainerStateTerminated): EndedRun {
  const policy = spec.restartPolicy ?? look.pod.spec.restartPolicy ?? 'Always';
  const isAlive = look.pod.status?.phase !== 'Failed' && look.pod.status?.phase !== 'Succeeded';
  const byPolicy = policy === 'OnFailure' || kind === 'init' ? policy !== 'Never' && ended.exitCode !== 0 : policy === 'Always';
  const restarts = isAlive && (byPolicy || isRestartedByRule(spec, ended));
  return { container: status.name, ended, events, restarts };
}

/** Whether a rule of the container starts it again after this exit code. The first rule that matches decides. */
function isRestartedByRule({ restartPolicyRules = [] }: Container, { exitCode }: ContainerStateTerminated): boolean {
  const rule = restartPolicyRules.find(({ exitCodes }) => exitCodes?.values?.includes(exitCode) === (exitCodes?.operator !== 'NotIn'));
  return rule?.action.startsWith('Restart') === true;
}

function said({ spec }: Watched, reason: string, message: string): Failure {
  const family = familyOf({ reason });
  // New kubelets have new reasons about images.
  return { reason, family: family === 'other' && /image|pull/i.test(reason) ? 'image' : family, message, container: spec.name };
}

function isLong(ended: ContainerStateTerminated): boolean {
  return lengthOf(ended) >= SETTLED_SECONDS;
}

/** How long a run lasted, in seconds; zero when its times are unknown. */
function lengthOf({ startedAt, finishedAt }: ContainerStateTerminated): number {
  const [from, to] = [millis(startedAt), millis(finishedAt)];
  return from === undefined || to === undefined ? 0 : (to - from) / 1000;
}

function isAgo({ now }: Look, instant: string | undefined, seconds: number): boolean {
  const at = millis(instant);
  return at !== undefined && now.getTime() - at >= seconds * 1000;
}

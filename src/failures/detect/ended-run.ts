import type { ContainerStateTerminated, CoreEvent } from '../../crd/kubernetes.ts';
import type { Failure } from './view.ts';
import { lastSeen } from './events.ts';
import { millis } from './view.ts';

/** One run of a container that ended, and the events about that container. */
export interface EndedRun {
  container: string;
  ended: ContainerStateTerminated;
  events: CoreEvent[];
  /** Whether the kubelet restarts the container after such an exit. */
  restarts: boolean;
}

/** Messages for a process that never started: from containerd, CRI-O and dockershim, with runc, crun and runsc below them. */
const RUNTIME =
  /OCI runtime|runtime create failed|container init|container_linux|containerd (?:task|shim)|\bshim task\b|\bcrun\b|\brunc\b|\brunsc\b|exec(?:ve)?:? |executable file not found|start(?:ing)? (?:failed|container)|container create failed/i;
/** The kernel's message about an out-of-memory kill, as events and termination messages quote it. */
const OUT_OF_MEMORY = /\boom[- _]?kill|memory cgroup out of memory|out of memory:? kill/i;
const KILLED_BY_PROBE =
  /failed (?:liveness|startup) probe|(?:liveness|startup) probe failed|is unhealthy, it will be (?:killed|re-?created)|container failed liveness/i;
const PROBE = /^(?:Liveness|Startup) probe (?:failed|errored)/;
/** Exit codes of a process that was ended from outside: SIGKILL and SIGTERM. */
export const KILLED: readonly number[] = [137, 143];
/** After 25 events about a pod, the kubelet writes one in five minutes. Some of these may be about the pod and not about this container. */
const MANY_EVENTS = 20;
/** Times of events have whole seconds. */
const SLACK_MS = 1000;

/** The label for an ended run: never started, out of memory, hook, probe, or its own error (families start and crash). */
export function labelRun(run: EndedRun): Failure {
  const { ended, container } = run;
  const said = (reason: string, family: Failure['family'], message: string): Failure => ({ reason, family, message, container });
  if (neverBegan(ended)) return said('StartError', 'start', ended.message || 'the container could not be started');
  if (isOutOfMemory(run)) return said('OOMKilled', 'crash', `container ${container} was killed for lack of memory (${ending(ended)})`);
  const hook = during(run, (event) => event.reason === 'FailedPostStartHook');
  if (hook) return said('PostStartHookError', 'crash', hook.message || 'PostStartHook failed');
  const probe = probeKill(run);
  if (probe) return said('Unhealthy', 'crash', probe);
  if (ended.reason === 'DeadlineExceeded') return said('DeadlineExceeded', 'node', ended.message || 'the container ran past its deadline');
  return said(run.restarts ? 'CrashLoopBackOff' : 'Error', 'crash', `container ${container} ended with ${ending(ended)}`);
}

/** The kubelet's message when a liveness or startup probe ended the run; undefined when none did. */
export function probeKill(run: EndedRun): string | undefined {
  const isKill = (event: CoreEvent) => event.reason === 'Killing' && KILLED_BY_PROBE.test(event.message ?? '');
  const kill = during(run, isKill);
  const probe = during(run, (event) => event.reason === 'Unhealthy' && PROBE.test(event.message ?? ''));
  // The kubelet drops events of a pod that has many. So a failing probe counts if a probe ended an earlier run, or if a kill follows.
  const isSame = probe && (KILLED.includes(run.ended.exitCode) || run.events.some(isKill));
  return kill || isSame ? probe?.message?.trim() || kill?.message || 'a probe failed' : undefined;
}

function neverBegan(ended: ContainerStateTerminated): boolean {
  if (ended.reason === 'StartError' || ended.reason === 'ContainerCannotRun') return true;
  return ended.exitCode === 128 && RUNTIME.test(ended.message ?? '');
}

function isOutOfMemory(run: EndedRun): boolean {
  if (run.ended.reason === 'OOMKilled' || OUT_OF_MEMORY.test(run.ended.message ?? '')) return true;
  return Boolean(during(run, (event) => /OOM/.test(event.reason ?? '') || OUT_OF_MEMORY.test(event.message ?? '')));
}

/**
 * The newest matching event that was last seen after the run began. When the start is unknown, or no event is about this run, events of
 * earlier runs count too.
 */
function during(run: EndedRun, matches: (event: CoreEvent) => boolean): CoreEvent | undefined {
  const from = (millis(run.ended.startedAt) ?? 0) - SLACK_MS;
  const isDumb = !isTold(run, from);
  return run.events.findLast((event) => matches(event) && (isDumb || lastSeen(event) >= from));
}

/**
 * Whether the events cover the whole run. The kubelet drops events of a pod that has many, as in a crash loop, so they may stop between two
 * runs or in the middle of one.
 */
function isTold({ ended, events }: EndedRun, from: number): boolean {
  const isBegun = events.some((event) => event.reason === 'Started' && lastSeen(event) >= from);
  const isEnded = events.some((event) => lastSeen(event) >= (millis(ended.finishedAt) ?? Infinity));
  const count = events.reduce((sum, event) => sum + (event.series?.count ?? event.count ?? 1), 0);
  return isBegun && (isEnded || count < MANY_EVENTS);
}

function ending({ exitCode, signal, reason, message }: ContainerStateTerminated): string {
  const by = signal ? `signal ${signal}` : `exit code ${exitCode}`;
  const named = reason && reason !== 'Error' && reason !== 'Completed' ? `${by} (${reason})` : by;
  return message ? `${named}: ${message.trim()}` : named;
}

import { NODE_IP } from '../bootstrap.ts';
import type { Loose, Stored } from '../store/object.ts';
import { timeText } from '../store/object.ts';

/** What the kubelet knows about a pod that it runs. Container statuses are in the order of the spec. */
export interface PodView {
  pod: Stored;
  initStatuses: Loose[];
  statuses: Loose[];
  isSandboxReady: boolean;
  podIP: string | undefined;
  startedAt: Date;
  now: Date;
  /** The kubelet ends the pod (deadline, eviction), so it fails whatever its containers say. */
  ended?: { reason: string; message: string };
  /** Its containers and its sandbox are gone. Only now may it get a terminal phase. */
  isOver: boolean;
}

const isSidecar = (pod: Stored, name: string): boolean =>
  (pod.spec.initContainers ?? []).some((c: Loose) => c.name === name && c.restartPolicy === 'Always');

/** Init containers that still delay the app containers. */
const incomplete = ({ pod, initStatuses }: PodView): string[] =>
  initStatuses.filter((s) => (isSidecar(pod, s.name) ? !s.started : s.state.terminated?.exitCode !== 0)).map((s) => s.name);

/** The phase by the kubelet's own rules (`getPhase`). */
function phaseOf(view: PodView): string {
  const { pod, initStatuses, statuses, ended } = view;
  if (ended) return 'Failed';
  const policy = pod.spec.restartPolicy;
  const failedInit = initStatuses.some((s) => s.state.terminated && s.state.terminated.exitCode !== 0 && !isSidecar(pod, s.name));
  if (failedInit && policy === 'Never') return 'Failed';
  if (incomplete(view).length > 0) return 'Pending';
  const stopped = statuses.filter((s) => s.state.terminated || (s.state.waiting && s.lastState.terminated));
  const running = statuses.filter((s) => s.state.running).length;
  if (running === 0 && stopped.length === 0) return 'Pending';
  if (statuses.some((s) => s.state.waiting && !s.lastState.terminated)) return 'Pending';
  if (running > 0 || policy === 'Always') return 'Running';
  const succeeded = stopped.every((s) => s.state.terminated?.exitCode === 0);
  if (succeeded) return 'Succeeded';
  return policy === 'Never' ? 'Failed' : 'Running';
}

type Verdict = { status: 'True' | 'False'; reason?: string; message?: string };

function initialized(view: PodView, phase: string): Verdict {
  const names = incomplete(view);
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' };
  if (names.length === 0) return { status: 'True' };
  return { status: 'False', reason: 'ContainersNotInitialized', message: `containers with incomplete status: [${names.join(' ')}]` };
}

function containersReady({ pod, initStatuses, statuses }: PodView, phase: string): Verdict {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  const unready = [...initStatuses.filter((s) => isSidecar(pod, s.name)), ...statuses].filter((s) => !s.ready).map((s) => s.name);
  if (unready.length === 0) return { status: 'True' };
  return { status: 'False', reason: 'ContainersNotReady', message: `containers with unready status: [${unready.join(' ')}]` };
}

function ready(view: PodView, containers: Verdict): Verdict {
  if (containers.status === 'False') return containers;
  const held = (type: string) => view.pod.status?.conditions?.find((c: Loose) => c.type === type);
  const messages = ((view.pod.spec.readinessGates ?? []) as Loose[])
    .map(({ conditionType: type }) => {
      const condition = held(type);
      if (!condition) return `corresponding condition of pod readiness gate "${type}" does not exist.`;
      return condition.status === 'True' ? '' : `the status of pod readiness gate "${type}" is not "True", but ${condition.status}`;
    })
    .filter(Boolean);
  return messages.length ? { status: 'False', reason: 'ReadinessGatesNotReady', message: messages.join(', ') } : { status: 'True' };
}

const OWN = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];

/**
 * The whole `status` of a pod as the kubelet writes it. It keeps conditions of other writers, and transition times of unchanged conditions.
 */
export function podStatus(view: PodView): Loose {
  const { pod, now, isSandboxReady, podIP, ended, isOver } = view;
  const phase = phaseOf(view);
  const isTerminal = phase === 'Failed' || phase === 'Succeeded';
  const containers = containersReady(view, phase);
  const verdicts: Record<string, Verdict> = {
    PodReadyToStartContainers: { status: isSandboxReady ? 'True' : 'False' },
    Initialized: initialized(view, phase),
    Ready: ready(view, containers),
    ContainersReady: containers,
    PodScheduled: { status: 'True' },
  };
  const earlier = (pod.status?.conditions ?? []) as Loose[];
  const conditions = OWN.map((type) => {
    const before = earlier.find((c) => c.type === type);
    const verdict = verdicts[type] as Verdict;
    const since = before && before.status === verdict.status ? before.lastTransitionTime : timeText(now);
    return { lastProbeTime: null, lastTransitionTime: since, observedGeneration: pod.metadata.generation, ...verdict, type };
  });
  return {
    ...pod.status,
    conditions: [...earlier.filter((c) => !OWN.includes(c.type)), ...conditions],
    ...(view.initStatuses.length && { initContainerStatuses: view.initStatuses }),
    containerStatuses: view.statuses,
    hostIP: NODE_IP,
    hostIPs: [{ ip: NODE_IP }],
    observedGeneration: pod.metadata.generation,
    phase: isTerminal && !isOver ? (pod.status?.phase ?? 'Pending') : phase,
    ...(podIP && { podIP, podIPs: [{ ip: podIP }] }),
    ...(ended && isOver && ended),
    startTime: timeText(view.startedAt),
  };
}

import type { ContainerState, CoreEvent, Pod, PodSpec } from '../../../src/crd/kubernetes.ts';
import { judge, type Judgement, type JudgeView, type Standing, type Terms } from '../../../src/mirrors/policy/verdict.ts';
import type { MirrorTimeline as Timeline } from '../../../src/crd/mirrorpod.ts';
import { endsOf, foldLook, ownRunSeconds } from '../../../src/mirrors/policy/timeline.ts';
import { observationWindow, unreadySeconds, type SourceHistory } from '../../../src/mirrors/policy/observation-window.ts';
import { at, BORN } from './mirror.ts';

/** An event in the life of a mirror pod. `at` counts seconds from its creation. `container` defaults to `app`. */
export type LifeEvent = { at: number; container?: string } & (
  | { does: 'start' }
  | { does: 'ready' | 'unready' }
  | { does: 'end'; code?: number; reason?: string; thenWaits?: boolean }
  | { does: 'wait'; reason: string; message?: string }
  | { does: 'unschedulable'; message: string }
  | { does: 'pull-fails'; message: string }
  | { does: 'succeed' | 'fail' | 'delete' | 'deadline' }
  | { does: 'evicted'; message: string }
);

export interface PodLife {
  spec?: PodSpec;
  scenes: LifeEvent[];
  history?: SourceHistory;
  ttlSeconds?: number;
  terms?: Partial<Terms>;
  /** How often the operator looks, in seconds, besides at each change. The default is 5. */
  every?: number;
  /** Whether this operator or its predecessor missed the look at that second. */
  missed?(second: number): boolean;
  /** Whether the operator restarts before the look at that second. After a restart, it knows only what is stored. */
  restarted?(second: number): boolean;
  /** The operator's clock, if it differs from the node's. */
  clock?(second: number): number;
  /** The second at which the operator notices that its clock has jumped. */
  jumpsAt?: number;
}

export interface Shown {
  at: number;
  verdict: string;
  reason: string;
}

/** The verdicts in order, and how the life ended. */
export interface PlayedLife {
  verdicts: Shown[];
  last: Shown & { judgement: Judgement };
  isFinal: boolean;
  timeline: Timeline;
}

const APP: PodSpec = { nodeName: 'node-1', containers: [{ name: 'app', image: 'web:1' }] };

/** A source whose containers `names` have run for `seconds` at most. */
export const ranFor = (seconds: number, names = ['app']): SourceHistory => ({
  containers: names.map((name) => ({ name, hasRun: true })),
  knownRuns: seconds > 0 ? 1 : 0,
  endedRuns: seconds > 0 ? 1 : 0,
  longestRunSeconds: seconds,
});

const GRACES = { pendingSeconds: 120, unreadySeconds: 60 };

/** Feeds a pod's life to `foldLook` and to the verdict as the operator sees it: at each change, every few seconds, and at the end. */
export function playLife(life: PodLife): PlayedLife {
  const { ttlSeconds = 180, every = 5, spec = APP, missed = () => false } = life;
  const stage = stageFor(spec);
  const scenes = [...life.scenes].sort((a, b) => a.at - b.at);
  const regular = Array.from({ length: Math.ceil(ttlSeconds / every) }, (_, index) => index * every);
  const planned = [...scenes.map((scene) => scene.at), ...regular, ttlSeconds].filter((second) => second <= ttlSeconds);
  const operator = anOperator(life, { spec, ttlSeconds });
  let played = 0;
  for (let queue = [...new Set(planned)].sort((a, b) => a - b); queue.length > 0 && !operator.isFinal();) {
    const second = queue.shift() as number;
    for (; played < scenes.length && (scenes[played] as LifeEvent).at <= second; played += 1) stage.play(scenes[played] as LifeEvent);
    if (missed(second) && second < ttlSeconds) continue;
    const soon = operator.look(second, stage.show());
    if (soon !== undefined && soon < ttlSeconds && !queue.includes(soon)) queue = [...queue, soon].sort((a, b) => a - b);
  }
  return operator.outcome();
}

/** An operator that looks at the stage and keeps only what a status can hold. */
function anOperator(life: PodLife, { spec, ttlSeconds }: { spec: PodSpec; ttlSeconds: number }) {
  const { clock = (second: number) => second, restarted = () => false, jumpsAt = Infinity, history = ranFor(1) } = life;
  const verdicts: Shown[] = [];
  let [isFinal, hasJumped] = [false, false];
  let timeline: Timeline | undefined;
  let standing: Standing | undefined;
  let last: PlayedLife['last'] | undefined;
  let lookedAt: Date | undefined;

  function viewAt(second: number, { pod, events }: Look): JudgeView {
    const now = at(clock(second));
    const hasClockJumped = second >= jumpsAt && !hasJumped;
    hasJumped ||= hasClockJumped;
    if (restarted(second)) lookedAt = undefined;
    const look = { pod, events, now, expiresAt: at(ttlSeconds), ...(lookedAt ? { lookedAt } : {}), hasClockJumped };
    // Serialised after each look, like a status.
    timeline = foldLook(timeline && (JSON.parse(JSON.stringify(timeline)) as Timeline), look);
    lookedAt = now;
    const window = observationWindow({ spec, history, ownRunSeconds: ownRunSeconds(timeline) });
    const terms = termsFor(spec, { ttlSeconds, ...life.terms });
    return { terms, window, timeline, ...(standing ? { standing } : {}), pod, events, now, graces: GRACES, expiresAt: at(ttlSeconds) };
  }

  return {
    isFinal: () => isFinal,
    /** Returns the next second at which the verdict can change without an event. */
    look(second: number, shown: Look): number | undefined {
      const view = viewAt(second, shown);
      const { judgement, lookAgainAt, isFinal: isOver } = judge(view);
      isFinal = isOver;
      if (judgement) {
        const { verdict, reason } = judgement;
        standing = { verdict, reason, ended: endsOf(view.timeline), readinessLost: view.timeline.readinessLost };
        last = { at: second, verdict, reason, judgement };
        verdicts.push({ at: second, verdict, reason });
      }
      return lookAgainAt && Math.max(second, (lookAgainAt.getTime() - at(0).getTime()) / 1000);
    },
    outcome(): PlayedLife {
      if (!timeline || !last) throw new Error('a life ends with a verdict');
      return { verdicts, last, isFinal, timeline };
    },
  };
}

interface Look {
  pod: Pod;
  events: CoreEvent[];
}

function termsFor(spec: PodSpec, over: Partial<Terms>): Terms {
  const probes = spec.containers.flatMap((container) => container.readinessProbe ?? []);
  return {
    jobLike: (spec.restartPolicy ?? 'Always') !== 'Always',
    restartPolicy: spec.restartPolicy ?? 'Always',
    backoffLimit: 6,
    hasProbes: spec.containers.some(({ readinessProbe, livenessProbe, startupProbe }) => readinessProbe ?? livenessProbe ?? startupProbe),
    unreadySeconds: Math.max(0, ...probes.map(unreadySeconds)) || 30,
    hasOwnDeadline: false,
    replaced: [],
    startedAt: at(0),
    ttlSeconds: 180,
    ...over,
  };
}

interface Actor {
  state: ContainerState;
  lastState: ContainerState;
  restartCount: number;
  ready: boolean;
  startedAt: string;
}

const stamp = (second: number): string => `${at(second).toISOString().slice(0, 19)}Z`;

/** A pod as the kubelet reports it: times in whole seconds, the current and the last run, and the restart count. */
function stageFor(spec: PodSpec) {
  const actors = new Map<string, Actor>();
  const inits = (spec.initContainers ?? []).map(({ name }) => name);
  for (const { name } of [...(spec.initContainers ?? []), ...spec.containers])
    actors.set(name, {
      state: { waiting: { reason: 'ContainerCreating' } },
      lastState: {},
      restartCount: 0,
      ready: false,
      startedAt: BORN,
    });
  const events: CoreEvent[] = [];
  let ready = { status: 'False', lastTransitionTime: BORN };
  let phase = 'Pending';
  let over: Partial<NonNullable<Pod['status']>> = {};
  let deletion: Pod['metadata'] = {};
  let deadline: Partial<PodSpec> = {};
  let scheduled: { status: string; reason?: string; message?: string; lastTransitionTime: string } = {
    status: 'True',
    lastTransitionTime: BORN,
  };
  const lasting = [...(spec.initContainers ?? []).filter((one) => one.restartPolicy === 'Always'), ...spec.containers].map(
    ({ name }) => name,
  );

  function begin(actor: Actor, second: number): void {
    const ended = actor.state.terminated;
    if (ended) actor.lastState = { terminated: ended };
    if (actor.lastState.terminated) actor.restartCount += 1;
    actor.startedAt = stamp(second);
    actor.state = { running: { startedAt: actor.startedAt } };
  }

  function settle(second: number): void {
    const isReady = !over.phase && lasting.every((name) => actors.get(name)?.ready);
    if (isReady !== (ready.status === 'True')) ready = { status: isReady ? 'True' : 'False', lastTransitionTime: stamp(second) };
  }

  function playContainer(scene: LifeEvent, { name, actor }: { name: string; actor: Actor }): void {
    switch (scene.does) {
      case 'start':
        begin(actor, scene.at);
        phase = 'Running';
        actor.ready = isReadyAtOnce(name);
        break;
      case 'ready':
      case 'unready':
        actor.ready = scene.does === 'ready';
        break;
      case 'end':
        finish(actor, scene, name);
        break;
      case 'wait':
        actor.state = { waiting: { reason: scene.reason, message: scene.message ?? scene.reason } };
        break;
      case 'pull-fails':
        actor.state = { waiting: { reason: 'ErrImagePull', message: scene.message } };
        events.push(failedPull(scene, name));
        break;
    }
  }

  function playPod(scene: LifeEvent): void {
    switch (scene.does) {
      case 'unschedulable':
        scheduled = { status: 'False', reason: 'Unschedulable', message: scene.message, lastTransitionTime: stamp(scene.at) };
        break;
      case 'succeed':
      case 'fail':
        over = { phase: scene.does === 'fail' ? 'Failed' : 'Succeeded' };
        break;
      case 'evicted':
        over = { phase: 'Failed', reason: 'Evicted', message: scene.message };
        break;
      case 'deadline':
        over = { phase: 'Failed', reason: 'DeadlineExceeded' };
        deadline = { activeDeadlineSeconds: scene.at };
        break;
      case 'delete':
        deletion = { deletionTimestamp: stamp(scene.at + 1), deletionGracePeriodSeconds: 1 };
        break;
    }
  }

  function isReadyAtOnce(name: string): boolean {
    return lasting.includes(name) && !spec.containers.find((one) => one.name === name)?.readinessProbe;
  }

  return {
    play(scene: LifeEvent): void {
      const name = scene.container ?? 'app';
      playContainer(scene, { name, actor: actors.get(name) as Actor });
      playPod(scene);
      settle(scene.at);
    },
    show(): { pod: Pod; events: CoreEvent[] } {
      const statusOf = (name: string) => {
        const { state, lastState, restartCount, ready: isReady } = actors.get(name) as Actor;
        return structuredClone({ name, image: 'web:1', ready: isReady, restartCount, state, lastState });
      };
      const { nodeName: _, ...unbound } = spec;
      return {
        pod: {
          metadata: { name: 'web-mirror-12345678', namespace: 'shop', uid: 'uid-pod', creationTimestamp: BORN, ...deletion },
          spec: scheduled.status === 'True' ? { nodeName: 'node-1', ...spec, ...deadline } : unbound,
          status: {
            phase,
            startTime: BORN,
            conditions: [
              { type: 'PodScheduled', ...scheduled },
              { type: 'Ready', ...ready },
            ],
            ...(scheduled.status === 'True'
              ? { initContainerStatuses: inits.map(statusOf), containerStatuses: spec.containers.map(({ name }) => statusOf(name)) }
              : {}),
            ...over,
          },
        },
        events: structuredClone(events),
      };
    },
  };
}

function finish(actor: Actor, scene: LifeEvent & { does: 'end' }, name: string): void {
  const { code = 1, reason = code === 0 ? 'Completed' : 'Error' } = scene;
  const containerID = `containerd://${name}-${actor.restartCount}`;
  const terminated = { exitCode: code, reason, startedAt: actor.startedAt, finishedAt: stamp(scene.at), containerID };
  actor.state = scene.thenWaits ? { waiting: { reason: 'CrashLoopBackOff' } } : { terminated };
  if (scene.thenWaits) actor.lastState = { terminated };
  actor.ready = false;
}

function failedPull({ at: second, message }: LifeEvent & { does: 'pull-fails' }, name: string): CoreEvent {
  return {
    metadata: {},
    type: 'Warning',
    reason: 'Failed',
    message: `Failed to pull image "web:1": ${message}`,
    lastTimestamp: stamp(second),
    count: 1,
    involvedObject: { kind: 'Pod', name: 'web-mirror-12345678', namespace: 'shop', uid: 'uid-pod', fieldPath: `spec.containers{${name}}` },
  };
}

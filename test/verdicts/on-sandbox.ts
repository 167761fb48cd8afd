import type { CoreEvent, Pod, PodSpec } from '../../src/crd/kubernetes.ts';
import { API_VERSION, type MirrorPod, type MirrorPodStatus } from '../../src/crd/mirrorpod.ts';
import { MIRROR_TTL } from '../../src/contract/mirror-ttl.ts';
import { detectFailure } from '../../src/failures/detect/detect.ts';
import { containerEvidence } from '../../src/failures/detect/evidence.ts';
import { decideMirrorPod } from '../../src/mirrors/policy/decide.ts';
import { longestRunIn } from '../../src/failures/policy/failed-runs.ts';
import { type RecordedRuns, sourceHistory } from '../../src/mirrors/policy/source-history.ts';
import { isolate } from '../../src/mirrors/policy/isolated-pod.ts';
import type { Source } from '../../src/mirrors/policy/source.ts';
import { statusOf } from '../../src/mirrors/policy/status.ts';
import { suggestedTtlSeconds } from '../../src/mirrors/policy/suggested-ttl.ts';
import { type Api, apiServer } from '../../src/sandbox/api/api.ts';
import { bootstrap } from '../../src/sandbox/bootstrap.ts';
import { celRules } from '../../src/sandbox/kinds/cel.ts';
import { type Clock, steppedClock, type SteppedClock } from '../../src/sandbox/clock.ts';
import { startControllers } from '../../src/sandbox/controllers/all.ts';
import { Registry } from '../../src/sandbox/kinds/kinds.ts';
import { pull } from '../../src/sandbox/kubelet/images.ts';
import { kubelet } from '../../src/sandbox/kubelet/kubelet.ts';
import { startScheduler } from '../../src/sandbox/scheduler.ts';
import { Store } from '../../src/sandbox/store/store.ts';
import type { VerdictCase } from './case.ts';
import type { CaseResult } from './score.ts';

const START = new Date('2026-05-01T10:00:00Z');
const NODE = 'sandbox-node';
const NAMESPACE = 'default';
/** How far the clock moves between two looks. */
const STEP_MS = 500;
const WATCH_MS = 5_000;
const WATCH_ON_MS = 60_000;
const GRACES = { pendingSeconds: 120, unreadySeconds: 60 };

/** Runs a case on its own sandbox, with the operator's policy and a stepped clock. */
export async function runOnSandbox(one: VerdictCase): Promise<CaseResult> {
  const world = aWorld(one);
  try {
    const source = await world.runSource();
    return await world.runMirror(source);
  } finally {
    world.close();
  }
}

function aWorld(one: VerdictCase) {
  const clock = steppedClock(START);
  let skewMs = 0;
  const wall: Clock = { now: () => new Date(clock.now().getTime() + skewMs), after: (ms, run) => clock.after(ms, run) };
  const store = new Store();
  const api = apiServer({ store, registry: new Registry(), clock: wall, cel: celRules() });
  let answers: NonNullable<VerdictCase['pulls']> = [];
  const registry = async (image: string, isAuthorized: boolean) => {
    const answer = answers.shift();
    await new Promise<void>((done) => wall.after((answer?.seconds ?? 0.15) * 1000, done));
    return answer?.error === undefined ? pull(image, isAuthorized) : { error: answer.error };
  };
  const node = kubelet({ api, clock: wall, deadlineClock: wall, nodeName: NODE, registry });
  const stops = [startControllers(api), startScheduler(api), node.start()];
  bootstrap(api, NODE, 'v1.36.0-sandbox');
  const pods = api.registry.builtin('pods');
  const read = (name: string): Pod | undefined => store.get(pods.storage, `${NAMESPACE}/${name}`) as Pod | undefined;
  const eventsAbout = (name: string): CoreEvent[] =>
    (store.list(api.registry.builtin('events').storage, NAMESPACE) as unknown as CoreEvent[]).filter(
      ({ involvedObject }) => involvedObject?.name === name,
    );

  return {
    close: () => stops.forEach((stop) => stop()),

    /** Lets the source fail for a while, and keeps what a failure record keeps. */
    async runSource(): Promise<{ source: Source; record: RecordedRuns }> {
      create(api, { metadata: { name: 'web', namespace: NAMESPACE, labels: { app: 'web' } }, spec: one.source });
      const record: RecordedRuns = { longest_run_seconds: null, occurrences: 0 };
      const forget = store.onChange(({ storage, object }) => {
        if (storage !== pods.storage || object.metadata.name !== 'web') return;
        const longest = longestRunIn(containerEvidence(object as unknown as Pod), one.source.restartPolicy);
        if (longest !== undefined) record.longest_run_seconds = Math.max(record.longest_run_seconds ?? 0, longest);
      });
      await clock.advance((one.sourceSeconds ?? 20) * 1000);
      forget();
      const pod = read('web') as Pod;
      const statuses = containerEvidence(pod);
      const failure = detectFailure({ pod, events: eventsAbout('web'), now: wall.now(), graces: { pendingSeconds: 0, unreadySeconds: 0 } });
      Object.assign(record, {
        container: failure?.container ?? null,
        failure_reason: failure?.reason ?? null,
        container_statuses: statuses,
        occurrences: statuses.reduce((sum, { restart_count }) => sum + (restart_count ?? 0), 1),
      });
      return { source: { name: 'web', namespace: NAMESPACE, template: { spec: pod.spec }, labels: { app: 'web' }, pod }, record };
    },

    async runMirror({ source, record }: { source: Source; record: RecordedRuns }): Promise<CaseResult> {
      const history = sourceHistory({ spec: source.template.spec, live: containerEvidence(source.pod as Pod), record });
      const spec = one.pulls ? alwaysPulled(one.corrected) : one.corrected;
      const suggested = suggestedTtlSeconds({ spec, history, pod: source.pod as Pod });
      const ttlSeconds = one.ttlSeconds ?? Math.max(MIRROR_TTL.default, suggested);
      answers = [...(one.pulls ?? [])];
      const mirror = aMirror(wall.now(), ttlSeconds);
      const pod = isolate({
        mirror,
        source,
        template: { spec },
        neighbours: { unsharedClaims: [], hasPriorityClass: false },
        secondsLeft: ttlSeconds,
        notes: { templateHash: '', history, ...(record.failure_reason ? { reasonBefore: record.failure_reason } : {}) },
      });
      // No MirrorPod exists here to own the pod, and the cluster would collect a pod whose owner is missing.
      const created = create(api, { ...pod, metadata: { ...pod.metadata, ownerReferences: [] } });
      return operate({
        clock,
        one,
        mirror,
        ttlSeconds,
        name: created.metadata.name ?? '',
        read,
        eventsAbout,
        wall,
        skew: (ms) => (skewMs += ms),
        store,
        api,
      });
    },
  };
}

function create(api: Api, pod: Pick<Pod, 'metadata' | 'spec'>): Pod {
  const body = { apiVersion: 'v1', kind: 'Pod', ...structuredClone(pod) };
  return api.create(api.registry.builtin('pods'), NAMESPACE, body) as unknown as Pod;
}

function aMirror(now: Date, ttlSeconds: number): MirrorPod {
  const creationTimestamp = `${now.toISOString().slice(0, 19)}Z`;
  return {
    apiVersion: API_VERSION,
    kind: 'MirrorPod',
    metadata: { name: 'try', namespace: NAMESPACE, uid: 'uid-try', generation: 1, creationTimestamp },
    spec: { source: { name: 'web' }, ttlSeconds, onExpiry: 'Retain' },
  };
}

const alwaysPulled = (spec: PodSpec): PodSpec => ({
  ...spec,
  containers: spec.containers.map((container) => ({ ...container, imagePullPolicy: 'Always' })),
});

interface Operating {
  clock: SteppedClock;
  wall: Clock;
  skew(ms: number): void;
  one: VerdictCase;
  mirror: MirrorPod;
  ttlSeconds: number;
  name: string;
  read(name: string): Pod | undefined;
  eventsAbout(name: string): CoreEvent[];
  store: Store;
  api: Api;
}

/** The passes of a reconciler: at each change of the pod, when time may change the answer, and periodically. */
async function operate(world: Operating): Promise<CaseResult> {
  const { clock, one, ttlSeconds, name, store } = world;
  const begun = clock.now().getTime();
  const elapsed = (): number => (clock.now().getTime() - begun) / 1000;
  const operator = anOperator(world, elapsed);
  const forget = store.onChange(({ object }) => {
    if (object.metadata.name === name) operator.wake();
  });
  const { fromSeconds = Infinity, toSeconds = Infinity } = one.away ?? {};
  let { jump } = one;
  while (!operator.isOver() && elapsed() < ttlSeconds + GRACE_SECONDS) {
    if (elapsed() >= fromSeconds && elapsed() < toSeconds) operator.restart();
    else operator.passIfDue();
    if (jump && elapsed() >= jump.atSeconds) {
      world.skew(jump.bySeconds * 1000);
      operator.noticeJump();
      jump = undefined;
    }
    await clock.advance(Math.max(1, Math.min(STEP_MS, operator.dueInMs())));
  }
  forget();
  return operator.result();
}

/** How late a mirror may end. */
const GRACE_SECONDS = 120;

function anOperator({ clock, wall, one, name, ttlSeconds, read, eventsAbout, api, mirror: first }: Operating, elapsed: () => number) {
  const result: CaseResult = { name: one.name, class: one.class, truth: one.truth, verdicts: [], windowSeconds: 0 };
  const expiresAt = new Date(Date.parse(first.metadata.creationTimestamp ?? '') + ttlSeconds * 1000);
  let mirror = first;
  let [isDirty, isOver, hasClockJumped] = [true, false, false];
  let dueAt = 0;
  let lookedAt: Date | undefined;

  function look() {
    const pod = read(name);
    const now = wall.now();
    const view = { mirror, now, expiresAt, events: eventsAbout(name), graces: GRACES, hasClockJumped };
    const decision = decideMirrorPod({ ...view, ...(pod && { pod }), ...(lookedAt && { lookedAt }) });
    [lookedAt, hasClockJumped, isDirty] = [now, false, false];
    if (decision.do !== 'report' && decision.do !== 'end') throw new Error(`a mirror that runs does not ${decision.do}`);
    return decision;
  }

  function pass(): void {
    const decision = look();
    const now = wall.now();
    isOver = decision.do === 'end';
    const isFinal = decision.do === 'end' || decision.isFinal === true;
    const facts = { expiresAt, podName: name, isFinal, ...(decision.evidence && { evidence: decision.evidence }) };
    const status = statusOf(mirror, decision.state, facts, now);
    note(mirror.status, status);
    // Serialised, as a cluster stores it.
    mirror = { ...mirror, status: JSON.parse(JSON.stringify(status)) as MirrorPodStatus };
    const untilMs = decision.do === 'report' ? decision.lookAgainAt.getTime() - now.getTime() : 0;
    dueAt = clock.now().getTime() + Math.min(untilMs, status.verdict ? WATCH_ON_MS : WATCH_MS);
    if (isOver && read(name)) api.remove(api.registry.builtin('pods'), NAMESPACE, name, {});
  }

  function note(before: MirrorPodStatus | undefined, { verdict, revisions = [], conditions = [], evidence }: MirrorPodStatus): void {
    const isNew = verdict !== before?.verdict || revisions.length > (before?.revisions?.length ?? 0);
    const reason = conditions.find(({ type }) => type === 'Fixed')?.reason ?? '';
    if (verdict && isNew) result.verdicts.push({ at: elapsed(), verdict, reason });
    result.windowSeconds = evidence?.windowSeconds ?? 0;
    if (evidence?.readySince) result.readyAt ??= elapsed();
  }

  return {
    isOver: () => isOver,
    dueInMs: () => dueAt - clock.now().getTime(),
    wake: () => void (isDirty = true),
    restart: () => void (lookedAt = undefined),
    noticeJump: () => void ([hasClockJumped, isDirty] = [true, true]),
    passIfDue() {
      if (isDirty || clock.now().getTime() >= dueAt) pass();
    },
    result(): CaseResult {
      const { verdict, conditions = [] } = mirror.status ?? {};
      const isFinal = conditions.some(({ type, status }) => type === 'Final' && status === 'True');
      return { ...result, isFinal, ...(verdict && { last: verdict }) };
    },
  };
}

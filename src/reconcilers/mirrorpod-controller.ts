import { setTimeout as sleep } from 'node:timers/promises';
import type { Pod } from '../crd/kubernetes.ts';
import { MIRROR_LABEL, type MirrorPod } from '../crd/mirrorpod.ts';
import type { TrialRepository } from '../db/trials.ts';
import { controller } from '../kube/controller.ts';
import { KINDS } from '../kube/kinds.ts';
import { podmendOperator } from '../kube/operator.ts';
import { eventRecorder } from '../kube/recorder.ts';
import { keyOf, partsOf } from '../kube/store.ts';
import { watchKind } from '../kube/watch.ts';
import type { Logger } from '../log.ts';
import { announceDeletion, type VerdictTally, verdictCounts } from '../mirrors/status-and-events.ts';
import { expiryReconciler, podKeyOf } from '../mirrors/expiry.ts';
import { lastLogs } from '../mirrors/last-log.ts';
import { countMirrors, type MirrorCount } from '../mirrors/policy/limits.ts';
import { mirrorSweep } from '../mirrors/sweep.ts';
import { mirrorPodReconciler, type MirrorPodDeps } from './mirrorpod.ts';

export interface MirrorsDeps extends Omit<MirrorPodDeps, 'trials' | 'recorder' | 'mirrorPods' | 'counts' | 'lastLogs'> {
  trials: MirrorPodDeps['trials'] & Pick<TrialRepository, 'unfinished' | 'keepLog'>;
  /** Empty = all. */
  watchNamespaces: string[];
  /** Mirrors in these namespaces are not counted. */
  hiddenNamespaces: string[];
  /** Identifies this process among the replicas. */
  instance: string;
  log: Logger;
}

/** The running part of mirrors: what the leader starts and stops. */
export interface MirrorController {
  /** Resolves when the caches have synced and passes begin. */
  start(): Promise<void>;
  /** Starts no new passes. Resolves when the running ones have ended. */
  stop(): Promise<void>;
  /** Counts the live MirrorPods by phase and verdict (`None` before there is a verdict). */
  counts(): MirrorCount[];
  /** The verdicts that this controller has given and revised since it was created. */
  tally(): VerdictTally;
  /** The place where a MirrorPod with that uid was last seen. */
  locate(uid: string): { namespace: string; name: string } | undefined;
}

/** The sweep runs at this interval. It removes pods that are left after a failed pass, or after a deletion while the process was down. */
const SWEEP_MS = 60_000;
/** After a deletion, the sweep runs after this time, once for all deletions. Usually the cluster's garbage collector is faster. */
const SWEEP_SOON_MS = 2_000;
/** How many passes run at once. A pass mostly waits for the cluster. */
const PASSES_AT_ONCE = 12;
/** How many expired mirror pods are removed at once. The limit is separate, so that no removal waits for a pass. */
const ENDS_AT_ONCE = 8;
/** The only key in the queue of the sweep. */
const SWEEP = 'sweep';
/** How long a stop waits for events that are still being written. */
const EVENTS_MS = 1_000;

/** The controller of MirrorPods: its passes run when a MirrorPod or a mirror pod changes. */
export function mirrorController(deps: MirrorsDeps): MirrorController {
  const { client, log, now } = deps;
  const selection = { namespaces: deps.watchNamespaces, log };
  const mirrors = watchKind(client, KINDS.mirrorPod, { ...selection, project: projectMirror });
  const pods = watchKind(client, KINDS.pod, { ...selection, labelSelector: `${MIRROR_LABEL}=true`, project: projectMirrorsPod });
  const recorder = eventRecorder(deps);
  // For the limits, older mirrors are counted in the cache. A list request would cost more with each mirror.
  const verdicts = verdictCounts();
  const ending = lastLogs(deps);
  const reconcile = mirrorPodReconciler({ ...deps, recorder, lastLogs: ending, counts: verdicts, mirrorPods: async () => mirrors.list() });
  const passes = controller({ name: 'mirrorpod', concurrency: PASSES_AT_ONCE, log, now, reconcile });
  const ends = controller({
    name: 'mirrorpod-expiry',
    concurrency: ENDS_AT_ONCE,
    log,
    now,
    reconcile: expiryReconciler({ client, mirrors, pods, lastLogs: ending, now }),
  });
  const sweep = mirrorSweep(deps);
  const sweeps = controller({ name: 'mirrorpod-sweep', log, now, reconcile: () => sweep().then(() => ({ requeueAfterMs: SWEEP_MS })) });
  sweeps.enqueue(SWEEP);

  /** Announces a deleted mirror once its end is stored, so that clients find it among the past mirrors when they ask. */
  const settle = async (mirror: MirrorPod): Promise<void> => {
    const { uid = '' } = mirror.metadata;
    // The mirror pod is being stopped, and may still exist for a moment.
    const { namespace, name } = partsOf(podKeyOf(mirror));
    const ended = deps.trials
      .end(uid, now())
      .catch((error: unknown) => log.warn({ err: error, mirror: uid }, 'the next sweep ends a trial'));
    await Promise.all([ending.keep(uid, { namespace, name }), ended]);
    announceDeletion(deps, mirror);
  };

  const operator = podmendOperator(client, log)
    .when(KINDS.mirrorPod, mirrors, passes)
    .when(KINDS.pod, pods, passes, keyOfMirror)
    .when(KINDS.mirrorPod, mirrors, ends, (mirror) => [podKeyOf(mirror)])
    .when(KINDS.pod, pods, ends)
    .when(KINDS.mirrorPod, mirrors, sweeps, () => []);
  mirrors.onChange(({ type, object }) => {
    if (type !== 'DELETED') return;
    void settle(object);
    sweeps.enqueue(SWEEP, SWEEP_SOON_MS);
  });
  return {
    async start() {
      await operator.start();
      await Promise.all([mirrors.start(), pods.start()]);
    },
    async stop() {
      await operator.drain();
      // A lost event does no harm, but a stop that waits for an unavailable cluster does.
      await Promise.race([recorder.idle(), sleep(EVENTS_MS, undefined, { ref: false })]);
    },
    locate(uid) {
      const { namespace = '', name = '' } = mirrors.byUid(uid)?.metadata ?? {};
      return name ? { namespace, name } : undefined;
    },
    counts: () => countMirrors(mirrors.list(), deps.hiddenNamespaces, now()),
    tally: verdicts.tally,
  };
}

/** The key of the MirrorPod that owns a mirror pod. */
function keyOfMirror({ metadata }: Pod): string[] {
  const owner = metadata.ownerReferences?.find(({ kind }) => kind === 'MirrorPod');
  return owner ? [keyOf({ ...metadata, name: owner.name })] : [];
}

/** Removes the template. The cache only shows when to run a pass; the pass reads the object itself. */
function projectMirror({ metadata, spec, status }: MirrorPod): MirrorPod {
  const { template: _template, ...kept } = spec;
  return {
    metadata: { ...metadata, annotations: {} },
    spec: kept,
    ...(status ? { status: { ...status, correction: { origin: 'Given' } } } : {}),
  };
}

function projectMirrorsPod({ metadata }: Pod): Pod {
  const { name = '', namespace = '', uid = '', resourceVersion = '', ownerReferences = [], deletionTimestamp } = metadata;
  const ending = deletionTimestamp ? { deletionTimestamp } : {};
  return { metadata: { name, namespace, uid, resourceVersion, ownerReferences, ...ending }, spec: { containers: [] } };
}

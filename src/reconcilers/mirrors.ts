import { setTimeout as sleep } from 'node:timers/promises';
import { instant } from '../crd/condition.ts';
import type { Pod } from '../crd/kubernetes.ts';
import { MIRROR_LABEL, type MirrorPod } from '../crd/mirrorpod.ts';
import type { TrialRepository } from '../db/trials.ts';
import { controller } from '../kube/controller.ts';
import { KINDS } from '../kube/kinds.ts';
import { podmendOperator } from '../kube/operator.ts';
import { eventRecorder } from '../kube/recorder.ts';
import { keyOf } from '../kube/store.ts';
import { watchKind } from '../kube/watch.ts';
import type { Logger } from '../log.ts';
import { isLive } from '../mirrors/limits.ts';
import { mirrorRecord } from './mirror-record.ts';
import { mirrorSweep } from './mirror-sweep.ts';
import { mirrorTimeReconciler, podKeyOf } from './mirror-time.ts';
import { mirrorPodReconciler, type MirrorPodDeps } from './mirrorpod.ts';

export interface MirrorsDeps extends Omit<MirrorPodDeps, 'sweep' | 'trials' | 'recorder' | 'mirrorPods'> {
  trials: MirrorPodDeps['trials'] & Pick<TrialRepository, 'unfinished'>;
  /** Empty = all. */
  watchNamespaces: string[];
  /** Names this process among its replicas. */
  instance: string;
  log: Logger;
}

/** The running part of mirrors: what the leader starts and stops. */
export interface MirrorController {
  /** Resolves when the caches have synced and passes begin. */
  start(): Promise<void>;
  /** No new passes; resolves when the running ones have ended. */
  stop(): Promise<void>;
  /** How many live MirrorPods there are of each phase and verdict (`None` before there is one). */
  counts(): { phase: string; verdict: string; count: number }[];
  /** Where a MirrorPod with that uid was last seen. */
  locate(uid: string): { namespace: string; name: string } | undefined;
}

/** Beside the passes: what a deletion during a stop, or a pass that failed on its way, has left. */
const SWEEP_MS = 60_000;
/** One sweep for all MirrorPods that go within this time: the cluster's own collector mostly comes first. */
const SWEEP_SOON_MS = 2_000;
/** Passes mostly wait for the cluster, and the end of a mirror pod waits for none of them. */
const PASSES_AT_ONCE = 12;
const ENDS_AT_ONCE = 8;
const SWEEP_KEY = 'sweep';
/** How long a stop waits for events that are being written. */
const LAST_WORDS_MS = 1_000;

/** When a MirrorPod or the pod of one changes, the MirrorPod is looked at; and once a minute what deleted ones left is cleared away. */
export function mirrorController(deps: MirrorsDeps): MirrorController {
  const { client, log, now } = deps;
  const sweep = mirrorSweep(deps);
  const recorder = eventRecorder(deps);
  const sweepSoon = async (): Promise<void> => passes.enqueue(SWEEP_KEY, SWEEP_SOON_MS);
  // What is older than a mirror has been heard of before it, so the cache is enough; asked of the cluster it would cost more with each one.
  const mirrorPods = async (): Promise<MirrorPod[]> => mirrors.list();
  const reconcile = mirrorPodReconciler({ ...deps, sweep: sweepSoon, recorder, mirrorPods });
  const selection = { namespaces: deps.watchNamespaces, log };
  const mirrors = watchKind(client, KINDS.mirrorPod, { ...selection, project: leanMirror });
  const pods = watchKind(client, KINDS.pod, { ...selection, labelSelector: `${MIRROR_LABEL}=true`, project: leanPod });
  const passes = controller({
    name: 'mirrorpod',
    concurrency: PASSES_AT_ONCE,
    log,
    now,
    async reconcile(key) {
      if (key !== SWEEP_KEY) return reconcile(key);
      await sweep();
      return { requeueAfterMs: SWEEP_MS };
    },
  });
  const ends = controller({
    name: 'mirrorpod-time',
    concurrency: ENDS_AT_ONCE,
    log,
    now,
    reconcile: mirrorTimeReconciler({ client, mirrors, pods, now }),
  });
  mirrors.onChange(({ type, object }) => {
    if (type === 'DELETED') tellEnd(deps, object);
  });
  const operator = podmendOperator(client, log)
    .when(KINDS.mirrorPod, mirrors, passes)
    .when(KINDS.pod, pods, passes, mirrorOf)
    .when(KINDS.mirrorPod, mirrors, ends, (mirror) => [podKeyOf(mirror)])
    .when(KINDS.pod, pods, ends, ({ metadata }) => [keyOf(metadata)]);
  return {
    async start() {
      passes.enqueue(SWEEP_KEY);
      await operator.start();
      await Promise.all([mirrors.start(), pods.start()]);
    },
    async stop() {
      await operator.drain();
      // Losing an event harms nobody; a stop that waits for a cluster that is away does.
      await Promise.race([recorder.idle(), sleep(LAST_WORDS_MS, undefined, { ref: false })]);
    },
    locate(uid) {
      const { namespace = '', name = '' } = mirrors.byUid(uid)?.metadata ?? {};
      return name ? { namespace, name } : undefined;
    },
    counts() {
      const counts = new Map<string, { phase: string; verdict: string; count: number }>();
      for (const mirror of mirrors.list()) {
        if (!isLive(mirror, now())) continue;
        const { phase = 'Pending', verdict = 'None' } = mirror.status ?? {};
        const entry = counts.get(`${phase} ${verdict}`) ?? { phase, verdict, count: 0 };
        counts.set(`${phase} ${verdict}`, { ...entry, count: entry.count + 1 });
      }
      return [...counts.values()];
    },
  };
}

/** The last word about a mirror that was deleted before its time; at its time the pass that ends it has told. */
function tellEnd({ hub, now }: MirrorsDeps, mirror: MirrorPod): void {
  const status = mirror.status ?? {};
  const isTold = status.phase === 'Expired' || Date.parse(status.expirationTime ?? '') <= now().getTime();
  if (isTold) return;
  const ended: MirrorPod = { ...mirror, status: { ...status, phase: 'Expired', expirationTime: instant(now()) } };
  hub.publish({ type: 'mirror_status', data: mirrorRecord({ mirror: ended, events: [], defaultTtlSeconds: 0 }) });
}

/** The key of the MirrorPod that a pod belongs to. */
function mirrorOf({ metadata }: Pod): string[] {
  const owner = metadata.ownerReferences?.find(({ kind }) => kind === 'MirrorPod');
  return owner ? [keyOf({ ...metadata, name: owner.name })] : [];
}

/** A pass reads the object itself: the cache only says when. */
function leanMirror({ metadata, spec, status }: MirrorPod): MirrorPod {
  const { template: _template, ...kept } = spec;
  return {
    metadata: { ...metadata, annotations: {} },
    spec: kept,
    ...(status ? { status: { ...status, correction: { origin: 'Given' } } } : {}),
  };
}

function leanPod({ metadata }: Pod): Pod {
  const { name = '', namespace = '', uid = '', resourceVersion = '', ownerReferences = [], deletionTimestamp } = metadata;
  const ending = deletionTimestamp ? { deletionTimestamp } : {};
  return { metadata: { name, namespace, uid, resourceVersion, ownerReferences, ...ending }, spec: { containers: [] } };
}

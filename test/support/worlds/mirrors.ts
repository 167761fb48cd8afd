import { readFileSync } from 'node:fs';
import type { Test } from 'uvu';
import type { SocketMessage } from '../../../src/contract/socket.ts';
import type { KubeObject, Pod, PodSpec } from '../../../src/crd/kubernetes.ts';
import { loadManifest } from '../../../src/crd/manifest.ts';
import { API_VERSION, mirrorPodName, type MirrorPod, type MirrorPodSpec } from '../../../src/crd/mirrorpod.ts';
import type { Store } from '../../../src/db/connect.ts';
import { failureRepository } from '../../../src/db/failures.ts';
import { failureSuppressionRepository } from '../../../src/db/suppressible.ts';
import { incidentRepository } from '../../../src/db/incidents.ts';
import { previewRepository } from '../../../src/db/previews.ts';
import { reportRepository } from '../../../src/db/failure-reports.ts';
import { settingRepository } from '../../../src/db/settings.ts';
import { trialRepository } from '../../../src/db/trials.ts';
import { eventHub, internalBus, type Hub } from '../../../src/events.ts';
import { failureIntake } from '../../../src/failures/intake.ts';
import { reportMask } from '../../../src/redact/report.ts';
import { connect, type KubeClient } from '../../../src/kube/client.ts';
import { isKubeError } from '../../../src/kube/errors.ts';
import { KINDS } from '../../../src/kube/kinds.ts';
import { eventRecorder } from '../../../src/kube/recorder.ts';
import { surroundingsOf } from '../../../src/kube/surroundings.ts';
import { createLog } from '../../../src/log.ts';
import { lastLogs } from '../../../src/mirrors/last-log.ts';
import { mirrorSweep } from '../../../src/mirrors/sweep.ts';
import { mirrorPodReconciler } from '../../../src/reconcilers/mirrorpod.ts';
import type { MirrorsDeps } from '../../../src/reconcilers/mirrorpod-controller.ts';
import { previewer, type Previewer } from '../../../src/mirrors/preview.ts';
import { diagnose } from '../../../src/diagnosis/diagnose.ts';
import type { Cluster, ClusterKind } from '../cluster/clusters.ts';
import { memoryStore } from '../database/store.ts';
import { until } from '../runner/wait.ts';

/** The mirrors' part of an operator, on some cluster and a database in memory. */
export interface MirrorWorld {
  client: KubeClient;
  store: Store;
  deps: MirrorsDeps;
  hub: Hub;
  /** All messages of the hub. */
  messages: SocketMessage[];
  failures: ReturnType<typeof failureRepository>;
  previews: ReturnType<typeof previewRepository>;
  trials: ReturnType<typeof trialRepository>;
  previewer: Previewer;
  intake: ReturnType<typeof failureIntake>;
  /** Makes one pass over a MirrorPod, like the controller. If the MirrorPod is gone, that is the sweep. `over` replaces dependencies. */
  pass(mirror: KubeObject, over?: Partial<MirrorsDeps>): Promise<number | undefined>;
  /** Creates a namespace for one test, so that tests do not affect each other. */
  namespace(): Promise<string>;
  apply(mirror: MirrorPod): Promise<MirrorPod>;
  read(mirror: KubeObject): Promise<MirrorPod | undefined>;
  podOf(mirror: MirrorPod): Promise<Pod | undefined>;
  setStatus(pod: Pod, status: Pod['status']): Promise<void>;
  /** Sets the operator's clock forward. */
  advance(seconds: number): void;
  /** Resets the operator's clock. */
  rewind(): void;
  close(): Promise<void>;
}

export async function mirrorWorld(kubeconfigText: string): Promise<MirrorWorld> {
  const client = connect({ kubeconfigText });
  await installKind(client);
  const store = await memoryStore();
  const messages: SocketMessage[] = [];
  const hub = eventHub();
  hub.subscribe((message) => void messages.push(message));
  let skippedMs = 0;
  let namespaces = 0;
  const now = (): Date => new Date(Date.now() + skippedMs);
  const { db } = store;
  const log = createLog({ level: 'silent' });
  const [failures, previews, trials, settings] = [failureRepository(db), previewRepository(db), trialRepository(db), settingRepository(db)];
  const surroundings = surroundingsOf({ client, watchNamespaces: [], now });
  const maker = previewer({ client, previews, settings, trials, surroundings, diagnose: async (subject) => diagnose(subject) });
  const deps: MirrorsDeps = {
    hiddenNamespaces: ['hidden'],
    client,
    failures,
    previews,
    trials,
    settings,
    previewer: maker,
    limits: { perIncident: 3, perNamespace: 10, total: 50 },
    enabled: true,
    now,
    steadyMs: () => performance.now() + skippedMs,
    hub,
    graces: { pendingSeconds: 120, unreadySeconds: 60 },
    watchNamespaces: [],
    instance: 'test',
    log,
  };
  const recorder = eventRecorder(deps);
  const suppressionOf = (): undefined => undefined;
  return {
    client,
    store,
    deps,
    hub,
    messages,
    failures,
    previews,
    trials,
    previewer: maker,
    intake: failureIntake({
      reports: reportRepository(db),
      incidents: incidentRepository(db),
      hub,
      cluster: 'test',
      suppressionOf,
      failureSuppressions: failureSuppressionRepository(db),
      bus: internalBus(),
      mask: reportMask(),
      diagnose,
      log,
    }),
    async pass({ metadata }, over = {}) {
      const all = { ...deps, ...over };
      const reconcile = mirrorPodReconciler({ ...all, recorder, lastLogs: lastLogs(all), mirrorPods: () => client.list(KINDS.mirrorPod) });
      if (!(await all.client.read(KINDS.mirrorPod, metadata.namespace, metadata.name ?? ''))) await mirrorSweep(all)();
      try {
        return (await reconcile(`${metadata.namespace}/${metadata.name}`))?.requeueAfterMs;
      } finally {
        await recorder.idle();
      }
    },
    async namespace() {
      const name = `mirrors-${++namespaces}`;
      await client.create(KINDS.namespace, { metadata: { name } });
      return name;
    },
    apply: (mirror) => client.create(KINDS.mirrorPod, mirror),
    read: ({ metadata }) => client.read(KINDS.mirrorPod, metadata.namespace, metadata.name ?? ''),
    podOf: ({ metadata, spec }) => client.read(KINDS.pod, metadata.namespace, mirrorPodName(spec.source.name, metadata.uid ?? '')),
    async setStatus({ metadata }, status) {
      await client.patch(KINDS.pod, metadata.namespace, metadata.name ?? '', { status }, { type: 'merge', subresource: 'status' });
    },
    advance: (seconds) => void (skippedMs += seconds * 1000),
    rewind: () => void (skippedMs = 0),
    async close() {
      client.close();
      await store.close();
    },
  };
}

/** Gives each test of a suite the same world on the suite's own cluster, and resets the clock. */
export function useMirrorWorld(test: Pick<Test, 'before' | 'after'>, { start }: ClusterKind, give: (world: MirrorWorld) => void): void {
  let cluster: Cluster | undefined;
  let world: MirrorWorld | undefined;
  test.before(async () => {
    cluster = await start();
    world = await mirrorWorld(cluster.kubeconfigText);
    give(world);
  });
  test.before.each(() => world?.rewind());
  test.after(async () => {
    await world?.close();
    await cluster?.close();
  });
}

async function installKind(client: KubeClient): Promise<void> {
  const crd = loadManifest(readFileSync(new URL('../../../crds/mirrorpods.yaml', import.meta.url), 'utf8')) as unknown as KubeObject;
  await client.patch(KINDS.customResourceDefinition, undefined, 'mirrorpods.podmend.dev', crd, { type: 'apply' });
  await until(
    async () => {
      try {
        await client.list(KINDS.mirrorPod);
        return true;
      } catch (error) {
        if (isKubeError(error, 404)) return false;
        throw error;
      }
    },
    { what: 'the MirrorPod kind' },
  );
}

/** A MirrorPod for pod `web` with a TTL of 120 s. */
export function aMirror(namespace: string, over: Partial<MirrorPodSpec> = {}, metadata: KubeObject['metadata'] = {}): MirrorPod {
  return {
    apiVersion: API_VERSION,
    kind: 'MirrorPod',
    metadata: { name: 'try', namespace, ...metadata },
    spec: { source: { name: 'web' }, ttlSeconds: 120, ...over },
  };
}

/** A bare pod `web` whose container `app` runs an image that does not exist. */
export function aSourcePod(namespace: string, spec: Partial<PodSpec> = {}, metadata: KubeObject['metadata'] = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace, labels: { app: 'web' }, ...metadata },
    spec: { containers: [{ name: 'app', image: 'web:11' }], ...spec },
  };
}

import type { Pod } from '../crd/kubernetes.ts';
import { mirrorPodName, type MirrorPod } from '../crd/mirrorpod.ts';
import type { TrialRepository } from '../db/trials.ts';
import type { KubeClient } from '../kube/client.ts';
import type { Pass } from '../kube/controller.ts';
import { isKubeError } from '../kube/errors.ts';
import { KINDS } from '../kube/kinds.ts';
import { keyOf, partsOf } from '../kube/store.ts';
import type { Cache } from '../kube/watch.ts';
import { type AnnounceDeps, recordEvents, type SeenMirror, updateTrial, writeStatus } from './status-and-events.ts';
import { type Decision, ownExpiryOf } from './policy/decide.ts';
import { mirrorRecord } from './policy/mirror-record.ts';
import { statusOf } from './policy/status.ts';
import { factsOf } from './policy/mirror-notes.ts';
import { type LastLogs, READ_MS } from './last-log.ts';

export interface EndDeps extends AnnounceDeps {
  client: Pick<KubeClient, 'read' | 'patch' | 'remove'>;
  trials: Pick<TrialRepository, 'update' | 'end'>;
  lastLogs: LastLogs;
}

/**
 * Ends a mirror whose time is over. First it keeps the log and removes the pod, even if the database does not respond, because a mirror must
 * never outlive its time.
 */
export async function endMirror(deps: EndDeps, seen: SeenMirror, { keep, state, evidence }: Decision & { do: 'end' }): Promise<void> {
  const { client, trials, hub, now } = deps;
  const { mirror, pod, events, defaultTtlSeconds } = seen;
  const { namespace = '', name = '', uid = '' } = mirror.metadata;
  if (keep && mirror.status?.phase === 'Expired' && !pod) {
    await writeStatus(deps, seen, { state: { kind: 'standing' }, facts: {} });
    return;
  }
  const podName = mirrorPodName(mirror.spec.source.name, uid);
  if (pod) {
    await deps.lastLogs.keep(uid, { namespace, name: podName });
    await removeIfOurs(() => client.remove(KINDS.pod, namespace, podName, { uid: pod.metadata.uid ?? '' }));
  }
  await client.remove(KINDS.networkPolicy, namespace, podName);
  const facts = { ...(pod ? factsOf(pod) : {}), ...(evidence ? { evidence } : {}) };
  const status = statusOf(mirror, state, { expiresAt: seen.expiresAt, isFinal: true, ...facts }, now());
  const judged: MirrorPod = { ...mirror, status };
  await updateTrial(deps, judged, seen.judged);
  await trials.end(uid, now());
  if (keep) {
    await writeStatus(deps, { ...seen, mirror: judged, written: mirror }, { state: { kind: 'expired' }, facts: {} });
    return;
  }
  const expired: MirrorPod = { ...judged, status: { ...status, phase: 'Expired' } };
  if (!(await removeIfOurs(() => client.remove(KINDS.mirrorPod, namespace, name, { uid })))) return;
  recordEvents(deps, expired, { before: mirror.status, shown: undefined });
  deps.counts?.count(mirror.status, status);
  hub.publish({ type: 'mirror_status', data: mirrorRecord({ mirror: expired, pod, events, defaultTtlSeconds }) });
}

/** Whether this call removed the object. An object of that name with another uid is not ours. */
async function removeIfOurs(remove: () => Promise<boolean>): Promise<boolean> {
  try {
    return await remove();
  } catch (error) {
    if (isKubeError(error, 409)) return false;
    throw error;
  }
}

export interface ExpiryDeps {
  client: Pick<KubeClient, 'remove'>;
  mirrors: Pick<Cache<MirrorPod>, 'byUid'>;
  pods: Pick<Cache<Pod>, 'get'>;
  lastLogs: LastLogs;
  now(): Date;
}

/** The key of the mirror pod of a MirrorPod, whether or not the pod exists. */
export function podKeyOf({ metadata, spec }: MirrorPod): string {
  return keyOf({ ...metadata, name: mirrorPodName(spec.source.name, metadata.uid ?? '') });
}

/**
 * Removes mirror pods when their time is over. It reads only caches and sends one request, because a full pass over the MirrorPod reads more
 * and may have to wait for other passes. The log is read some time before, so that the removal need not wait for it. If the MirrorPod or its
 * end is not known yet, the full pass removes the pod.
 */
export function expiryReconciler({ client, mirrors, pods, lastLogs, now }: ExpiryDeps): (key: string) => Promise<Pass> {
  return async (key) => {
    const { namespace, name } = partsOf(key);
    const pod = pods.get(namespace, name);
    const owner = pod?.metadata.ownerReferences?.find(({ kind }) => kind === 'MirrorPod');
    const mirror = owner && mirrors.byUid(owner.uid);
    if (!pod || !mirror || pod.metadata.deletionTimestamp) return undefined;
    const expiresAt = ownExpiryOf(mirror);
    if (!expiresAt) return undefined;
    const leftMs = (): number => expiresAt.getTime() - now().getTime();
    if (leftMs() > READ_MS) return { requeueAfterMs: leftMs() - READ_MS };
    await lastLogs.keep(mirror.metadata.uid ?? '', { namespace, name });
    if (leftMs() > 0) return { requeueAfterMs: leftMs() };
    await removeIfOurs(() => client.remove(KINDS.pod, namespace, name, { uid: pod.metadata.uid ?? '' }));
    return undefined;
  };
}

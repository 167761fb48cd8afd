import { isDeepStrictEqual } from 'node:util';
import type { ShownAfter } from '../contract/failure.ts';
import type { CoreEvent, ObjectRef, Pod } from '../crd/kubernetes.ts';
import { API_VERSION, type MirrorPod, type MirrorPodStatus } from '../crd/mirrorpod.ts';
import type { TrialRepository } from '../db/trials.ts';
import type { Hub } from '../events.ts';
import type { KubeClient } from '../kube/connect.ts';
import { isKubeError } from '../kube/errors.ts';
import { KINDS } from '../kube/kinds.ts';
import type { EventRecorder } from '../kube/recorder.ts';
import { newsOf } from '../mirrors/news.ts';
import { statusOf, type MirrorFacts, type State } from '../mirrors/status.ts';
import { shownBy, type VerdictView } from '../mirrors/verdict.ts';
import { mirrorRecord } from './mirror-record.ts';

/** Who is told what became of a mirror: its status, the sockets, and the events of `kubectl describe`. */
export interface TellDeps {
  client: Pick<KubeClient, 'read' | 'patch'>;
  hub: Pick<Hub, 'publish'>;
  recorder: Pick<EventRecorder, 'record'>;
  now(): Date;
}

/** What is told of. `written` is the mirror as the cluster has it, where `mirror` is ahead of that. */
interface Told {
  mirror: MirrorPod;
  written?: MirrorPod;
  expiresAt: Date;
  ttl: number;
  pod?: Pod;
  events: CoreEvent[];
  verdict?: VerdictView;
}

/** Writes the status when it differs from what stands, and tells everybody. Answers the mirror as it is now. */
export async function tell(
  deps: TellDeps,
  { mirror, expiresAt, ttl, events, pod, verdict, written = mirror }: Told,
  { state, facts }: { state: State; facts: Partial<MirrorFacts> },
): Promise<MirrorPod> {
  const status = statusOf(mirror, state, { expiresAt, ...facts }, deps.now());
  const next = withStatus(mirror, status);
  if (isDeepStrictEqual(written.status, status)) return next;
  const { namespace, name = '', resourceVersion } = written.metadata;
  try {
    await deps.client.patch(KINDS.mirrorPod, namespace, name, { status }, { type: 'merge', subresource: 'status', resourceVersion });
  } catch (error) {
    // Deleted in the meantime: nobody is left to be told.
    if (isKubeError(error, 404)) return next;
    throw error;
  }
  announce(deps, next, { before: written.status, shown: verdict && shownBy(verdict) });
  deps.hub.publish({ type: 'mirror_status', data: mirrorRecord({ mirror: next, pod, events, defaultTtlSeconds: ttl }) });
  return next;
}

/** Tells what is new since `before` in events about the MirrorPod and, where that concerns it, its source. */
export function announce(
  { client, recorder }: Pick<TellDeps, 'client' | 'recorder'>,
  mirror: MirrorPod,
  { before, shown }: { before: MirrorPodStatus | undefined; shown: ShownAfter | undefined },
): void {
  const { namespace = '', name = '', uid = '' } = mirror.metadata;
  const itself: ObjectRef = { apiVersion: API_VERSION, kind: 'MirrorPod', namespace, name, uid };
  const source = async (): Promise<ObjectRef | undefined> => {
    const pod = await client.read(KINDS.pod, namespace, mirror.spec.source.name);
    return pod && { apiVersion: 'v1', kind: 'Pod', namespace, name: mirror.spec.source.name, uid: pod.metadata.uid ?? '' };
  };
  for (const { ofSource, ...news } of newsOf(before ?? {}, mirror.status ?? {}, shown)) {
    recorder.record({ regarding: itself, ...news });
    if (ofSource) recorder.record({ regarding: source, related: itself, ...news });
  }
}

export const withStatus = (mirror: MirrorPod, status: MirrorPodStatus): MirrorPod => ({ ...mirror, status });

/** The trial row follows the verdict, also when an earlier pass ended between the two. */
export async function tellTrial(
  { trials }: { trials: Pick<TrialRepository, 'update'> },
  { metadata, status }: MirrorPod,
  seen: VerdictView | undefined,
): Promise<void> {
  if (!status?.verdict) return;
  const why = status.conditions?.find(({ type }) => type === 'Fixed')?.reason ?? null;
  await trials.update(metadata.uid ?? '', {
    verdict: status.verdict,
    reason_after: status.verdict === 'StillFailing' ? why : null,
    ...(seen ? { shown_after: shownBy(seen) } : {}),
  });
}

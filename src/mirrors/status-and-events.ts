import { isDeepStrictEqual } from 'node:util';
import type { ShownAfter } from '../contract/failure.ts';
import { instant } from '../crd/condition.ts';
import type { CoreEvent, ObjectRef, Pod } from '../crd/kubernetes.ts';
import { API_VERSION, type MirrorPod, type MirrorPodStatus } from '../crd/mirrorpod.ts';
import type { TrialRepository } from '../db/trials.ts';
import type { Hub } from '../events.ts';
import type { KubeClient } from '../kube/client.ts';
import { isKubeError } from '../kube/errors.ts';
import { KINDS } from '../kube/kinds.ts';
import type { EventRecorder } from '../kube/recorder.ts';
import { eventsBetween } from './policy/events.ts';
import { mirrorRecord, shownEvidence } from './policy/mirror-record.ts';
import { statusOf, type MirrorFacts, type MirrorState } from './policy/status.ts';
import { shownBy } from './policy/evidence.ts';
import type { JudgeView } from './policy/verdict.ts';
import { isMapping } from '../crd/mapping.ts';

/** Publishes the state of a mirror: in its status, over the sockets, as events for `kubectl describe`, and in its trial. */
export interface AnnounceDeps {
  client: Pick<KubeClient, 'read' | 'patch'>;
  hub: Pick<Hub, 'publish'>;
  recorder: Pick<EventRecorder, 'record'>;
  trials: Pick<TrialRepository, 'update'>;
  counts?: Pick<VerdictCounts, 'count'>;
  now(): Date;
}

/** A mirror as a pass saw it. `written` is the mirror in the cluster, when `mirror` is newer than that. */
export interface SeenMirror {
  mirror: MirrorPod;
  written?: MirrorPod;
  expiresAt: Date;
  /** The mirror-TTL setting. */
  defaultTtlSeconds: number;
  pod?: Pod;
  events: CoreEvent[];
  /** The basis of the verdict, if the pass decided about one. */
  judged?: JudgeView;
}

/** Writes the status when it differs from the one in the cluster, and announces the change. Returns the mirror with its new status. */
export async function writeStatus(
  deps: Omit<AnnounceDeps, 'trials'>,
  { mirror, expiresAt, defaultTtlSeconds, events, pod, judged, written = mirror }: SeenMirror,
  { state, facts }: { state: MirrorState; facts: Partial<MirrorFacts> },
): Promise<MirrorPod> {
  const status = statusOf(mirror, state, { expiresAt, ...facts }, deps.now());
  const next = { ...mirror, status };
  if (isDeepStrictEqual(written.status, status)) return next;
  const { namespace, name = '', resourceVersion } = written.metadata;
  try {
    const change = { status: mergePatch(written.status, status) };
    await deps.client.patch(KINDS.mirrorPod, namespace, name, change, { type: 'merge', subresource: 'status', resourceVersion });
  } catch (error) {
    // The mirror was deleted in the meantime, so there is nothing to announce.
    if (isKubeError(error, 404)) return next;
    throw error;
  }
  recordEvents(deps, next, { before: written.status, shown: judged && shownBy(judged) });
  deps.counts?.count(written.status, status);
  deps.hub.publish({ type: 'mirror_status', data: mirrorRecord({ mirror: next, pod, events, defaultTtlSeconds }) });
  return next;
}

/**
 * Records events about the changes of the status since `before`. They are about the MirrorPod, and also about the source pod if a change
 * concerns it.
 */
export function recordEvents(
  { client, recorder }: Pick<AnnounceDeps, 'client' | 'recorder'>,
  mirror: MirrorPod,
  { before, shown }: { before: MirrorPodStatus | undefined; shown: ShownAfter | undefined },
): void {
  const { namespace = '', name = '', uid = '' } = mirror.metadata;
  const mirrorRef: ObjectRef = { apiVersion: API_VERSION, kind: 'MirrorPod', namespace, name, uid };
  const sourceRef = async (): Promise<ObjectRef | undefined> => {
    const pod = await client.read(KINDS.pod, namespace, mirror.spec.source.name);
    return pod && { apiVersion: 'v1', kind: 'Pod', namespace, name: mirror.spec.source.name, uid: pod.metadata.uid ?? '' };
  };
  for (const { ofSource, ...event } of eventsBetween(before ?? {}, mirror.status ?? {}, shown)) {
    recorder.record({ regarding: mirrorRef, ...event });
    if (ofSource) recorder.record({ regarding: sourceRef, related: mirrorRef, ...event });
  }
}

/** A merge patch: all fields of `after`, and null for each field that only `before` has, because a patch keeps fields that it does not name. */
function mergePatch(before: unknown, after: unknown): unknown {
  if (!isMapping(before) || !isMapping(after)) return after;
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  return {
    ...Object.fromEntries(gone.map((key) => [key, null])),
    ...Object.fromEntries(Object.entries(after).map(([key, value]) => [key, mergePatch(before[key], value)])),
  };
}

/** How many verdicts this process has given and revised. */
export interface VerdictCounts {
  count(before: MirrorPodStatus | undefined, after: MirrorPodStatus): void;
  tally(): VerdictTally;
}

/** Counts of first verdicts, and of revisions by `Regressed`, `Recovered` or `Other`. */
export interface VerdictTally {
  verdicts: { verdict: string; count: number }[];
  revisions: { reason: string; count: number }[];
}

export function verdictCounts(): VerdictCounts {
  const [verdicts, revisions] = [new Map<string, number>(), new Map<string, number>()];
  const add = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  return {
    count(before, after) {
      if (after.verdict && !before?.verdict) add(verdicts, after.verdict);
      const known = before?.revisions?.length ?? 0;
      for (const { reason } of after.revisions?.slice(known) ?? []) add(revisions, REVISED.has(reason) ? reason : 'Other');
    },
    tally: () => ({
      verdicts: [...verdicts].map(([verdict, count]) => ({ verdict, count })),
      revisions: [...revisions].map(([reason, count]) => ({ reason, count })),
    }),
  };
}

const REVISED = new Set(['Regressed', 'Recovered']);

/**
 * Copies the verdict of the status to the trial row. Every pass does so, because an earlier pass may have failed between the two writes.
 */
export async function updateTrial(
  { trials }: Pick<AnnounceDeps, 'trials'>,
  { metadata, status }: MirrorPod,
  seen: JudgeView | undefined,
): Promise<void> {
  if (!status?.evidence && !status?.verdict) return;
  const { verdict, conditions = [], revisions = [], evidence } = status;
  const why = revisions.at(-1)?.failure ?? conditions.find(({ type }) => type === 'Fixed')?.reason ?? null;
  await trials.update(metadata.uid ?? '', {
    verdict: verdict ?? null,
    reason_after: verdict === 'StillFailing' ? why : null,
    evidence: evidence ? shownEvidence(evidence) : null,
    strength: evidence?.strength ?? null,
    revisions: revisions.map(({ time, from, verdict: to, reason, message }) => ({ time, from, verdict: to, reason, message })),
    final: conditions.some(({ type, status: isTrue }) => type === 'Final' && isTrue === 'True'),
    ...(verdict && seen ? { shown_after: shownBy(seen) } : {}),
  });
}

/**
 * Sends the last message about a mirror that was deleted before its time was over. In all other cases the pass that ends the mirror sends it.
 */
export function announceDeletion({ hub, now }: Pick<AnnounceDeps, 'hub' | 'now'>, mirror: MirrorPod): void {
  const status = mirror.status ?? {};
  const isAnnounced = status.phase === 'Expired' || Date.parse(status.expirationTime ?? '') <= now().getTime();
  if (isAnnounced) return;
  const ended: MirrorPod = { ...mirror, status: { ...status, phase: 'Expired', expirationTime: instant(now()) } };
  hub.publish({ type: 'mirror_status', data: mirrorRecord({ mirror: ended, events: [], defaultTtlSeconds: 0 }) });
}

import { managerOf } from '../crd/managed.ts';
import type { Pod } from '../crd/kubernetes.ts';
import type { MirrorPod } from '../crd/mirrorpod.ts';
import type { State } from './status.ts';
import { judge, type VerdictView } from './verdict.ts';

/** How soon a mirror that waits for something outside looks again. */
const RETRY_MS = 5_000;
/** How soon one of whose source no correction is known does. */
const UNCURED_MS = 15_000;

/** What making the pod would meet. Only asked for while there is no pod and was none. */
export type Prospect =
  | { kind: 'ready' }
  | { kind: 'gone' }
  | { kind: 'waiting'; reason: string; message: string }
  | { kind: 'refused'; reason: string; message: string };

export interface MirrorView {
  mirror: MirrorPod;
  now: Date;
  expiresAt: Date;
  /** The mirror pod, ours by its controller reference. */
  pod?: Pod;
  /** Given with `pod`. */
  verdict?: VerdictView;
  /** Given when there is no pod and `isUnstarted`. */
  prospect?: Prospect;
}

export type Decision =
  /** The cluster collects it. */
  | { do: 'leave' }
  /** The time is over: end the pod; keep the object or remove it. */
  | { do: 'end'; keep: boolean; state: State }
  | { do: 'create' }
  | { do: 'tell'; state: State; lookAgainAt: Date };

/**
 * When a mirror's time is over by what the object itself says: its creation and TTL, or the earlier instant that was told before; undefined
 * while only the setting knows.
 */
export function ownExpiryOf({ metadata, spec, status }: MirrorPod): Date | undefined {
  const told = Date.parse(status?.expirationTime ?? '');
  const earliest = Number.isFinite(told) ? told : Infinity;
  // What was told at first sight holds when the setting changes later; only the object itself may shorten it.
  const due = spec.ttlSeconds === undefined ? Infinity : Date.parse(metadata.creationTimestamp ?? '') + spec.ttlSeconds * 1000;
  const ends = Math.min(due, earliest);
  return ends === Infinity ? undefined : new Date(ends);
}

/** The same, with the setting where the object does not say. */
export function expiryOf(mirror: MirrorPod, defaultTtlSeconds: number): Date {
  return ownExpiryOf(mirror) ?? new Date(Date.parse(mirror.metadata.creationTimestamp ?? '') + defaultTtlSeconds * 1000);
}

/** Whether nothing of the mirror has run yet, so that it may still be made. A mirror never runs twice. */
export function isUnstarted({ status }: MirrorPod): boolean {
  return !status?.podName && !status?.verdict && status?.phase !== 'Expired';
}

/** What a pass does about a MirrorPod (table of DESIGN section 3). Pure. */
export function decideMirrorPod(view: MirrorView): Decision {
  const { mirror, now, expiresAt } = view;
  if (mirror.metadata.deletionTimestamp) return { do: 'leave' };
  if (now >= expiresAt) return decideEnd(view);
  if (view.pod && view.verdict) return decideRunning(view, view.pod, view.verdict);
  if (!isUnstarted(mirror)) return { do: 'tell', state: lostState(mirror), lookAgainAt: expiresAt };
  return decideProspect(view);
}

/** Objects that Git would put back are kept, or they would run again and again. */
export function isKept(mirror: MirrorPod): boolean {
  return mirror.spec.onExpiry === 'Retain' || managerOf(mirror.metadata) !== undefined;
}

function decideEnd({ mirror, pod }: MirrorView): Decision {
  const ran = pod !== undefined || mirror.status?.podName !== undefined;
  const judgement = {
    verdict: 'Inconclusive',
    reason: 'TimeOver',
    message: 'The time was over before the mirror could be judged.',
  } as const;
  const state: State = ran && !mirror.status?.verdict ? { kind: 'judged', judgement, completed: false } : { kind: 'standing' };
  return { do: 'end', keep: isKept(mirror), state };
}

function decideRunning({ mirror, expiresAt }: MirrorView, pod: Pod, verdict: VerdictView): Decision {
  // What was told stays told: the pod runs on only for people to look at.
  if (mirror.status?.verdict) return { do: 'tell', state: { kind: 'standing' }, lookAgainAt: expiresAt };
  if (pod.metadata.deletionTimestamp) return { do: 'tell', state: lostState(mirror), lookAgainAt: expiresAt };
  const { judgement, lookAgainAt } = judge(verdict);
  if (!judgement) return { do: 'tell', state: { kind: 'running' }, lookAgainAt: earlier(lookAgainAt, expiresAt) };
  const completed = pod.status?.phase === 'Succeeded';
  return { do: 'tell', state: { kind: 'judged', judgement, completed }, lookAgainAt: expiresAt };
}

function lostState({ status }: MirrorPod): State {
  if (status?.verdict || status?.phase === 'Expired') return { kind: 'standing' };
  const judgement = {
    verdict: 'Inconclusive',
    reason: 'PodGone',
    message: 'The mirror pod was removed before it could be judged.',
  } as const;
  return { kind: 'judged', judgement, completed: false };
}

function decideProspect({ prospect, now, expiresAt }: MirrorView): Decision {
  const lookAgainAt = earlier(new Date(now.getTime() + RETRY_MS), expiresAt);
  switch (prospect?.kind) {
    case undefined:
    case 'ready':
      return { do: 'create' };
    case 'gone':
      return { do: 'tell', state: { kind: 'stalled', reason: 'SourceGone', message: SOURCE_GONE }, lookAgainAt };
    case 'waiting':
      return { do: 'tell', state: { ...prospect, kind: 'pending' }, lookAgainAt };
    case 'refused': {
      // A source that does not fail yet has no correction yet; everything else waits for its author.
      const later = prospect.reason === 'NoCorrection' ? new Date(now.getTime() + UNCURED_MS) : undefined;
      return { do: 'tell', state: prospect, lookAgainAt: earlier(later, expiresAt) };
    }
  }
}

const SOURCE_GONE = 'Neither the source pod nor a workload that owned it exists in this namespace.';

const earlier = (a: Date | undefined, b: Date): Date => (a && a < b ? a : b);

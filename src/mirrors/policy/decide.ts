import { managerOf } from '../../crd/managed.ts';
import type { CoreEvent, Pod } from '../../crd/kubernetes.ts';
import type { MirrorEvidence, MirrorPod } from '../../crd/mirrorpod.ts';
import type { Graces } from '../../failures/detect/detect.ts';
import type { MirrorState } from './status.ts';
import { type MirrorSight, evidenceFor, judgeViewOf } from './evidence.ts';
import { judge } from './verdict.ts';

/** A mirror that waits for something outside is checked again after this time. */
const RETRY_MS = 5_000;
/** A mirror whose source has no known correction is checked again after this time. */
const NO_CORRECTION_MS = 15_000;

/** The result of the checks before the start. They only run while no pod has been created. */
export type CheckResult =
  | { kind: 'ready' }
  | { kind: 'stalled'; reason: string; message: string }
  | { kind: 'waiting'; reason: string; message: string }
  | { kind: 'refused'; reason: string; message: string };

export interface MirrorView {
  mirror: MirrorPod;
  now: Date;
  expiresAt: Date;
  /** The mirror pod. Its controller reference names this MirrorPod. */
  pod?: Pod;
  /** The events about the pod. */
  events: CoreEvent[];
  graces: Graces;
  /** When this process last looked at the mirror, and whether the clock has jumped since. */
  lookedAt?: Date;
  hasClockJumped?: boolean;
  /** Set if there is no pod and `isUnstarted`. */
  checked?: CheckResult;
}

export type Decision =
  /** The MirrorPod is being deleted, and the cluster removes its objects. If a finalizer delays this, the pod still ends at its time. */
  | { do: 'wait'; lookAgainAt: Date }
  /** The time is over: remove the pod, and keep or remove the object. */
  | { do: 'end'; keep: boolean; state: MirrorState; evidence?: MirrorEvidence }
  | { do: 'create' }
  | { do: 'report'; state: MirrorState; lookAgainAt: Date; evidence?: MirrorEvidence; isFinal?: boolean };

/**
 * When the mirror's time is over, according to the object itself: its creation and TTL, or an earlier time in its status. Undefined if
 * only the setting decides.
 */
export function ownExpiryOf({ metadata, spec, status }: MirrorPod): Date | undefined {
  const written = Date.parse(status?.expirationTime ?? '');
  const earliest = Number.isFinite(written) ? written : Infinity;
  // The first pass fixes the end. A later change of the setting does not move it, and a change of the TTL can only make it earlier.
  const due = spec.ttlSeconds === undefined ? Infinity : Date.parse(metadata.creationTimestamp ?? '') + spec.ttlSeconds * 1000;
  const ends = Math.min(due, earliest);
  return ends === Infinity ? undefined : new Date(ends);
}

/** When the mirror's time is over. If the object does not say so, the setting decides. */
export function expiryOf(mirror: MirrorPod, defaultTtlSeconds: number): Date {
  return ownExpiryOf(mirror) ?? new Date(Date.parse(mirror.metadata.creationTimestamp ?? '') + defaultTtlSeconds * 1000);
}

/** Whether the mirror has not run yet, so that its pod may still be created. A mirror never runs twice. */
export function isUnstarted({ status }: MirrorPod): boolean {
  return !status?.podName && !status?.verdict && status?.phase !== 'Expired';
}

/** Decides what a pass does about a MirrorPod. */
export function decideMirrorPod(view: MirrorView): Decision {
  const { mirror, now, expiresAt } = view;
  if (now >= expiresAt) return decideEnd(view);
  if (mirror.metadata.deletionTimestamp) return { do: 'wait', lookAgainAt: expiresAt };
  if (view.pod || !isUnstarted(mirror)) return decideRunning(view);
  return decideStart(view);
}

/** Whether the MirrorPod stays after its end. If a GitOps tool would create it again, it must stay, or it would run again and again. */
export function isKept(mirror: MirrorPod): boolean {
  return mirror.spec.onExpiry === 'Retain' || managerOf(mirror.metadata) !== undefined;
}

function decideEnd(view: MirrorView): Decision {
  const { mirror, pod } = view;
  // If it is already being deleted, its finalizers decide when it goes.
  const keep = isKept(mirror) || mirror.metadata.deletionTimestamp !== undefined;
  const ran = pod !== undefined || mirror.status?.podName !== undefined;
  return { do: 'end', keep, ...(ran ? judged(view) : { state: { kind: 'standing' } }) };
}

function decideRunning(view: MirrorView): Decision {
  const { isFinal, lookAgainAt, state, evidence } = judged(view);
  const isRunning = state.kind === 'standing' && !view.mirror.status?.verdict;
  return {
    do: 'report',
    state: isRunning ? { kind: 'running' } : state,
    lookAgainAt: isFinal ? view.expiresAt : earlier(lookAgainAt, view.expiresAt),
    isFinal,
    ...(evidence ? { evidence } : {}),
  };
}

/** The state to report for a mirror whose pod was created. `standing` means that nothing changed since the last report. */
function judged(view: MirrorView): { state: MirrorState; isFinal: boolean; lookAgainAt?: Date; evidence?: MirrorEvidence } {
  const sight: MirrorSight = view;
  const judging = judgeViewOf(sight);
  const opinion = judge(judging);
  const evidence = evidenceFor(judging, opinion, sight);
  const { judgement, isFinal, lookAgainAt } = opinion;
  const completed = view.pod?.status?.phase === 'Succeeded';
  return {
    state: judgement ? { kind: 'judged', judgement, completed } : { kind: 'standing' },
    isFinal,
    ...(lookAgainAt ? { lookAgainAt } : {}),
    ...(evidence ? { evidence } : {}),
  };
}

function decideStart({ checked, now, expiresAt }: MirrorView): Decision {
  const lookAgainAt = earlier(new Date(now.getTime() + RETRY_MS), expiresAt);
  switch (checked?.kind) {
    case undefined:
    case 'ready':
      return { do: 'create' };
    case 'stalled':
      return { do: 'report', state: checked, lookAgainAt };
    case 'waiting':
      return { do: 'report', state: { ...checked, kind: 'pending' }, lookAgainAt };
    case 'refused': {
      // Without a correction, look again later, because there may be one by then. In all other cases only the author can help.
      const later = checked.reason === 'NoCorrection' ? new Date(now.getTime() + NO_CORRECTION_MS) : undefined;
      return { do: 'report', state: checked, lookAgainAt: earlier(later, expiresAt) };
    }
  }
}

const earlier = (a: Date | undefined, b: Date): Date => (a && a < b ? a : b);

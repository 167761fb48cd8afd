import { controllerOf } from './owner.ts';
import { createHash } from 'node:crypto';
import type { Change } from '../contract/failure.ts';
import type { Condition, KubeObject, OwnerReference, Pod, PodTemplate } from './kubernetes.ts';

export const GROUP = 'podmend.dev';
export const VERSION = 'v1alpha1';
export const API_VERSION = `${GROUP}/${VERSION}`;

export const MIRROR_PHASES = ['Pending', 'Running', 'Succeeded', 'Failed', 'Rejected', 'Expired'] as const;
export type MirrorPhase = (typeof MIRROR_PHASES)[number];
export const VERDICTS = ['Fixed', 'StillFailing', 'Inconclusive'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The spec in `crds/mirrorpods.yaml`. */
export interface MirrorPodSpec {
  source: { kind?: 'Pod'; name: string };
  failureId?: number;
  template?: PodTemplate;
  ttlSeconds?: number;
  onExpiry?: 'Delete' | 'Retain';
  acknowledgeSideEffects?: boolean;
}

export interface MirrorCorrection {
  origin: 'Model' | 'Rules' | 'Given';
  explanation?: string;
  /** At most 64, secret-looking values masked. */
  changes?: Omit<Change, 'of'>[];
}

export const STRENGTHS = ['Strong', 'Weak'] as const;

/** What a verdict rests on: `status.evidence`. Times are RFC 3339; lengths whole seconds. */
export interface MirrorEvidence extends MirrorTimeline {
  /** How long the mirror must be Ready without a break. */
  windowSeconds: number;
  /** The rule that sets this length. */
  windowReason: string;
  strength: (typeof STRENGTHS)[number];
  /** What this verdict cannot prove, one sentence per item. */
  weaknesses: string[];
  /** Runs of the source before a failure whose length is known. */
  sourceRuns: number;
  longestSourceRunSeconds: number;
  /** The probes that the kubelet runs on the mirror, as `liveness of app`. */
  probesAsked: string[];
  /** Ends of containers, and losses of readiness, when the verdict was given. */
  endedAtVerdict?: number;
  readinessLostAtVerdict?: number;
  /** Absent until the mirror pod was seen. */
  terms?: MirrorTerms;
}

/**
 * What a verdict reads from the mirror pod and what does not change. It is stored, because the pod may be gone at the end of the mirror's
 * time.
 */
export interface MirrorTerms {
  restartPolicy: string;
  /** The `backoffLimit` of the Job that owns the source; 6 without a Job. */
  backoffLimit: number;
  hasProbes: boolean;
  /** After the window was held, a loss of readiness for longer than this is a failure. */
  unreadySeconds: number;
  /** The pod's own deadline is earlier than the end of the mirror's time. */
  hasOwnDeadline: boolean;
  /** The label of the failure that the mirror is to correct, where one is known. */
  reasonBefore?: string;
  /** The cause of the source's failure, if isolation removed it, so that the mirror cannot have it. */
  strippedCause?: string;
  /** Names of the volumes that were replaced by an empty one. */
  replaced: string[];
}

/**
 * What was seen of a mirror pod over time. Each pass adds to it and stores it, so that an operator can continue after a restart. The
 * kubelet's status is not enough, because it shows only the current and the last run, and a restart count.
 */
export interface MirrorTimeline {
  /** Since when the pod is Ready without a restart of a container; absent while it is not Ready. */
  readySince?: string;
  /** The Ready condition's lastTransitionTime at the last look. If it differs at the next look, readiness was lost in between. */
  readyChanged?: string;
  /** Since when a pod that was Ready is not; absent while it is, and before it ever was. */
  unreadySince?: string;
  /** How often the pod lost readiness although no container ended. */
  readinessLost: number;
  /** Restarts of all containers. */
  restarts: number;
  /** Failed attempts to pull one image: the most of any container. */
  pullErrors: number;
  containers: MirrorContainerTimeline[];
  /** The failure that the pod shows now, even before its grace time is over. */
  failure?: { reason: string; container?: string };
  /** Since when the kubelet is ending the pod for an outside reason, which its status shows only later. */
  endingSince?: string;
  /** How and when the pod was over: its phase is final, or somebody is deleting it. What happens after that does not count. */
  over?: MirrorPodOver;
}

export interface MirrorContainerTimeline {
  name: string;
  /** How often it ended or was killed. For init containers and containers of Jobs, only exit codes other than 0 count. */
  ended: number;
  /** The restart count at the last look. */
  run: number;
  /** The last run that counts: the runtime's id of its container, or else the time of its end. */
  lastEnd?: string;
  /** Its longest run that ended. */
  longestRunSeconds: number;
}

export interface MirrorPodOver {
  how: 'Succeeded' | 'Failed' | 'Deleted' | 'DeadlineExceeded';
  at: string;
  /** Nobody looked shortly before. */
  unseen?: boolean;
}

/** A verdict that took the place of an earlier one. `failure` is the label of what the mirror shows. */
export interface MirrorRevision {
  time: string;
  from: Verdict;
  verdict: Verdict;
  reason: string;
  message: string;
  failure?: string;
}

export interface MirrorPodStatus {
  observedGeneration?: number;
  lastHandledReconcileAt?: string;
  phase?: MirrorPhase;
  podName?: string;
  startTime?: string;
  expirationTime?: string;
  templateHash?: string;
  verdict?: Verdict;
  evidence?: MirrorEvidence;
  /** Oldest first. */
  revisions?: MirrorRevision[];
  correction?: MirrorCorrection;
  conditions?: Condition[];
}

export interface MirrorPod extends KubeObject {
  spec: MirrorPodSpec;
  status?: MirrorPodStatus;
}

/** Labels and annotations of a mirror pod and of its MirrorPod. */
export const MIRROR_LABEL = 'podmend.dev/mirror';
export const MIRROR_OF_LABEL = 'podmend.dev/mirror-of';
/** The request that created the mirror, so that a repeated request creates no second one. */
export const REQUEST_ANNOTATION = 'podmend.dev/request';
export const PREVIEW_ANNOTATION = 'podmend.dev/preview';
/** A change of its value requests a pass now. `status.lastHandledReconcileAt` then has this value. */
export const REQUESTED_AT_ANNOTATION = 'podmend.dev/requestedAt';

/** 8 hex digits of the SHA-256 of a MirrorPod's uid: the end of its pod's name, by which the two are recognised as belonging together. */
export function mirrorHash(uid: string): string {
  return createHash('sha256').update(uid).digest('hex').slice(0, 8);
}

/**
 * `<source>-mirror-<hash>`, at most 63 characters: the source part is cut, and never ends in a character that may not stand
 * before a dash in a DNS name.
 */
export function mirrorPodName(source: string, uid: string): string {
  const end = `-mirror-${mirrorHash(uid)}`;
  return source.slice(0, 63 - end.length).replace(/[^a-z0-9]+$/, '') + end;
}

/** The controller reference by which the cluster deletes what a mirror created. */
export function ownerReferenceTo(mirror: MirrorPod): OwnerReference {
  const { name = '', uid = '' } = mirror.metadata;
  // `blockOwnerDeletion` would need the right to update finalizers on clusters that enforce it, and nothing here needs it.
  return { apiVersion: API_VERSION, kind: 'MirrorPod', name, uid, controller: true, blockOwnerDeletion: false };
}

/**
 * The uid of the MirrorPod that created an object, from its labels and from a name that ends in the hash of that uid. Anybody may forge
 * both.
 */
export function mirrorUidOf({ metadata }: KubeObject): string | undefined {
  const { labels = {}, name = '' } = metadata;
  const uid = labels[MIRROR_OF_LABEL];
  return uid && labels[MIRROR_LABEL] === 'true' && name.endsWith(`-mirror-${mirrorHash(uid)}`) ? uid : undefined;
}

/**
 * Whether a pod is a mirror that Podmend created: its labels, its name, and a controller reference to a MirrorPod with that uid. Forged
 * labels hide nothing: the cluster deletes a pod whose owner does not exist, and the sweep deletes one without an owner (its MirrorPod was
 * deleted with `--cascade=orphan`).
 */
export function isMirrorPod(pod: Pod): boolean {
  const uid = mirrorUidOf(pod);
  const { ownerReferences = [] } = pod.metadata;
  if (uid === undefined || ownerReferences.length === 0) return uid !== undefined;
  const owner = controllerOf(pod.metadata);
  return owner?.kind === 'MirrorPod' && owner.apiVersion.startsWith(`${GROUP}/`) && owner.uid === uid;
}

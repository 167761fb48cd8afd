import { createHash } from 'node:crypto';
import type { Change } from '../contract/failure.ts';
import type { Condition, KubeObject, OwnerReference, PodTemplate } from './kubernetes.ts';

export const GROUP = 'podmend.dev';
export const VERSION = 'v1alpha1';
export const API_VERSION = `${GROUP}/${VERSION}`;

export const MIRROR_PHASES = ['Pending', 'Running', 'Succeeded', 'Failed', 'Rejected', 'Expired'] as const;
export type MirrorPhase = (typeof MIRROR_PHASES)[number];
export const VERDICTS = ['Fixed', 'StillFailing', 'Inconclusive'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** `crds/mirrorpods.yaml`, spec. DESIGN section 3. */
export interface MirrorPodSpec {
  source: { kind?: 'Pod'; name: string };
  failureId?: number;
  template?: PodTemplate;
  ttlSeconds?: number;
  onExpiry?: 'Delete' | 'Retain';
  acknowledgeSideEffects?: boolean;
}

export interface Correction {
  origin: 'Model' | 'Rules' | 'Given';
  explanation?: string;
  /** At most 64, secret-looking values masked. */
  changes?: Change[];
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
  correction?: Correction;
  conditions?: Condition[];
}

export interface MirrorPod extends KubeObject {
  spec: MirrorPodSpec;
  status?: MirrorPodStatus;
}

/** Labels and annotations of a mirror pod and of its MirrorPod. */
export const MIRROR_LABEL = 'podmend.dev/mirror';
export const MIRROR_OF_LABEL = 'podmend.dev/mirror-of';
export const PREVIEW_ANNOTATION = 'podmend.dev/preview';
/** Whoever changes its value asks for a pass now; `status.lastHandledReconcileAt` answers with the value. */
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

/** The controller reference by which the cluster collects what a mirror brought. */
export function ownerReferenceTo(mirror: MirrorPod): OwnerReference {
  const { name = '', uid = '' } = mirror.metadata;
  // Blocking the owner's deletion would need the right to update finalizers on clusters that enforce it, and nothing waits for it.
  return { apiVersion: API_VERSION, kind: 'MirrorPod', name, uid, controller: true, blockOwnerDeletion: false };
}

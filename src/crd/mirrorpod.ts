import type { Change } from '../contract/failure.ts';
import type { Condition, KubeObject, PodTemplate } from './kubernetes.ts';

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

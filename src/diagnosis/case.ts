import type { ContainerEvidence, EventEvidence, FailureDetail, FailureReport, Trial, WorkloadRef } from '../contract/failure.ts';
import type { KubeObject } from '../crd/kubernetes.ts';
import type { EnforcedLevel } from '../crd/pod-security-level.ts';
import type { Revisions } from './changes/revisions.ts';
import { readManifest } from './facts/manifest.ts';

/** What else is in the cluster, as far as the installation may read it. Without a list nothing is known about its kind. */
export interface Surroundings {
  /** ConfigMaps of the case's namespace with their key names. */
  configMaps?: { name: string; keys: string[] }[];
  /** Secrets of the case's namespace with their key names, where the installation grants reading them; never their values. */
  secrets?: { name: string; keys: string[] }[];
  services?: ServiceAround[];
  /**
   * `allocatable` in Kubernetes quantities (`cpu: "3920m"`); `used` is what its pods request and their number, in base units, the failing
   * pod's own share included. Without `used` nobody knows what else runs there.
   */
  nodes?: {
    name: string;
    labels: Record<string, string>;
    allocatable: Record<string, string>;
    used?: Record<string, number>;
    taints: { key: string; value?: string; effect: string }[];
  }[];
  /** Image references that containers of the cluster have run. */
  images?: string[];
  /** ResourceQuotas of the case's namespace, in Kubernetes quantities; a scoped one counts only some of its pods. */
  quotas?: { name: string; isScoped: boolean; hard: Record<string, string>; used: Record<string, string> }[];
  /** LimitRanges of the case's namespace: the bounds of a container, in Kubernetes quantities. */
  limitRanges?: LimitRangeAround[];
  /** What the Pod Security label of the case's namespace enforces; null when it enforces nothing. */
  podSecurity?: EnforcedLevel | null;
  /** Host ports that other pods hold, as `NAMESPACE/POD`. */
  hostPorts?: { pod: string; node: string; port: number }[];
  /** PersistentVolumeClaims of the case's namespace. */
  claims?: ClaimAround[];
  /** Of the whole cluster. */
  storageClasses?: { name: string; isDefault: boolean }[];
  /** The newest revision of the case's workload and the one before. */
  revisions?: Revisions;
  /** Names of the ServiceAccounts of the case's namespace. */
  serviceAccounts?: string[];
  /** What containers of the namespace use now, as the metrics API says, in Kubernetes quantities. */
  memoryUse?: { pod: string; container: string; memory: string }[];
}

/** A Service of the case's namespace. */
export interface ServiceAround {
  name: string;
  selector?: Record<string, string>;
  ports?: number[];
  /** How many pods have the labels that it selects, and how many of those are ready; absent when not all pods are known. */
  selected?: { pods: number; ready: number };
  /** Where it selects none: the label that pods have with another value, and that alone keeps it from them. */
  almost?: { key: string; has: string };
}

/** A PersistentVolumeClaim. Without `storageClass` it gets the default class, with an empty one none. */
export interface ClaimAround {
  name: string;
  phase: string;
  storageClass?: string;
  accessModes?: string[];
  /** The nodes on which pods use it now, the failing pod's own among them. */
  usedOn?: string[];
  /** Why the newest attempt to provision its volume failed, in the provisioner's words. */
  problem?: string;
}

/** The bounds that a LimitRange sets for each container. */
export interface LimitRangeAround {
  name: string;
  min: Record<string, string>;
  max: Record<string, string>;
}

/** One failing object: all that a diagnosis may read. Pure data but for `manifest`, which parses at its first call. */
export interface Case {
  pod_name: string;
  namespace: string;
  /** `Pod`, or the controller that cannot create its pods (`ReplicaSet`, `Job`, …). */
  resource_kind: string;
  /** The reason that the detection gives, or whatever the reporter sent. */
  reason: string;
  message: string;
  /** The failing container; null when the whole pod fails. */
  container: string | null;
  statuses: ContainerEvidence[];
  /** Newest last. */
  events: EventEvidence[];
  /** Sections headed `==> <container> (current|previous) <==`, or plain text. */
  logs: string;
  workload?: WorkloadRef;
  /** Of the pod; absent when unknown. */
  labels?: Record<string, string>;
  /** The Pod or workload, parsed once. undefined when there is none, or it is not YAML of a Pod or workload. Never throws. */
  manifest(): KubeObject | undefined;
  /** The workload at the root of the controller references, or the pod itself when nothing controls it; absent when it is not known. */
  owner?: KubeObject;
  surroundings?: Surroundings;
  /** What mirrors have already tried. */
  trials?: readonly CaseTrial[];
}

/** One correction that a mirror tried: its verdict, and the reason for which the mirror failed. */
export type CaseTrial = Pick<Trial, 'verdict' | 'reason_after' | 'changes'>;

/** The case of a report or a stored failure. Total: null and missing fields become empty ones. */
export function caseOfReport(report: FailureReport | FailureDetail, surroundings?: Surroundings): Case {
  let parsed: { manifest: KubeObject | undefined } | undefined;
  const text = report.manifest;
  return {
    pod_name: report.pod_name,
    namespace: report.namespace,
    resource_kind: report.resource_kind || 'Pod',
    reason: report.failure_reason || 'Unknown',
    message: report.failure_message ?? '',
    // Its record names the failing container of a pod. The failure is the controller's.
    container: (report.resource_kind || 'Pod') === 'Pod' ? (report.container ?? null) : null,
    statuses: report.container_statuses ?? [],
    events: report.events ?? [],
    logs: report.logs ?? '',
    ...(report.workload ? { workload: report.workload } : {}),
    ...(report.labels && Object.keys(report.labels).length > 0 ? { labels: report.labels } : {}),
    ...(surroundings ? { surroundings } : {}),
    ...('trials' in report && report.trials.length > 0 ? { trials: report.trials } : {}),
    manifest: () => (parsed ??= { manifest: text ? readManifest(text) : undefined }).manifest,
  };
}

import type { ContainerEvidence, EventEvidence, FailureDetail, FailureReport, WorkloadRef } from '../contract/failure.ts';
import type { KubeObject } from '../crd/kubernetes.ts';
import type { Revisions } from './change/revisions.ts';
import { readManifest } from './facts/shape.ts';

/** What else is in the cluster, as far as the installation may look. Every list may be missing: then nothing is known about it. */
export interface Surroundings {
  /** ConfigMaps of the case's namespace with their key names. */
  configMaps?: { name: string; keys: string[] }[];
  /** Secrets of the case's namespace with their key names, where the installation grants reading them; never their values. */
  secrets?: { name: string; keys: string[] }[];
  services?: { name: string; selector?: Record<string, string>; ports?: number[] }[];
  /** `allocatable` in Kubernetes quantities (`cpu: "3920m"`). */
  nodes?: {
    name: string;
    labels: Record<string, string>;
    allocatable: Record<string, string>;
    taints: { key: string; value?: string; effect: string }[];
  }[];
  /** Image references that pods of the cluster name. */
  images?: string[];
  /** ResourceQuotas of the case's namespace, in Kubernetes quantities; a scoped one counts only some of its pods. */
  quotas?: { name: string; isScoped: boolean; hard: Record<string, string>; used: Record<string, string> }[];
  /** PersistentVolumeClaims of the case's namespace. */
  claims?: ClaimAround[];
  /** Of the whole cluster. */
  storageClasses?: { name: string; isDefault: boolean }[];
  /** The newest revision of the case's workload and the one before. */
  revisions?: Revisions;
}

/** A claim; without `storageClass` it wants the default one, with an empty one none. */
export interface ClaimAround {
  name: string;
  phase: string;
  storageClass?: string;
}

/** One failing object: all that a diagnosis may read. Pure data but for `manifest`, which parses at its first call. */
export interface Case {
  pod_name: string;
  namespace: string;
  /** `Pod`, or the controller that cannot create its pods (`ReplicaSet`, `Job`, …). */
  resource_kind: string;
  /** A label of DESIGN section 4, or whatever word the reporter used. */
  reason: string;
  message: string;
  /** The failing container, null when the failure is the whole pod's. */
  container: string | null;
  statuses: ContainerEvidence[];
  /** Newest last. */
  events: EventEvidence[];
  /** Sections headed `==> <container> (current|previous) <==`, or plain text. */
  logs: string;
  workload?: WorkloadRef;
  /** Of the pod; absent when nobody says. */
  labels?: Record<string, string>;
  /** The Pod or workload, parsed once; undefined when there is none, it is no YAML, or it has not the shape of one. Never throws. */
  manifest(): KubeObject | undefined;
  surroundings?: Surroundings;
}

/** The case that a report or a stored failure tells. Total: null and missing fields become empty ones. */
export function caseOfReport(report: FailureReport | FailureDetail, surroundings?: Surroundings): Case {
  let parsed: { manifest: KubeObject | undefined } | undefined;
  const text = report.manifest;
  return {
    pod_name: report.pod_name,
    namespace: report.namespace,
    resource_kind: report.resource_kind || 'Pod',
    reason: report.failure_reason || 'Unknown',
    message: report.failure_message ?? '',
    container: report.container ?? null,
    statuses: report.container_statuses ?? [],
    events: report.events ?? [],
    logs: report.logs ?? '',
    ...(report.workload ? { workload: report.workload } : {}),
    ...(report.labels && Object.keys(report.labels).length > 0 ? { labels: report.labels } : {}),
    ...(surroundings ? { surroundings } : {}),
    manifest: () => (parsed ??= { manifest: text ? readManifest(text) : undefined }).manifest,
  };
}

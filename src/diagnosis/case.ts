import type { ContainerEvidence, EventEvidence, FailureDetail, FailureReport, Trial, WorkloadRef } from '../contract/failure.ts';
import type { KubeObject } from '../crd/kubernetes.ts';
import type { Policy } from '../crd/reachability.ts';
import type { EnforcedLevel } from '../crd/pod-security-level.ts';
import type { Revisions } from './changes/revisions.ts';
import { readManifest } from './facts/manifest.ts';

/** What else is in the cluster, as far as the installation may read it. A missing list means that nothing is known about that kind. */
export interface Surroundings {
  /** ConfigMaps of the case's namespace with their key names. */
  configMaps?: { name: string; keys: string[] }[];
  /** Secrets of the case's namespace with their types and key names, if the installation may read them. Values are never kept. */
  secrets?: { name: string; keys: string[]; type?: string }[];
  services?: ServiceAround[];
  /** The NetworkPolicies of the case's namespace. */
  networkPolicies?: { name: string; spec: NonNullable<Policy['spec']> }[];
  /** The labels of the other pods of the case's namespace, each set once. */
  podLabels?: Record<string, string>[];
  /** Names of the Services of other namespaces, with the namespaces. */
  servicesElsewhere?: { name: string; namespaces: string[] }[];
  /** The servers of the case's namespace whose pods say with which names they were set up. */
  servers?: ServerAround[];
  /** Values of the namespace's ConfigMaps. They are compared with what a container has, and never stored. */
  settings?: SettingAround[];
  /**
   * `allocatable` is in Kubernetes quantities (`cpu: "3920m"`). `used` is the sum of its pods' requests and their number, in base units,
   * including the failing pod. Without `used` it is unknown what else runs there.
   */
  nodes?: {
    name: string;
    labels: Record<string, string>;
    allocatable: Record<string, string>;
    used?: Record<string, number>;
    taints: { key: string; value?: string; effect: string }[];
  }[];
  /** Images that containers of the cluster have run. */
  images?: string[];
  /** ResourceQuotas of the case's namespace, in Kubernetes quantities. A quota with scopes counts only the pods in all of them. */
  quotas?: { name: string; scopes: string[]; hard: Record<string, string>; used: Record<string, string> }[];
  /** LimitRanges of the case's namespace: bounds for each container, in Kubernetes quantities. */
  limitRanges?: LimitRangeAround[];
  /** The level that the namespace's Pod Security label enforces; null if it enforces none. */
  podSecurity?: EnforcedLevel | null;
  /** Host ports that other pods occupy; pods are written `NAMESPACE/POD`. */
  hostPorts?: { pod: string; node: string; port: number }[];
  /** PersistentVolumeClaims of the case's namespace. */
  claims?: ClaimAround[];
  /** Of the whole cluster. */
  volumes?: VolumeAround[];
  /** Of the whole cluster. */
  storageClasses?: { name: string; isDefault: boolean }[];
  /** The newest and the previous revision of the case's workload. */
  revisions?: Revisions;
  /** Names of the ServiceAccounts of the case's namespace. */
  serviceAccounts?: string[];
  /** The current memory use of the namespace's containers by the metrics API, in Kubernetes quantities. */
  memoryUse?: { pod: string; container: string; memory: string }[];
}

/** A Service of the case's namespace. */
export interface ServiceAround {
  name: string;
  selector?: Record<string, string>;
  ports?: number[];
  /** The names of its ports, in their order. Only for several ports that all have one. */
  portNames?: string[];
  /** The number of pods that it selects, and of those that are ready. Absent unless all pods are known. */
  selected?: { pods: number; ready: number };
  /** Set if it selects no pod only because pods have another value for this one label. */
  almost?: { key: string; has: string };
}

/** A server with a database, a user or a virtual host that the variables of its image made at its first start. */
export interface ServerAround {
  /** The labels of its pod. */
  labels: Record<string, string>;
  names: { database?: string; user?: string; vhost?: string };
  /** The key of a Secret from which it has the password of its user. */
  password?: { secret: string; key: string };
  /** The key that holds the user name, if the user name is not a plain value. */
  userFrom?: { secret: string; key: string };
}

/** A key of a ConfigMap with its value. */
export interface SettingAround {
  object: string;
  key: string;
  value: string;
}

/** A PersistentVolumeClaim. Without `storageClass` it gets the default class; with an empty one it gets none. */
export interface ClaimAround {
  name: string;
  phase: string;
  storageClass?: string;
  accessModes?: string[];
  /** The requested storage, a Kubernetes quantity. */
  size?: string;
  /** The only volume that the claim accepts (its `volumeName`). */
  volume?: string;
  /** The kind of storage behind the bound volume, as the PersistentVolume names it: `csi`, `hostPath`, `nfs`. */
  source?: string;
  /** The labels of the nodes on which that volume can be used: `topology.kubernetes.io/zone=eu-1|eu-2`. */
  nodes?: string;
  /** The nodes whose pods use the claim now, including the failing pod's node. */
  usedOn?: string[];
  /** The provisioner's message about its latest failed attempt. */
  problem?: string;
}

/** A PersistentVolume that is not bound. */
export interface VolumeAround {
  name: string;
  storageClass: string;
  accessModes: string[];
  /** A Kubernetes quantity. */
  size?: string;
  /** The claim for which the volume is reserved (its `claimRef`), as `NAMESPACE/CLAIM`. */
  claim?: string;
}

/** The bounds of one LimitRange for each container. */
export interface LimitRangeAround {
  name: string;
  min: Record<string, string>;
  max: Record<string, string>;
}

/** One failing object with everything that a diagnosis may read. Pure data, except that `manifest` parses at its first call. */
export interface Case {
  pod_name: string;
  namespace: string;
  /** `Pod`, or the controller that cannot create its pods (`ReplicaSet`, `Job`, …). */
  resource_kind: string;
  /** The reason from detection, or any other reason that a reporter sent. */
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
  /** The Pod or workload, parsed once. Undefined when there is none or it is not YAML of a Pod or workload. Never throws. */
  manifest(): KubeObject | undefined;
  /** The workload at the root of the controller references, or the pod itself when nothing controls it. Absent when unknown. */
  owner?: KubeObject;
  surroundings?: Surroundings;
  /** What mirrors have already tried. */
  trials?: readonly CaseTrial[];
}

/** One correction that a mirror tried: its verdict, and the reason for which the mirror failed. */
export type CaseTrial = Pick<Trial, 'verdict' | 'reason_after' | 'changes'>;

/** Builds the case of a report or a stored failure. Never throws: null and missing fields become empty ones. */
export function caseOfReport(report: FailureReport | FailureDetail, surroundings?: Surroundings): Case {
  let parsed: { manifest: KubeObject | undefined } | undefined;
  const text = report.manifest;
  return {
    pod_name: report.pod_name,
    namespace: report.namespace,
    resource_kind: report.resource_kind || 'Pod',
    reason: report.failure_reason || 'Unknown',
    message: report.failure_message ?? '',
    // For a controller's failure, the record names the container of one of its pods.
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

import type { KubeObject, PodTemplate, Workload } from '../../crd/kubernetes.ts';
import type { LabelSelector } from '../../crd/selector.ts';

// Parts of Kubernetes kinds that only detectors read. The Kubernetes API reference explains the fields.

/** apps/v1 Deployment, StatefulSet or DaemonSet. */
export interface Server extends Workload {
  spec: {
    template: PodTemplate;
    replicas?: number;
    selector?: LabelSelector;
    volumeClaimTemplates?: unknown[];
    [field: string]: unknown;
  };
}

/** batch/v1 Job. */
export interface Job extends Workload {
  spec: {
    template: PodTemplate;
    backoffLimit?: number;
    activeDeadlineSeconds?: number;
    ttlSecondsAfterFinished?: number;
    [field: string]: unknown;
  };
}

/** batch/v1 CronJob. */
export interface CronJob extends KubeObject {
  spec: {
    schedule: string;
    timeZone?: string;
    concurrencyPolicy?: string;
    suspend?: boolean;
    jobTemplate: { spec: Job['spec'] };
  };
  status?: { active?: unknown[] };
}

/** v1 Service. */
export interface Service extends KubeObject {
  spec?: {
    type?: string;
    selector?: Record<string, string>;
    ports?: { name?: string; port: number; targetPort?: number | string }[];
    publishNotReadyAddresses?: boolean;
  };
}

/** policy/v1 PodDisruptionBudget. */
export interface DisruptionBudget extends KubeObject {
  spec?: { selector?: LabelSelector; minAvailable?: number | string; maxUnavailable?: number | string };
}

/** autoscaling/v2 HorizontalPodAutoscaler. */
export interface Autoscaler extends KubeObject {
  spec: {
    scaleTargetRef: { apiVersion?: string; kind: string; name: string };
    minReplicas?: number;
    maxReplicas: number;
    metrics?: { type: string; resource?: Metric; containerResource?: Metric & { container: string } }[];
  };
  status?: { currentReplicas?: number; desiredReplicas?: number; conditions?: { type: string; status: string; reason?: string }[] };
}

interface Metric {
  name: string;
  target: { type: string; averageUtilization?: number };
}

/** cert-manager.io/v1 Certificate. It comes from another project, so its fields may have any shape. */
export interface Certificate extends KubeObject {
  spec?: { secretName?: string; issuerRef?: { name?: string } };
  status?: {
    notBefore?: string;
    notAfter?: string;
    renewalTime?: string;
    failedIssuanceAttempts?: number;
    conditions?: { type: string; status: string; reason?: string; message?: string; lastTransitionTime?: string }[];
  };
}

/** metrics.k8s.io/v1beta1 PodMetrics. It comes from another server, so its fields may have any shape. */
export interface PodMetrics extends KubeObject {
  timestamp?: string;
  containers?: { name?: string; usage?: Record<string, string> }[];
}

/** A v1 ConfigMap or Secret without its values. */
export interface ConfigSource extends KubeObject {
  source: 'ConfigMap' | 'Secret';
  keys: string[];
  /** Digests of the values, by key. Absent if Podmend does not read the object's values. */
  digests?: Record<string, string>;
  immutable?: true;
  /** When data were last written, in milliseconds, as far as the API server records it. */
  dataAt?: number;
  /** Whether that can only have been data, because their field manager owns no labels or annotations. */
  isDataAlone?: boolean;
  /** A digest of labels, annotations and owners. */
  described?: string;
}

/** v1 PersistentVolumeClaim. */
export interface Claim extends KubeObject {
  spec?: { accessModes?: string[] };
}

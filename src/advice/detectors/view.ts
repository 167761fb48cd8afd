import type { FailureHistory } from '../../contract/failure-history.ts';
import type { Container, CoreEvent, Pod, PodSpec } from '../../crd/kubernetes.ts';
import { type LabelSelector, selects } from '../../crd/selector.ts';
import { isMirrorPod } from '../../crd/mirrorpod.ts';
import type { ResourceQuota } from '../../crd/quota.ts';
import { NOTHING_OBSERVED, type Observed } from './observed.ts';
import type {
  Autoscaler,
  Certificate,
  Claim,
  ConfigSource,
  CronJob,
  DisruptionBudget,
  Job,
  PodMetrics,
  Server,
  Service,
} from './objects.ts';

/** The objects of a namespace, by kind. */
export interface Objects {
  Deployment: Server;
  StatefulSet: Server;
  DaemonSet: Server;
  Job: Job;
  CronJob: CronJob;
  Pod: Pod;
  Service: Service;
  PodDisruptionBudget: DisruptionBudget;
  HorizontalPodAutoscaler: Autoscaler;
  ResourceQuota: ResourceQuota;
  PersistentVolumeClaim: Claim;
  Certificate: Certificate;
  /** Of the metrics API. */
  PodMetrics: PodMetrics;
  /** Those that tell of a pull. */
  Event: CoreEvent;
  ConfigMap: ConfigSource;
  Secret: ConfigSource;
}

/** A kind that detectors look at. */
export type KindName = keyof Objects;

/** The kinds whose pods run until they are stopped. */
export const SERVERS = ['Deployment', 'StatefulSet', 'DaemonSet'] as const;

/** A workload, as its pod template describes it. */
export interface Subject {
  kind: (typeof SERVERS)[number] | 'Job' | 'CronJob';
  name: string;
  /** Of its pods. */
  labels: Record<string, string>;
  /** Annotations of its pods. */
  annotations: Record<string, string>;
  spec: PodSpec;
  /** Selects its pods; only servers have one. */
  selector?: LabelSelector | undefined;
  /** The wanted number of replicas; undefined for kinds without one. */
  replicas?: number | undefined;
  object: Server | Job | CronJob;
}

/** One namespace as detectors see it. The lists of kinds that may not be read are empty. */
export interface View {
  namespace: string;
  /** Every workload except the Jobs of CronJobs. */
  workloads: Subject[];
  /** Workloads that run until they are stopped, without those that are scaled to zero. */
  servers: Subject[];
  pods: Pod[];
  services: Service[];
  budgets: DisruptionBudget[];
  autoscalers: Autoscaler[];
  quotas: ResourceQuota[];
  claims: Claim[];
  cronJobs: CronJob[];
  /** Undefined where nobody has looked back. */
  history: FailureHistory | undefined;
  /** Of cert-manager. */
  certificates: Certificate[];
  /** What this pass and earlier ones have seen of usage, pulls and changes. */
  observed: Observed;
}

/** Leaves out mirrors and objects that are being deleted. */
export function viewOf(namespace: string, objects: { [K in KindName]?: Objects[K][] }): View {
  const all = <K extends KindName>(kind: K): Objects[K][] =>
    ((objects[kind] ?? []) as Objects[K][]).filter(({ metadata }) => !metadata.deletionTimestamp);
  const servers = SERVERS.flatMap((kind) => all(kind).map((object) => serverOf(kind, object)));
  const jobs = all('Job').filter(({ metadata }) => !metadata.ownerReferences?.some(({ controller }) => controller));
  return {
    namespace,
    workloads: [
      ...servers,
      ...jobs.map((object) => batchOf('Job', object, object.spec)),
      ...all('CronJob').map((object) => batchOf('CronJob', object, object.spec.jobTemplate.spec)),
    ],
    servers: servers.filter(({ replicas }) => replicas !== 0),
    pods: all('Pod').filter((pod) => !isMirrorPod(pod)),
    services: all('Service'),
    budgets: all('PodDisruptionBudget'),
    autoscalers: all('HorizontalPodAutoscaler'),
    quotas: all('ResourceQuota'),
    claims: all('PersistentVolumeClaim'),
    cronJobs: all('CronJob'),
    history: undefined,
    certificates: all('Certificate'),
    observed: NOTHING_OBSERVED,
  };
}

function serverOf(kind: (typeof SERVERS)[number], object: Server): Subject {
  const { template, selector, replicas = 1 } = object.spec;
  return { ...podsOf(template), kind, name: object.metadata.name ?? '', selector, object, ...(kind === 'DaemonSet' ? {} : { replicas }) };
}

function batchOf(kind: 'Job' | 'CronJob', object: Job | CronJob, { template }: Job['spec']): Subject {
  return { ...podsOf(template), kind, name: object.metadata.name ?? '', object };
}

function podsOf({ metadata, spec }: Job['spec']['template']): Pick<Subject, 'labels' | 'annotations' | 'spec'> {
  return { labels: metadata?.labels ?? {}, annotations: metadata?.annotations ?? {}, spec };
}

/** The containers that run as long as the pod does: app containers and sidecars, not init containers. */
export function lastingContainers({ containers, initContainers = [] }: PodSpec): Container[] {
  return [...initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always'), ...containers];
}

/** The pods that a server has now. */
export function podsOfServer({ pods }: View, { selector }: Subject): Pod[] {
  return selector ? pods.filter(({ metadata, status }) => selects(selector, metadata.labels ?? {}) && !hasEnded(status?.phase)) : [];
}

/** Whether the Service sends its traffic to pods with these labels. */
export function leadsTo({ spec }: Service, labels: Record<string, string>): boolean {
  return spec?.selector !== undefined && Object.keys(spec.selector).length > 0 && selects({ matchLabels: spec.selector }, labels);
}

/** The Services of a workload's pods, by name. */
export function servicesOf({ services }: View, { labels }: Subject): string[] {
  return services.filter((service) => leadsTo(service, labels)).map(({ metadata }) => metadata.name ?? '');
}

/** The disruption budgets that select pods with these labels. A budget without a selector selects none. */
export function budgetsFor({ budgets }: View, labels: Record<string, string>): DisruptionBudget[] {
  return budgets.filter(({ spec }) => spec?.selector !== undefined && selects(spec.selector, labels));
}

/** The autoscaler that sets a server's replicas. */
export function autoscalerOf({ autoscalers }: View, { kind, name }: Subject): Autoscaler | undefined {
  return autoscalers.find(({ spec: { scaleTargetRef: target } }) => target.kind === kind && target.name === name);
}

/** The smallest wanted number of replicas: an autoscaler's minimum, otherwise the workload's number. */
export function leastReplicas(view: View, server: Subject): number {
  const autoscaler = autoscalerOf(view, server);
  return autoscaler ? (autoscaler.spec.minReplicas ?? 1) : (server.replicas ?? 1);
}

export function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
}

function hasEnded(phase: string | undefined): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}

import type { Container, Pod, PodSpec } from '../crd/kubernetes.ts';
import type { LabelSelector } from '../crd/suppression.ts';
import { isMirrorPod } from '../failures/evidence.ts';
import { selects } from '../mirrors/network.ts';
import type { ResourceQuota } from '../mirrors/quota.ts';
import type { Autoscaler, Claim, CronJob, DisruptionBudget, Job, Server, Service } from './objects.ts';

/** What there is in a namespace, by kind. */
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
}

/** A kind that detectors look at. */
export type KindName = keyof Objects;

/** The kinds whose pods serve until they are ended. */
export const SERVERS = ['Deployment', 'StatefulSet', 'DaemonSet'] as const;

/** A workload, as far as its pods' template says what it is. */
export interface Subject {
  kind: (typeof SERVERS)[number] | 'Job' | 'CronJob';
  name: string;
  /** Of its pods. */
  labels: Record<string, string>;
  /** Annotations of its pods. */
  annotations: Record<string, string>;
  spec: PodSpec;
  /** By which it knows its pods; of servers alone. */
  selector?: LabelSelector | undefined;
  /** Wanted; undefined for what has no such number. */
  replicas?: number | undefined;
  object: Server | Job | CronJob;
}

/** One namespace, as detectors see it. Of kinds that may not be read there are none. */
export interface View {
  namespace: string;
  /** Every workload but the Jobs of a CronJob. */
  workloads: Subject[];
  /** Those that serve, without those that were scaled to nothing. */
  servers: Subject[];
  pods: Pod[];
  services: Service[];
  budgets: DisruptionBudget[];
  autoscalers: Autoscaler[];
  quotas: ResourceQuota[];
  claims: Claim[];
}

/** What is being deleted is not looked at, and mirrors never are. */
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

/** The containers that run as long as the pod does: sidecars too, but not what only prepares it. */
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

/** The budgets that hold for pods with these labels; one without a selector holds for none. */
export function budgetsFor({ budgets }: View, labels: Record<string, string>): DisruptionBudget[] {
  return budgets.filter(({ spec }) => spec?.selector !== undefined && selects(spec.selector, labels));
}

/** The autoscaler that decides about a server's replicas. */
export function autoscalerOf({ autoscalers }: View, { kind, name }: Subject): Autoscaler | undefined {
  return autoscalers.find(({ spec: { scaleTargetRef: target } }) => target.kind === kind && target.name === name);
}

/** The least number of replicas that somebody wants: an autoscaler's minimum, else what the workload says. */
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

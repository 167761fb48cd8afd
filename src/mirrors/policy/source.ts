import type { NetworkPolicy } from './network.ts';
import type { ResourceQuota } from '../../crd/quota.ts';
import type { ObjectMeta, Pod, PodTemplate, Workload } from '../../crd/kubernetes.ts';

/** The object that a mirror copies, in its current state in the cluster. A stored manifest is no source: it may grant rights that were revoked. */
export interface Source {
  /** The name of the failing pod, or of the controller that cannot create its pods. */
  name: string;
  namespace: string;
  /** The owner's template, with the volumes that its controller adds for claims. Without an owner, the pod's own metadata and spec. */
  template: PodTemplate;
  /** The labels of the pod itself. NetworkPolicies select it by these. */
  labels: Record<string, string>;
  /** The failing pod, while it exists. */
  pod?: Pod;
  /** The workload that owns the pod and has the template. Absent for a pod without an owner. */
  owner?: Workload;
}

/** Whether the pod may run to completion and have side effects: its restart policy is not `Always`, or a Job owns it. */
export function isJobLike(source: Source, template: PodTemplate = source.template): boolean {
  return source.owner?.kind === 'Job' || (template.spec.restartPolicy ?? 'Always') !== 'Always';
}

/** Whether the kubelet created the pod from a file on its node. The API object of such a pod is only a copy, so it is never mirrored. */
export function isStaticPod(metadata: ObjectMeta): boolean {
  return metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;
}

/**
 * The template as the controller applies it to this pod. The template of a StatefulSet has no volumes for its claim templates; the
 * controller adds them for each pod (`<claim template>-<pod>`), and replaces volumes of the same name.
 */
export function templateOf(workload: Workload, podName: string): PodTemplate {
  const template = workload.spec.template;
  const claims = (workload.spec['volumeClaimTemplates'] ?? []) as { metadata: ObjectMeta }[];
  if (workload.kind !== 'StatefulSet' || claims.length === 0) return template;
  const added = claims.map(({ metadata: { name = '' } }) => ({ name, persistentVolumeClaim: { claimName: `${name}-${podName}` } }));
  const kept = (template.spec.volumes ?? []).filter((volume) => !added.some((claim) => claim.name === volume.name));
  return { ...template, spec: { ...template.spec, volumes: [...kept, ...added] } };
}

/** Other objects that determine how a mirror is created. They are read together with its source. */
export interface Neighbours {
  /** All NetworkPolicies of the namespace. */
  policies: NetworkPolicy[];
  /** Names of the namespace's claims that only one node or one pod may use at a time (`ReadWriteOnce`, `ReadWriteOncePod`). */
  unsharedClaims: string[];
  quotas: ResourceQuota[];
  /** Names of the PodDisruptionBudgets that select every pod of the namespace. */
  openBudgets: string[];
  /** Whether the cluster has the priority class `podmend-mirror`. */
  hasPriorityClass: boolean;
}

/** The description of the failure in its record, or from the live pod. */
export interface FailureDescription {
  failure_reason?: string | null;
  failure_message?: string | null;
}

const STRIPPED_CAUSES: [pattern: RegExp, what: string][] = [
  [/free ports/, 'its host port'],
  [/existing pods? anti-affinity/, 'the labels by which other pods keep away from it'],
  [/topology spread/, 'the labels by which its pods are spread'],
  [/exceeded quota|failed quota/, 'the room that a quota leaves'],
];

/**
 * The cause of the source's failure, if isolation removes or changes it. A mirror then runs well with any correction, so its success proves
 * nothing. Undefined if the cause can also occur in a mirror.
 */
export function strippedCause(
  { pod }: Source,
  { failure_reason, failure_message }: FailureDescription,
  template?: PodTemplate,
): string | undefined {
  const conditions = pod?.status?.conditions ?? [];
  const scheduled = conditions.find(({ type }) => type === 'PodScheduled');
  const text = [failure_message, scheduled?.status === 'False' ? scheduled.message : '', pod?.status?.message].join('\n');
  const known = STRIPPED_CAUSES.find(([pattern]) => pattern.test(text));
  if (known) return known[1];
  if (failure_reason === 'NodePorts' || pod?.status?.reason === 'NodePorts') return 'its host port';
  if (conditions.some(({ type, reason, status }) => type === 'Ready' && status === 'False' && reason === 'ReadinessGatesNotReady'))
    return 'its readiness gates';
  if (failure_reason === 'Preempted') return 'its priority';
  const isRefusedByNode = /^(?:OutOf\w+|NodeAffinity)$/.test(failure_reason ?? '');
  return isRefusedByNode && template?.spec.nodeName ? 'its choice of a node' : undefined;
}

import type { NetworkPolicy } from './network.ts';
import type { ResourceQuota } from './quota.ts';
import type { ObjectMeta, Pod, PodTemplate, Workload } from '../crd/kubernetes.ts';

/** The live thing that a mirror copies (DESIGN section 3, "The source is live"). A stored manifest never becomes one. */
export interface Source {
  /** Name of the failing pod, or of the controller that cannot create its pods. */
  name: string;
  namespace: string;
  /** The owner's template where it has one, with the volumes of claims its controller adds; else the pod's own metadata and spec. */
  template: PodTemplate;
  /** Labels of the pod itself: NetworkPolicies select by them. */
  labels: Record<string, string>;
  /** The pod, while there is one. */
  pod?: Pod;
  /** The workload whose template it is; absent for a bare pod. */
  owner?: Workload;
}

/** May end by itself and may act on the world when it runs: its restart policy is not `Always`, or a Job owns it. */
export function isJobLike(source: Source, template: PodTemplate = source.template): boolean {
  return source.owner?.kind === 'Job' || (template.spec.restartPolicy ?? 'Always') !== 'Always';
}

/** A pod that the kubelet made of a file on its node: its API object is only a shadow, and is never mirrored. */
export function isStaticPod(metadata: ObjectMeta): boolean {
  return metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;
}

/**
 * The template of a StatefulSet has no volumes for its claim templates; its controller adds them for each pod
 * (`<claim template>-<pod>`), replacing volumes of the same name.
 */
export function templateOf(workload: Workload, podName: string): PodTemplate {
  const template = workload.spec.template;
  const claims = (workload.spec['volumeClaimTemplates'] ?? []) as { metadata: ObjectMeta }[];
  if (workload.kind !== 'StatefulSet' || claims.length === 0) return template;
  const added = claims.map(({ metadata: { name = '' } }) => ({ name, persistentVolumeClaim: { claimName: `${name}-${podName}` } }));
  const kept = (template.spec.volumes ?? []).filter((volume) => !added.some((claim) => claim.name === volume.name));
  return { ...template, spec: { ...template.spec, volumes: [...kept, ...added] } };
}

/** What else a mirror's making depends on, read at the same moment as its source. */
export interface Neighbours {
  /** All NetworkPolicies of the namespace. */
  policies: NetworkPolicy[];
  /** Names of the claims of the namespace that one node or one pod alone may use (`ReadWriteOnce`, `ReadWriteOncePod`). */
  unsharedClaims: string[];
  quotas: ResourceQuota[];
  /** The priority class `podmend-mirror` exists. */
  hasPriorityClass: boolean;
}

import { controllerOf } from '../crd/owner.ts';
import type { RbacBinding, RbacRole } from '../access/objects.ts';
import { WORKLOAD_KINDS } from '../checks/judge.ts';
import { isShipped } from '../checks/roles/shipped.ts';
import type { KubeObject, Pod } from '../crd/kubernetes.ts';
import { isMirrorPod } from '../crd/mirrorpod.ts';

const APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** The annotations of pods that checks read. */
const READ = /^(?:container\.)?(?:apparmor\.security\.beta|seccomp\.security\.alpha)\.kubernetes\.io\//;

/**
 * Reduces an object to its spec and the metadata that checks read. For a mirror, and for a pod that is judged through its owner, only the
 * name is kept.
 */
export function projectJudged(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace, uid, resourceVersion, labels, annotations, ownerReferences } = metadata;
  const names = { name, namespace, uid, resourceVersion } as KubeObject['metadata'];
  if (RBAC_KINDS.has(kind ?? '')) return projectRbac(object, names);
  if (!isJudged(object)) return { kind, metadata: names } as KubeObject;
  const kept = {
    ...names,
    ...(labels && { labels }),
    ...(annotations && { annotations: readAnnotations(annotations) }),
    ...(ownerReferences && { ownerReferences }),
  };
  return { apiVersion, kind, metadata: kept, spec: (object as { spec?: unknown }).spec } as KubeObject;
}

const RBAC_KINDS = new Set(['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding']);

/** Of the roles that Kubernetes ships, keeps only the names and what they aggregate, because they may aggregate custom roles. */
function projectRbac(object: KubeObject, names: KubeObject['metadata']): KubeObject {
  const { apiVersion, kind, metadata } = object;
  const { rules, aggregationRule, roleRef, subjects } = object as RbacRole & RbacBinding;
  const collects = aggregationRule && { aggregationRule };
  if (isShipped(object)) return { apiVersion, kind, metadata: names, ...collects } as KubeObject;
  const content = kind?.endsWith('Role') ? { rules: rules ?? [], ...collects } : { roleRef, subjects: subjects ?? [] };
  return { apiVersion, kind, metadata: { ...names, ...(metadata.labels && { labels: metadata.labels }) }, ...content } as KubeObject;
}

/** Reduces policies, their bindings and webhooks; drops certificates. */
export function projectAdmission(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = object;
  const { name, uid, resourceVersion, labels } = metadata;
  const { spec, webhooks } = object as { spec?: object; webhooks?: Record<string, unknown>[] };
  const kept = webhooks?.map(({ name: hook, rules, namespaceSelector, objectSelector, matchPolicy }) => ({
    name: hook,
    rules,
    namespaceSelector,
    objectSelector,
    matchPolicy,
  }));
  return {
    apiVersion,
    kind,
    metadata: { name, uid, resourceVersion, labels },
    ...(spec && { spec }),
    ...(kept && { webhooks: kept }),
  } as KubeObject;
}

/** Whether the object is judged itself. An object that a workload controls is judged as part of that workload. */
function isJudged(object: KubeObject): boolean {
  const owner = controllerOf(object.metadata);
  if (!owner) return true;
  if (WORKLOAD_KINDS.includes(owner.kind) && /^(?:v1$|apps\/|batch\/)/.test(owner.apiVersion)) return false;
  return object.kind !== 'Pod' || !isMirrorPod(object as Pod);
}

/** The annotations that checks read. Of the last-applied manifest, only the apiVersion is kept. */
function readAnnotations(annotations: Record<string, string>): Record<string, string> {
  const kept = Object.entries(annotations).filter(([key]) => READ.test(key) || key.startsWith('container.'));
  const version = /"apiVersion":\s*"[^"]{1,200}"/.exec(annotations[APPLIED] ?? '')?.[0];
  return Object.fromEntries(version ? [...kept, [APPLIED, `{${version}}`]] : kept);
}

/** The parts that checks read of an object that is not a workload. */
export function projectAround(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace, uid, resourceVersion, labels } = metadata;
  const { spec, automountServiceAccountToken } = object as {
    spec?: { podSelector?: unknown; match?: unknown };
    automountServiceAccountToken?: boolean;
  };
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid, resourceVersion, ...(kind === 'Namespace' && { labels }) },
    ...(kind === 'NetworkPolicy' && { spec: { podSelector: spec?.podSelector } }),
    ...(kind === 'Suppression' && { spec }),
    ...(automountServiceAccountToken === undefined ? {} : { automountServiceAccountToken }),
  } as KubeObject;
}

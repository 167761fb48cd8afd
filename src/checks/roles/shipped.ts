import type { KubeObject } from '../../crd/kubernetes.ts';

/** Who writes the roles that Kubernetes ships: the API server when it starts, and the controller that joins aggregated roles. */
const KEEPERS = new Set(['kube-apiserver', 'clusterrole-aggregation-controller', 'kube-controller-manager']);
const NAME = /^(?:system:|(?:cluster-admin|admin|edit|view)$)/;

/**
 * Whether Kubernetes itself ships the role or binding, and nobody else wrote to it. Nobody chose those, so they are not judged. Anybody can
 * write the label; so the name must be one of Kubernetes, and where the managers of fields are known, no other.
 */
export function isShipped({ metadata }: KubeObject): boolean {
  if (metadata?.labels?.['kubernetes.io/bootstrapping'] !== 'rbac-defaults' || !NAME.test(String(metadata.name ?? ''))) return false;
  const { managedFields } = metadata as { managedFields?: { manager?: string }[] };
  return !Array.isArray(managedFields) || managedFields.every((entry) => KEEPERS.has(String(entry?.manager)));
}

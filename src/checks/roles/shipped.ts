import type { KubeObject } from '../../crd/kubernetes.ts';

/** The writers of the roles that Kubernetes ships: the API server when it starts, and the controller for aggregated roles. */
const KEEPERS = new Set(['kube-apiserver', 'clusterrole-aggregation-controller', 'kube-controller-manager']);
const NAME = /^(?:system:|(?:cluster-admin|admin|edit|view)$)/;

/**
 * Whether Kubernetes itself ships the role or binding and nobody else changed it. Nobody chose these roles, so they are not judged. The
 * label is not enough, because anybody can set it. The name must also be one that Kubernetes uses, and if the field managers are known, there
 * must be no other manager.
 */
export function isShipped({ metadata }: KubeObject): boolean {
  if (metadata?.labels?.['kubernetes.io/bootstrapping'] !== 'rbac-defaults' || !NAME.test(String(metadata.name ?? ''))) return false;
  const { managedFields } = metadata as { managedFields?: { manager?: string }[] };
  return !Array.isArray(managedFields) || managedFields.every((entry) => KEEPERS.has(String(entry?.manager)));
}

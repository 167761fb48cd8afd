import { CLUSTER_WIDE } from './finding.ts';

/** An object that a scanner or a detector looked at. `namespace` is the one that it is filed under. */
export interface Place {
  kind: string;
  namespace: string;
  name: string;
}

/**
 * Whether `HIDDEN_NAMESPACES` hides an object: it is in such a namespace, or it is the namespace itself, or a cluster-wide object that is
 * named after one. Scanners file a Namespace under different names.
 */
export function isHiddenPlace({ kind, namespace, name }: Place, hidden: readonly string[]): boolean {
  if (hidden.includes(namespace)) return true;
  return hidden.includes(name) && (namespace === CLUSTER_WIDE || NAMESPACE_KIND.test(kind));
}

/** The same for an object that is written `Kind/name`. */
export function isHiddenOwner(owner: string, namespace: string, hidden: readonly string[]): boolean {
  const slash = owner.lastIndexOf('/');
  return isHiddenPlace({ kind: owner.slice(0, Math.max(slash, 0)), namespace, name: owner.slice(slash + 1) }, hidden);
}

const NAMESPACE_KIND = /^namespaces?$/i;

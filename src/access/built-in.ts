import type { KubeObject } from '../crd/kubernetes.ts';
import { aggregated } from './aggregate.ts';
import builtIn from './built-in.json' with { type: 'json' };
import { type RbacObjects, rbacObjectsOf } from './objects.ts';

/** The namespaces that every cluster has. */
export const BUILT_IN_NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/**
 * The roles and bindings of a fresh cluster to which these files are applied. Every cluster has those of Kubernetes 1.36 (built-in.json, recorded by
 * test/access/record-built-in.ts); an object of the files with the same name stands in the place of such a one. Aggregated ClusterRoles have the
 * rules that they collect.
 */
export function rolesWithFiles(files: readonly KubeObject[]): RbacObjects {
  const own = new Set(files.map(keyOf));
  const others = (builtIn as unknown as KubeObject[]).filter((object) => !own.has(keyOf(object)));
  const all = rbacObjectsOf([...files, ...others]);
  return { ...all, clusterRoles: aggregated(all.clusterRoles) };
}

function keyOf({ kind = '', metadata }: KubeObject): string {
  return `${kind} ${kind.startsWith('Cluster') ? '' : (metadata.namespace ?? '')}/${metadata.name}`;
}

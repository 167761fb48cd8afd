import { CLUSTER_WIDE, type NodeStatus } from '../contract/graph.ts';
import type { KubeObject, OwnerReference } from '../crd/kubernetes.ts';
import type { LabelSelector } from '../crd/selector.ts';

/** The state of an object, and the reason when it is not healthy. */
export interface Health {
  status: NodeStatus;
  reason?: string;
}

/** An object that another one names. It is looked up in the same namespace, or outside namespaces for cluster-scoped kinds. */
export interface Reference {
  relation: string;
  kind: string;
  name: string;
  /** Keys of a ConfigMap that must be there. */
  keys?: string[];
  /** The name or number of a Service's port. */
  port?: string | number;
  /** Nothing is wrong if the object is missing. */
  optional?: boolean;
  /** The edge goes from the named object to this one. */
  reversed?: boolean;
}

/** What a graph needs to know about an object: about 1 KB. It has no values of ConfigMaps, environments or commands. */
export interface Item {
  kind: string;
  /** `cluster-wide` for cluster-scoped kinds. */
  namespace: string;
  name: string;
  uid: string;
  labels: Record<string, string>;
  owners: Pick<OwnerReference, 'apiVersion' | 'kind' | 'name' | 'uid'>[];
  references: Reference[];
  /** The pods that the object selects in its namespace. */
  selects?: { relation: string; selector: LabelSelector } | undefined;
  health: Health;
  /** Facts that are shown with the node. */
  metadata: Record<string, unknown>;
  /** Names and numbers of a Service's ports. */
  ports?: (string | number)[];
  /** The keys of a ConfigMap. */
  keys?: string[];
}

/** The kinds that have no namespace. */
export const CLUSTER_SCOPED: ReadonlySet<string> = new Set([
  'Node',
  'PersistentVolume',
  'StorageClass',
  'ClusterRole',
  'ClusterRoleBinding',
]);

/** The namespace of a node: that of its object, or `cluster-wide`. */
export function placeOf(kind: string, namespace: string): string {
  return CLUSTER_SCOPED.has(kind) ? CLUSTER_WIDE : namespace;
}

/** Makes an item from the fields that all kinds have. */
export function itemOf(kind: string, { metadata }: KubeObject, more: Partial<Item> = {}): Item {
  const { name = '', namespace = 'default', uid = '', labels = {}, ownerReferences = [] } = metadata;
  return {
    kind,
    namespace: placeOf(kind, namespace),
    name,
    uid,
    labels,
    owners: ownerReferences.map(({ apiVersion, kind: owner, name: called, uid: id }) => ({
      apiVersion,
      kind: owner,
      name: called,
      uid: id,
    })),
    references: [],
    health: { status: 'healthy' },
    metadata: {},
    ...more,
  };
}

import type { KubeObject } from '../../crd/kubernetes.ts';
import { podSpecIn } from '../../diagnosis/facts/manifest.ts';

const MAX_SPEC = 24_000;
/** Defaults that the API server fills in. These and the fields below only distract from the spec. */
const SILENT: Record<string, unknown> = {
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  dnsPolicy: 'ClusterFirst',
  schedulerName: 'default-scheduler',
  enableServiceLinks: true,
  preemptionPolicy: 'PreemptLowerPriority',
  priority: 0,
};
const ADDED = new Set(['serviceAccount', 'nodeName']);

/**
 * The part of an object's pod spec that a model gets. Of a large object, only the container is sent. Labels and annotations are never sent.
 */
export function specShown(object: KubeObject | undefined, container: unknown): unknown {
  const spec = object && podSpecIn(object)?.spec;
  if (!spec) return null;
  const plain = plainSpec(spec);
  if (JSON.stringify(plain).length <= MAX_SPEC) return plain;
  const one = { containers: [...(spec.initContainers ?? []), ...spec.containers].filter(({ name }) => name === container) };
  return JSON.stringify(one).length <= MAX_SPEC ? plainSpec(one) : null;
}

/** A copy of a pod's spec as its author wrote it: without defaults, and without what differs between replicas. */
function plainSpec(spec: unknown): unknown {
  if (Array.isArray(spec)) return spec.filter((entry) => !isGenerated(entry)).map(plainSpec);
  if (typeof spec !== 'object' || spec === null) return spec;
  const kept = Object.entries(spec).filter(([key, value]) => SILENT[key] !== value && !ADDED.has(key) && !isEmpty(value));
  return Object.fromEntries(kept.map(([key, value]) => [key, plainSpec(value)]));
}

/** Whether Kubernetes added the entry: the volume and mounts of the service account's token, and the default tolerations. */
function isGenerated(entry: unknown): boolean {
  const { name, key, tolerationSeconds } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>;
  if (typeof name === 'string' && name.startsWith('kube-api-access-')) return true;
  return typeof key === 'string' && key.startsWith('node.kubernetes.io/') && tolerationSeconds === 300;
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0 && !Array.isArray(value);
}

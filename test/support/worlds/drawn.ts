import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import { loadManifests } from '../../../src/crd/manifest.ts';
import type { KubeClient } from '../../../src/kube/connect.ts';
import { ClusterUnavailable, KubeError } from '../../../src/kube/errors.ts';
import { type GraphReader, graphReader } from '../../../src/kube/graph-reader.ts';
import type { Kind } from '../../../src/kube/kinds.ts';

/** A cluster for graphs: objects that never change by themselves. */
export interface DrawnCluster {
  graphs: GraphReader;
  add(yaml: string): void;
  /** Nothing answers. */
  isAway: boolean;
  /** Plurals of kinds that may not be listed. */
  refused: Set<string>;
}

/** A cluster of these objects. No answer is kept. */
export function drawnCluster(objects: readonly KubeObject[]): DrawnCluster {
  const all = [...objects];
  // A clock that jumps.
  let at = Date.parse('2026-05-01T10:00:00Z');
  const page = async (kind: Kind, { namespace, fieldSelector }: { namespace?: string | undefined; fieldSelector?: string | undefined }) => {
    if (cluster.isAway) throw new ClusterUnavailable('test');
    if (cluster.refused.has(kind.plural)) throw new KubeError(403, 'Forbidden', 'no');
    const name = fieldSelector?.replace('metadata.name=', '');
    const items = all.filter(
      (one) =>
        one.kind === kind.kind &&
        (namespace === undefined || !kind.namespaced || one.metadata.namespace === namespace) &&
        (name === undefined || one.metadata.name === name),
    );
    return { items, resourceVersion: '1' };
  };
  const cluster: DrawnCluster = {
    graphs: graphReader({
      client: { page: page as unknown as KubeClient['page'] },
      watchNamespaces: [],
      graces: { pendingSeconds: 1, unreadySeconds: 1 },
      now: () => new Date((at += 10_000)),
    }),
    add: (yaml) => void all.push(...objectsOf(yaml)),
    isAway: false,
    refused: new Set(),
  };
  return cluster;
}

/** The objects of YAML documents. What has no uid gets `<Kind>-<name>`. */
export function objectsOf(yaml: string): KubeObject[] {
  return (loadManifests(yaml) as KubeObject[]).map((object) => {
    object.metadata.uid ??= `${object.kind}-${object.metadata.name}`;
    return object;
  });
}

const ownedBy = (kind: string, name: string) =>
  `{apiVersion: apps/v1, kind: ${kind}, name: ${name}, uid: ${kind}-${name}, controller: true}`;

/** A Deployment of namespace `shop` with its ReplicaSet and ready pods. `spec` is flow YAML that each pod has too. */
export function deploymentYaml(name: string, { pods = 1, spec = '', waiting = '' } = {}): string {
  const ready = waiting === '';
  const status = ready
    ? `{phase: Running, podIP: 10.0.0.1, conditions: [{type: Ready, status: 'True'}], containerStatuses: [{name: app, ready: true, restartCount: 0, state: {running: {}}}]}`
    : `{phase: Pending, conditions: [{type: Ready, status: 'False'}], containerStatuses: [{name: app, ready: false, restartCount: 0, state: {waiting: {reason: ${waiting}}}}]}`;
  const labels = `labels: {app: ${name}}`;
  const counts = `{replicas: ${pods}, updatedReplicas: ${pods}, readyReplicas: ${ready ? pods : 0}, availableReplicas: ${ready ? pods : 0}}`;
  const documents = [
    `{apiVersion: apps/v1, kind: Deployment, metadata: {name: ${name}, namespace: shop, ${labels}}, spec: {replicas: ${pods}}, status: ${counts}}`,
    `{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: ${name}-5d9c7, namespace: shop, ${labels}, ownerReferences: [${ownedBy('Deployment', name)}]}, spec: {replicas: ${pods}}, status: ${counts}}`,
    ...Array.from(
      { length: pods },
      (_, index) =>
        `{apiVersion: v1, kind: Pod, metadata: {name: ${name}-5d9c7-${index}, namespace: shop, ${labels}, ownerReferences: [${ownedBy('ReplicaSet', `${name}-5d9c7`)}]}, spec: {nodeName: node-${index % 9}, containers: [{name: app, image: 'web:1'}]${spec && `, ${spec}`}}, status: ${status}}`,
    ),
  ];
  return documents.join('\n---\n');
}

import type { KubeObject, PodSpec } from '../../../src/crd/kubernetes.ts';

/** One revision of a workload: its number, the pods it creates, and how many of them exist and are ready. */
export interface RevisionWish {
  number: number;
  spec: PodSpec;
  replicas?: number;
  ready?: number;
}

/** Deployment `web` of `shop` with its ReplicaSets, as the controller writes them. */
export function aDeployment(revisions: RevisionWish[]): { workload: KubeObject; history: KubeObject[] } {
  const metadata = { name: 'web', namespace: 'shop', uid: 'uid-web' };
  return {
    workload: { apiVersion: 'apps/v1', kind: 'Deployment', metadata },
    history: revisions.map(({ number, spec, replicas = 1, ready = 0 }) => ({
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        ...ownedBy('Deployment', number),
        labels: { app: 'web', 'pod-template-hash': `hash${number}` },
        annotations: { 'deployment.kubernetes.io/revision': String(number) },
      },
      spec: { replicas, template: { metadata: {}, spec } },
      status: { replicas, readyReplicas: ready },
    })) as KubeObject[],
  };
}

/** A StatefulSet or DaemonSet `web` of `shop` with its ControllerRevisions; `status` is the set's. */
export function aSet(
  kind: 'StatefulSet' | 'DaemonSet',
  revisions: RevisionWish[],
  status: object,
): { workload: KubeObject; history: KubeObject[] } {
  return {
    workload: { apiVersion: 'apps/v1', kind, metadata: { name: 'web', namespace: 'shop', uid: 'uid-web' }, status } as KubeObject,
    history: revisions.map(({ number, spec }) => ({
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: { ...ownedBy(kind, number), labels: { 'controller.kubernetes.io/hash': `hash${number}` } },
      data: { spec: { template: { $patch: 'replace', metadata: {}, spec } } },
      revision: number,
    })) as KubeObject[],
  };
}

function ownedBy(kind: string, number: number) {
  const owner = { apiVersion: 'apps/v1', kind, name: 'web', uid: 'uid-web', controller: true };
  return { name: `web-hash${number}`, namespace: 'shop', uid: `uid-${number}`, ownerReferences: [owner] };
}

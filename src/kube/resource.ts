import type { KubeObject, Workload } from '../crd/kubernetes.ts';
import type { KubeClient } from './connect.ts';
import { KINDS, type Kind } from './kinds.ts';

/** Workloads whose template describes their pods. With any other owner the pod itself counts. */
export const WORKLOADS: Record<string, Kind<Workload>> = {
  Deployment: KINDS.deployment,
  ReplicaSet: KINDS.replicaSet,
  StatefulSet: KINDS.statefulSet,
  DaemonSet: KINDS.daemonSet,
  Job: KINDS.job,
};

/** The pod or workload of that name: undefined when there is none, null for kinds that the operator may not read. */
export async function readResource(
  client: Pick<KubeClient, 'read'>,
  kind: string,
  namespace: string,
  name: string,
): Promise<KubeObject | undefined | null> {
  const readable: Kind | undefined = kind === 'Pod' ? KINDS.pod : Object.hasOwn(WORKLOADS, kind) ? WORKLOADS[kind] : undefined;
  return readable ? client.read(readable, namespace, name) : null;
}

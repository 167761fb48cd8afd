import { controllerOf } from '../crd/owner.ts';
import type { WorkloadRef } from '../contract/failure.ts';
import type { KubeObject, ObjectMeta, OwnerReference, Workload } from '../crd/kubernetes.ts';
import type { KubeClient } from './client.ts';
import { KubeError } from './errors.ts';
import { KINDS, type Kind } from './kinds.ts';

type Reader = Pick<KubeClient, 'read'>;

/** Workloads whose template describes their pods. A pod with any other owner is treated as a pod without an owner. */
export const WORKLOADS: Record<string, Kind<Workload>> = {
  Deployment: KINDS.deployment,
  ReplicaSet: KINDS.replicaSet,
  StatefulSet: KINDS.statefulSet,
  DaemonSet: KINDS.daemonSet,
  Job: KINDS.job,
};

/** Returns the pod or workload of that name: undefined when there is none, null for kinds that the operator may not read. */
export async function readResource(client: Reader, kind: string, namespace: string, name: string): Promise<KubeObject | undefined | null> {
  const readable: Kind | undefined = kind === 'Pod' ? KINDS.pod : Object.hasOwn(WORKLOADS, kind) ? WORKLOADS[kind] : undefined;
  return readable ? client.read(readable, namespace, name) : null;
}

/** Returns the workload that a reference names; undefined if it is gone, has another kind, or has another uid. */
export async function readWorkload(
  client: Reader,
  namespace: string,
  reference: WorkloadRef & Partial<OwnerReference>,
): Promise<Workload | undefined> {
  const kind = Object.hasOwn(WORKLOADS, reference.kind) ? WORKLOADS[reference.kind] : undefined;
  if (!kind || (reference.apiVersion && reference.apiVersion !== kind.apiVersion)) return undefined;
  const workload = await client.read(kind, namespace, reference.name);
  // A workload of the same name with another uid is not the owner.
  return reference.uid && workload?.metadata.uid !== reference.uid ? undefined : workload;
}

/**
 * How many owners are followed. A pod of a Deployment has two: the ReplicaSet and the Deployment. The limit stops at a cycle of owner
 * references.
 */
const MAX_OWNERS = 5;

/** Returns the workloads that control an object, the nearest first. */
export async function ownersOf(client: Reader, metadata: ObjectMeta, left = MAX_OWNERS): Promise<Workload[]> {
  const reference = controllerOf(metadata);
  const owner = reference && left > 0 ? await readWorkload(client, metadata.namespace ?? '', reference) : undefined;
  return owner ? [owner, ...(await ownersOf(client, owner.metadata, left - 1))] : [];
}

/** Returns the CronJob that controls a Job. undefined when there is none, or when it may not be read. */
export async function cronJobOf(
  client: Pick<KubeClient, 'list'>,
  { namespace = '', ownerReferences }: ObjectMeta,
): Promise<KubeObject | undefined> {
  const reference = ownerReferences?.find(({ controller, kind }) => controller && kind === 'CronJob');
  if (!reference) return undefined;
  try {
    const cronJobs = await client.list<KubeObject>(KINDS.cronJob, { namespace });
    const found = cronJobs.find(({ metadata }) => metadata.uid === reference.uid);
    return found && { ...found, apiVersion: KINDS.cronJob.apiVersion, kind: KINDS.cronJob.kind };
  } catch (error) {
    if (error instanceof KubeError) return undefined;
    throw error;
  }
}

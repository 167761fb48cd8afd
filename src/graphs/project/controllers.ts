import type { KubeObject } from '../../crd/kubernetes.ts';
import { type Health, type Item, itemOf } from '../item.ts';

interface Conditions {
  conditions?: { type: string; status: string; reason?: string }[];
}

interface Controller extends KubeObject {
  spec?: { replicas?: number; suspend?: boolean; schedule?: string; completions?: number };
  status?: Conditions & {
    observedGeneration?: number;
    replicas?: number;
    readyReplicas?: number;
    updatedReplicas?: number;
    availableReplicas?: number;
    desiredNumberScheduled?: number;
    numberAvailable?: number;
    updatedNumberScheduled?: number;
    active?: number | unknown[];
    succeeded?: number;
    failed?: number;
  };
}

const HEALTHY: Health = { status: 'healthy' };

/** The condition of that type, if it has that status. */
export function conditionOf({ conditions = [] }: Conditions, type: string, status: 'True' | 'False'): { reason?: string } | undefined {
  return conditions.find((one) => one.type === type && one.status === status);
}

/** apps/v1 Deployment. */
export function projectDeployment(object: KubeObject): Item {
  const { spec = {}, status = {}, metadata } = object as Controller;
  const { replicas: desired = 1 } = spec;
  const { availableReplicas: available = 0, updatedReplicas: updated = 0, observedGeneration: seen = 0 } = status;
  const refused = conditionOf(status, 'ReplicaFailure', 'True') ?? conditionOf(status, 'Progressing', 'False');
  const isCurrent = seen >= (metadata.generation ?? 0) && updated >= desired;
  return itemOf('Deployment', object, {
    health: refused ? failing(refused.reason ?? 'ReplicaFailure') : replicasHealth(available, desired, isCurrent),
    metadata: { replicas: desired, available },
  });
}

/** apps/v1 ReplicaSet; undefined for the old revision of a Deployment that has no pods any more. */
export function projectReplicaSet(object: KubeObject): Item | undefined {
  const { spec = {}, status = {} } = object as Controller;
  const { replicas: desired = 1 } = spec;
  if (desired === 0 && (status.replicas ?? 0) === 0 && object.metadata.ownerReferences?.length) return undefined;
  const refused = conditionOf(status, 'ReplicaFailure', 'True');
  const { readyReplicas: available = 0 } = status;
  return itemOf('ReplicaSet', object, {
    health: refused ? failing(refused.reason ?? 'ReplicaFailure') : replicasHealth(available, desired),
    metadata: { replicas: desired, available },
  });
}

/** apps/v1 StatefulSet. */
export function projectStatefulSet(object: KubeObject): Item {
  const { spec = {}, status = {} } = object as Controller & { spec?: { serviceName?: string } };
  const { replicas: desired = 1, serviceName } = spec;
  const { readyReplicas: available = 0 } = status;
  return itemOf('StatefulSet', object, {
    references: serviceName ? [{ relation: 'named-by', kind: 'Service', name: serviceName }] : [],
    health: replicasHealth(available, desired),
    metadata: { replicas: desired, available },
  });
}

/** apps/v1 DaemonSet. */
export function projectDaemonSet(object: KubeObject): Item {
  const { desiredNumberScheduled: desired = 0, numberAvailable: available = 0 } = (object as Controller).status ?? {};
  return itemOf('DaemonSet', object, { health: replicasHealth(available, desired), metadata: { replicas: desired, available } });
}

/** batch/v1 Job. */
export function projectJob(object: KubeObject): Item {
  const { spec = {}, status = {} } = object as Controller;
  const { succeeded = 0, failed = 0 } = status;
  const gaveUp = conditionOf(status, 'Failed', 'True') ?? conditionOf(status, 'FailureTarget', 'True');
  const isDone = conditionOf(status, 'Complete', 'True') !== undefined;
  const under: Health = spec.suspend ? { status: 'healthy', reason: 'Suspended' } : { status: 'progressing', reason: 'Running' };
  return itemOf('Job', object, {
    health: gaveUp ? failing(gaveUp.reason ?? 'Failed') : isDone ? HEALTHY : under,
    metadata: { succeeded, failed },
  });
}

/** batch/v1 CronJob. */
export function projectCronJob(object: KubeObject): Item {
  const { suspend = false, schedule } = (object as Controller).spec ?? {};
  return itemOf('CronJob', object, {
    health: suspend ? { status: 'healthy', reason: 'Suspended' } : HEALTHY,
    metadata: schedule ? { schedule } : {},
  });
}

function replicasHealth(available: number, desired: number, isCurrent = true): Health {
  return available >= desired && isCurrent ? HEALTHY : { status: 'progressing', reason: `${available} of ${desired} available` };
}

/** The health of an object that fails, with the reason. */
export function failing(reason: string): Health {
  return { status: 'failing', reason };
}

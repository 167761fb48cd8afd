import type { KubeObject } from '../../crd/kubernetes.ts';
import type { MirrorPod } from '../../crd/mirrorpod.ts';
import type { LabelSelector } from '../../crd/selector.ts';
import { type Health, type Item, itemOf, type Reference } from '../item.ts';
import { conditionOf, failing } from './controllers.ts';

const HEALTHY: Health = { status: 'healthy' };

interface Conditions {
  conditions?: { type: string; status: string; reason?: string }[];
}

/** autoscaling/v2 HorizontalPodAutoscaler. */
export function projectAutoscaler(object: KubeObject): Item {
  const { spec, status = {} } = object as KubeObject & {
    spec?: { scaleTargetRef?: { kind?: string; name?: string }; minReplicas?: number; maxReplicas?: number };
    status?: Conditions;
  };
  const { scaleTargetRef: target, minReplicas = 1, maxReplicas } = spec ?? {};
  const trouble = conditionOf(status, 'AbleToScale', 'False') ?? conditionOf(status, 'ScalingActive', 'False');
  const isOff = trouble?.reason === 'ScalingDisabled';
  return itemOf('HorizontalPodAutoscaler', object, {
    references: target?.kind && target.name ? [{ relation: 'scales', kind: target.kind, name: target.name }] : [],
    health: trouble && !isOff ? failing(trouble.reason ?? 'ScalingActive') : HEALTHY,
    metadata: { min_replicas: minReplicas, max_replicas: maxReplicas },
  });
}

/** policy/v1 PodDisruptionBudget. No selector selects no pod; an empty one selects all. */
export function projectBudget(object: KubeObject): Item {
  const { spec, status = {} } = object as KubeObject & {
    spec?: { selector?: LabelSelector; minAvailable?: number | string; maxUnavailable?: number | string };
    status?: { currentHealthy?: number; desiredHealthy?: number; expectedPods?: number; disruptionsAllowed?: number };
  };
  const { currentHealthy = 0, desiredHealthy = 0, expectedPods = 0, disruptionsAllowed = 0 } = status;
  const isShort = expectedPods > 0 && currentHealthy < desiredHealthy;
  return itemOf('PodDisruptionBudget', object, {
    selects: spec?.selector ? { relation: 'protects', selector: spec.selector } : undefined,
    health: isShort ? failing(`${currentHealthy} of ${desiredHealthy} healthy`) : HEALTHY,
    metadata: { disruptions_allowed: disruptionsAllowed },
  });
}

/** v1 PersistentVolumeClaim: bound to a volume, or still waiting for its class. */
export function projectClaim(object: KubeObject): Item {
  const { spec, status = {} } = object as KubeObject & {
    spec?: { volumeName?: string; storageClassName?: string };
    status?: { phase?: string };
  };
  const { phase = 'Pending' } = status;
  const { volumeName: volume, storageClassName: storage } = spec ?? {};
  const references: Reference[] = volume
    ? [{ relation: 'bound-to', kind: 'PersistentVolume', name: volume }]
    : storage
      ? [{ relation: 'of-class', kind: 'StorageClass', name: storage }]
      : [];
  const health: Health = phase === 'Bound' ? HEALTHY : phase === 'Lost' ? failing('Lost') : { status: 'progressing', reason: phase };
  return itemOf('PersistentVolumeClaim', object, { references, health, metadata: { phase } });
}

/** v1 PersistentVolume. */
export function projectVolume(object: KubeObject): Item {
  const { spec, status } = object as KubeObject & {
    spec?: { storageClassName?: string; capacity?: { storage?: string } };
    status?: { phase?: string; reason?: string };
  };
  const storage = spec?.storageClassName;
  return itemOf('PersistentVolume', object, {
    // The class that a manually created volume names may never have existed.
    references: storage ? [{ relation: 'of-class', kind: 'StorageClass', name: storage, optional: true }] : [],
    health: status?.phase === 'Failed' ? failing(status.reason ?? 'Failed') : HEALTHY,
    metadata: { phase: status?.phase ?? 'Unknown', capacity: spec?.capacity?.storage },
  });
}

/** v1 Node. */
export function projectNode(object: KubeObject): Item {
  const { spec, status = {} } = object as KubeObject & { spec?: { unschedulable?: boolean }; status?: Conditions };
  const isReady = conditionOf(status, 'Ready', 'True') !== undefined;
  return itemOf('Node', object, {
    health: isReady ? HEALTHY : failing('NotReady'),
    metadata: spec?.unschedulable ? { unschedulable: true } : {},
    labels: {},
  });
}

/** v1 ConfigMap: its keys, never its values. */
export function projectConfigMap(object: KubeObject): Item {
  const { data, binaryData } = object as KubeObject & { data?: object | null; binaryData?: object | null };
  const keys = Object.keys({ ...data, ...binaryData });
  return itemOf('ConfigMap', object, { keys, metadata: { keys: keys.length } });
}

/** A MirrorPod is shown beside the pod that it mirrors. */
export function projectMirror(object: KubeObject): Item {
  const { spec, status } = object as MirrorPod & { status?: { phase?: string; verdict?: string } };
  const phase = status?.phase ?? 'Pending';
  return itemOf('MirrorPod', object, {
    references: [{ relation: 'mirrors', kind: 'Pod', name: spec.source.name, optional: true }],
    health: MIRROR_HEALTH[phase] ?? { status: 'unknown' },
    metadata: { phase, ...(status?.verdict ? { verdict: status.verdict } : {}) },
  });
}

const MIRROR_HEALTH: Record<string, Health> = {
  Pending: { status: 'progressing', reason: 'Pending' },
  Running: { status: 'progressing', reason: 'Running' },
  Succeeded: HEALTHY,
  Failed: failing('Failed'),
  Rejected: failing('Rejected'),
};

import type { KubeObject } from '../../crd/kubernetes.ts';
import type { MirrorPod } from '../../crd/mirrorpod.ts';
import type { LabelSelector } from '../../crd/selector.ts';
import { type Health, type Item, itemOf } from '../item.ts';
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

/** policy/v1 PodDisruptionBudget. A missing selector matches no pods; an empty one matches all. */
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

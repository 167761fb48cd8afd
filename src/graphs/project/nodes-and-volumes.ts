import type { KubeObject } from '../../crd/kubernetes.ts';
import { type Health, type Item, itemOf, type Reference } from '../item.ts';
import { conditionOf, failing } from './controllers.ts';

const HEALTHY: Health = { status: 'healthy' };

interface Conditions {
  conditions?: { type: string; status: string; reason?: string }[];
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

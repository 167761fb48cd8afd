import type { Api } from '../api/api.ts';
import type { Loose, Stored } from '../store/object.ts';
import { keyOf } from '../store/object.ts';
import { quantity } from '../store/quantity.ts';
import { recorder } from './recorder.ts';
import { controllerLoop } from './loop.ts';

const RETRY_MS = 15_000;

/**
 * Binds a claim to a free volume that is large enough and of its class, and writes an event if there is none. Nothing is provisioned here.
 */
export function startClaims(api: Api): () => void {
  const { registry, store } = api;
  const claims = registry.builtin('persistentvolumeclaims');
  const volumes = registry.builtin('persistentvolumes');
  const record = recorder(api, 'persistentvolume-controller');

  const suits = (claim: Stored, volume: Stored): boolean =>
    (!volume.spec.claimRef ||
      volume.spec.claimRef.uid === claim.metadata.uid ||
      (volume.spec.claimRef.name === claim.metadata.name && volume.spec.claimRef.namespace === claim.metadata.namespace)) &&
    (!claim.spec.volumeName || claim.spec.volumeName === volume.metadata.name) &&
    (claim.spec.storageClassName ?? '') === (volume.spec.storageClassName ?? '') &&
    (claim.spec.accessModes as string[]).every((mode) => volume.spec.accessModes.includes(mode)) &&
    quantity(volume.spec.capacity?.storage) >= quantity(claim.spec.resources?.requests?.storage);

  function bind(claim: Stored, volume: Stored): void {
    const { name, namespace, uid } = claim.metadata;
    api.change(volumes, volume, 'status', (copy) => {
      copy.spec.claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid };
      copy.status = { phase: 'Bound' };
    });
    api.change(claims, claim, 'status', (copy) => {
      copy.spec.volumeName = volume.metadata.name;
      copy.status = { phase: 'Bound', accessModes: volume.spec.accessModes, capacity: volume.spec.capacity };
    });
  }

  const loop = controllerLoop(
    api,
    ({ storage, object, type }) => {
      if (type === 'DELETED') return [];
      if (storage === claims.storage) return [keyOf(object)];
      return storage === volumes.storage ? store.list(claims.storage).map(keyOf) : [];
    },
    (key) => {
      const claim = store.get(claims.storage, key);
      if (!claim || claim.status?.phase === 'Bound') return;
      const volume = store.list(volumes.storage).find((candidate) => suits(claim, candidate));
      if (volume) return bind(claim, volume);
      const className = claim.spec.storageClassName as Loose;
      if (className)
        record({
          object: claim,
          type: 'Warning',
          reason: 'ProvisioningFailed',
          message: `storageclass.storage.k8s.io "${className}" not found`,
        });
      else
        record({
          object: claim,
          reason: 'FailedBinding',
          message: 'no persistent volumes available for this claim and no storage class is set',
        });
      loop.enqueue(key, RETRY_MS);
    },
  );
  return () => loop.stop();
}

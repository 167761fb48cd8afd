import type { PodSpec, Volume } from '../../crd/kubernetes.ts';
import { nameSet } from '../../crd/name-set.ts';
import { allContainers, listOf } from '../../crd/pod-template.ts';

/** Kinds of volumes that only one node may use at a time. */
const SINGLE_NODE = nameSet(
  'awsElasticBlockStore azureDisk cinder fc gcePersistentDisk iscsi portworxVolume rbd scaleIO storageos vsphereVolume',
);

/**
 * Names of the volumes that a second copy must not share with the source: claims and disks for one node or one pod, and folders of the
 * node that a container may write to, because two writers would disturb each other. A folder that all containers only read may stay.
 */
export function unshareable(spec: PodSpec, unsharedClaims: readonly string[]): Set<string> {
  const written = new Set(
    allContainers(spec).flatMap((container) =>
      listOf(container.volumeMounts)
        .filter(({ readOnly }) => readOnly !== true)
        .map(({ name }) => name),
    ),
  );
  const isOne = (volume: Volume): boolean =>
    unsharedClaims.includes(volume.persistentVolumeClaim?.claimName ?? '') ||
    Object.keys(volume).some((kind) => SINGLE_NODE.has(kind) && volume[kind]) ||
    (Boolean(volume.hostPath) && written.has(volume.name));
  return new Set(
    listOf(spec.volumes)
      .filter(isOne)
      .map(({ name }) => name),
  );
}

/**
 * Replaces these volumes in the spec with empty ones, so that the mirror neither waits for the source's data nor writes to it. An empty
 * volume cannot be a raw device, so devices are removed from the containers.
 */
export function replaceUnshared(spec: PodSpec, unsharedClaims: readonly string[]): { spec: PodSpec; replaced: string[] } {
  const names = unshareable(spec, unsharedClaims);
  if (names.size === 0) return { spec, replaced: [] };
  const withoutDevices = <C extends PodSpec['containers'][number]>(container: C): C =>
    container.volumeDevices
      ? { ...container, volumeDevices: listOf(container.volumeDevices).filter(({ name }) => !names.has(name)) }
      : container;
  return {
    spec: {
      ...spec,
      containers: listOf(spec.containers).map(withoutDevices),
      ...(spec.initContainers ? { initContainers: listOf(spec.initContainers).map(withoutDevices) } : {}),
      volumes: listOf(spec.volumes).map((volume) => (names.has(volume.name) ? { name: volume.name, emptyDir: {} } : volume)),
    },
    replaced: [...names],
  };
}

import type { PodSpec, Volume } from '../crd/kubernetes.ts';
import { words } from './fields.ts';
import { allContainers, listOf } from './strip.ts';

/** Volumes written into a spec that one node alone may use at a time. */
const SINGLE_NODE = words(
  'awsElasticBlockStore azureDisk cinder fc gcePersistentDisk iscsi portworxVolume rbd scaleIO storageos vsphereVolume',
);

/**
 * Names of the volumes that a second copy must not use while the source does: claims of one node or one pod, disks of one node, and
 * folders of the node that some container may write to (two writers who know nothing of each other). A folder of the node that all
 * containers only read stays.
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
 * The spec with empty volumes in place of those: the source's data is neither waited for nor written to. As a raw device an empty
 * volume is none, so containers do without it.
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

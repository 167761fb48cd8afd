import { fieldPath } from '../../../crd/field-path.ts';
import type { Container, Volume, VolumeMount } from '../../../crd/kubernetes.ts';
import type { ContainerPlace, RuleInput } from '../../facts/input.ts';

/** Whether the path is inside of the folder. */
export const isBelow = (file: string, folder: string): boolean => file.startsWith(`${folder.replace(/\/$/, '')}/`);

/** The mount that holds the path. */
export function mountOf(place: ContainerPlace | undefined, path: string): VolumeMount | undefined {
  return place?.container?.volumeMounts?.find(({ mountPath }) => path === mountPath || isBelow(path, mountPath));
}

/** The source of a volume whose files come from objects of the API server; undefined for other volumes. */
export const objectsOf = (volume: Volume | undefined): Volume['secret' | 'configMap' | 'projected'] =>
  volume?.secret ?? volume?.configMap ?? volume?.projected;

/** The ConfigMap or Secret volume that provides the file's folder, with its position and its `items`. */
export function volumeAt(place: ContainerPlace, file: string) {
  const mount = place.container?.volumeMounts?.find(({ subPath, mountPath }) => !subPath && isBelow(file, mountPath));
  const at = place.spec.volumes?.findIndex(({ name }) => name === mount?.name) ?? -1;
  const volume = place.spec.volumes?.[at];
  const field = volume?.configMap ? ('configMap' as const) : volume?.secret ? ('secret' as const) : undefined;
  if (!mount || !volume || !field) return undefined;
  const wanted = file.slice(mount.mountPath.replace(/\/$/, '').length + 1);
  return { volume, wanted, items: volume[field]?.items, path: fieldPath(place.specPath, 'volumes', at, field, 'items') };
}

/** All keys of the object behind a volume, regardless of the volume's `items`. */
export function allKeys({ subject }: RuleInput, { configMap, secret }: Volume): string[] {
  const { configMaps, secrets } = subject.surroundings ?? {};
  const found = configMap
    ? configMaps?.find(({ name }) => name === configMap.name)
    : secrets?.find(({ name }) => name === secret?.secretName);
  return found?.keys ?? [];
}

/** The files in a ConfigMap or Secret volume, as far as their keys are known. */
export function keysOf({ subject }: RuleInput, { configMap, secret }: Volume): string[] {
  const { configMaps, secrets } = subject.surroundings ?? {};
  const keys = configMap
    ? configMaps?.find(({ name }) => name === configMap.name)?.keys
    : secrets?.find(({ name }) => name === secret?.secretName)?.keys;
  return (configMap ?? secret)?.items?.map((item) => item.path) ?? keys ?? [];
}

/** The paths of the files that ConfigMaps and Secrets bring into the container, as far as their keys are known. */
export function mountedFiles(input: RuleInput, place: ContainerPlace, only?: VolumeMount): string[] {
  const mounts = only ? [only] : (place.container?.volumeMounts ?? []);
  return mounts.flatMap((mount) => {
    const volume = place.spec.volumes?.find(({ name }) => name === mount.name);
    if (!volume?.configMap && !volume?.secret) return [];
    if (mount.subPath) return [mount.mountPath];
    return keysOf(input, volume).map((path) => `${mount.mountPath.replace(/\/$/, '')}/${path}`);
  });
}

/** Those of the files that have the same name as the one at the path, in whatever folder. */
export function sameName(files: readonly string[], path: string): string[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name === '' ? [] : files.filter((file) => file.slice(file.lastIndexOf('/') + 1) === name);
}

/** The ending of a file's name with its dot; empty if it has none. */
export const endingOf = (name: string): string => /\.\w{1,10}$/.exec(name)?.[0] ?? '';

/** The values of the ConfigMaps that one of the containers mounts, as far as they are known. */
export function mountedSettings({ subject }: RuleInput, { spec }: ContainerPlace, containers: readonly Container[]): string[] {
  const mounted = new Set(containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name)));
  const maps = (spec.volumes ?? []).flatMap(({ name, configMap }) => (mounted.has(name) ? (configMap?.name ?? []) : []));
  return (subject.surroundings?.settings ?? []).flatMap(({ object, value }) => (maps.includes(object) ? value : []));
}

import type { Container, PodSpec } from '../../crd/kubernetes.ts';
import { fieldPath } from '../../crd/field-path.ts';
import type { Surroundings } from '../case.ts';

/** The kinds of objects whose keys a pod can reference. */
export type DataKind = 'ConfigMap' | 'Secret';

/** One place where a pod names a ConfigMap, a Secret, or one of its keys. Paths are those in the manifest. */
export interface Reference {
  what: DataKind;
  name: string;
  /** null: the object as a whole. */
  key: string | null;
  optional: boolean;
  namePath: string;
  keyPath: string | null;
  /** Null if the field cannot be optional by itself, as with `subPath`. */
  optionalPath: string | null;
  /** The volume that contains it; null for a variable. */
  volume: string | null;
}

/** A missing object or key that a pod names, as far as the surroundings are known. */
export interface MissingObject {
  what: DataKind;
  name: string;
  key: string | null;
}

/** All references in a pod spec, in the order of its containers and volumes. `specPath` is the spec's path. */
export function referencesIn(spec: PodSpec, specPath: string): Reference[] {
  const volumes = (spec.volumes ?? []).flatMap((volume, index) => volumeReferences(volume, fieldPath(specPath, 'volumes', index)));
  const containers = (['initContainers', 'containers'] as const).flatMap((list) =>
    (spec[list] ?? []).flatMap((container, index) => {
      const path = fieldPath(specPath, list, index);
      return [...variableReferences(container, path), ...subPaths(container, path, spec)];
    }),
  );
  return [...containers, ...volumes];
}

/** The references whose object or key does not exist. Kinds that are unknown in the namespace are skipped. */
export function missingIn(references: Reference[], surroundings: Surroundings = {}): MissingObject[] {
  const missing = references.flatMap(({ what, name, key, optional }): MissingObject[] => {
    const known = existing(surroundings, what);
    if (!known || optional || !name) return [];
    const found = known.find((one) => one.name === name);
    if (!found) return [{ what, name, key: null }];
    // A Secret without keys is known only by name, because a recording may omit its data.
    const isUnknown = what === 'Secret' && found.keys.length === 0;
    return key === null || isUnknown || found.keys.includes(key) ? [] : [{ what, name, key }];
  });
  const ids = missing.map((one) => JSON.stringify(one));
  return missing.filter((_, index) => ids.indexOf(ids[index] as string) === index);
}

/** The same for references that are optional: the kubelet leaves out what they name, without an error. */
export const leftOutOf = (references: Reference[], surroundings?: Surroundings): MissingObject[] =>
  missingIn(
    references.filter(({ optional }) => optional).map((one) => ({ ...one, optional: false })),
    surroundings,
  );

/** The namespace's ConfigMaps or Secrets; undefined when they are unknown. */
export function existing({ secrets, configMaps }: Surroundings, what: DataKind): { name: string; keys: string[] }[] | undefined {
  return what === 'Secret' ? secrets : configMaps;
}

const SOURCES = [
  ['ConfigMap', 'configMapKeyRef', 'configMapRef', 'configMap'],
  ['Secret', 'secretKeyRef', 'secretRef', 'secret'],
] as const;

function variableReferences({ env, envFrom }: Container, path: string): Reference[] {
  return SOURCES.flatMap(([what, keyRef, mapRef]) => [
    ...(env ?? []).flatMap(({ valueFrom }, index) => {
      const source = valueFrom?.[keyRef];
      const base = fieldPath(path, 'env', index, 'valueFrom', keyRef);
      return source ? [reference(what, { ...source, key: source.key ?? null }, base)] : [];
    }),
    ...(envFrom ?? []).flatMap((from, index) => {
      const source = from[mapRef];
      return source ? [reference(what, { ...source, key: null }, fieldPath(path, 'envFrom', index, mapRef))] : [];
    }),
  ]);
}

type Named = { name?: string | null; key: string | null; optional?: boolean };

function reference(what: DataKind, { name, key, optional }: Named, base: string): Reference {
  return {
    what,
    name: name ?? '',
    key,
    optional: optional === true,
    namePath: `${base}.name`,
    keyPath: key === null ? null : `${base}.key`,
    optionalPath: `${base}.optional`,
    volume: null,
  };
}

type Volume = NonNullable<PodSpec['volumes']>[number];
interface VolumeSource {
  name?: string | null;
  secretName?: string | null;
  optional?: boolean;
  items?: { key: string }[] | null;
}

function volumeReferences(volume: Volume, path: string): Reference[] {
  return SOURCES.flatMap(([what, , , field]) => {
    const own = volume[field] as VolumeSource | null | undefined;
    const projected = (volume.projected?.sources ?? []).flatMap((projection, at) => {
      const source = projection[field] as VolumeSource | null | undefined;
      return source ? sourceReferences(what, volume.name, source, fieldPath(path, 'projected', 'sources', at, field), 'name') : [];
    });
    const nameField = what === 'Secret' ? 'secretName' : 'name';
    return [...(own ? sourceReferences(what, volume.name, own, fieldPath(path, field), nameField) : []), ...projected];
  });
}

function sourceReferences(
  what: DataKind,
  volume: string,
  source: VolumeSource,
  base: string,
  nameField: 'name' | 'secretName',
): Reference[] {
  const whole: Reference = {
    ...reference(what, { name: source[nameField] ?? null, key: null, ...(source.optional ? { optional: true } : {}) }, base),
    namePath: `${base}.${nameField}`,
    volume,
  };
  const items = (source.items ?? []).map(({ key }, index) => ({ ...whole, key, keyPath: fieldPath(base, 'items', index, 'key') }));
  return items.length > 0 ? items : [whole];
}

/** In a volume without `items`, a `subPath` is a key. If it does not exist, kubelet creates a folder. */
function subPaths({ volumeMounts }: Container, path: string, { volumes }: PodSpec): Reference[] {
  return (volumeMounts ?? []).flatMap(({ name, subPath }, index) => {
    const at = volumes?.findIndex((volume) => volume.name === name) ?? -1;
    const volume = volumes?.[at];
    if (!subPath || subPath.includes('/') || !volume) return [];
    const [what, , , field] = volume.secret ? SOURCES[1] : SOURCES[0];
    const source = volume[field] as VolumeSource | null | undefined;
    const owner = what === 'Secret' ? source?.secretName : source?.name;
    if (!source || !owner || (source.items?.length ?? 0) > 0) return [];
    const keyPath = fieldPath(path, 'volumeMounts', index, 'subPath');
    return [
      {
        what,
        name: owner,
        key: subPath,
        optional: source.optional === true,
        namePath: '',
        keyPath,
        optionalPath: null,
        volume: volume.name,
      },
    ];
  });
}

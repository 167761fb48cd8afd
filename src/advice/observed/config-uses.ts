import { indexed } from '../../checks/containers.ts';
import type { Container, KeyToPath, Volume } from '../../crd/kubernetes.ts';

/** Values that a container reads only when it starts. A volume without subPath follows its source by itself. */
export interface ConfigUse {
  source: 'ConfigMap' | 'Secret';
  name: string;
  /** Absent: all of them. */
  keys?: string[];
  by: 'environment' | 'subPath';
}

/** One entry for each source and way. */
export function usesOf(container: Container, volumes: Volume[] | undefined): ConfigUse[] {
  const found = new Map<string, ConfigUse>();
  for (const use of [...environmentOf(container), ...mountsOf(container, volumes)]) {
    const key = JSON.stringify([use.source, use.name, use.by]);
    const before = found.get(key);
    found.set(key, before ? both(before, use) : use);
  }
  return [...found.values()];
}

function both(one: ConfigUse, other: ConfigUse): ConfigUse {
  const { source, name, by } = one;
  return one.keys && other.keys ? { source, name, by, keys: [...new Set([...one.keys, ...other.keys])] } : { source, name, by };
}

function environmentOf({ env, envFrom }: Container): ConfigUse[] {
  return [
    ...indexed(env).flatMap(([{ valueFrom }]) => [
      ...useOf('ConfigMap', valueFrom?.configMapKeyRef?.name, 'environment', valueFrom?.configMapKeyRef?.key),
      ...useOf('Secret', valueFrom?.secretKeyRef?.name, 'environment', valueFrom?.secretKeyRef?.key),
    ]),
    ...indexed(envFrom).flatMap(([{ configMapRef, secretRef }]) => [
      ...useOf('ConfigMap', configMapRef?.name, 'environment'),
      ...useOf('Secret', secretRef?.name, 'environment'),
    ]),
  ];
}

function useOf(source: ConfigUse['source'], name: string | undefined, by: ConfigUse['by'], ...keys: (string | undefined)[]): ConfigUse[] {
  const known = keys.filter((key) => key !== undefined);
  return name ? [{ source, name, by, ...(known.length > 0 && { keys: known }) }] : [];
}

function mountsOf({ volumeMounts }: Container, volumes: Volume[] | undefined): ConfigUse[] {
  return indexed(volumeMounts)
    .filter(([{ subPath, subPathExpr }]) => subPath || subPathExpr)
    .flatMap(([{ name, subPath }]) =>
      indexed(volumes)
        .filter(([volume]) => volume.name === name)
        .flatMap(([volume]) => sourcesOf(volume).flatMap((one) => mounted(one, subPath))),
    );
}

interface Mounted {
  source: ConfigUse['source'];
  name: string | undefined;
  items: KeyToPath[] | undefined;
}

function sourcesOf({ configMap, secret, projected }: Volume): Mounted[] {
  return [
    ...(configMap ? [{ source: 'ConfigMap' as const, name: configMap.name, items: configMap.items }] : []),
    ...(secret ? [{ source: 'Secret' as const, name: secret.secretName, items: secret.items }] : []),
    ...indexed(projected?.sources).flatMap(([one]) => [
      ...(one.configMap ? [{ source: 'ConfigMap' as const, name: one.configMap.name, items: one.configMap.items }] : []),
      ...(one.secret ? [{ source: 'Secret' as const, name: one.secret.name, items: one.secret.items }] : []),
    ]),
  ];
}

/** The keys below the path. If the path contains variables, the keys are unknown, so all of them may be used. */
function mounted({ source, name, items }: Mounted, subPath: string | undefined): ConfigUse[] {
  if (!name) return [];
  if (!subPath) return [{ source, name, by: 'subPath' }];
  if (!items) return [{ source, name, by: 'subPath', keys: [subPath] }];
  const keys = indexed(items).flatMap(([{ key, path }]) => (path === subPath || path?.startsWith(`${subPath}/`) ? [key] : []));
  return keys.length > 0 ? [{ source, name, by: 'subPath', keys }] : [];
}

import type { Container, EnvFromSource, EnvVar, Pod, PodSpec, Volume, VolumeProjection } from '../../crd/kubernetes.ts';
import { containersOf } from '../../crd/containers.ts';
import { isMirrorPod } from '../../crd/mirrorpod.ts';
import { allContainers, listOf } from '../../crd/pod-template.ts';
import { detectFailure, type Graces } from '../../failures/detect/detect.ts';
import { type Health, type Item, itemOf, type Reference } from '../item.ts';

/** The present time, and for how long Pending and unready are normal. */
export interface Moment {
  now: Date;
  graces: Graces;
}

/** A pod with every object that it names. Each object appears once, with all the keys that the pod needs. */
export function projectPod(pod: Pod, moment: Moment): Item {
  const { nodeName } = pod.spec;
  const restarts = containersOf(pod).reduce((sum, { status }) => sum + (status?.restartCount ?? 0), 0);
  return itemOf('Pod', pod, {
    references: referencesOf(pod.spec),
    health: podHealth(pod, moment),
    metadata: {
      phase: pod.status?.phase ?? 'Unknown',
      restarts,
      ...(nodeName ? { node: nodeName } : {}),
      ...(isMirrorPod(pod) ? { mirror: true } : {}),
    },
  });
}

/** A pod shows most failures even without its events. Its failure record, if there is one, shows the others. */
export function podHealth(pod: Pod, { now, graces }: Moment): Health {
  const { status = {}, metadata } = pod;
  const failure = detectFailure({ pod, events: [], now, graces });
  if (failure) return { status: 'failing', reason: failure.reason };
  if (status.phase === 'Succeeded' || isReady(pod)) return { status: 'healthy' };
  if (metadata.deletionTimestamp) return { status: 'progressing', reason: 'Terminating' };
  if (!status.phase) return { status: 'unknown' };
  const waiting = containersOf(pod).find(({ status: one }) => one?.state?.waiting?.reason)?.status?.state?.waiting?.reason;
  return { status: 'progressing', reason: waiting ?? (status.phase === 'Running' ? 'NotReady' : status.phase) };
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
}

/** The objects that a pod or a template names: configuration, claims, account and node. */
export function referencesOf(spec: PodSpec): Reference[] {
  const containers = [...allContainers(spec), ...listOf(spec.ephemeralContainers as Container[] | undefined)];
  return merged([
    ...containers.flatMap(({ env, envFrom }) => [...listOf(env).flatMap(ofVariable), ...listOf(envFrom).flatMap(ofEnvFrom)]),
    ...listOf(spec.volumes).flatMap(ofVolume),
    ...listOf(spec.imagePullSecrets).flatMap(({ name }) => one('pulls-with', 'Secret', name)),
    ...one('runs-as', 'ServiceAccount', spec.serviceAccountName ?? spec.serviceAccount ?? 'default'),
    ...one('runs-on', 'Node', spec.nodeName),
  ]);
}

interface More {
  optional?: boolean | undefined;
  keys?: string[];
}

/** A list with one reference, or an empty list if the manifest names no object. */
function one(relation: string, kind: string, name: string | undefined, { optional, keys = [] }: More = {}): Reference[] {
  if (!name) return [];
  return [{ relation, kind, name, ...(optional ? { optional } : {}), ...(keys.length > 0 ? { keys } : {}) }];
}

function ofVariable({ valueFrom }: EnvVar): Reference[] {
  const { configMapKeyRef: map, secretKeyRef: secret } = valueFrom ?? {};
  return [
    ...(map ? one('uses', 'ConfigMap', map.name, { optional: map.optional, keys: [map.key] }) : []),
    ...(secret ? one('uses', 'Secret', secret.name, { optional: secret.optional, keys: [secret.key] }) : []),
  ];
}

function ofEnvFrom({ configMapRef, secretRef }: EnvFromSource): Reference[] {
  return [...one('uses', 'ConfigMap', configMapRef?.name, configMapRef), ...one('uses', 'Secret', secretRef?.name, secretRef)];
}

function ofVolume(volume: Volume): Reference[] {
  const { configMap, secret, projected, csi, persistentVolumeClaim: claim } = volume;
  return [
    ...(configMap ? ofFiles('ConfigMap', configMap) : []),
    ...(secret ? ofFiles('Secret', { ...secret, name: secret.secretName }) : []),
    ...one('mounts', 'PersistentVolumeClaim', claim?.claimName),
    ...one('mounts', 'Secret', csi?.nodePublishSecretRef?.name),
    ...listOf(projected?.sources).flatMap((source: VolumeProjection) => [
      ...(source.configMap ? ofFiles('ConfigMap', source.configMap) : []),
      ...(source.secret ? ofFiles('Secret', source.secret) : []),
    ]),
  ];
}

function ofFiles(kind: string, source: { name?: string | undefined; items?: { key: string }[]; optional?: boolean }): Reference[] {
  return one('mounts', kind, source.name, { optional: source.optional, keys: listOf(source.items).map(({ key }) => key) });
}

/** Merges references with the same relation and object. The result is optional only if all are. Keys of optional references are not required. */
function merged(references: Reference[]): Reference[] {
  const found = new Map<string, Reference>();
  for (const { optional, keys, ...reference } of references) {
    const key = `${reference.relation} ${reference.kind} ${reference.name}`;
    const known = found.get(key);
    const needed = [...new Set([...(known?.keys ?? []), ...(optional ? [] : (keys ?? []))])];
    const isOptional = optional && (known?.optional ?? !known);
    found.set(key, { ...reference, ...(isOptional ? { optional } : {}), ...(needed.length > 0 ? { keys: needed } : {}) });
  }
  return [...found.values()];
}

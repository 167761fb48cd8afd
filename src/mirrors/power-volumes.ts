import type { PodSpec, Volume, VolumeMount, VolumeProjection } from '../crd/kubernetes.ts';
import { fieldPath } from '../solutions/fix/apply.ts';
import { canonical } from './isolate.ts';
import type { Flag, Pair } from './power.ts';
import { allContainers, listOf } from './strip.ts';

/** Sources of volumes that hold nothing but the pod's own, or what every pod of the namespace may read. */
const HARMLESS_VOLUMES = new Set(['configMap', 'emptyDir', 'downwardAPI', 'image']);
const HARMLESS_PROJECTIONS = new Set(['configMap', 'downwardAPI', 'clusterTrustBundle']);

/** Names of the Secrets whose content reaches a container of this pod. Pull secrets are not among them: no container sees those. */
export function heldSecrets(spec: PodSpec): Set<string> {
  const names = allContainers(spec).flatMap((container) => [
    ...listOf(container.env).map((variable) => variable.valueFrom?.secretKeyRef?.name),
    ...listOf(container.envFrom).map((origin) => origin.secretRef?.name),
  ]);
  for (const volume of listOf(spec.volumes))
    names.push(volume.secret?.secretName, ...listOf(volume.projected?.sources).map((projection) => projection.secret?.name));
  return new Set(names.filter((name) => name !== undefined));
}

/** Secrets in a container's environment that no container of the source is given. */
export function secretPower({ path, container }: Pair, held: ReadonlySet<string>, flag: Flag): void {
  for (const [index, variable] of listOf(container.env).entries()) {
    const name = variable.valueFrom?.secretKeyRef?.name;
    if (name !== undefined && !held.has(name)) flag(`${path}.env[${index}].valueFrom.secretKeyRef.name`);
  }
  for (const [index, origin] of listOf(container.envFrom).entries()) {
    const name = origin.secretRef?.name;
    if (name !== undefined && !held.has(name)) flag(`${path}.envFrom[${index}].secretRef.name`);
  }
}

/** Volumes that the source does not have, and mounts that reach further into one than the source's do. */
export function volumePower(source: PodSpec, template: PodSpec, pairs: readonly Pair[], flag: Flag): void {
  const known = listOf(source.volumes);
  const secrets = heldSecrets(source);
  for (const [index, volume] of listOf(template.volumes).entries())
    for (const kind of Object.keys(volume)) volumeKindPower(`spec.volumes[${index}]`, kind, volume, known, secrets, flag);
  for (const pair of pairs) mountPower(pair, source, template, flag);
}

// eslint-disable-next-line max-params -- one row of the table above: where, what, and what it is compared with
function volumeKindPower(path: string, kind: string, volume: Volume, known: Volume[], secrets: ReadonlySet<string>, flag: Flag): void {
  if (kind === 'name' || HARMLESS_VOLUMES.has(kind) || volume[kind] === undefined || volume[kind] === null) return;
  if (kind === 'secret') {
    if (!secrets.has(volume.secret?.secretName ?? '')) flag(`${path}.secret.secretName`);
  } else if (kind === 'persistentVolumeClaim') claimPower(path, volume, known, flag);
  else if (kind === 'projected') projectionPower(path, volume, known, secrets, flag);
  else if (!known.some((other) => volumeContent(other, kind) === volumeContent(volume, kind))) flag(fieldPath(path, kind));
}

function claimPower(path: string, volume: Volume, known: Volume[], flag: Flag): void {
  const claim = volume.persistentVolumeClaim;
  const same = known.filter((other) => other.persistentVolumeClaim?.claimName === claim?.claimName);
  if (same.length === 0) flag(`${path}.persistentVolumeClaim.claimName`);
  else if (!claim?.readOnly && same.every((other) => other.persistentVolumeClaim?.readOnly)) flag(`${path}.persistentVolumeClaim.readOnly`);
}

function projectionPower(path: string, volume: Volume, known: Volume[], secrets: ReadonlySet<string>, flag: Flag): void {
  const had = new Set(known.flatMap((other) => listOf(other.projected?.sources)).map(projectionContent));
  for (const [index, projection] of listOf(volume.projected?.sources).entries()) {
    const at = `${path}.projected.sources[${index}]`;
    for (const kind of Object.keys(projection)) {
      if (HARMLESS_PROJECTIONS.has(kind)) continue;
      if (kind === 'secret') {
        if (!secrets.has(projection.secret?.name ?? '')) flag(`${at}.secret.name`);
      } else if (!had.has(projectionContent(projection))) flag(fieldPath(at, kind));
    }
  }
}

/** A token may lie at another path; for another audience, or longer, it is another token. */
function projectionContent(projection: VolumeProjection): string {
  const token = projection.serviceAccountToken;
  if (!token) return canonical(projection);
  return canonical({ token: [token.audience ?? '', token.expirationSeconds ?? 3600] });
}

const volumeContent = (volume: Volume, kind: string): string =>
  kind === 'hostPath' ? canonical([volume.hostPath?.path, volume.hostPath?.type ?? '']) : canonical(volume[kind]);

/** What a mount reaches is its volume's content, whatever the volume is called; undefined for harmless volumes. */
function reachOf(spec: PodSpec, name: string): string | undefined {
  const volume = listOf(spec.volumes).find((entry) => entry.name === name);
  const kind = Object.keys(volume ?? {}).find((key) => key !== 'name' && volume?.[key]);
  if (!volume || !kind || HARMLESS_VOLUMES.has(kind) || kind === 'secret' || kind === 'projected') return undefined;
  return kind === 'persistentVolumeClaim' ? `claim ${volume.persistentVolumeClaim?.claimName}` : `${kind} ${volumeContent(volume, kind)}`;
}

function mountPower({ path, container }: Pair, source: PodSpec, template: PodSpec, flag: Flag): void {
  const mounts = allContainers(source).flatMap((entry) => listOf(entry.volumeMounts));
  for (const [index, mount] of listOf(container.volumeMounts).entries()) {
    const reach = reachOf(template, mount.name);
    const had = mounts.filter((other) => reach !== undefined && reachOf(source, other.name) === reach);
    const fault = reach === undefined ? propagationFault(mount, mounts) : mountFault(mount, had, reach.startsWith('claim '));
    if (fault) flag(`${path}.volumeMounts[${index}].${fault}`);
  }
  const devices = new Set(allContainers(source).flatMap((entry) => listOf(entry.volumeDevices).map(({ name }) => reachOf(source, name))));
  for (const [index, device] of listOf(container.volumeDevices).entries())
    if (!devices.has(reachOf(template, device.name))) flag(`${path}.volumeDevices[${index}].name`);
}

/** The field by which a mount reaches further than each of the source's mounts of the same content; undefined when one reaches as far. */
function mountFault(mount: VolumeMount, had: VolumeMount[], isClaim: boolean): string | undefined {
  // A claim that the source names but does not mount yet is the source's to mount; a folder of the node is not.
  if (had.length === 0) return isClaim ? undefined : 'name';
  const within = had.filter((other) => isWithin(mount, other));
  if (within.length === 0) return mount.subPathExpr ? 'subPathExpr' : 'subPath';
  const writable = within.filter((other) => mount.readOnly || !other.readOnly);
  if (writable.length === 0) return 'readOnly';
  return propagationFault(mount, writable);
}

function isWithin(mount: VolumeMount, other: VolumeMount): boolean {
  if (other.subPathExpr) return mount.subPathExpr === other.subPathExpr;
  const [inner, outer] = [trimSlashes(mount.subPath), trimSlashes(other.subPath)];
  if (outer === '') return true;
  return !mount.subPathExpr && (inner === outer || inner.startsWith(`${outer}/`));
}

const trimSlashes = (path: string | undefined): string => (typeof path === 'string' ? path.replace(/^\/+|\/+$/g, '') : '');

function propagationFault(mount: VolumeMount, had: VolumeMount[]): string | undefined {
  const of = (entry: VolumeMount): string => (entry as { mountPropagation?: string }).mountPropagation ?? 'None';
  return of(mount) === 'None' || had.some((other) => of(other) === of(mount)) ? undefined : 'mountPropagation';
}

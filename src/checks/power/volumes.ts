import type { Container, PodSpec, Volume, VolumeMount, VolumeProjection } from '../../crd/kubernetes.ts';
import { fieldPath } from '../../crd/field-path.ts';
import { canonical } from '../../crd/canonical.ts';
import type { Flag, Pair } from './power.ts';
import { allContainers, listOf } from '../../crd/pod-template.ts';

/** Volume sources that contain only the pod's own data, or data that every pod of the namespace may read. */
const HARMLESS_VOLUMES = new Set(['configMap', 'emptyDir', 'downwardAPI', 'image']);
const HARMLESS_PROJECTIONS = new Set(['configMap', 'downwardAPI', 'clusterTrustBundle']);

/** Names of the Secrets that a container of this pod can read. Pull secrets are not among them. */
export function heldSecrets(spec: PodSpec): Set<string> {
  const names = allContainers(spec).flatMap((container) => [
    ...listOf(container.env).map((variable) => variable.valueFrom?.secretKeyRef?.name),
    ...listOf(container.envFrom).map((origin) => origin.secretRef?.name),
  ]);
  for (const volume of listOf(spec.volumes))
    names.push(volume.secret?.secretName, ...listOf(volume.projected?.sources).map((projection) => projection.secret?.name));
  return new Set(names.filter((name) => name !== undefined));
}

/** The known sources of variables. A source that a later Kubernetes version adds may contain secrets. */
const KNOWN_ORIGINS = new Set(['secretKeyRef', 'configMapKeyRef', 'fieldRef', 'resourceFieldRef', 'fileKeyRef']);

/** Secrets in a container's environment that no container of the source has. */
export function secretPower({ path, container }: Pair, held: ReadonlySet<string>, flag: Flag): void {
  for (const [index, variable] of listOf(container.env).entries()) {
    for (const kind of Object.keys(variable.valueFrom ?? {}))
      if (!KNOWN_ORIGINS.has(kind)) flag(fieldPath(`${path}.env[${index}].valueFrom`, kind));
    const name = variable.valueFrom?.secretKeyRef?.name;
    if (name !== undefined && !held.has(name)) flag(`${path}.env[${index}].valueFrom.secretKeyRef.name`);
  }
  for (const [index, origin] of listOf(container.envFrom).entries()) {
    const name = origin.secretRef?.name;
    if (name !== undefined && !held.has(name)) flag(`${path}.envFrom[${index}].secretRef.name`);
  }
}

/** The data that the source may use. The volumes of the template are compared with it. */
interface Held {
  volumes: Volume[];
  secrets: ReadonlySet<string>;
  projections: ReadonlySet<string>;
}

/** Volumes that the source does not have, and mounts that reach more of a volume than the source's mounts. */
export function volumePower(source: PodSpec, template: PodSpec, pairs: readonly Pair[], flag: Flag): void {
  const volumes = listOf(source.volumes);
  const projections = new Set(volumes.flatMap((volume) => listOf(volume.projected?.sources)).map(projectionContent));
  const held: Held = { volumes, secrets: heldSecrets(source), projections };
  for (const [index, volume] of listOf(template.volumes).entries())
    for (const fault of volumeFaults(volume, held)) flag(`spec.volumes[${index}].${fault}`);
  for (const pair of pairs) mountPower(pair, source, template, flag);
}

/** The fields of a volume by which it contains more than the source may use; paths start below the volume. */
function volumeFaults(volume: Volume, held: Held): string[] {
  const kinds = Object.keys(volume).filter((kind) => kind !== 'name' && !HARMLESS_VOLUMES.has(kind) && volume[kind]);
  return kinds.flatMap((kind) => {
    if (kind === 'secret') return held.secrets.has(volume.secret?.secretName ?? '') ? [] : ['secret.secretName'];
    if (kind === 'persistentVolumeClaim') return claimFaults(volume, held.volumes);
    if (kind === 'projected') return projectionFaults(volume, held);
    return held.volumes.some((other) => volumeContent(other, kind) === volumeContent(volume, kind)) ? [] : [kind];
  });
}

function claimFaults({ persistentVolumeClaim: claim }: Volume, known: Volume[]): string[] {
  const same = known.flatMap((other) => other.persistentVolumeClaim ?? []).filter(({ claimName }) => claimName === claim?.claimName);
  if (same.length === 0) return ['persistentVolumeClaim.claimName'];
  return !claim?.readOnly && same.every(({ readOnly }) => readOnly) ? ['persistentVolumeClaim.readOnly'] : [];
}

function projectionFaults(volume: Volume, { secrets, projections }: Held): string[] {
  const sources = listOf(volume.projected?.sources);
  return sources.flatMap((projection, index) => {
    const kinds = Object.keys(projection).filter((kind) => !HARMLESS_PROJECTIONS.has(kind));
    const wrong = kinds.filter((kind) =>
      kind === 'secret' ? !secrets.has(projection.secret?.name ?? '') : !projections.has(projectionContent(projection)),
    );
    return wrong.map((kind) => `projected.sources[${index}].${kind}${kind === 'secret' ? '.name' : ''}`);
  });
}

/** Whether two tokens are equal. The path may differ, but another audience or a longer life makes a different token. */
function projectionContent(projection: VolumeProjection): string {
  const token = projection.serviceAccountToken;
  if (!token) return canonical(projection);
  return canonical({ token: [token.audience ?? '', token.expirationSeconds ?? 3600] });
}

const volumeContent = (volume: Volume, kind: string): string =>
  kind === 'hostPath' ? canonical([volume.hostPath?.path, volume.hostPath?.type ?? '']) : canonical(volume[kind]);

/** The content that a mount reaches, whatever the name of its volume; undefined for harmless volumes. */
function reachOf(spec: PodSpec, name: string): string | undefined {
  const volume = listOf(spec.volumes).find((entry) => entry.name === name);
  const kind = Object.keys(volume ?? {}).find((key) => key !== 'name' && volume?.[key]);
  if (!volume || !kind || HARMLESS_VOLUMES.has(kind) || kind === 'secret' || kind === 'projected') return undefined;
  return kind === 'persistentVolumeClaim' ? `claim ${volume.persistentVolumeClaim?.claimName}` : `${kind} ${volumeContent(volume, kind)}`;
}

function mountPower({ path, container }: Pair, source: PodSpec, template: PodSpec, flag: Flag): void {
  const mounts = allContainers(source).flatMap(mountsOf);
  for (const [index, mount] of mountsOf(container).entries()) {
    const reach = reachOf(template, mount.name);
    const had = mounts.filter((other) => reach !== undefined && reachOf(source, other.name) === reach);
    const fault = reach === undefined ? propagationFault(mount, mounts) : mountFault(mount, had, reach.startsWith('claim '));
    if (fault) flag(`${path}.volumeMounts[${index}].${fault}`);
  }
  const devices = new Set(allContainers(source).flatMap((entry) => listOf(entry.volumeDevices).map(({ name }) => reachOf(source, name))));
  for (const [index, device] of listOf(container.volumeDevices).entries())
    if (!devices.has(reachOf(template, device.name))) flag(`${path}.volumeDevices[${index}].name`);
}

/**
 * The field by which a mount reaches more than each of the source's mounts of the same content; undefined if one of them reaches as much.
 */
function mountFault(mount: Mount, had: Mount[], isClaim: boolean): string | undefined {
  // The source may mount a claim that it names but does not mount yet. This does not hold for a folder of the node.
  if (had.length === 0) return isClaim ? undefined : 'name';
  const within = had.filter((other) => isWithin(mount, other));
  if (within.length === 0) return mount.subPathExpr ? 'subPathExpr' : 'subPath';
  const writable = within.filter((other) => holdsAsMuch(mount, other));
  if (writable.length === 0) return 'readOnly';
  return propagationFault(mount, writable);
}

/** A mount whose `subPathExpr` is expanded, as far as the manifest allows. */
interface Mount extends VolumeMount {
  variables?: string;
  recursiveReadOnly?: string;
}

function mountsOf(container: Container): Mount[] {
  return listOf(container.volumeMounts).map((mount) =>
    mount.subPathExpr ? { ...mount, variables: variablesOf(container, mount.subPathExpr) } : mount,
  );
}

/** The definitions of all variables that an expression uses. Variables that the manifest does not define come from `envFrom`. */
function variablesOf({ env, envFrom }: Container, expression: string): string {
  const known = listOf(env);
  const names = new Set(namesIn(expression));
  for (const name of names)
    for (const { value } of known.filter((variable) => variable.name === name)) for (const inner of namesIn(value)) names.add(inner);
  const isDefined = [...names].every((name) => known.some((variable) => variable.name === name));
  return canonical([known.filter(({ name }) => names.has(name)), isDefined ? null : listOf(envFrom)]);
}

const namesIn = (text: string | undefined): string[] => [...(text ?? '').matchAll(/\$\(([^)]{1,256})\)/g)].map(([, name = '']) => name);

/** Whether `mount` is at least as read-only as `other`, including what is mounted inside it (`recursiveReadOnly`). */
function holdsAsMuch(mount: Mount, other: Mount): boolean {
  if (!other.readOnly) return true;
  return mount.readOnly === true && ((other.recursiveReadOnly ?? 'Disabled') === 'Disabled' || mount.recursiveReadOnly === 'Enabled');
}

function isWithin(mount: Mount, other: Mount): boolean {
  if (other.subPathExpr) return mount.subPathExpr === other.subPathExpr && mount.variables === other.variables;
  const [inner, outer] = [trimSlashes(mount.subPath), trimSlashes(other.subPath)];
  if (outer === '') return true;
  return !mount.subPathExpr && (inner === outer || inner.startsWith(`${outer}/`));
}

const trimSlashes = (path: string | undefined): string => (typeof path === 'string' ? path.replace(/^\/+|\/+$/g, '') : '');

function propagationFault(mount: VolumeMount, had: VolumeMount[]): string | undefined {
  const of = (entry: VolumeMount): string => (entry as { mountPropagation?: string }).mountPropagation ?? 'None';
  return of(mount) === 'None' || had.some((other) => of(other) === of(mount)) ? undefined : 'mountPropagation';
}

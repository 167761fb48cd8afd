import { controllerOf } from '../../crd/owner.ts';
import { ranImages } from '../../crd/containers.ts';
import type { CoreEvent, KubeObject, Pod } from '../../crd/kubernetes.ts';
import { enforcedLevelOf } from '../../crd/pod-security-level.ts';
import { listOf } from '../../crd/pod-template.ts';
import { requestsByNode } from '../../crd/requests.ts';
import type { ClaimAround, LimitRangeAround, ServiceAround, Surroundings, VolumeAround } from '../case.ts';
import { settingsOf } from './settings-around.ts';
import { serversOf } from './servers.ts';
import { selectsPods } from './service.ts';
import { nearestName } from '../corrections/similar-names.ts';
import { type Revisions, revisionsOf } from '../changes/revisions.ts';
import { isMapping } from '../../crd/mapping.ts';

/** The surroundings of one object in a recording, taken from the other objects. Kinds that the recording lacks stay unknown. */
export function recordedSurroundings(objects: KubeObject[], around: KubeObject): Surroundings {
  const namespace = around.metadata.namespace ?? 'default';
  const named = (kind: string) => objects.filter((object) => object.kind === kind && object.metadata.name);
  const near = (kind: string) => named(kind).filter(({ metadata }) => (metadata.namespace ?? 'default') === namespace);
  const pods = named('Pod') as Pod[];
  const used = requestsByNode(pods);
  const behind = behindClaims(named('PersistentVolume'));
  const all: { [K in Exclude<keyof Surroundings, 'revisions' | 'podSecurity'>]-?: Required<Surroundings>[K] } = {
    configMaps: near('ConfigMap').map((map) => ({ name: nameOf(map), keys: [...keysOf(map, 'data'), ...keysOf(map, 'binaryData')] })),
    secrets: near('Secret').map(secretOf),
    quotas: near('ResourceQuota').map(quotaOf),
    services: near('Service').map((service) => withSelected(serviceOf(service), (near('Pod') as Pod[]).map(selectable))),
    networkPolicies: near('NetworkPolicy').map(networkPolicyOf),
    servicesElsewhere: elsewhere(named('Service'), namespace),
    podLabels: labelSets((near('Pod') as Pod[]).filter((pod) => pod !== around).map(({ metadata }) => metadata.labels ?? {})),
    servers: (near('Pod') as Pod[]).filter((pod) => pod !== around).flatMap(serversOf),
    settings: settingsOf(near('ConfigMap')),
    limitRanges: near('LimitRange').flatMap(limitRangesOf),
    nodes: named('Node').map((node) => nodeOf(node, used.get(nameOf(node)))),
    images: imagesOf(objects, around),
    hostPorts: named('Pod').flatMap((pod) => (pod === around ? [] : hostPortsOf(pod as Pod))),
    claims: near('PersistentVolumeClaim').map((claim) =>
      withVolume(withUsers(withProblem(claimOf(claim), near('Event') as CoreEvent[]), near('Pod') as Pod[]), behind, namespace),
    ),
    volumes: named('PersistentVolume').filter(isFree).map(volumeOf),
    storageClasses: named('StorageClass').map(storageClassOf),
    serviceAccounts: near('ServiceAccount').map(nameOf),
    memoryUse: near('PodMetrics').flatMap(memoryUseOf),
  };
  const revisions = recordedRevisions(objects, around);
  const own = named('Namespace').find((one) => nameOf(one) === namespace);
  return {
    ...Object.fromEntries(Object.entries(all).filter(([, list]) => list.length > 0)),
    ...(own ? { podSecurity: enforcedLevelOf(own) ?? null } : {}),
    ...(revisions ? { revisions } : {}),
  };
}

/** A NetworkPolicy's name and rules. */
export function networkPolicyOf(policy: KubeObject): NonNullable<Surroundings['networkPolicies']>[number] {
  const spec = field(policy, 'spec');
  return { name: nameOf(policy), spec: isMapping(spec) ? spec : {} };
}

/** Sets of labels, each once, without those that controllers give to each revision. */
export function labelSets(all: readonly Record<string, string>[]): Record<string, string>[] {
  const sets = all.map((labels) =>
    Object.fromEntries(
      Object.entries(labels).filter(([key]) => !/(?:^|\/)(?:pod-template-hash|controller-revision-hash|pod-index|pod-name)$/.test(key)),
    ),
  );
  const found = new Map(sets.map((set) => [JSON.stringify(Object.entries(set).toSorted(([a], [b]) => (a < b ? -1 : 1))), set]));
  return [...found.values()].filter((set) => Object.keys(set).length > 0);
}

/** The names of the Services outside of a namespace, each with its namespaces in alphabetical order. */
export function elsewhere(services: readonly KubeObject[], own: string): { name: string; namespaces: string[] }[] {
  const found = new Map<string, string[]>();
  for (const { metadata } of services) {
    const namespace = metadata.namespace ?? 'default';
    if (namespace !== own && metadata.name) found.set(metadata.name, [...(found.get(metadata.name) ?? []), namespace].toSorted());
  }
  return [...found].map(([name, namespaces]) => ({ name, namespaces }));
}

/** Revisions of the workload at the root of the controller references, which may form a cycle. */
function recordedRevisions(objects: KubeObject[], around: KubeObject): Revisions | undefined {
  let root = around;
  for (let steps = 0; steps < 5; steps++) {
    const reference = controllerOf(root.metadata);
    const owner = reference && objects.find(({ metadata }) => metadata.uid === reference.uid);
    if (!owner) break;
    root = owner;
  }
  return revisionsOf(root, objects);
}

/** A PersistentVolumeClaim; malformed fields are ignored. */
export function claimOf(claim: KubeObject): ClaimAround {
  const storageClass = field(field(claim, 'spec'), 'storageClassName');
  const modes = field(field(claim, 'spec'), 'accessModes');
  const size = textOf(field(field(field(field(claim, 'spec'), 'resources'), 'requests'), 'storage'));
  const volume = textOf(field(field(claim, 'spec'), 'volumeName'));
  const accessModes = (Array.isArray(modes) ? modes : []).filter((mode): mode is string => typeof mode === 'string');
  return {
    name: nameOf(claim),
    phase: textOf(field(field(claim, 'status'), 'phase')) || 'Unknown',
    ...(typeof storageClass === 'string' ? { storageClass } : {}),
    ...(accessModes.length > 0 ? { accessModes } : {}),
    ...(size ? { size } : {}),
    ...(volume ? { volume } : {}),
  };
}

/** A PersistentVolume, of whatever shape. */
export function volumeOf(volume: KubeObject): VolumeAround {
  const spec = field(volume, 'spec');
  const modes = field(spec, 'accessModes');
  const [namespace, claim] = ['namespace', 'name'].map((name) => textOf(field(field(spec, 'claimRef'), name)));
  const size = textOf(field(field(spec, 'capacity'), 'storage'));
  return {
    name: nameOf(volume),
    storageClass: textOf(field(spec, 'storageClassName')),
    accessModes: (Array.isArray(modes) ? modes : []).filter((mode): mode is string => typeof mode === 'string'),
    ...(size ? { size } : {}),
    ...(claim ? { claim: `${namespace}/${claim}` } : {}),
  };
}

/** Whether no claim has the volume. A bound volume fits no other claim. */
export const isFree = (volume: KubeObject): boolean => textOf(field(field(volume, 'status'), 'phase')) !== 'Bound';

/** Fields of a PersistentVolume's spec that do not name its storage. */
const NO_SOURCE =
  /^(?:capacity|accessModes|claimRef|persistentVolumeReclaimPolicy|storageClassName|mountOptions|volumeMode|nodeAffinity|volumeAttributesClassName)$/;

/** The field of a PersistentVolume's spec that names its storage: `csi`, `hostPath`, `nfs`. */
export function storageOf(volume: KubeObject): string | undefined {
  const spec = field(volume, 'spec');
  return typeof spec === 'object' && spec !== null ? Object.keys(spec).find((key) => !NO_SOURCE.test(key)) : undefined;
}

/** What a claim has from its volume. */
export type Behind = Pick<ClaimAround, 'source' | 'nodes'>;

/** What stands behind claims, by `NAMESPACE/CLAIM` of the volume's `claimRef`. */
export function behindClaims(volumes: readonly KubeObject[]): Map<string, Behind> {
  return new Map(
    volumes.flatMap((volume): [string, Behind][] => {
      const { claim } = volumeOf(volume);
      const [source, nodes] = [storageOf(volume), nodesOfVolume(volume)];
      return claim === undefined ? [] : [[claim, { ...(source && { source }), ...(nodes && { nodes }) }]];
    }),
  );
}

/** The claim with what is known of its volume. */
export function withVolume(claim: ClaimAround, behind: ReadonlyMap<string, Behind>, namespace: string): ClaimAround {
  return { ...claim, ...behind.get(`${namespace}/${claim.name}`) };
}

/** The labels that a node must have for a volume, as text; undefined when any node will do, or one of several terms is enough. */
function nodesOfVolume(volume: KubeObject): string | undefined {
  const terms = field(field(field(field(volume, 'spec'), 'nodeAffinity'), 'required'), 'nodeSelectorTerms');
  const [only, ...more] = Array.isArray(terms) ? (terms as unknown[]) : [];
  const expressions = field(only, 'matchExpressions');
  const texts = (more.length === 0 && Array.isArray(expressions) ? (expressions as unknown[]) : []).flatMap((expression) => {
    const [key, operator] = [textOf(field(expression, 'key')), textOf(field(expression, 'operator'))];
    const values = field(expression, 'values');
    return key !== '' && operator === 'In' && Array.isArray(values) && values.length > 0
      ? [`${key}=${values.map(String).slice(0, 5).join('|')}`]
      : [];
  });
  return texts.length > 0 ? texts.join(', ') : undefined;
}

/** The claim with the nodes whose pods use it. `pods` are all pods of its namespace. */
export function withUsers(claim: ClaimAround, pods: Pod[]): ClaimAround {
  const users = pods.filter(
    ({ spec, status }) =>
      spec?.nodeName &&
      status?.phase !== 'Succeeded' &&
      status?.phase !== 'Failed' &&
      listOf(spec.volumes).some((volume) => volume.persistentVolumeClaim?.claimName === claim.name),
  );
  const usedOn = [...new Set(users.map(({ spec }) => spec.nodeName as string))];
  return usedOn.length > 0 ? { ...claim, usedOn } : claim;
}

/** What a Service sees of a pod. */
export interface Selectable {
  labels: Record<string, string>;
  isReady: boolean;
}

/** A pod as a Service sees it. A pod that has ended or is being deleted is not ready. */
export function selectable({ metadata, status }: Pod): Selectable {
  const isReady = status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
  return { labels: metadata.labels ?? {}, isReady: isReady && !metadata.deletionTimestamp };
}

/**
 * The Service with the number of pods that it selects. `pods` are all pods of its namespace. A Service without a selector has other
 * endpoints.
 */
export function withSelected(service: ServiceAround, pods: Selectable[]): ServiceAround {
  if (Object.keys(service.selector ?? {}).length === 0) return service;
  const own = pods.filter(({ labels }) => selectsPods(service, labels));
  const almost = own.length === 0 ? almostSelected(service, pods) : undefined;
  return { ...service, selected: { pods: own.length, ready: own.filter(({ isReady }) => isReady).length }, ...(almost ? { almost } : {}) };
}

/** The single label in which pods differ from a Service's selector. If the selector has only one label, the values must also be similar. */
function almostSelected({ name, selector = {} }: ServiceAround, pods: Selectable[]): ServiceAround['almost'] {
  const wanted = Object.entries(selector);
  const found = pods.flatMap(({ labels }) => {
    const [other, ...more] = wanted.filter(([key, value]) => labels[key] !== value);
    const has = other && labels[other[0]];
    if (!other || has === undefined || more.length > 0) return [];
    return wanted.length > 1 || has === name || nearestName(other[1], [has]).length > 0 ? [{ key: other[0], has }] : [];
  });
  const [first] = found;
  return found.every(({ key, has }) => key === first?.key && has === first.has) ? first : undefined;
}

/** A LimitRange's bounds for containers; malformed fields are ignored. */
export function limitRangesOf(range: KubeObject): LimitRangeAround[] {
  const limits = field(field(range, 'spec'), 'limits');
  return (Array.isArray(limits) ? limits : [])
    .filter((one) => field(one, 'type') === 'Container')
    .map((one) => ({ name: nameOf(range), min: quantities(field(one, 'min')), max: quantities(field(one, 'max')) }));
}

/** The claim with the message of its newest provisioning event. */
export function withProblem(claim: ClaimAround, events: CoreEvent[]): ClaimAround {
  const about = events.filter(
    ({ reason, involvedObject }) =>
      (reason === 'ProvisioningFailed' || reason === 'FailedBinding' || reason === 'VolumeMismatch') &&
      involvedObject?.kind === 'PersistentVolumeClaim' &&
      involvedObject.name === claim.name,
  );
  const problem = about.at(-1)?.message;
  return claim.phase !== 'Bound' && problem ? { ...claim, problem } : claim;
}

/** The host ports that a pod occupies on its node. */
export function hostPortsOf({ metadata, spec, status }: Pod): NonNullable<Surroundings['hostPorts']> {
  const isOver = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  const containers = spec?.nodeName && !isOver && Array.isArray(spec.containers) ? spec.containers : [];
  return containers.flatMap(({ ports }) =>
    (Array.isArray(ports) ? ports : []).flatMap(({ hostPort }) =>
      typeof hostPort === 'number'
        ? [{ pod: `${metadata.namespace ?? 'default'}/${metadata.name ?? ''}`, node: spec.nodeName ?? '', port: hostPort }]
        : [],
    ),
  );
}

/** A StorageClass, of whatever shape. */
export function storageClassOf(storageClass: KubeObject): NonNullable<Surroundings['storageClasses']>[number] {
  const isDefault = storageClass.metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true';
  return { name: nameOf(storageClass), isDefault };
}

/** A ResourceQuota, of whatever shape. */
export function quotaOf(quota: KubeObject): NonNullable<Surroundings['quotas']>[number] {
  const [spec, status] = [field(quota, 'spec'), field(quota, 'status')];
  const [scopes, selected] = [field(spec, 'scopes'), field(field(spec, 'scopeSelector'), 'matchExpressions')];
  return {
    name: nameOf(quota),
    scopes: [
      ...(Array.isArray(scopes) ? scopes : []),
      ...(Array.isArray(selected) ? selected.map((one) => field(one, 'scopeName')) : []),
    ].map(String),
    hard: quantities(field(status, 'hard') ?? field(spec, 'hard')),
    used: quantities(field(status, 'used')),
  };
}

/** The memory use of a PodMetrics object's containers as quantities; malformed fields are ignored. */
export function memoryUseOf(metrics: KubeObject): NonNullable<Surroundings['memoryUse']> {
  const containers = field(metrics, 'containers');
  return (Array.isArray(containers) ? containers : []).flatMap((container: unknown) => {
    const [name, memory] = [textOf(field(container, 'name')), textOf(field(field(container, 'usage'), 'memory'))];
    return name && memory ? [{ pod: nameOf(metrics), container: name, memory }] : [];
  });
}

function quantities(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(isMapping(value) ? value : {}).map(([name, amount]) => [name, String(amount)]));
}

function nameOf({ metadata }: KubeObject): string {
  return metadata.name ?? '';
}

/**
 * `recorded` is the sum of requests of the recording's pods. If the node itself carries such a sum, that one is used, because the recorder
 * may have seen more pods.
 */
function nodeOf(node: KubeObject, recorded: Record<string, number> | undefined): NonNullable<Surroundings['nodes']>[number] {
  const counted = field(node, 'podmendRequested');
  const used = isMapping(counted) ? (counted as Record<string, number>) : recorded;
  const allocatable = field(field(node, 'status'), 'allocatable');
  const taints = field(field(node, 'spec'), 'taints');
  return {
    name: nameOf(node),
    labels: node.metadata.labels ?? {},
    allocatable: quantities(allocatable),
    ...(used ? { used } : {}),
    taints: (Array.isArray(taints) ? taints : []).filter(isMapping).map(({ key, value, effect }) => ({
      key: String(key),
      effect: String(effect),
      ...(typeof value === 'string' ? { value } : {}),
    })),
  };
}

/** Images that exist: those that containers ran and those that nodes list. */
function imagesOf(objects: KubeObject[], around: KubeObject): string[] {
  const images = objects.flatMap((object) => {
    if (object.kind === 'Node') {
      const listed = field(field(object, 'status'), 'images');
      return (Array.isArray(listed) ? listed : [])
        .flatMap((image) => field(image, 'names') ?? [])
        .filter((name): name is string => typeof name === 'string' && !name.includes('@'));
    }
    if (object.kind !== 'Pod' || object === around) return [];
    return ranImages(object as Pod);
  });
  return [...new Set(images)];
}

function serviceOf(service: KubeObject): ServiceAround {
  const selector = field(field(service, 'spec'), 'selector');
  const labels = Object.entries(isMapping(selector) ? selector : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { name: nameOf(service), ...portsOf(service), ...(labels.length > 0 ? { selector: Object.fromEntries(labels) } : {}) };
}

/** The ports of a Service, and their names if it has several and each has one. */
export function portsOf(service: KubeObject): Pick<ServiceAround, 'ports' | 'portNames'> {
  const listed = field(field(service, 'spec'), 'ports');
  const ports = (Array.isArray(listed) ? listed : []).filter((one) => typeof field(one, 'port') === 'number');
  const names = ports.map((one) => field(one, 'name')).filter((name): name is string => typeof name === 'string' && name !== '');
  return {
    ports: ports.map((one) => field(one, 'port') as number),
    ...(ports.length > 1 && names.length === ports.length ? { portNames: names } : {}),
  };
}

function secretOf(secret: KubeObject): NonNullable<Surroundings['secrets']>[number] {
  const type = textOf(field(secret, 'type'));
  return { name: nameOf(secret), keys: [...keysOf(secret, 'data'), ...keysOf(secret, 'stringData')], ...(type ? { type } : {}) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function keysOf(object: KubeObject, name: string): string[] {
  const value = field(object, name);
  return isMapping(value) ? Object.keys(value) : [];
}

function field(value: unknown, name: string): unknown {
  return isMapping(value) ? value[name] : undefined;
}

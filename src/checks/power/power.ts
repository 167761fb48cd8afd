import type { Container, Handler, PodSpec, PodTemplate, Toleration } from '../../crd/kubernetes.ts';
import { fieldPath } from '../../crd/field-path.ts';
import { nameSet } from '../../crd/name-set.ts';
import { canonical } from '../../crd/canonical.ts';
import { APPARMOR_ANNOTATION } from '../pod-security/standard.ts';
import { podContextPower, securityPower } from './context.ts';
import { heldSecrets, secretPower, volumePower } from './volumes.ts';
import { allContainers, handlersOf, listOf } from '../../crd/pod-template.ts';
import { stripTemplate } from '../../crd/strip-template.ts';

/** Called with the path of each field that gives more power. */
export type Flag = (path: string) => void;

/** A container of the template with its path and the source's container of the same name, if there is one. */
export interface Pair {
  path: string;
  container: Container;
  source: Container | undefined;
}

/** Fields of a pod's spec that decide where, when and how it runs, but not what it may do. All other fields must equal the source's. */
const HARMLESS_POD_FIELDS = nameSet(`
  nodeSelector affinity topologySpreadConstraints schedulerName schedulingGates restartPolicy os activeDeadlineSeconds
  terminationGracePeriodSeconds hostname subdomain setHostnameAsFQDN hostAliases dnsPolicy dnsConfig enableServiceLinks`);
const HARMLESS_CONTAINER_FIELDS = nameSet(`
  name image imagePullPolicy command args workingDir ports terminationMessagePath terminationMessagePolicy restartPolicy
  restartPolicyRules resizePolicy stdin stdinOnce tty`);
/** Fields that special rules below compare. */
const RULED_POD_FIELDS = nameSet(`
  containers initContainers volumes imagePullSecrets tolerations securityContext resources resourceClaims
  serviceAccountName automountServiceAccountToken hostNetwork hostPID hostIPC hostUsers shareProcessNamespace
  runtimeClassName`);
const RULED_CONTAINER_FIELDS = nameSet(
  'env envFrom volumeMounts volumeDevices securityContext resources livenessProbe readinessProbe startupProbe lifecycle',
);

/**
 * Paths (`spec.containers[0].securityContext.privileged`) of every field that gives the template more power than its source, because nobody
 * may gain rights through a mirror. Empty if there are none. A missing field counts as its default. Containers are compared by name, and
 * a container that the source does not have may not add power. Fields that this version does not know must be equal to those of the
 * source. Never throws, whatever the parsed YAML contains.
 */
export function checkPower(source: PodTemplate, template: PodTemplate): string[] {
  const paths = new Set<string>();
  const flag: Flag = (path) => void paths.add(path);
  const [had, wants] = [stripTemplate(source), stripTemplate(template)];
  const pairs = pairContainers(had.spec, wants.spec);
  annotationPower(had, wants, flag);
  podPower(had.spec, wants.spec, flag);
  podContextPower(had.spec, wants.spec, flag);
  volumePower(had.spec, wants.spec, pairs, flag);
  securityPower(had, wants, pairs, flag);
  const secrets = heldSecrets(had.spec);
  for (const pair of pairs) {
    secretPower(pair, secrets, flag);
    containerPower(pair, had.spec, flag);
  }
  return [...paths];
}

function pairContainers(source: PodSpec, template: PodSpec): Pair[] {
  const byName = new Map(allContainers(source).map((container) => [container.name, container]));
  const pairsOf = (list: 'initContainers' | 'containers'): Pair[] =>
    listOf(template[list]).map((container, index) => ({ path: `spec.${list}[${index}]`, container, source: byName.get(container.name) }));
  return [...pairsOf('initContainers'), ...pairsOf('containers')];
}

/** Annotations for tools and people. No node, network or cloud acts on them. */
const HARMLESS_ANNOTATIONS = /^(?:[^/.]+|(?:checksum|prometheus\.io|kubectl\.kubernetes\.io|app\.kubernetes\.io)\/.*)$/;

/**
 * Some annotations make the node or the cloud give a pod a device, a network or a role. A correction may not add or change them. AppArmor
 * annotations are judged by the profile that they set for each container.
 */
function annotationPower(source: PodTemplate, template: PodTemplate, flag: Flag): void {
  const before = source.metadata?.annotations ?? {};
  for (const [key, value] of Object.entries(template.metadata?.annotations ?? {})) {
    const isOwn = Object.hasOwn(before, key) && before[key] === value;
    if (!isOwn && !key.startsWith(APPARMOR_ANNOTATION) && !HARMLESS_ANNOTATIONS.test(key)) flag(fieldPath('metadata.annotations', key));
  }
}

const SWITCHES = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace'] as const;

function podPower(source: PodSpec, template: PodSpec, flag: Flag): void {
  for (const field of SWITCHES) if (template[field] && !source[field]) flag(`spec.${field}`);
  identityPower(source, template, flag);
  added(source.tolerations, template.tolerations, tolerationKey, (index) => flag(`spec.tolerations[${index}]`));
  const secretName = (reference: { name?: string }): string => reference.name ?? '';
  added(source.imagePullSecrets, template.imagePullSecrets, secretName, (index) => flag(`spec.imagePullSecrets[${index}]`));
  added(source.resourceClaims as object[], template.resourceClaims as object[], canonical, (index) =>
    flag(`spec.resourceClaims[${index}]`),
  );
  unknownFields(source, template, [HARMLESS_POD_FIELDS, RULED_POD_FIELDS], (field) => flag(fieldPath('spec', field)));
}

/** Compares the pod's identity in the cluster and on the node. */
function identityPower(source: PodSpec, template: PodSpec, flag: Flag): void {
  if (source.hostUsers === false && template.hostUsers !== false) flag('spec.hostUsers');
  if ((template.serviceAccountName || 'default') !== (source.serviceAccountName || 'default')) flag('spec.serviceAccountName');
  // If the field is absent, the service account decides. Setting `true` over that gives more power, and so does removing `false`.
  const [had, wants] = [source.automountServiceAccountToken, template.automountServiceAccountToken];
  if (wants !== false && had !== true && had !== wants) flag('spec.automountServiceAccountToken');
  if ((template.runtimeClassName ?? '') !== (source.runtimeClassName ?? '')) flag('spec.runtimeClassName');
}

const tolerationKey = ({ key = '', operator = 'Equal', value = '', effect = '' }: Toleration): string =>
  canonical([key, operator || 'Equal', value, effect]);

/** Calls back with the index of each entry of `after` that equals no entry of `before`. */
function added<T extends object>(
  before: readonly T[] | undefined,
  after: readonly T[] | undefined,
  key: (entry: T) => string,
  found: (index: number) => void,
): void {
  const known = new Set(listOf(before).map(key));
  for (const [index, entry] of listOf(after).entries()) if (!known.has(key(entry))) found(index);
}

function unknownFields(source: object, template: object, known: ReadonlySet<string>[], found: (field: string) => void): void {
  const before = source as Record<string, unknown>;
  for (const [field, value] of Object.entries(template))
    if (!known.some((set) => set.has(field)) && canonical(value) !== canonical(before[field])) found(field);
}

function containerPower({ path, container, source }: Pair, sourceSpec: PodSpec, flag: Flag): void {
  devicePower(path, container, sourceSpec, flag);
  const claims = allContainers(sourceSpec).flatMap((entry) => listOf(entry.resources?.claims));
  added(claims, container.resources?.claims, canonical, (index) => flag(`${path}.resources.claims[${index}]`));
  const before = new Map(source && handlersOf(source));
  for (const [field, after] of handlersOf(container)) handlerPower(`${path}.${field}`, before.get(field), after, flag);
  unknownFields(source ?? {}, container, [HARMLESS_CONTAINER_FIELDS, RULED_CONTAINER_FIELDS], (field) => flag(fieldPath(path, field)));
}

const PLAIN_RESOURCE = /^(?:cpu|memory|storage|ephemeral-storage|(?:hugepages-|kubernetes\.io\/).*)$/;

/** Compares extended resources, which are devices of the node. */
function devicePower(path: string, container: Container, sourceSpec: PodSpec, flag: Flag): void {
  const resourcesOf = ({ resources }: Container): string[] => Object.keys({ ...resources?.requests, ...resources?.limits });
  const held = new Set(allContainers(sourceSpec).flatMap(resourcesOf));
  for (const field of ['requests', 'limits'] as const)
    for (const name of Object.keys(container.resources?.[field] ?? {}))
      if (!PLAIN_RESOURCE.test(name) && !held.has(name)) flag(fieldPath(`${path}.resources.${field}`, name));
}

/** The kubelet runs probes and hooks from the node's network. Another host or port reaches targets that the pod cannot reach. */
function handlerPower(path: string, before: Handler | undefined, after: Handler | undefined, flag: Flag): void {
  for (const kind of ['httpGet', 'tcpSocket'] as const) {
    const [had, wants] = [before?.[kind], after?.[kind]];
    if (!wants?.host) continue;
    if (wants.host !== had?.host) flag(`${path}.${kind}.host`);
    else if (String(wants.port) !== String(had.port)) flag(`${path}.${kind}.port`);
  }
}

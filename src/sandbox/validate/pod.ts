import type { FieldError } from '../api/errors.ts';
import { duplicate, forbiddenField, invalidValue, notSupported, required } from '../api/errors.ts';
import type { Loose, Stored } from '../store/object.ts';
import { isSame } from '../store/object.ts';
import { containerErrors } from './container.ts';
import { keyErrors, labelErrors } from './names.ts';

function* volumeErrors(volumes: Loose[], path: string): Generator<FieldError> {
  const names = new Set<string>();
  for (const [i, volume] of volumes.entries()) {
    const at = `${path}.volumes[${i}]`;
    const types = Object.keys(volume)
      .filter((key) => key !== 'name')
      .sort((a, b) => (a === 'emptyDir' ? -1 : b === 'emptyDir' ? 1 : 0));
    for (const type of types.slice(1)) yield forbiddenField(`${at}.${type}`, 'may not specify more than 1 volume type');
    if (volume.hostPath && !volume.hostPath.path) yield required(`${at}.hostPath.path`);
    if (volume.configMap && !volume.configMap.name) yield required(`${at}.configMap.name`);
    if (volume.secret && !volume.secret.secretName) yield required(`${at}.secret.secretName`);
    if (names.has(volume.name)) yield duplicate(`${at}.name`, volume.name);
    names.add(volume.name);
  }
}

function* placementErrors(spec: Loose, path: string): Generator<FieldError> {
  for (const key of Object.keys(spec.nodeSelector ?? {})) yield* keyErrors(`${path}.nodeSelector`, key);
  for (const [i, { operator, value }] of ((spec.tolerations ?? []) as Loose[]).entries())
    if (operator === 'Exists' && value)
      yield invalidValue(`${path}.tolerations[${i}].operator`, value, "value must be empty when `operator` is 'Exists'");
}

const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

function* choiceErrors({ restartPolicy, dnsPolicy }: Loose, path: string, policies: string[]): Generator<FieldError> {
  const field = `${path}.restartPolicy`;
  // Where a pod may not run for ever, the default counts as nothing said.
  if (restartPolicy === 'Always' && !policies.includes('Always'))
    yield required(field, `valid values: ${policies.map((policy) => JSON.stringify(policy)).join(', ')}`);
  else if (restartPolicy && !policies.includes(restartPolicy)) yield notSupported(field, restartPolicy, policies);
  if (dnsPolicy && !DNS_POLICIES.includes(dnsPolicy)) yield notSupported(`${path}.dnsPolicy`, dnsPolicy, DNS_POLICIES);
}

function* containersErrors(spec: Loose, path: string): Generator<FieldError> {
  const volumes = new Set(((spec.volumes ?? []) as Loose[]).map((volume) => volume.name as string));
  const names = new Set<string>();
  if (!spec.containers?.length) yield required(`${path}.containers`);
  for (const part of ['containers', 'initContainers'])
    for (const [i, container] of (spec[part] ?? []).entries()) {
      const isShortInit = part === 'initContainers' && container.restartPolicy !== 'Always';
      yield* containerErrors(container, `${path}.${part}[${i}]`, volumes, isShortInit);
      if (container.name && names.has(container.name)) yield duplicate(`${path}.${part}[${i}].name`, container.name);
      names.add(container.name);
    }
}

/** What the real server refuses in a pod's spec; `policies` are the restart policies that its kind may have. */
export function* podSpecErrors(spec: Loose, path: string, policies: string[]): Generator<FieldError> {
  yield* volumeErrors(spec?.volumes ?? [], path);
  yield* containersErrors(spec ?? {}, path);
  yield* choiceErrors(spec ?? {}, path, policies);
  yield* placementErrors(spec ?? {}, path);
  if (spec?.securityContext?.runAsUser < 0)
    yield invalidValue(`${path}.securityContext.runAsUser`, spec.securityContext.runAsUser, 'must be between 0 and 2147483647, inclusive');
  if (spec?.hostname) yield* labelErrors(`${path}.hostname`, spec.hostname);
  if (spec?.activeDeadlineSeconds !== undefined && !(spec.activeDeadlineSeconds >= 1))
    yield invalidValue(`${path}.activeDeadlineSeconds`, spec.activeDeadlineSeconds, 'must be between 1 and 2147483647, inclusive');
}

const IMMUTABLE_POD =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** The parts of a pod's spec that nobody may change. */
function fixedPart(spec: Loose): Loose {
  const {
    activeDeadlineSeconds: _deadline,
    tolerations: _tolerations,
    nodeName: _node,
    schedulingGates: _gates,
    ...rest
  } = structuredClone(spec);
  for (const container of [...(rest.containers ?? []), ...(rest.initContainers ?? [])]) delete container.image;
  return rest;
}

/** What may not be changed in a pod that is there. */
export function* podChangeErrors(pod: Stored, old: Stored): Generator<FieldError> {
  for (const [i, container] of pod.spec.containers.entries()) if (!container.image) yield required(`spec.containers[${i}].image`);
  const [now, before] = [pod.spec.activeDeadlineSeconds, old.spec.activeDeadlineSeconds];
  if (pod.spec.containers.length !== old.spec.containers.length)
    yield forbiddenField('spec.containers', 'pod updates may not add or remove containers');
  if (before !== undefined && now === undefined)
    yield invalidValue('spec.activeDeadlineSeconds', null, 'must not update from a positive integer to nil value');
  else if (before !== undefined && now > before)
    yield invalidValue('spec.activeDeadlineSeconds', now, 'must be less than or equal to previous value');
  else if (pod.spec.containers.length === old.spec.containers.length && !isSame(fixedPart(pod.spec), fixedPart(old.spec)))
    yield forbiddenField('spec', IMMUTABLE_POD);
}

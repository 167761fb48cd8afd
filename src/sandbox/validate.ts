import type { FieldError } from './errors.ts';
import { duplicate, forbiddenField, invalidValue, missingReference, notSupported, required } from './errors.ts';
import type { Loose, Stored } from './object.ts';
import { isMap, isSame } from './object.ts';
import { quantity } from './quantity.ts';
import { matchesSelector } from './selectors.ts';

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const LABEL_VALUE_TEXT =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
/** Kinds whose names may hold what a path segment may (`system:node`). */
const PATH_NAMES = new Set(['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding']);
const LABEL_NAMES = new Set(['Namespace', 'Service']);

/** What every object must be: a name, label values. */
export function* metaErrors(object: Stored): Generator<FieldError> {
  const { name, labels = {} } = object.metadata;
  if (!name) yield required('metadata.name', 'name or generateName is required');
  else if (PATH_NAMES.has(object.kind)) {
    if (/[/%]/.test(name)) yield invalidValue('metadata.name', name, "may not contain '/'");
  } else if (LABEL_NAMES.has(object.kind)) {
    if (!LABEL.test(name)) yield invalidValue('metadata.name', name, LABEL_TEXT);
    else if (name.length > 63) yield invalidValue('metadata.name', name, 'must be no more than 63 characters');
  } else if (!SUBDOMAIN.test(name)) yield invalidValue('metadata.name', name, SUBDOMAIN_TEXT);
  else if (name.length > 253) yield invalidValue('metadata.name', name, 'must be no more than 253 bytes');
  for (const value of Object.values(labels)) {
    if (value.length > 63) yield invalidValue('metadata.labels', value, 'must be no more than 63 bytes');
    else if (!LABEL_VALUE.test(value)) yield invalidValue('metadata.labels', value, LABEL_VALUE_TEXT);
  }
}

function* resourceErrors(container: Loose, path: string): Generator<FieldError> {
  const { requests = {}, limits = {} } = container.resources ?? {};
  for (const [name, value] of Object.entries(requests as Record<string, string>)) {
    const limit = limits[name];
    if (limit !== undefined && quantity(value) > quantity(limit))
      yield invalidValue(`${path}.resources.requests`, value, `must be less than or equal to ${name} limit of ${limit}`);
  }
}

function* probeErrors(container: Loose, path: string): Generator<FieldError> {
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe'])
    if (container[probe] && !['exec', 'httpGet', 'tcpSocket', 'grpc'].some((handler) => container[probe][handler]))
      yield required(`${path}.${probe}`, 'must specify a handler type');
}

function* containerErrors(container: Loose, path: string, volumes: Set<string>): Generator<FieldError> {
  if (!container.name) yield required(`${path}.name`);
  else if (!LABEL.test(container.name)) yield invalidValue(`${path}.name`, container.name, LABEL_TEXT);
  if (!container.image) yield required(`${path}.image`);
  for (const [i, mount] of (container.volumeMounts ?? []).entries()) {
    if (!volumes.has(mount.name)) yield missingReference(`${path}.volumeMounts[${i}].name`, mount.name);
    if (!mount.mountPath) yield required(`${path}.volumeMounts[${i}].mountPath`);
  }
  for (const [i, variable] of (container.env ?? []).entries()) if (!variable.name) yield required(`${path}.env[${i}].name`);
  for (const [i, port] of (container.ports ?? []).entries())
    if (!(port.containerPort > 0 && port.containerPort < 65536))
      yield port.containerPort
        ? invalidValue(`${path}.ports[${i}].containerPort`, port.containerPort, 'must be between 1 and 65535, inclusive')
        : required(`${path}.ports[${i}].containerPort`);
  yield* probeErrors(container, path);
  yield* resourceErrors(container, path);
}

function* podSpecErrors(spec: Loose, path: string, policies: string[]): Generator<FieldError> {
  const volumes = new Set<string>();
  for (const [i, volume] of (spec?.volumes ?? []).entries()) {
    if (volumes.has(volume.name)) yield duplicate(`${path}.volumes[${i}].name`, volume.name);
    volumes.add(volume.name);
  }
  const names = new Set<string>();
  for (const part of ['containers', 'initContainers'])
    for (const [i, container] of (spec?.[part] ?? []).entries()) {
      yield* containerErrors(container, `${path}.${part}[${i}]`, volumes);
      if (names.has(container.name)) yield duplicate(`${path}.${part}[${i}].name`, container.name);
      names.add(container.name);
    }
  if (!spec?.containers?.length) yield required(`${path}.containers`);
  if (spec?.restartPolicy && !policies.includes(spec.restartPolicy))
    yield notSupported(`${path}.restartPolicy`, spec.restartPolicy, policies);
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

function* podChangeErrors(pod: Stored, old: Stored): Generator<FieldError> {
  const [now, before] = [pod.spec.activeDeadlineSeconds, old.spec.activeDeadlineSeconds];
  if (before !== undefined && now === undefined)
    yield invalidValue('spec.activeDeadlineSeconds', null, 'must not update from a positive integer to nil value');
  else if (before !== undefined && now > before)
    yield invalidValue('spec.activeDeadlineSeconds', now, 'must be less than or equal to previous value');
  if (!isSame(fixedPart(pod.spec), fixedPart(old.spec))) yield forbiddenField('spec', IMMUTABLE_POD);
}

function* selectorErrors(selector: Loose, labels: Loose): Generator<FieldError> {
  if (!selector) yield required('spec.selector');
  else if (!matchesSelector(selector, labels))
    yield invalidValue('spec.template.metadata.labels', labels ?? null, '`selector` does not match template `labels`');
}

function* workloadErrors(object: Stored, old: Stored | undefined): Generator<FieldError> {
  const { spec, kind } = object;
  const isJob = kind === 'Job';
  if (!isJob) yield* selectorErrors(spec?.selector, spec?.template?.metadata?.labels);
  if (old && !isSame(old.spec.selector, spec.selector)) yield invalidValue('spec.selector', spec.selector, 'field is immutable');
  if (old && isJob && !isSame(old.spec.template, spec.template)) yield invalidValue('spec.template', spec.template, 'field is immutable');
  yield* podSpecErrors(spec?.template?.spec, 'spec.template.spec', isJob ? ['OnFailure', 'Never'] : ['Always']);
}

/** What the real server would refuse in an object of a builtin kind, for the mistakes that people make. */
export function* kindErrors(object: Stored, old: Stored | undefined): Generator<FieldError> {
  switch (object.kind) {
    case 'Pod':
      yield* podSpecErrors(object.spec, 'spec', ['Always', 'OnFailure', 'Never']);
      if (old) yield* podChangeErrors(object, old);
      break;
    case 'Deployment':
    case 'ReplicaSet':
    case 'StatefulSet':
    case 'DaemonSet':
    case 'Job':
      yield* workloadErrors(object, old);
      break;
    case 'ConfigMap':
    case 'Secret':
      if (old?.immutable && !isSame(old.data, object.data)) yield forbiddenField('data', 'field is immutable when `immutable` is set');
      for (const key of Object.keys(isMap(object.data) ? object.data : {}))
        if (!/^[-._a-zA-Z0-9]+$/.test(key))
          yield invalidValue(
            `data[${key}]`,
            key,
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
          );
      break;
    default:
  }
}

import type { FieldError } from '../api/errors.ts';
import { forbiddenField, invalidValue, notSupported, required } from '../api/errors.ts';
import type { Loose, Stored } from '../store/object.ts';
import { isMap, isSame } from '../store/object.ts';
import { matchesSelector } from '../store/selectors.ts';
import { portErrors, portRefErrors } from './container.ts';
import { podChangeErrors, podSpecErrors } from './pod.ts';
import { policyErrors } from './policy.ts';

const MAX_PRIORITY = 1_000_000_000;
const KEY_TEXT =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const SERVICE_TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];

function* atLeastZero(field: string, value: number | undefined): Generator<FieldError> {
  if (value !== undefined && value < 0) yield invalidValue(field, value, 'must be greater than or equal to 0');
}

function* dataErrors(object: Stored, old: Stored | undefined): Generator<FieldError> {
  if (old?.immutable && !object.immutable) yield forbiddenField('immutable', 'field is immutable when `immutable` is set');
  if (old?.immutable && !isSame(old.data, object.data)) yield forbiddenField('data', 'field is immutable when `immutable` is set');
  for (const key of Object.keys(isMap(object.data) ? object.data : {}))
    if (!/^[-._a-zA-Z0-9]+$/.test(key)) yield invalidValue(`data[${key}]`, key, KEY_TEXT);
}

function* secretErrors(secret: Stored, old: Stored | undefined): Generator<FieldError> {
  if (old && old.type !== secret.type) yield invalidValue('type', secret.type, 'field is immutable');
  if (secret.type === 'kubernetes.io/dockerconfigjson' && !secret.data?.['.dockerconfigjson']) yield required('data[.dockerconfigjson]');
  yield* dataErrors(secret, old);
}

function* selectorErrors(selector: Loose, labels: Loose): Generator<FieldError> {
  if (!selector) yield required('spec.selector');
  if (!matchesSelector(selector, labels))
    yield invalidValue('spec.template.metadata.labels', labels ?? null, '`selector` does not match template `labels`');
}

function* strategyErrors({ type, rollingUpdate = null }: Loose = {}): Generator<FieldError> {
  const types = ['Recreate', 'RollingUpdate'];
  if (type && !types.includes(type)) yield notSupported('spec.strategy', { Type: type, RollingUpdate: rollingUpdate }, types);
}

function* workloadErrors(object: Stored, old: Stored | undefined): Generator<FieldError> {
  const { spec, kind } = object;
  const isJob = kind === 'Job';
  yield* atLeastZero('spec.replicas', spec?.replicas);
  if (kind === 'Deployment') yield* strategyErrors(spec?.strategy);
  if (!isJob) yield* selectorErrors(spec?.selector, spec?.template?.metadata?.labels);
  if (old && !isSame(old.spec.selector, spec.selector)) yield invalidValue('spec.selector', spec.selector, 'field is immutable');
  if (old && isJob && !isSame(old.spec.template, spec.template)) yield invalidValue('spec.template', spec.template, 'field is immutable');
  yield* podSpecErrors(spec?.template?.spec, 'spec.template.spec', isJob ? ['OnFailure', 'Never'] : ['Always']);
}

function* serviceErrors({ spec }: Stored): Generator<FieldError> {
  const ports = (spec?.ports ?? []) as Loose[];
  if (spec?.type && !SERVICE_TYPES.includes(spec.type)) yield notSupported('spec.type', spec.type, SERVICE_TYPES);
  if (ports.length === 0 && spec?.clusterIP !== 'None' && spec?.type !== 'ExternalName') yield required('spec.ports');
  for (const [i, port] of ports.entries()) {
    if (ports.length > 1 && !port.name) yield required(`spec.ports[${i}].name`);
    yield* portErrors(`spec.ports[${i}].port`, port.port);
    if (port.targetPort !== undefined) yield* portRefErrors(`spec.ports[${i}].targetPort`, port.targetPort);
  }
}

function* leaseErrors({ spec }: Stored): Generator<FieldError> {
  if (spec?.leaseDurationSeconds !== undefined && spec.leaseDurationSeconds <= 0)
    yield invalidValue('spec.leaseDurationSeconds', spec.leaseDurationSeconds, 'must be greater than 0');
  yield* atLeastZero('spec.leaseTransitions', spec?.leaseTransitions);
}

function* priorityErrors({ metadata: { name }, value }: Stored, old: Stored | undefined): Generator<FieldError> {
  if (old && old.value !== value) yield forbiddenField('value', 'may not be changed in an update.');
  else if (name.startsWith('system-')) {
    if (!['system-node-critical', 'system-cluster-critical'].includes(name))
      yield forbiddenField(
        'metadata.name',
        `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`,
      );
  } else if (value > MAX_PRIORITY) yield forbiddenField('value', `maximum allowed value of a user defined priority is ${MAX_PRIORITY}`);
}

function* claimErrors({ spec }: Stored): Generator<FieldError> {
  if (!spec?.accessModes?.length) yield required('spec.accessModes', 'at least 1 access mode is required');
  if (!spec?.resources?.requests?.storage) yield required('spec.resources[storage]');
}

function* podErrors(pod: Stored, old: Stored | undefined): Generator<FieldError> {
  yield* podSpecErrors(pod.spec, 'spec', ['Always', 'OnFailure', 'Never']);
  if (old) yield* podChangeErrors(pod, old);
}

const KINDS: Record<string, (object: Stored, old: Stored | undefined) => Generator<FieldError>> = {
  Pod: podErrors,
  Deployment: workloadErrors,
  ReplicaSet: workloadErrors,
  StatefulSet: workloadErrors,
  DaemonSet: workloadErrors,
  Job: workloadErrors,
  ConfigMap: dataErrors,
  Secret: secretErrors,
  Service: serviceErrors,
  Lease: leaseErrors,
  NetworkPolicy: policyErrors,
  PriorityClass: priorityErrors,
  PersistentVolumeClaim: claimErrors,
};

/** Refuses what the real API server refuses in objects of built-in kinds. It covers the common mistakes only. */
export function* kindErrors(object: Stored, old: Stored | undefined): Generator<FieldError> {
  const errors = KINDS[object.kind];
  if (errors) yield* errors(object, old);
}

import type { FieldError } from '../api/errors.ts';
import { duplicate, forbiddenField, invalidValue, missingReference, notSupported, required } from '../api/errors.ts';
import type { Loose } from '../store/object.ts';
import { quantity } from '../store/quantity.ts';
import { keyErrors, labelErrors } from './names.ts';

const PORT_TEXT = 'must be between 1 and 65535, inclusive';
const PORT_NAME_TEXT = 'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)';
const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'];
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'];
const FIELD_PATHS =
  /^(metadata\.(name|namespace|uid|labels|annotations)(\['[^']+'\])?|spec\.(nodeName|serviceAccountName)|status\.(hostIP|hostIPs|podIP|podIPs))$/;

/** A number of a port, from 1 to 65535. */
export function* portErrors(field: string, port: number): Generator<FieldError> {
  if (!(port > 0 && port < 65536)) yield invalidValue(field, port, PORT_TEXT);
}

/** A port by number or by name. */
export function* portRefErrors(field: string, port: Loose): Generator<FieldError> {
  if (typeof port === 'number') yield* portErrors(field, port);
  else if (!/^[a-z0-9-]+$/.test(String(port))) yield invalidValue(field, port, PORT_NAME_TEXT);
}

function* handlerErrors(handler: Loose, path: string): Generator<FieldError> {
  const given = HANDLERS.filter((name) => handler[name] !== undefined);
  if (given.length === 0) yield required(path, 'must specify a handler type');
  for (const name of given.slice(1)) yield forbiddenField(`${path}.${name}`, 'may not specify more than 1 handler type');
  if (handler.exec && !handler.exec.command?.length) yield required(`${path}.exec.command`);
  if (given[0] === 'httpGet') yield* portRefErrors(`${path}.httpGet.port`, handler.httpGet.port);
  if (given[0] === 'tcpSocket') yield* portRefErrors(`${path}.tcpSocket.port`, handler.tcpSocket.port);
}

function* probeErrors(container: Loose, path: string): Generator<FieldError> {
  for (const name of PROBES) {
    const probe = container[name];
    if (!probe) continue;
    yield* handlerErrors(probe, `${path}.${name}`);
    for (const field of ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'])
      if (probe[field] < 0) yield invalidValue(`${path}.${name}.${field}`, probe[field], 'must be greater than or equal to 0');
    if (name !== 'readinessProbe' && probe.successThreshold !== undefined && probe.successThreshold !== 1)
      yield invalidValue(`${path}.${name}.successThreshold`, probe.successThreshold, 'must be 1');
  }
  for (const hook of ['postStart', 'preStop'])
    if (container.lifecycle?.[hook]) yield* handlerErrors(container.lifecycle[hook], `${path}.lifecycle.${hook}`);
}

function* resourceErrors(container: Loose, path: string): Generator<FieldError> {
  const { requests = {}, limits = {} } = container.resources ?? {};
  for (const [part, values] of Object.entries({ limits, requests }))
    for (const [name, value] of Object.entries(values as Record<string, string>)) {
      const field = `${path}.resources.${part}[${name}]`;
      yield* keyErrors(field, name);
      if (!name.includes('/') && !/^(cpu|memory|ephemeral-storage|hugepages-.*)$/.test(name))
        yield invalidValue(field, name, 'must be a standard resource for containers');
      if (quantity(value) < 0) yield invalidValue(field, value, 'must be greater than or equal to 0');
    }
  for (const [name, value] of Object.entries(requests as Record<string, string>)) {
    const limit = limits[name];
    if (limit !== undefined && quantity(value) > quantity(limit))
      yield invalidValue(`${path}.resources.requests`, value, `must be less than or equal to ${name} limit of ${limit}`);
  }
}

function* envErrors(container: Loose, path: string): Generator<FieldError> {
  for (const [i, { name, value, valueFrom }] of ((container.env ?? []) as Loose[]).entries()) {
    const at = `${path}.env[${i}]`;
    if (!name) yield required(`${at}.name`);
    else if (!/^[ -<>-~]+$/.test(name))
      yield invalidValue(
        `${at}.name`,
        name,
        "a valid environment variable name must consist only of printable ASCII characters other than '='",
      );
    if (!valueFrom) continue;
    if (value) yield invalidValue(`${at}.valueFrom`, '', 'may not be specified when `value` is not empty');
    const fieldPath = valueFrom.fieldRef?.fieldPath;
    if (valueFrom.fieldRef && !FIELD_PATHS.test(fieldPath ?? ''))
      yield invalidValue(
        `${at}.valueFrom.fieldRef.fieldPath`,
        fieldPath,
        `error converting fieldPath: field label not supported: ${fieldPath}`,
      );
    for (const source of ['configMapKeyRef', 'secretKeyRef'])
      if (valueFrom[source] && !valueFrom[source].key) yield required(`${at}.valueFrom.${source}.key`);
  }
}

function* mountErrors(container: Loose, path: string, volumes: Set<string>): Generator<FieldError> {
  const taken = new Set<string>();
  for (const [i, { name, mountPath }] of ((container.volumeMounts ?? []) as Loose[]).entries()) {
    const at = `${path}.volumeMounts[${i}]`;
    if (!volumes.has(name)) yield missingReference(`${at}.name`, name);
    if (!mountPath) yield required(`${at}.mountPath`);
    else if (taken.has(mountPath)) yield invalidValue(`${at}.mountPath`, mountPath, 'must be unique');
    taken.add(mountPath);
  }
}

function* containerPortErrors(container: Loose, path: string): Generator<FieldError> {
  const taken = new Set<string>();
  for (const [i, { name, containerPort, hostPort, protocol }] of ((container.ports ?? []) as Loose[]).entries()) {
    const at = `${path}.ports[${i}]`;
    if (name) yield* portRefErrors(`${at}.name`, name);
    if (!containerPort) yield required(`${at}.containerPort`);
    else yield* portErrors(`${at}.containerPort`, containerPort);
    if (protocol && !['TCP', 'UDP', 'SCTP'].includes(protocol)) yield notSupported(`${at}.protocol`, protocol, ['SCTP', 'TCP', 'UDP']);
    if (hostPort && taken.has(`${protocol}//${hostPort}`)) yield duplicate(`${at}.hostPort`, `${protocol}//${hostPort}`);
    taken.add(`${protocol}//${hostPort}`);
  }
}

/** Go's type of a security context prints all its members, set or not. */
const SECURITY_FIELDS =
  'Capabilities Privileged SELinuxOptions WindowsOptions RunAsUser RunAsGroup RunAsNonRoot ReadOnlyRootFilesystem AllowPrivilegeEscalation ProcMount SeccompProfile AppArmorProfile'.split(
    ' ',
  );

function* securityErrors(context: Loose, path: string): Generator<FieldError> {
  if (context?.runAsUser < 0) yield invalidValue(`${path}.runAsUser`, context.runAsUser, 'must be between 0 and 2147483647, inclusive');
  if (context?.procMount === 'Unmasked') yield invalidValue(`${path}.procMount`, 'Unmasked', '`hostUsers` must be false to use `Unmasked`');
  if (!context?.privileged || context.allowPrivilegeEscalation !== false) return;
  const shown = SECURITY_FIELDS.map((name) => [name, context[name[0]?.toLowerCase() + name.slice(1)] ?? null]);
  yield invalidValue(path, Object.fromEntries(shown), 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true');
}

/** What the real server refuses in a container. `isShortInit`: it runs before the others, so nothing asks how it is. */
export function* containerErrors(container: Loose, path: string, volumes: Set<string>, isShortInit: boolean): Generator<FieldError> {
  if (!container.name) yield required(`${path}.name`);
  else yield* labelErrors(`${path}.name`, container.name);
  if (!container.image) yield required(`${path}.image`);
  else if (container.image.trim() !== container.image)
    yield invalidValue(`${path}.image`, container.image, 'must not have leading or trailing whitespace');
  const oneOf = function* (field: string, values: string[]): Generator<FieldError> {
    if (container[field] && !values.includes(container[field])) yield notSupported(`${path}.${field}`, container[field], values);
  };
  yield* oneOf('imagePullPolicy', ['Always', 'IfNotPresent', 'Never']);
  yield* oneOf('terminationMessagePolicy', ['File', 'FallbackToLogsOnError']);
  yield* mountErrors(container, path, volumes);
  yield* envErrors(container, path);
  yield* containerPortErrors(container, path);
  const probes = isShortInit ? PROBES.filter((name) => container[name]) : [];
  for (const name of probes) yield forbiddenField(`${path}.${name}`, 'may not be set for init containers without restartPolicy=Always');
  if (probes.length === 0) yield* probeErrors(container, path);
  yield* resourceErrors(container, path);
  yield* securityErrors(container.securityContext, `${path}.securityContext`);
}

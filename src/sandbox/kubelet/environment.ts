import type { Api } from '../api/api.ts';
import type { Loose, Stored } from '../store/object.ts';
import { quantity } from '../store/quantity.ts';

/** A container cannot be configured: the kubelet's message for `CreateContainerConfigError`. */
export class ConfigFault extends Error {}

const decoded = (data: Record<string, string> | undefined) =>
  Object.fromEntries(Object.entries(data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));

/** The entries of a ConfigMap or Secret as text; undefined if it does not exist. */
export function entriesOf(api: Api, kind: 'ConfigMap' | 'Secret', namespace: string, name: string): Record<string, string> | undefined {
  const found = api.store.get(api.registry.builtin(kind === 'Secret' ? 'secrets' : 'configmaps').storage, `${namespace}/${name}`);
  if (!found) return undefined;
  return kind === 'Secret' ? decoded(found.data) : { ...found.data, ...decoded(found.binaryData) };
}

/** `$(NAME)` becomes the variable's value, `$$` a dollar sign. Unknown names stay unchanged. */
export const expandReferences = (text: string, values: Record<string, string>): string =>
  text.replace(/\$\$|\$\(([A-Za-z_][\w.-]*)\)/g, (whole, name: string | undefined) => (name === undefined ? '$' : (values[name] ?? whole)));

/** A field of the downward API; metadata maps with `['key']`. */
export function fieldValue(pod: Stored, path: string): string {
  const keyed = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path);
  if (keyed) return pod.metadata[keyed[1] as 'labels' | 'annotations']?.[keyed[2] as string] ?? '';
  const value = path.split('.').reduce<Loose>((at, key) => at?.[key], pod);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, text]) => `${key}=${JSON.stringify(text)}`)
      .join('\n');
  return value === undefined ? '' : String(value);
}

function resourceValue(pod: Stored, own: Loose, ref: Loose): string {
  const container = ref.containerName
    ? [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].find((c: Loose) => c.name === ref.containerName)
    : own;
  const [part, name] = String(ref.resource).split('.') as [string, string];
  const amount = quantity(container?.resources?.[part]?.[name] ?? (name === 'cpu' ? '4' : '8Gi'));
  return String(Math.ceil(amount / (quantity(ref.divisor) || 1)));
}

/** `FOO_SERVICE_HOST` and similar variables for the Services of the namespace. */
function serviceVariables(api: Api, pod: Stored): Record<string, string> {
  const services = api.store.list(api.registry.builtin('services').storage);
  const { namespace } = pod.metadata;
  const seen = services.filter(
    (s) =>
      (s.metadata.namespace === namespace && pod.spec.enableServiceLinks !== false) ||
      (s.metadata.namespace === 'default' && s.metadata.name === 'kubernetes'),
  );
  const result: Record<string, string> = {};
  for (const { metadata, spec } of seen) {
    if (!spec.clusterIP || spec.clusterIP === 'None') continue;
    const prefix = metadata.name.toUpperCase().replaceAll('-', '_');
    result[`${prefix}_SERVICE_HOST`] = spec.clusterIP;
    result[`${prefix}_SERVICE_PORT`] = String(spec.ports?.[0]?.port ?? '');
  }
  return result;
}

function keyedValue(api: Api, pod: Stored, kind: 'ConfigMap' | 'Secret', ref: Loose): string | undefined {
  const namespace = pod.metadata.namespace ?? '';
  const entries = entriesOf(api, kind, namespace, ref.name);
  const value = entries?.[ref.key];
  if (value !== undefined || ref.optional) return value;
  if (!entries) throw new ConfigFault(`${kind.toLowerCase()} "${ref.name}" not found`);
  throw new ConfigFault(`couldn't find key ${ref.key} in ${kind} ${namespace}/${ref.name}`);
}

function valueFrom(api: Api, pod: Stored, container: Loose, source: Loose): string | undefined {
  if (source.configMapKeyRef) return keyedValue(api, pod, 'ConfigMap', source.configMapKeyRef);
  if (source.secretKeyRef) return keyedValue(api, pod, 'Secret', source.secretKeyRef);
  if (source.fieldRef) return fieldValue(pod, source.fieldRef.fieldPath);
  if (source.resourceFieldRef) return resourceValue(pod, container, source.resourceFieldRef);
  return undefined;
}

/** The variables of a container, as the kubelet sets them. Throws `ConfigFault` if a required source is missing. */
export function environmentOf(api: Api, pod: Stored, container: Loose, image: Record<string, string>): Record<string, string> {
  const result: Record<string, string> = { ...image, HOSTNAME: pod.spec.hostname ?? pod.metadata.name, ...serviceVariables(api, pod) };
  for (const { configMapRef, secretRef, prefix = '' } of (container.envFrom ?? []) as Loose[]) {
    const [kind, ref] = configMapRef ? (['ConfigMap', configMapRef] as const) : (['Secret', secretRef] as const);
    const entries = entriesOf(api, kind, pod.metadata.namespace ?? '', ref?.name);
    if (!entries && !ref?.optional) throw new ConfigFault(`${kind.toLowerCase()} "${ref?.name}" not found`);
    for (const [key, value] of Object.entries(entries ?? {})) result[prefix + key] = value;
  }
  for (const variable of (container.env ?? []) as Loose[]) {
    const value = variable.valueFrom ? valueFrom(api, pod, container, variable.valueFrom) : expandReferences(variable.value ?? '', result);
    if (value !== undefined) result[variable.name] = value;
  }
  return result;
}

/** Refuses a container that would run as root although it must not. Throws `ConfigFault`. */
export function checkUser(pod: Stored, container: Loose): void {
  const security = { ...pod.spec.securityContext, ...container.securityContext };
  if (!security.runAsNonRoot) return;
  const where = `(pod: "${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid})", container: ${container.name})`;
  if (security.runAsUser === undefined) throw new ConfigFault(`container has runAsNonRoot and image will run as root ${where}`);
  if (security.runAsUser === 0) throw new ConfigFault(`container's runAsUser breaks non-root policy ${where}`);
}

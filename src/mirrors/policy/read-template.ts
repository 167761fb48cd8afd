import type { Container, KubeObject, Pod, PodSpec, PodTemplate, Workload } from '../../crd/kubernetes.ts';
import { isTooDeep } from '../../crd/manifest.ts';
import { maskManifest } from '../../redact/manifest.ts';
import { withoutUndefined } from '../../crd/without-undefined.ts';
import { checkPower } from '../../checks/power/power.ts';
import { wronglyTypedPaths } from './template-schema.ts';
import type { Source } from './source.ts';
import { allContainers, listOf } from '../../crd/pod-template.ts';
import { stripTemplate } from '../../crd/strip-template.ts';

const MAX_TEMPLATE_BYTES = 64 * 1024;
/** The replacement for secret texts. */
const MASK = '***';

/** The reason why a template cannot run. `reason` is a CamelCase constant, `message` a sentence with the field paths. */
export interface TemplateRefusal {
  reason: string;
  message: string;
  paths: string[];
}

/** Returns the template to run: complete, with the source's values in place of masked ones. Or the reason why it cannot run. */
export function readTemplate(given: PodTemplate, source: Source): { template: PodTemplate } | { refusal: TemplateRefusal } {
  const refused = (reason: string, message: string, paths: string[]): { refusal: TemplateRefusal } => ({
    refusal: { reason, message, paths },
  });
  if (isTooDeep(given)) return refused('Invalid', 'The template nests deeper than any pod does.', ['spec']);
  if (Buffer.byteLength(JSON.stringify(given)) > MAX_TEMPLATE_BYTES)
    return refused('TemplateTooLarge', 'The template is larger than 64 KiB.', ['spec']);
  const wrong = wronglyTypedPaths(given);
  if (wrong.length > 0) return refused('Invalid', `The template is not that of a pod: see ${wrong.join(', ')}.`, wrong);
  const namespace = given.metadata?.namespace;
  if (namespace !== undefined && namespace !== '' && namespace !== source.namespace)
    return refused('OtherNamespace', 'A mirror runs in the namespace of its source: see metadata.namespace.', ['metadata.namespace']);
  const template = completeTemplate(restoreMasked(given, maskManifest(source.template), source.template), source.template);
  const paths = checkPower(source.template, template);
  if (paths.length > 0) return refused('MorePower', `The template asks for more power than its source has: ${paths.join(', ')}.`, paths);
  return { template };
}

/** Completes a template with values of the source (service account, its token, images of containers). */
export function completeTemplate(template: PodTemplate, source: PodTemplate): PodTemplate {
  const images = new Map(allContainers(source.spec).map((container) => [container.name, container.image]));
  const account = source.spec.serviceAccountName ?? source.spec.serviceAccount;
  const withImages = (spec: PodSpec, list: 'containers' | 'initContainers'): Partial<PodSpec> =>
    spec[list] ? { [list]: listOf(spec[list]).map((container) => withImage(container, images.get(container.name))) } : {};
  const { spec } = template;
  const metadata = template.metadata ?? {};
  return {
    metadata: { ...metadata, labels: metadata.labels ?? source.metadata?.labels ?? {}, annotations: metadata.annotations ?? {} },
    spec: {
      ...spec,
      ...withImages(spec, 'containers'),
      ...withImages(spec, 'initContainers'),
      ...(spec.serviceAccountName || spec.serviceAccount || !account ? {} : { serviceAccountName: account }),
      ...withoutUndefined({ automountServiceAccountToken: spec.automountServiceAccountToken ?? source.spec.automountServiceAccountToken }),
    },
  };
}

const withImage = <T extends { image?: string }>(container: T, image: string | undefined): T =>
  container.image || !image ? container : { ...container, image };

/**
 * Restores secrets in a value that somebody edited after seeing `masked`. A text is replaced by the source's text if it is unchanged from
 * `masked` at the same path, or if it is only `***`. Entries of lists are found by their name, texts in lists by their content, and others
 * by position. Texts without a counterpart in the source stay unchanged.
 */
export function restoreMasked<T>(value: T, masked: unknown, source: unknown): T {
  if (typeof value === 'string') return restoreText(value, masked, source) as T;
  if (Array.isArray(value)) return value.map((entry, index) => restoreEntry(entry as unknown, index, masked, source)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, restoreMasked(field as unknown, fieldOf(masked, key), fieldOf(source, key))]),
  ) as T;
}

function restoreText(value: string, masked: unknown, source: unknown): string {
  const isMasked = value.includes(MASK) && typeof source === 'string' && (value === masked || value === MASK);
  return isMasked ? source : value;
}

function restoreEntry(entry: unknown, index: number, masked: unknown, source: unknown): unknown {
  const [shown, own] = [Array.isArray(masked) ? (masked as unknown[]) : [], Array.isArray(source) ? (source as unknown[]) : []];
  const name = fieldOf(entry, 'name');
  let at = index;
  if (typeof name === 'string') at = own.findIndex((other) => fieldOf(other, 'name') === name);
  else if (typeof entry === 'string' && shown[index] !== entry && shown.includes(entry)) at = shown.indexOf(entry);
  return restoreMasked(entry, shown[at], own[at]);
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

/** The pod template in a manifest of a pod or a workload; undefined if it has none. */
export function templateIn(manifest: unknown): PodTemplate | undefined {
  const { metadata, spec } = (manifest ?? {}) as Partial<Pod>;
  const inner = (spec as { template?: PodTemplate } | undefined)?.template;
  if (inner?.spec) return { metadata: { ...inner.metadata, ...namespaceOf(metadata) }, spec: inner.spec };
  return spec && typeof spec === 'object' ? { ...(metadata ? { metadata } : {}), spec } : undefined;
}

const namespaceOf = (metadata: KubeObject['metadata'] | undefined): { namespace?: string } =>
  metadata?.namespace ? { namespace: metadata.namespace } : {};

/**
 * The source as a manifest for people: a Pod with the live template, or the workload that cannot create its pods. Secrets are masked, and
 * fields that servers set or that isolation removes are left out. The order of the fields stays.
 */
export function manifestOf(source: Source, resourceKind: string): Pod | Workload {
  const { name, namespace, owner } = source;
  if (resourceKind !== 'Pod' && owner) {
    const { labels } = owner.metadata;
    const metadata = { name: owner.metadata.name ?? name, namespace, ...(labels ? { labels } : {}) };
    const { apiVersion = '', kind = '' } = owner;
    return maskManifest({ apiVersion, kind, metadata, spec: { ...owner.spec, template: shown(source.template) } });
  }
  const { metadata, spec } = shown(source.template);
  return maskManifest({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, ...metadata }, spec });
}

function shown(template: PodTemplate): PodTemplate {
  const { metadata, spec } = stripTemplate(template);
  const hostPorts = new Map(allContainers(template.spec).map((container) => [container.name, container.ports]));
  // Mirrors do not use host ports and gates, but people read and copy the manifest, so they stay.
  const withPorts = (containers: Container[]): Container[] =>
    containers.map((container) =>
      container.ports ? { ...container, ports: hostPorts.get(container.name) ?? container.ports } : container,
    );
  return {
    metadata: withoutUndefined({ labels: unlessEmpty(metadata?.labels), annotations: unlessEmpty(metadata?.annotations) }),
    spec: {
      ...spec,
      containers: withPorts(listOf(spec.containers)),
      ...withoutUndefined({
        initContainers: spec.initContainers && withPorts(listOf(spec.initContainers)),
        readinessGates: template.spec.readinessGates,
      }),
    },
  };
}

const unlessEmpty = <T extends object>(fields: T | undefined): T | undefined =>
  fields && Object.keys(fields).length > 0 ? fields : undefined;

import type { Container, KubeObject, Pod, PodTemplate, Workload } from '../crd/kubernetes.ts';
import { isTooDeep } from '../crd/manifest.ts';
import { maskManifest } from '../redact/manifest.ts';
import { present } from './fields.ts';
import { completeTemplate } from './isolate.ts';
import { restoreMasked } from './masked.ts';
import { checkPower } from './power.ts';
import { misshapenPaths } from './shape.ts';
import type { Source } from './source.ts';
import { allContainers, listOf, stripTemplate } from './strip.ts';

const MAX_TEMPLATE_BYTES = 64 * 1024;

/** Why a template is not run. `reason` is a CamelCase constant, `message` a sentence with the field paths. */
export interface Refusal {
  reason: string;
  message: string;
  paths: string[];
}

/** The corrected template as it runs on this source: complete, with the source's own values where it was masked. Or why it does not. */
export function readTemplate(given: PodTemplate, source: Source): { template: PodTemplate } | { refusal: Refusal } {
  const refused = (reason: string, message: string, paths: string[]): { refusal: Refusal } => ({ refusal: { reason, message, paths } });
  if (isTooDeep(given)) return refused('Invalid', 'The template nests deeper than any pod does.', ['spec']);
  if (Buffer.byteLength(JSON.stringify(given)) > MAX_TEMPLATE_BYTES)
    return refused('TemplateTooLarge', 'The template is larger than 64 KiB.', ['spec']);
  const misshapen = misshapenPaths(given);
  if (misshapen.length > 0) return refused('Invalid', `The template is not that of a pod: see ${misshapen.join(', ')}.`, misshapen);
  const namespace = given.metadata?.namespace;
  if (namespace !== undefined && namespace !== '' && namespace !== source.namespace)
    return refused('OtherNamespace', 'A mirror runs in the namespace of its source: see metadata.namespace.', ['metadata.namespace']);
  const template = completeTemplate(restoreMasked(given, maskManifest(source.template), source.template), source.template);
  const paths = checkPower(source.template, template);
  if (paths.length > 0) return refused('MorePower', `The template asks for more power than its source has: ${paths.join(', ')}.`, paths);
  return { template };
}

/** The pod template in a manifest of a pod, or of a workload that makes pods; undefined when it holds none. */
export function templateIn(manifest: unknown): PodTemplate | undefined {
  const { metadata, spec } = (manifest ?? {}) as Partial<Pod>;
  const inner = (spec as { template?: PodTemplate } | undefined)?.template;
  if (inner?.spec) return { metadata: { ...inner.metadata, ...namespaceOf(metadata) }, spec: inner.spec };
  return spec && typeof spec === 'object' ? { ...(metadata ? { metadata } : {}), spec } : undefined;
}

const namespaceOf = (metadata: KubeObject['metadata'] | undefined): { namespace?: string } =>
  metadata?.namespace ? { namespace: metadata.namespace } : {};

/**
 * The source as a manifest for people, secrets masked, without what servers set and isolation strips: a Pod with the live
 * template, or the workload that cannot create its pods. Fields stay in the order in which they came.
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
  // Host ports and gates are not tried, but they are part of what people read and copy.
  const withPorts = (containers: Container[]): Container[] =>
    containers.map((container) =>
      container.ports ? { ...container, ports: hostPorts.get(container.name) ?? container.ports } : container,
    );
  return {
    metadata: present({ labels: unlessEmpty(metadata?.labels), annotations: unlessEmpty(metadata?.annotations) }),
    spec: {
      ...spec,
      containers: withPorts(listOf(spec.containers)),
      ...present({
        initContainers: spec.initContainers && withPorts(listOf(spec.initContainers)),
        readinessGates: template.spec.readinessGates,
      }),
    },
  };
}

const unlessEmpty = <T extends object>(fields: T | undefined): T | undefined =>
  fields && Object.keys(fields).length > 0 ? fields : undefined;

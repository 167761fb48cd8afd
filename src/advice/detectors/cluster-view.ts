import type { KubeObject } from '../../crd/kubernetes.ts';
import { mapping } from '../../checks/containers.ts';

/** Cluster-wide kinds that contain the certificates that the API server trusts. */
export const CLUSTER_KINDS = [
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'APIService',
  'CustomResourceDefinition',
] as const;
export type ClusterKindName = (typeof CLUSTER_KINDS)[number];

/** The certificates with which the API server verifies one server that it calls. */
export interface TrustBundle {
  kind: ClusterKindName;
  name: string;
  /** The webhook of a configuration that has several; null where an object has one bundle. */
  webhook: string | null;
  /** The namespace of the server; null where the API server calls a URL. */
  server: string | null;
  /** PEM in Base64, as in the API. */
  caBundle: string;
}

/** The cluster-wide objects that detectors see. */
export interface ClusterView {
  bundles: TrustBundle[];
}

/**
 * The CA bundles of an object of any shape. Without a bundle, the API server uses the roots of its own machine, which Podmend cannot read.
 */
export function trustBundlesOf(kind: ClusterKindName, object: KubeObject): TrustBundle[] {
  const { name = '' } = object.metadata;
  return clientsOf(kind, object as unknown as Record<string, unknown>).flatMap(({ webhook, config }) => {
    const { caBundle, service } = mappingOf(config);
    const { namespace } = mappingOf(service);
    const server = typeof namespace === 'string' ? namespace : null;
    return typeof caBundle === 'string' && caBundle !== '' ? [{ kind, name, webhook, server, caBundle }] : [];
  });
}

function clientsOf(kind: ClusterKindName, object: Record<string, unknown>): { webhook: string | null; config: unknown }[] {
  const spec = mappingOf(object['spec']);
  if (kind === 'APIService') return [{ webhook: null, config: spec }];
  if (kind === 'CustomResourceDefinition')
    return [{ webhook: null, config: mappingOf(mappingOf(spec['conversion'])['webhook'])['clientConfig'] }];
  const webhooks: unknown[] = Array.isArray(object['webhooks']) ? object['webhooks'] : [];
  return webhooks.map((one) => {
    const { name, clientConfig } = mappingOf(one);
    return { webhook: typeof name === 'string' ? name : null, config: clientConfig };
  });
}

const mappingOf = (value: unknown): Record<string, unknown> => mapping<Record<string, unknown>>(value);

import type { KubeObject } from '../../crd/kubernetes.ts';
import { listOf } from '../../crd/pod-template.ts';
import type { LabelSelector } from '../../crd/selector.ts';
import { type Item, itemOf, type Reference } from '../item.ts';

interface Service extends KubeObject {
  spec?: {
    type?: string;
    selector?: Record<string, string> | null;
    ports?: { name?: string; port: number; protocol?: string }[];
    clusterIP?: string;
  };
}

/** v1 Service. If it has no selector, somebody else manages its endpoints. */
export function projectService(object: KubeObject): Item {
  const { selector, ports, type = 'ClusterIP' } = (object as Service).spec ?? {};
  const known = listOf(ports);
  return itemOf('Service', object, {
    selects: selector && Object.keys(selector).length > 0 ? { relation: 'selects', selector: { matchLabels: selector } } : undefined,
    ports: known.flatMap(({ name, port }) => (name ? [name, port] : [port])),
    metadata: { type, ports: known.map(({ name, port }) => (name ? `${name}:${port}` : String(port))) },
  });
}

interface EndpointSlice extends KubeObject {
  endpoints?: { conditions?: { ready?: boolean }; targetRef?: { kind?: string; name?: string } }[] | null;
}

/** discovery.k8s.io/v1 EndpointSlice. Its label names its Service, and its endpoints name the pods. */
export function projectEndpointSlice(object: KubeObject): Item {
  const endpoints = listOf((object as EndpointSlice).endpoints);
  const service = object.metadata.labels?.['kubernetes.io/service-name'];
  // A missing condition counts as ready, as the API says.
  const ready = endpoints.filter(({ conditions }) => conditions?.ready !== false).length;
  return itemOf('EndpointSlice', object, {
    // The owner reference would only repeat the label.
    owners: [],
    references: [
      ...(service ? [{ relation: 'publishes', kind: 'Service', name: service, reversed: true }] : []),
      ...endpoints.flatMap(({ targetRef }): Reference[] =>
        targetRef?.kind === 'Pod' && targetRef.name ? [{ relation: 'targets', kind: 'Pod', name: targetRef.name, optional: true }] : [],
      ),
    ],
    health: ready > 0 ? { status: 'healthy' } : { status: 'progressing', reason: 'no ready endpoint' },
    metadata: { endpoints: endpoints.length, ready },
  });
}

interface Backend {
  service?: { name?: string; port?: { name?: string; number?: number } };
}

interface Ingress extends KubeObject {
  spec?: {
    defaultBackend?: Backend;
    rules?: { host?: string; http?: { paths?: { backend?: Backend }[] } }[];
    tls?: { secretName?: string }[];
  };
}

/** networking.k8s.io/v1 Ingress, with the Services that it sends requests to and the Secrets of its certificates. */
export function projectIngress(object: KubeObject): Item {
  const { defaultBackend, rules, tls } = (object as Ingress).spec ?? {};
  const backends = [...listOf(rules).flatMap(({ http }) => listOf(http?.paths).map(({ backend }) => backend)), defaultBackend];
  const hosts = listOf(rules).flatMap(({ host }) => host ?? []);
  return itemOf('Ingress', object, {
    references: [
      ...backends.flatMap((backend): Reference[] => {
        const { name, port } = backend?.service ?? {};
        const wanted = port?.name ?? port?.number;
        return name ? [{ relation: 'routes', kind: 'Service', name, ...(wanted === undefined ? {} : { port: wanted }) }] : [];
      }),
      ...listOf(tls).flatMap(({ secretName }): Reference[] => (secretName ? [{ relation: 'uses', kind: 'Secret', name: secretName }] : [])),
    ],
    metadata: { hosts: [...new Set(hosts)] },
  });
}

/** networking.k8s.io/v1 NetworkPolicy. An empty selector selects every pod of the namespace. */
export function projectNetworkPolicy(object: KubeObject): Item {
  const {
    podSelector = {},
    policyTypes,
    egress,
  } = (object as KubeObject & { spec?: { podSelector?: LabelSelector; policyTypes?: string[]; egress?: unknown[] } }).spec ?? {};
  return itemOf('NetworkPolicy', object, {
    selects: { relation: 'applies-to', selector: podSelector },
    metadata: { policy_types: policyTypes ?? (egress ? ['Ingress', 'Egress'] : ['Ingress']) },
  });
}

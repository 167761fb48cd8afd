import type { KubeObject, Pod } from '../../crd/kubernetes.ts';
import type { DataObject, Node } from '../../kube/kinds.ts';
import { settingsOf } from '../../diagnosis/facts/settings-around.ts';
import { isSetUp } from '../../diagnosis/facts/servers.ts';
import { storageOf } from '../../diagnosis/facts/surroundings.ts';
import { maskImage } from '../../redact/image.ts';
import { maskText } from '../../redact/text.ts';

// What is kept of the objects around a pod: enough to name what is missing, and nothing that could be a secret.

/** A ConfigMap's name, its keys, and those of its values that may be settings, with what looks like a secret masked. */
export function configMapAround(map: DataObject): KubeObject {
  const { metadata, data, binaryData } = map;
  const settings = new Map(settingsOf([map as KubeObject]).map(({ key, value }) => [key, maskText(value)]));
  const entries = Object.keys({ ...data, ...binaryData }).map((key) => [key, settings.get(key) ?? '']);
  return { ...named('ConfigMap', metadata), data: Object.fromEntries(entries) } as KubeObject;
}

/** A Secret's name, type and keys. */
export function secretAround({ metadata, data, type }: DataObject): KubeObject {
  const keys = Object.keys(data ?? {}).map((key) => [key, '']);
  return { ...named('Secret', metadata), ...(type ? { type } : {}), data: Object.fromEntries(keys) } as KubeObject;
}

/** A quota's limits and usage. */
export function quotaAround(quota: KubeObject): KubeObject {
  const { spec, status } = quota as { spec?: object; status?: object };
  return { ...named('ResourceQuota', quota.metadata), spec, status } as KubeObject;
}

/** A ServiceAccount's name. */
export function serviceAccountAround({ metadata }: KubeObject): KubeObject {
  return named('ServiceAccount', metadata);
}

/** A Service's name, ports and the pods that it selects. */
export function serviceAround(service: KubeObject): KubeObject {
  const { ports, selector } = (service as { spec?: { ports?: unknown[]; selector?: Record<string, string> } }).spec ?? {};
  return { ...named('Service', service.metadata), spec: { ports: ports ?? [], ...(selector && { selector }) } } as KubeObject;
}

/** A NetworkPolicy's rules. */
export function networkPolicyAround(policy: KubeObject): KubeObject {
  const { spec } = policy as { spec?: object };
  return { ...named('NetworkPolicy', policy.metadata), spec } as KubeObject;
}

/** The bounds of a LimitRange. */
export function limitRangeAround(range: KubeObject): KubeObject {
  const { spec } = range as { spec?: object };
  return { ...named('LimitRange', range.metadata), spec } as KubeObject;
}

/** A namespace's name and its Pod Security labels. */
export function namespaceAround({ metadata }: KubeObject): KubeObject {
  const labels = Object.entries(metadata.labels ?? {}).filter(([key]) => key.startsWith('pod-security.kubernetes.io/'));
  const about = named('Namespace', metadata);
  return { ...about, metadata: { ...about.metadata, labels: Object.fromEntries(labels) } };
}

/** A claim's name, phase, and what it asks for. */
export function claimAround(claim: KubeObject): KubeObject {
  const { phase } = (claim as { status?: { phase?: string } }).status ?? {};
  const { storageClassName, accessModes, resources, volumeName } = (claim as { spec?: Record<string, unknown> }).spec ?? {};
  const spec = { storageClassName, accessModes, resources, volumeName };
  return { ...named('PersistentVolumeClaim', claim.metadata), spec, status: { phase } } as KubeObject;
}

/** A volume's name, and what a claim must ask for to get it. */
export function volumeAround(volume: KubeObject): KubeObject {
  const { storageClassName, accessModes, capacity, claimRef, nodeAffinity } = (volume as { spec?: Record<string, unknown> }).spec ?? {};
  const { namespace, name } = (claimRef ?? {}) as { namespace?: string; name?: string };
  const source = storageOf(volume);
  const { phase } = (volume as { status?: { phase?: string } }).status ?? {};
  const spec = {
    ...{ storageClassName, accessModes, capacity },
    ...(name ? { claimRef: { namespace, name } } : {}),
    ...(source === undefined ? {} : { [source]: {} }),
    ...(nodeAffinity === undefined ? {} : { nodeAffinity }),
  };
  return { ...named('PersistentVolume', volume.metadata), spec, ...(phase === 'Bound' ? { status: { phase } } : {}) } as KubeObject;
}

/** A StorageClass's name, and whether it is the default. */
export function storageClassAround({ metadata }: KubeObject): KubeObject {
  const about = named('StorageClass', metadata);
  const key = 'storageclass.kubernetes.io/is-default-class';
  return { ...about, metadata: { ...about.metadata, annotations: { [key]: metadata.annotations?.[key] ?? 'false' } } };
}

/** A Node's labels, taints, allocatable resources and images, and the sum of its pods' requests if all of them are known. */
export function nodeAround({ metadata, spec, status }: Node, requested?: Record<string, number>): KubeObject {
  const { allocatable, images } = (status ?? {}) as { allocatable?: object; images?: unknown[] };
  const about = named('Node', metadata);
  return {
    ...about,
    metadata: { ...about.metadata, labels: metadata.labels ?? {} },
    spec: { taints: spec?.taints ?? [] },
    status: { allocatable: allocatable ?? {}, images: images ?? [] },
    ...(requested ? { podmendRequested: requested } : {}),
  } as KubeObject;
}

/** A pod's images, the names with which it sets up a server, the host ports and claims that it holds on its node, and the labels that Services select. */
export function podAround({ metadata, spec, status }: Pod): KubeObject {
  const images = (containers: Pod['spec']['containers'] = []) =>
    containers.map(({ name, image, ports, env }) => ({
      name,
      image: image && maskImage(image),
      ...(env?.some(isSetUp) ? { env: env.filter(isSetUp) } : {}),
      ports: ports?.filter(({ hostPort }) => hostPort),
    }));
  const ran = (statuses: { name: string; imageID?: string }[] = []) => statuses.map(({ name, imageID }) => ({ name, imageID }));
  const about = named('Pod', metadata);
  return {
    ...about,
    metadata: { ...about.metadata, ...(metadata.labels ? { labels: metadata.labels } : {}) },
    spec: {
      nodeName: spec.nodeName,
      containers: images(spec.containers),
      initContainers: images(spec.initContainers),
      volumes: spec.volumes
        ?.filter((volume) => volume.persistentVolumeClaim)
        .map(({ name, persistentVolumeClaim }) => ({ name, persistentVolumeClaim })),
    },
    status: {
      phase: status?.phase,
      conditions: status?.conditions?.filter(({ type }) => type === 'Ready').map(({ type, status: is }) => ({ type, status: is })),
      containerStatuses: ran(status?.containerStatuses),
      initContainerStatuses: ran(status?.initContainerStatuses),
    },
  } as KubeObject;
}

/** What a pod's containers use now. */
export function podMetricsAround(metrics: KubeObject): KubeObject {
  const { containers } = metrics as { containers?: unknown };
  return { ...named('PodMetrics', metrics.metadata), containers } as KubeObject;
}

function named(kind: string, { name = '', namespace }: KubeObject['metadata']): KubeObject {
  return { kind, metadata: { name, ...(namespace ? { namespace } : {}) } };
}

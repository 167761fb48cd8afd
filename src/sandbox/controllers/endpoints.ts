import type { Api } from '../api/api.ts';
import { portNumber } from '../kubelet/network.ts';
import type { Loose, Stored } from '../store/object.ts';
import { matchesSelector } from '../store/selectors.ts';
import { controllerLoop } from './loop.ts';
import { controllerReference, isReady } from './pods.ts';

/** Each Service with a selector has an EndpointSlice (and the older Endpoints) of the pods it selects. */
export function startEndpoints(api: Api): () => void {
  const { registry, store } = api;
  const services = registry.builtin('services');
  const pods = registry.builtin('pods');
  const slices = registry.builtin('endpointslices');
  const endpoints = registry.builtin('endpoints');

  function write(kind: typeof slices, service: Stored, name: string, fields: Loose): void {
    const namespace = service.metadata.namespace;
    const ref = { metadata: { ...(namespace && { namespace }), name } };
    if (store.get(kind.storage, `${namespace}/${name}`)) api.change(kind, ref, '', (copy) => Object.assign(copy, fields));
    else {
      const labels = { 'kubernetes.io/service-name': service.metadata.name };
      api.create(
        kind,
        namespace,
        { metadata: { name, labels, ownerReferences: [controllerReference(service)] }, ...fields },
        { isInternal: true },
      );
    }
  }

  const loop = controllerLoop(
    api,
    ({ storage, object, type, previous }) => {
      if (storage === services.storage) return type === 'DELETED' ? [] : [`${object.metadata.namespace}/${object.metadata.name}`];
      if (storage !== pods.storage) return [];
      const isChanged =
        type !== 'MODIFIED' ||
        !previous ||
        isReady(previous) !== isReady(object) ||
        previous.status?.podIP !== object.status?.podIP ||
        previous.metadata.labels !== object.metadata.labels;
      if (!isChanged) return [];
      const selecting = store
        .list(services.storage, object.metadata.namespace)
        .filter((s) => s.spec.selector && matchesSelector({ matchLabels: s.spec.selector }, object.metadata.labels));
      return selecting.map((s) => `${s.metadata.namespace}/${s.metadata.name}`);
    },
    (key) => {
      const service = store.get(services.storage, key);
      if (!service?.spec.selector || service.metadata.deletionTimestamp) return;
      const chosen = store
        .list(pods.storage, service.metadata.namespace)
        .filter(
          (pod) =>
            pod.status?.podIP &&
            !['Succeeded', 'Failed'].includes(pod.status.phase) &&
            matchesSelector({ matchLabels: service.spec.selector }, pod.metadata.labels),
        );
      const target = (pod: Stored) => ({ kind: 'Pod', namespace: pod.metadata.namespace, name: pod.metadata.name, uid: pod.metadata.uid });
      const ports = ((service.spec.ports ?? []) as Loose[]).map(({ name = '', port, protocol, targetPort }) => ({
        name,
        port: chosen[0] ? portNumber(chosen[0], targetPort ?? port) : port,
        protocol,
      }));
      write(slices, service, `${service.metadata.name}-sandbox`, {
        addressType: 'IPv4',
        endpoints: chosen.map((pod) => ({
          addresses: [pod.status.podIP],
          conditions: { ready: isReady(pod), serving: isReady(pod), terminating: Boolean(pod.metadata.deletionTimestamp) },
          nodeName: pod.spec.nodeName,
          targetRef: target(pod),
        })),
        ports,
      });
      const address = (pod: Stored) => ({ ip: pod.status.podIP, nodeName: pod.spec.nodeName, targetRef: target(pod) });
      const [ready, unready] = [chosen.filter(isReady), chosen.filter((pod) => !isReady(pod))];
      write(endpoints, service, service.metadata.name, {
        subsets: chosen.length
          ? [
              {
                ...(ready.length && { addresses: ready.map(address) }),
                ...(unready.length && { notReadyAddresses: unready.map(address) }),
                ports,
              },
            ]
          : [],
      });
    },
  );
  return () => loop.stop();
}

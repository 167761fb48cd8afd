import type { Api } from '../api/api.ts';
import type { Loose, Stored } from '../store/object.ts';
import { matchesSelector } from '../store/selectors.ts';
import type { Machine, Network } from './machine.ts';

/** Finds the running containers behind a pod address. */
export type MachinesAt = (address: string) => Machine[] | undefined;

type Answer = ReturnType<Network['get']>;

/** Sends a request to the process that listens on a port of a pod. */
export function askPod(machines: Machine[] | undefined, port: number, path: string): Answer {
  if (!machines) return 'timeout';
  for (const machine of machines) {
    const answer = machine.listeners.get(port);
    if (answer) return answer(path);
  }
  return 'refused';
}

const isReady = (pod: Stored): boolean => pod.status?.conditions?.some((c: Loose) => c.type === 'Ready' && c.status === 'True') === true;

/** The number of a port, which may be given by its name in a container. */
export function portNumber(pod: Stored, port: number | string): number {
  if (typeof port === 'number' || /^\d+$/.test(port)) return Number(port);
  const named = pod.spec.containers.flatMap((c: Loose) => c.ports ?? []).find((p: Loose) => p.name === port);
  return named?.containerPort ?? 0;
}

/** The hosts that a pod of `namespace` at `address` can reach: pods, and Services by address and by name. */
export function clusterNetwork(api: Api, namespace: string, own: () => Machine[], machinesAt: MachinesAt): Network {
  const services = api.registry.builtin('services').storage;
  const pods = api.registry.builtin('pods').storage;

  function viaService(service: Stored, port: number, path: string): Answer {
    const open = service.spec.ports?.find((p: Loose) => p.port === port);
    if (!open) return 'timeout';
    if (!service.spec.selector) return 'refused';
    const backend = api.store
      .list(pods, service.metadata.namespace)
      .find((pod) => isReady(pod) && matchesSelector({ matchLabels: service.spec.selector }, pod.metadata.labels));
    return backend ? askPod(machinesAt(backend.status.podIP), portNumber(backend, open.targetPort ?? port), path) : 'refused';
  }

  return {
    lookup(name) {
      const [service = '', ns = namespace, ...rest] = name.replace(/\.$/, '').split('.');
      if (rest.length > 0 && !'svc.cluster.local'.startsWith(rest.join('.'))) return undefined;
      const found = api.store.get(services, `${ns}/${service}`);
      return found?.spec.clusterIP && found.spec.clusterIP !== 'None' ? found.spec.clusterIP : undefined;
    },
    get(address, port, path) {
      if (address.startsWith('127.')) return askPod(own(), port, path);
      const service = api.store.list(services).find((s) => s.spec.clusterIP === address);
      return service ? viaService(service, port, path) : askPod(machinesAt(address), port, path);
    },
  };
}

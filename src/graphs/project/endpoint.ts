import type { Pod } from '../../crd/kubernetes.ts';
import { allContainers, listOf } from '../../crd/pod-template.ts';
import { PROTOCOLS } from '../../crd/policy-ports.ts';
import type { Endpoint } from '../../crd/reachability.ts';

/** A pod as NetworkPolicies see it. Policies do not use unnamed container ports. */
export function endpointOf({ metadata, spec, status }: Pod): Endpoint {
  const { name = '', namespace = 'default', labels = {} } = metadata;
  const ports = allContainers(spec).flatMap((container) =>
    listOf(container.ports).flatMap(({ name: called, containerPort, protocol = 'TCP' }) => {
      const known = PROTOCOLS.find((one) => one === protocol);
      return called && known ? [{ name: called, port: containerPort, protocol: known }] : [];
    }),
  );
  return { name, namespace, labels, ip: status?.podIP || undefined, isHostNetwork: spec.hostNetwork === true, ports };
}

import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';

/** For a node port that is already in use: gives the pod its own network, where all ports are free. */
export function ownNetwork(input: RuleInput, port: string): Correction[] {
  const place = input.place(null);
  if (!place || place.spec.hostNetwork !== true) return [];
  // With `hostNetwork`, the API server makes every container port a host port.
  const hostPorts = place.spec.containers.flatMap(({ ports }, index) =>
    (ports ?? []).flatMap(({ hostPort, containerPort }, at) =>
      hostPort !== undefined && hostPort === containerPort
        ? [
            change(
              place,
              fieldPath(place.specPath, 'containers', index, 'ports', at, 'hostPort'),
              null,
              'it would still be a port of the node',
            ),
          ]
        : [],
    ),
  );
  return [
    {
      title: 'Give the pod a network of its own',
      changes: [
        change(
          place,
          fieldPath(place.specPath, 'hostNetwork'),
          null,
          `on the network of the node only one process can have ${port ? `port ${code(port)}` : 'a port'}`,
        ),
        ...(place.spec.dnsPolicy === 'ClusterFirstWithHostNet'
          ? [change(place, fieldPath(place.specPath, 'dnsPolicy'), null, 'it is only for pods on the network of the node')]
          : []),
        ...hostPorts,
      ],
      confidence: 'guess',
      explanation: 'Whoever needs the network of the node must give the program another port instead.',
      mirrorable: false,
    },
  ];
}

import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';

/** Removes host ports, and names who holds them. A mirror never has any, so it cannot prove this. */
export function hostPorts(input: RuleInput): { because?: string; culprit: string; corrections: Correction[] } {
  const place = input.place(null);
  const found = (place?.spec.containers ?? []).flatMap((container, at) =>
    (container.ports ?? []).flatMap((port, index) => (port.hostPort ? [{ at, index, port: port.hostPort }] : [])),
  );
  const culprit = found.length > 0 ? `hostPort ${found.map(({ port }) => port).join(', ')}` : 'hostPort';
  if (!place || found.length === 0) return { culprit, corrections: [] };
  const holders = (input.subject.surroundings?.hostPorts ?? []).filter((held) => found.some(({ port }) => port === held.port));
  const shown = holders
    .slice(0, 3)
    .map(({ port, pod, node }) => `${code(pod)} has port ${code(port)}${node ? ` of node ${code(node)}` : ''}`);
  const changes = found.map(({ at, index, port }) =>
    change(place, fieldPath(place.specPath, 'containers', at, 'ports', index, 'hostPort'), null, `port ${code(port)} of the node is taken`),
  );
  // With `hostNetwork`, every port of the pod is a port of the node.
  const own = place.spec.hostNetwork
    ? [change(place, fieldPath(place.specPath, 'hostNetwork'), null, 'on the network of the node each port of the pod is one of the node')]
    : [];
  return {
    culprit,
    ...(shown.length > 0 ? { because: `its host port is taken: ${shown.join(', ')}` } : {}),
    corrections: [
      {
        title: own.length > 0 ? 'Leave the network of the node' : 'Remove the host port',
        changes: [...own, ...changes],
        confidence: 'likely',
        explanation: 'Let a Service give the pod its address.',
        mirrorable: false,
      },
    ],
  };
}

import { fieldPath } from '../../crd/field-path.ts';
import { change, type RuleInput } from '../rules/rule.ts';
import type { Correction } from './correction.ts';
import { appended } from './writable-folder.ts';

const FIRST_PORT = 'net.ipv4.ip_unprivileged_port_start';

/** Lets any user of the pod open every port, inside of the pod only: one of the sysctls that Kubernetes calls safe. */
export function unprivilegedPorts(input: RuleInput): Correction[] {
  const place = input.place();
  // On the network of the node it would hold for the node.
  if (!place?.container || place.spec.hostNetwork) return [];
  const { sysctls } = (place.spec.securityContext ?? {}) as { sysctls?: { name?: string }[] };
  const path = fieldPath(place.specPath, 'securityContext', 'sysctls');
  const own = sysctls?.findIndex(({ name }) => name === FIRST_PORT) ?? -1;
  return [
    {
      title: 'Let every user of the pod open low ports',
      changes: [
        own < 0
          ? appended(place, path, sysctls, { name: FIRST_PORT, value: '0' }, 'it holds in the network of the pod only')
          : change(place, fieldPath(path, own, 'value'), '0', 'ports from this number on are open to every user'),
      ],
      confidence: 'likely',
      explanation: 'Pod Security allows this sysctl, and the container needs no capability.',
      mirrorable: false,
    },
  ];
}

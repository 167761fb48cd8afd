import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change, appended } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';

const FIRST_PORT = 'net.ipv4.ip_unprivileged_port_start';

/** Lets every user of the pod open every port, but only inside the pod. Kubernetes counts this sysctl as safe. */
export function unprivilegedPorts(input: RuleInput): Correction[] {
  const place = input.place();
  // With `hostNetwork`, the setting would apply to the node.
  if (!place?.container || place.spec.hostNetwork) return [];
  const { sysctls } = (place.spec.securityContext ?? {}) as { sysctls?: { name?: string }[] };
  const path = fieldPath(place.specPath, 'securityContext', 'sysctls');
  const own = sysctls?.findIndex(({ name }) => name === FIRST_PORT) ?? -1;
  const why = 'every user may then open any port of the pod';
  return [
    {
      title: `Set the sysctl ${code(FIRST_PORT)} to \`0\``,
      changes: [
        own < 0
          ? appended(place, path, sysctls, { name: FIRST_PORT, value: '0' }, why)
          : change(place, fieldPath(path, own, 'value'), '0', why),
      ],
      confidence: 'likely',
      explanation: 'Pod Security allows this sysctl, and the container needs no capability.',
      mirrorable: false,
    },
  ];
}

/** Removes a kernel parameter that the node does not have or does not allow. */
export function withoutSysctl(place: ContainerPlace | undefined, name: string): Correction[] {
  const sysctls = place?.spec.securityContext?.sysctls ?? [];
  const others = sysctls.filter((sysctl) => sysctl.name !== name);
  if (!place || others.length === sysctls.length) return [];
  const path = fieldPath(place.specPath, 'securityContext', 'sysctls');
  return [
    {
      title: `Remove the kernel parameter ${code(name)}`,
      changes: [change(place, path, others.length > 0 ? others : null, `the node does not allow ${code(name)}`)],
      confidence: 'likely',
      explanation: 'The parameter then has the value of the node. A mirror shows whether that is enough for the program.',
      mirrorable: true,
    },
  ];
}

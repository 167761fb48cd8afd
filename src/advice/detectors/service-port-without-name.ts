import { type Detector, named } from './detector.ts';
import { leadsTo, lastingContainers, SERVERS } from './view.ts';

/** Services whose target port is a name that no container port has. */
export const servicePortWithoutName: Detector = {
  id: 'service-port-without-name',
  title: 'A Service names a port that no container has',
  category: 'networking',
  severity: 'high',
  requires: ['Service', ...SERVERS],
  why: 'A named target port is looked up in each pod. If no container has a port with that name, the pod gets no traffic on it, and no event reports this.',
  run: ({ services, workloads }) =>
    services.flatMap((service) => {
      const { name = '' } = service.metadata;
      const behind = workloads.filter(({ labels }) => leadsTo(service, labels));
      const given = new Set(
        behind.flatMap(({ spec }) => lastingContainers(spec)).flatMap(({ ports = [] }) => ports.map((port) => port.name)),
      );
      const wrong = (service.spec?.ports ?? []).flatMap(({ port, targetPort }) =>
        typeof targetPort === 'string' && !given.has(targetPort) ? [{ port, target_port: targetPort }] : [],
      );
      if (behind.length === 0 || wrong.length === 0) return [];
      const names = [...given].filter((one) => one !== undefined);
      return [
        {
          kind: 'Service',
          name,
          summary: `Service ${name} sends port ${wrong[0]?.port} to the container port named ${wrong[0]?.target_port}, which ${named(behind.map((one) => one.name))} does not have.`,
          evidence: { ports: wrong, named_ports: names, workloads: behind.map(({ kind, name: one }) => `${kind}/${one}`) },
          change:
            names.length > 0
              ? `Set \`targetPort\` to one of ${names.map((one) => `\`${one}\``).join(', ')}, or name the port of the container \`${wrong[0]?.target_port}\`.`
              : `Name the port of the container \`${wrong[0]?.target_port}\`, or set \`targetPort\` to its number.`,
          labels: behind[0]?.labels ?? {},
        },
      ];
    }),
};

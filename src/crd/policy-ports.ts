/** The protocols that NetworkPolicies know. */
export const PROTOCOLS = ['TCP', 'UDP', 'SCTP'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** Ranges of ports, both ends included, by protocol. They may overlap. */
export type PortSet = Map<Protocol, [first: number, last: number][]>;

/** A port of a NetworkPolicy's rule. */
export interface PolicyPort {
  protocol?: string;
  port?: number | string;
  endPort?: number;
}

interface Named {
  ports: readonly { name?: string; port: number; protocol: Protocol }[];
}

const ALL: [number, number] = [1, 65_535];

/**
 * Adds the ports that a rule allows. A missing or empty list allows every port. A name means the ports of that name and protocol at the
 * destination, or none if it has no such port.
 */
export function addPorts(set: PortSet, ports: readonly PolicyPort[] | undefined, destination: Named): void {
  if (!ports || ports.length === 0) {
    for (const protocol of PROTOCOLS) add(set, protocol, ALL);
    return;
  }
  for (const { protocol: word = 'TCP', port, endPort } of ports) {
    const protocol = PROTOCOLS.find((one) => one === word);
    if (!protocol) continue;
    if (port === undefined) add(set, protocol, ALL);
    else if (typeof port === 'number') add(set, protocol, [port, Math.max(port, endPort ?? port)]);
    else for (const one of destination.ports) if (one.name === port && one.protocol === protocol) add(set, protocol, [one.port, one.port]);
  }
}

function add(set: PortSet, protocol: Protocol, range: [number, number]): void {
  const ranges = set.get(protocol);
  if (ranges) ranges.push(range);
  else set.set(protocol, [range]);
}

/** Whether the set has this port. */
export function holdsPort(set: PortSet, { port, protocol }: { port: number; protocol: Protocol }): boolean {
  return (set.get(protocol) ?? []).some(([first, last]) => first <= port && port <= last);
}

/** Whether two sets have a port in common. */
export function intersects(one: PortSet, other: PortSet): boolean {
  return [...one].some(([protocol, ranges]) =>
    ranges.some(([first, last]) => (other.get(protocol) ?? []).some(([from, to]) => first <= to && from <= last)),
  );
}

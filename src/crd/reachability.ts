import { listOf } from './pod-template.ts';
import { type LabelSelector, selects } from './selector.ts';
import type { KubeObject } from './kubernetes.ts';
import { isWithin } from './address-range.ts';
import { addPorts, holdsPort, intersects, type PortSet, type Protocol } from './policy-ports.ts';

/** networking.k8s.io/v1 NetworkPolicy: the fields that decide which pods may connect. */
export interface Policy extends KubeObject {
  spec?: {
    podSelector?: LabelSelector;
    policyTypes?: string[] | null;
    ingress?: Rule[] | null;
    egress?: Rule[] | null;
  };
}

/** No peers means every peer; no ports means every port. `from` belongs to ingress, `to` to egress. */
interface Rule {
  from?: Peer[] | null;
  to?: Peer[] | null;
  ports?: { protocol?: string; port?: number | string; endPort?: number }[] | null;
}

interface Peer {
  podSelector?: LabelSelector | null;
  namespaceSelector?: LabelSelector | null;
  ipBlock?: { cidr: string; except?: string[] | null } | null;
}

/** One end of a connection. */
export interface Endpoint {
  namespace: string;
  name: string;
  labels: Record<string, string>;
  /** Undefined while the pod has no address. */
  ip?: string | undefined;
  /** A pod on the node's network. Whether NetworkPolicies apply to it depends on the network plugin. */
  isHostNetwork?: boolean;
  /** The ports that the containers declare. */
  ports: { name?: string; port: number; protocol: Protocol }[];
}

/** The parts of a cluster that NetworkPolicies refer to. */
export interface NetworkView {
  policies: readonly Policy[];
  /** The labels of the namespaces. Nothing is known about a namespace that is not listed. */
  namespaces: ReadonlyMap<string, Record<string, string>>;
}

/** `unknown`: Kubernetes leaves the decision to the network plugin, or an object that decides could not be read. */
export type Reach = 'allowed' | 'refused' | 'unknown';

/** One direction: the policies that restrict the pod, and which of these allow the other pod, or may allow it. */
export interface Direction {
  reach: Reach;
  restrictedBy: string[];
  allowedBy: string[];
}

export interface Reachability {
  reach: Reach;
  egress: Direction;
  ingress: Direction;
  /** One sentence for people. */
  why: string;
}

/** Ports that are allowed for certain, and ports that are allowed unless something unknown forbids them. */
interface Allowed {
  surely: PortSet;
  perhaps: PortSet;
  restrictedBy: string[];
  /** Policies with a rule for the other end. */
  matching: string[];
}

/**
 * Whether NetworkPolicies let one pod open a connection to another: on that port, or on any port when none is given. The egress rules of
 * the first pod and the ingress rules of the second must both allow it. This does not say whether anything listens there, or whether the
 * cluster enforces policies.
 */
export function reachability(
  from: Endpoint,
  to: Endpoint,
  { policies, namespaces }: NetworkView,
  port?: { port: number; protocol: Protocol },
): Reachability {
  const same = from.namespace === to.namespace && from.name === to.name;
  const egress = allowedPorts('egress', { self: from, other: to, destination: to }, { policies, namespaces });
  const ingress = allowedPorts('ingress', { self: to, other: from, destination: to }, { policies, namespaces });
  const onPort = (set: PortSet): boolean => (port ? holdsPort(set, port) : intersects(set, set));
  const both = (one: PortSet, other: PortSet): boolean => (port ? holdsPort(one, port) && holdsPort(other, port) : intersects(one, other));
  const verdict = (surely: boolean, perhaps: boolean): Reach => (surely ? 'allowed' : perhaps ? 'unknown' : 'refused');
  const direction = ({ surely, perhaps, restrictedBy, matching }: Allowed): Direction => ({
    reach: verdict(onPort(surely), onPort(perhaps)),
    restrictedBy,
    allowedBy: matching,
  });
  const reach = same ? 'allowed' : verdict(both(egress.surely, ingress.surely), both(egress.perhaps, ingress.perhaps));
  const found = { reach, egress: direction(egress), ingress: direction(ingress) };
  return { ...found, why: same ? 'a pod always reaches itself' : sentence(from, to, found, port) };
}

interface Side {
  /** The pod whose policies are checked. */
  self: Endpoint;
  other: Endpoint;
  /** Named ports are looked up among the ports of this pod. */
  destination: Endpoint;
}

function allowedPorts(way: 'ingress' | 'egress', { self, other, destination }: Side, { policies, namespaces }: NetworkView): Allowed {
  const own = policies.filter(
    (policy) =>
      (policy.metadata.namespace ?? 'default') === self.namespace &&
      restricts(policy, way) &&
      selects(policy.spec?.podSelector, self.labels),
  );
  const allowed: Allowed = { surely: new Map(), perhaps: new Map(), restrictedBy: own.map(nameOf), matching: [] };
  if (own.length === 0) {
    addPorts(allowed.surely, undefined, destination);
    addPorts(allowed.perhaps, undefined, destination);
    return allowed;
  }
  for (const policy of own) {
    let isMatching = false;
    for (const rule of listOf(policy.spec?.[way])) {
      const match = peersMatch(listOf(way === 'ingress' ? rule.from : rule.to), { policy, other, namespaces });
      if (match === 'no') continue;
      isMatching = true;
      addPorts(allowed.perhaps, rule.ports ?? undefined, destination);
      if (match === 'yes') addPorts(allowed.surely, rule.ports ?? undefined, destination);
    }
    if (isMatching) allowed.matching.push(nameOf(policy));
  }
  // The network plugin decides whether policies apply to a pod on the node's network. A pod and its own node can always reach each other.
  if (self.isHostNetwork || other.isHostNetwork) addPorts(allowed.perhaps, undefined, destination);
  return allowed;
}

/** A policy without types restricts ingress, and egress only if it has rules for it. */
export function restricts({ spec }: Policy, way: 'ingress' | 'egress'): boolean {
  const types = spec?.policyTypes ?? [];
  if (types.length === 0) return way === 'ingress' || listOf(spec?.egress).length > 0;
  return types.includes(way === 'ingress' ? 'Ingress' : 'Egress');
}

type Match = 'yes' | 'no' | 'perhaps';

interface Asked {
  policy: Policy;
  other: Endpoint;
  namespaces: NetworkView['namespaces'];
}

function peersMatch(peers: Peer[], asked: Asked): Match {
  if (peers.length === 0) return 'yes';
  const matches = peers.map((peer) => peerMatches(peer, asked));
  return matches.includes('yes') ? 'yes' : matches.includes('perhaps') ? 'perhaps' : 'no';
}

function peerMatches({ podSelector, namespaceSelector, ipBlock }: Peer, { policy, other, namespaces }: Asked): Match {
  if (ipBlock) return blockMatches(ipBlock, other.ip);
  // Policies may see a pod on the node's network as the node.
  const certain: Match = other.isHostNetwork ? 'perhaps' : 'yes';
  if (podSelector && !selects(podSelector, other.labels)) return 'no';
  if (!namespaceSelector) return podSelector && other.namespace === (policy.metadata.namespace ?? 'default') ? certain : 'no';
  const match = namespaceMatches(namespaceSelector, other.namespace, namespaces);
  return match === 'yes' ? certain : match;
}

/** The label that Kubernetes gives every namespace, with its name. */
const NAME_LABEL = 'kubernetes.io/metadata.name';

/** Whether the selector matches the namespace. If a namespace could not be read, only its name label is known. */
function namespaceMatches(selector: LabelSelector, namespace: string, namespaces: NetworkView['namespaces']): Match {
  const keys = [...Object.keys(selector.matchLabels ?? {}), ...listOf(selector.matchExpressions).map(({ key }) => key)];
  const labels = namespaces.get(namespace) ?? (keys.every((key) => key === NAME_LABEL) ? { [NAME_LABEL]: namespace } : undefined);
  if (!labels) return 'perhaps';
  return selects(selector, labels) ? 'yes' : 'no';
}

/** Whether an IP block covers the pod. Blocks are meant for addresses outside the cluster, and plugins differ in whether they cover pods. */
function blockMatches({ cidr, except }: NonNullable<Peer['ipBlock']>, ip: string | undefined): Match {
  if (!ip) return 'perhaps';
  return isWithin(cidr, ip) && !(Array.isArray(except) ? except : []).some((one) => isWithin(one, ip)) ? 'perhaps' : 'no';
}

/** How `restrictedBy` and `allowedBy` name a policy: `NAMESPACE/NAME`. */
export function nameOf({ metadata }: Policy): string {
  return `${metadata.namespace ?? 'default'}/${metadata.name ?? ''}`;
}

function sentence(
  from: Endpoint,
  to: Endpoint,
  { reach, egress, ingress }: Omit<Reachability, 'why'>,
  port: { port: number; protocol: string } | undefined,
): string {
  const what = `${from.namespace}/${from.name} ${VERBS[reach]} ${to.namespace}/${to.name}${port ? ` on ${port.protocol} ${port.port}` : ''}`;
  if (reach === 'allowed') {
    const policies = [...new Set([...egress.allowedBy, ...ingress.allowedBy])];
    return `${what}: ${policies.length > 0 ? `allowed by ${quoted(policies)}` : 'no NetworkPolicy restricts it'}`;
  }
  if (egress.reach === 'refused') return `${what}: ${cause(egress.restrictedBy, 'sending it')}`;
  if (ingress.reach === 'refused') return `${what}: ${cause(ingress.restrictedBy, 'receiving it')}`;
  const all = quoted([...new Set([...egress.restrictedBy, ...ingress.restrictedBy])]);
  if (reach === 'refused') return `${what}: ${all} allow no port in common`;
  return `${what}: it depends on the network plugin how ${all || 'policies'} hold here`;
}

const VERBS: Record<Reach, string> = { allowed: 'can reach', refused: 'cannot reach', unknown: 'may or may not reach' };

function cause(policies: string[], doing: string): string {
  return `${quoted(policies)} ${policies.length === 1 ? 'restricts' : 'restrict'} it, and nothing allows ${doing}`;
}

const quoted = (policies: string[]): string => (policies.length > 0 ? `NetworkPolicy ${policies.join(', ')}` : '');

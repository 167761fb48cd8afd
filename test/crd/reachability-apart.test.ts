import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Endpoint, type NetworkView, type Policy, type Reach, reachability } from '../../src/crd/reachability.ts';
import { type Random, random } from '../support/builders/random.ts';

/**
 * A second model of NetworkPolicies. Its author wrote it from the Kubernetes documentation and had not read the implementation. It checks
 * one packet at a time. It compares addresses as bits. It tries every port that a rule or a container mentions, and the ports next to it.
 */
const apart = suite('policies, by a model written apart');

type Selector = { matchLabels?: Record<string, string>; matchExpressions?: { key: string; operator: string; values?: string[] }[] };
type Labels = Record<string, string>;
type Protocol = Endpoint['ports'][number]['protocol'];
interface Packet {
  protocol: Protocol;
  port: number;
}
type Spec = NonNullable<Policy['spec']>;
type Rule = NonNullable<Spec['ingress']>[number];
type Peer = NonNullable<Rule['from']>[number];
type Way = 'ingress' | 'egress';

/** Degrees of truth: `all` takes the lowest, `any` the highest. */
const NO = 0;
const MAYBE = 1;
const YES = 2;
const all = (...truths: number[]): number => Math.min(YES, ...truths);
const any = (truths: number[]): number => Math.max(NO, ...truths);
const sure = (holds: boolean): number => (holds ? YES : NO);
const WORDS: Reach[] = ['refused', 'unknown', 'allowed'];

/** "The requirements are ANDed". An empty selector selects all. `NotIn` and `DoesNotExist` match where the key is absent. */
function fits({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  if (Object.entries(matchLabels).some(([key, value]) => labels[key] !== value)) return false;
  for (const { key, operator, values = [] } of matchExpressions) {
    const value = labels[key];
    const isIn = value !== undefined && values.includes(value);
    if (operator === 'In' && !isIn) return false;
    if (operator === 'NotIn' && isIn) return false;
    if (operator === 'Exists' && value === undefined) return false;
    if (operator === 'DoesNotExist' && value !== undefined) return false;
  }
  return true;
}

/** "Ingress" by default, and "Egress" too if there is an egress rule. Types that the policy names replace both. */
function typesOf({ policyTypes, egress }: Spec): string[] {
  if (policyTypes && policyTypes.length > 0) return policyTypes;
  return egress && egress.length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}

/** An address as 32 or 128 bits. Here, IPv6 addresses write every group, or use one `::`. */
function bits(address: string): string {
  if (!address.includes(':'))
    return address
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('');
  const [head = '', tail] = address.split('::');
  const groups = (text: string): string[] => text.split(':').filter((group) => group !== '');
  const missing = 8 - groups(head).length - groups(tail ?? '').length;
  const written = tail === undefined ? groups(head) : [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail)];
  return written.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('');
}

function isInside(address: string, cidr: string): boolean {
  const [base = '', length] = cidr.split('/');
  const [one, other] = [bits(address), bits(base)];
  return one.length === other.length && one.slice(0, Number(length)) === other.slice(0, Number(length));
}

/**
 * Matches a namespace whose labels were not read. "The control plane sets an immutable label `kubernetes.io/metadata.name` on all
 * namespaces". An empty selector selects all.
 */
function ofUnread({ matchLabels = {}, matchExpressions = [] }: Selector, name: string): number {
  const asked = new Set([...Object.keys(matchLabels), ...matchExpressions.map(({ key }) => key)]);
  asked.delete('kubernetes.io/metadata.name');
  return asked.size > 0 ? MAYBE : sure(fits({ matchLabels, matchExpressions }, { 'kubernetes.io/metadata.name': name }));
}

/** Whether a peer of a policy in namespace `home` matches the other endpoint. */
function isPeer({ podSelector, namespaceSelector, ipBlock }: Peer, other: Endpoint, home: string, { namespaces }: NetworkView): number {
  if (ipBlock) {
    if (other.ip === undefined) return MAYBE;
    const { ip } = other;
    // Blocks "should be cluster-external IPs". Some network plugins also match them against pod addresses.
    return isInside(ip, ipBlock.cidr) && !(ipBlock.except ?? []).some((hole) => isInside(ip, hole)) ? MAYBE : NO;
  }
  const labels = namespaces.get(other.namespace);
  const ofNamespace = !namespaceSelector
    ? sure(other.namespace === home)
    : labels
      ? sure(fits(namespaceSelector as Selector, labels))
      : ofUnread(namespaceSelector as Selector, other.namespace);
  const ofPod = podSelector ? sure(fits(podSelector as Selector, other.labels)) : YES;
  // "NetworkPolicy behaviour for hostNetwork pods is undefined": the plugin sees the pod itself, or only the address of its node.
  return all(ofNamespace, ofPod, other.isHostNetwork ? MAYBE : YES);
}

/** "If this field is empty or missing, this rule matches all ports." Port names are those of the called pod. */
function isPort(rules: Rule['ports'], packet: Packet, called: Endpoint): boolean {
  if (!rules || rules.length === 0) return true;
  return rules.some(({ protocol = 'TCP', port, endPort }) => {
    if (protocol !== packet.protocol) return false;
    if (port === undefined) return true;
    if (typeof port === 'number') return packet.port >= port && packet.port <= (endPort ?? port);
    return called.ports.some((open) => open.name === port && open.protocol === protocol && open.port === packet.port);
  });
}

/** Whether egress or ingress lets the packet through. */
function passes(way: Way, self: Endpoint, other: Endpoint, packet: Packet, view: NetworkView): number {
  const called = way === 'egress' ? other : self;
  const mine = view.policies.filter(
    ({ metadata, spec = {} }) =>
      metadata.namespace === self.namespace &&
      typesOf(spec).includes(way === 'egress' ? 'Egress' : 'Ingress') &&
      fits((spec.podSelector ?? {}) as Selector, self.labels),
  );
  if (mine.length === 0) return YES;
  const through = any(
    mine.flatMap(({ metadata, spec }) =>
      (spec?.[way] ?? []).map(({ from, to, ports }) => {
        const peers = (way === 'ingress' ? from : to) ?? [];
        const isThere = peers.length === 0 ? YES : any(peers.map((peer) => isPeer(peer, other, metadata.namespace ?? '', view)));
        return all(isThere, sure(isPort(ports, packet, called)));
      }),
    ),
  );
  // The documentation does not define what holds for a pod on its node's network. It always allows traffic between a pod and its own node.
  return self.isHostNetwork || other.isHostNetwork ? Math.max(through, MAYBE) : through;
}

interface Modelled {
  whole: Reach;
  egress: Reach;
  ingress: Reach;
}

function modelled(from: Endpoint, to: Endpoint, view: NetworkView, packets: Packet[]): Modelled {
  const truths = packets.map((packet) => [passes('egress', from, to, packet, view), passes('ingress', to, from, packet, view)] as const);
  const word = (truth: number): Reach => WORDS[truth] ?? 'refused';
  // "A pod cannot block access to itself."
  const isSelf = from.namespace === to.namespace && from.name === to.name;
  return {
    whole: isSelf ? 'allowed' : word(any(truths.map(([out, into]) => all(out, into)))),
    egress: word(any(truths.map(([out]) => out))),
    ingress: word(any(truths.map(([, into]) => into))),
  };
}

// The generator. It uses few different values, so that selectors often match.

const NAMESPACES = ['shop', 'data', 'edge'];
const APPS = ['web', 'db', 'job'];
const TIERS = ['front', 'back'];
const PROTOCOLS: Protocol[] = ['TCP', 'UDP', 'SCTP'];
const NUMBERS = [53, 80, 443, 5432, 8080];
const NAMES = ['http', 'dns', 'pg'];
const ADDRESSES = ['10.0.0.1', '10.0.0.2', '10.0.1.9', '10.1.0.1', '192.168.7.7', 'fd00::1', 'fd00:0:0:1::2'];
const BLOCKS = ['0.0.0.0/0', '10.0.0.0/16', '10.0.0.0/24', '10.0.0.1/32', '192.168.0.0/16', 'fd00::/16', '::/0'];
const HOLES = ['10.0.0.0/24', '10.0.0.2/32', '10.0.1.0/24', 'fd00:0:0:1::/64'];

const several = <T>(dice: Random, most: number, make: () => T): T[] => Array.from({ length: dice.integer(most + 1) }, make);

function aSelector(dice: Random, keys: Record<string, string[]>): Selector {
  const names = Object.keys(keys);
  const one = (): NonNullable<Selector['matchExpressions']>[number] => {
    const key = dice.pick(names);
    const operator = dice.pick(['In', 'NotIn', 'Exists', 'DoesNotExist']);
    const values = [dice.pick(keys[key] ?? []), ...(dice.chance(0.3) ? [dice.pick(keys[key] ?? [])] : [])];
    return operator.endsWith('n') ? { key, operator, values } : { key, operator };
  };
  if (dice.chance(0.2)) return {};
  const key = dice.pick(names);
  const equal = { matchLabels: { [key]: dice.pick(keys[key] ?? []) } };
  return dice.chance(0.6) ? equal : { ...(dice.chance(0.3) ? equal : {}), matchExpressions: [one()] };
}

const podKeys = { app: APPS, tier: TIERS };
const namespaceKeys = { 'kubernetes.io/metadata.name': NAMESPACES, team: ['one', 'two'] };

function aPeer(dice: Random): Peer {
  if (dice.chance(0.25)) return { ipBlock: { cidr: dice.pick(BLOCKS), ...(dice.chance(0.5) ? { except: [dice.pick(HOLES)] } : {}) } };
  const pods = { podSelector: aSelector(dice, podKeys) };
  if (dice.chance(0.5)) return pods;
  return { namespaceSelector: aSelector(dice, namespaceKeys), ...(dice.chance(0.5) ? pods : {}) };
}

function aPort(dice: Random): NonNullable<Rule['ports']>[number] {
  const port = dice.chance(0.1) ? undefined : dice.chance(0.3) ? dice.pick(NAMES) : dice.pick(NUMBERS);
  return {
    ...(dice.chance(0.6) ? { protocol: dice.pick(PROTOCOLS) } : {}),
    ...(port === undefined ? {} : { port }),
    ...(typeof port === 'number' && dice.chance(0.3) ? { endPort: port + dice.integer(500) } : {}),
  };
}

function aPolicy(dice: Random, index: number): Policy {
  const rules = (side: 'from' | 'to'): Rule[] | undefined =>
    dice.chance(0.3)
      ? undefined
      : several(dice, 2, () => ({
          ...(dice.chance(0.8) ? { [side]: several(dice, 2, () => aPeer(dice)) } : {}),
          ...(dice.chance(0.6) ? { ports: several(dice, 2, () => aPort(dice)) } : {}),
        }));
  const ingress = rules('from');
  const egress = rules('to');
  return {
    kind: 'NetworkPolicy',
    metadata: { name: `p${index}`, namespace: dice.pick(NAMESPACES) },
    spec: {
      podSelector: aSelector(dice, podKeys),
      ...(dice.chance(0.6) ? { policyTypes: dice.pick([['Ingress'], ['Egress'], ['Ingress', 'Egress'], []]) } : {}),
      ...(ingress ? { ingress } : {}),
      ...(egress ? { egress } : {}),
    },
  } as Policy;
}

function aPod(dice: Random, index: number): Endpoint {
  const isHostNetwork = dice.chance(0.08);
  return {
    namespace: dice.pick(NAMESPACES),
    name: `pod-${index}`,
    labels: { ...(dice.chance(0.9) ? { app: dice.pick(APPS) } : {}), ...(dice.chance(0.6) ? { tier: dice.pick(TIERS) } : {}) },
    ...(dice.chance(0.92) ? { ip: dice.pick(ADDRESSES) } : {}),
    ...(isHostNetwork ? { isHostNetwork } : {}),
    ports: several(dice, 3, () => ({
      ...(dice.chance(0.7) ? { name: dice.pick(NAMES) } : {}),
      port: dice.pick(NUMBERS),
      protocol: dice.pick(PROTOCOLS),
    })),
  };
}

/** The ports that a policy or a pod mentions, the ports next to them, and the lowest and the highest port. */
function packetsOf(pods: Endpoint[], policies: readonly Policy[]): Packet[] {
  const ports = policies.flatMap(({ spec }) => [...(spec?.ingress ?? []), ...(spec?.egress ?? [])].flatMap((rule) => rule.ports ?? []));
  const mentioned = [
    ...ports.flatMap(({ port, endPort }) => [port, endPort]),
    ...pods.flatMap((pod) => pod.ports.map(({ port }) => port)),
  ].filter((port) => typeof port === 'number');
  const numbers = new Set([1, 65_535, ...mentioned.flatMap((port) => [port - 1, port, port + 1])]);
  return [...numbers].flatMap((port) => PROTOCOLS.map((protocol) => ({ protocol, port })));
}

const SETS = 2_500;

apart(`agrees about ${SETS} generated sets of policies`, () => {
  const dice = random(20_261_123);
  const seen: Record<Reach, number> = { allowed: 0, refused: 0, unknown: 0 };
  for (let set = 0; set < SETS; set += 1) {
    const pods = Array.from({ length: 3 }, (_, index) => aPod(dice, index));
    const known = NAMESPACES.filter(() => dice.chance(0.9));
    const view: NetworkView = {
      policies: Array.from({ length: 1 + dice.integer(4) }, (_, index) => aPolicy(dice, index)),
      namespaces: new Map(
        known.map((name) => [
          name,
          { 'kubernetes.io/metadata.name': name, ...(dice.chance(0.5) ? { team: dice.pick(['one', 'two']) } : {}) },
        ]),
      ),
    };
    const packets = packetsOf(pods, view.policies);
    for (const from of pods)
      for (const to of pods) {
        const told = (): string => `set ${set}: ${JSON.stringify({ from, to, policies: view.policies, namespaces: [...view.namespaces] })}`;
        const { whole, egress, ingress } = modelled(from, to, view, packets);
        const any = reachability(from, to, view);
        seen[whole] += 1;
        assert.is(any.reach, whole, told());
        if (from !== to) assert.equal([any.egress.reach, any.ingress.reach], [egress, ingress], told());
        const packet = dice.pick(packets);
        const one = () => `${JSON.stringify(packet)} ${told()}`;
        assert.is(reachability(from, to, view, packet).reach, modelled(from, to, view, [packet]).whole, one());
      }
  }
  for (const [reach, times] of Object.entries(seen)) assert.ok(times > SETS / 10, `hardly anything is ${reach}: ${times}`);
});

apart.run();

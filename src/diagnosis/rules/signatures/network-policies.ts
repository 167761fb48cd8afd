import { fieldPath } from '../../../crd/field-path.ts';
import { listOf } from '../../../crd/pod-template.ts';
import { addPorts, holdsPort, type PortSet } from '../../../crd/policy-ports.ts';
import { type Endpoint, nameOf, type Policy, reachability, restricts } from '../../../crd/reachability.ts';
import { selects } from '../../../crd/selector.ts';
import type { ServiceAround } from '../../case.ts';
import { change } from '../../corrections/change.ts';
import type { Correction } from '../../corrections/correction.ts';
import type { Meaning } from '../../corrections/meaning.ts';
import type { RuleInput } from '../../facts/input.ts';
import { selectsPods } from '../../facts/service.ts';
import { kubectl } from '../../rendering/commands.ts';
import { code } from '../../rendering/quote.ts';
import { serviceAt } from './empty-service.ts';

// Kubernetes, "Network Policies": a connection needs the egress rules of the one pod and the ingress rules of the other.

/** The meaning of a line about an address that does not answer, plus the NetworkPolicy that keeps this pod from it. */
export function ofPolicies(input: RuleInput, address: string, meaning: Meaning): Meaning {
  const refused = refusedBy(input, address);
  if (!refused) return meaning;
  const { policy, isIngress, admitting } = refused;
  const name = policy.metadata.name ?? '';
  const labels = Object.entries(admitting ?? {}).map((pair) => code(pair.join('=')));
  const admits = labels.length > 0 ? ` It lets in pods with ${labels.join(' and ')}.` : '';
  return {
    ...meaning,
    because: `${meaning.because}: the NetworkPolicy ${code(name)} does not let this pod ${isIngress ? 'in' : 'out to it'}`,
    culprit: `NetworkPolicy ${name}: ${address}`,
    advice: [
      isIngress
        ? `Add this pod to \`ingress\` of the NetworkPolicy ${code(name)}, or give it the labels that the policy asks for.${admits}`
        : `Add the server to \`egress\` of the NetworkPolicy ${code(name)}, with its port.`,
    ],
    corrections: admitting ? withLabels(input, admitting, name) : [],
    ...lookingAt(input, name),
  };
}

/**
 * What keeps the pod from the name server: a policy restricts its egress, and no rule allows port 53 with UDP. Undefined also where the
 * policies are unknown.
 */
export function nameServerRefused(
  input: RuleInput,
): Pick<Meaning, 'because' | 'culprit' | 'advice' | 'commands' | 'whereToLook' | 'elsewhere'> | undefined {
  const self = ownEnd(input);
  const own = policiesOf(input).filter((policy) => restricts(policy, 'egress') && selects(policy.spec?.podSelector, self.labels));
  const allowed: PortSet = new Map();
  for (const policy of own) for (const rule of listOf(policy.spec?.egress)) addPorts(allowed, rule.ports ?? undefined, self);
  const name = own[0]?.metadata.name;
  if (name === undefined || holdsPort(allowed, { port: 53, protocol: 'UDP' })) return undefined;
  return {
    because: `the NetworkPolicy ${code(name)} does not let the pod ask the cluster's DNS (port 53)`,
    culprit: `NetworkPolicy ${name}: port 53 of the name server`,
    advice: [`Allow port 53 (UDP and TCP) to the name server in \`egress\` of the NetworkPolicy ${code(name)}.`],
    ...lookingAt(input, name),
  };
}

/** Where to look at a policy that decides. */
const lookingAt = ({ subject }: RuleInput, policy: string): Pick<Meaning, 'commands' | 'whereToLook' | 'elsewhere'> => ({
  commands: [kubectl(subject, 'get', 'networkpolicy', policy, '-o', 'yaml')],
  whereToLook: `the NetworkPolicy ${code(policy)}`,
  elsewhere: `The NetworkPolicy ${code(policy)} decides this, not the manifest of the pod.`,
});

interface Refused {
  policy: Policy;
  isIngress: boolean;
  /** The labels that the pod lacks to be let in, if a single rule asks for them. */
  admitting?: Record<string, string> | undefined;
}

/** Only where no port at all is allowed, for any pod behind the Service: which port of the pod a Service leads to is not known. */
function refusedBy(input: RuleInput, address: string): Refused | undefined {
  const service = serviceAt(input.subject, address);
  const policies = policiesOf(input);
  if (!service || policies.length === 0) return undefined;
  const from = ownEnd(input);
  const ways = endsOf(input, service).map((to) => reachability(from, to, { policies, namespaces: new Map() }));
  const [first] = ways;
  if (!first || ways.some(({ reach }) => reach !== 'refused')) return undefined;
  const isIngress = first.egress.reach !== 'refused';
  const { restrictedBy } = isIngress ? first.ingress : first.egress;
  const restricting = policies.filter((policy) => restrictedBy.includes(nameOf(policy)));
  const [policy] = restricting;
  if (!policy) return undefined;
  const admitting = isIngress ? lackingLabels(restricting, from) : undefined;
  return { policy: admitting?.policy ?? policy, isIngress, admitting: admitting?.labels };
}

function policiesOf({ subject }: RuleInput): Policy[] {
  return (subject.surroundings?.networkPolicies ?? []).map(({ name, spec }) => ({
    metadata: { name, namespace: subject.namespace },
    spec,
  }));
}

function ownEnd({ subject }: RuleInput): Endpoint {
  return { namespace: subject.namespace, name: subject.pod_name, labels: subject.labels ?? {}, ports: [] };
}

/** The pods behind a Service, or its selector if they are unknown. */
function endsOf({ subject }: RuleInput, service: ServiceAround): Endpoint[] {
  const known = (subject.surroundings?.podLabels ?? []).filter((labels) => selectsPods(service, labels));
  const sets = known.length > 0 ? known : service.selector ? [service.selector] : [];
  return sets.map((labels) => ({ namespace: subject.namespace, name: service.name, labels, ports: [] }));
}

/** The labels that the only rule for pods of this namespace asks for, and that the pod does not have. */
function lackingLabels(policies: Policy[], { labels }: Endpoint): { policy: Policy; labels: Record<string, string> } | undefined {
  const peers = policies.flatMap((policy) =>
    listOf(policy.spec?.ingress).flatMap(({ from }) => listOf(from).map((peer) => ({ policy, peer }))),
  );
  const [only, ...more] = peers.filter(
    ({ peer: { podSelector, namespaceSelector, ipBlock } }) =>
      podSelector?.matchLabels && !podSelector.matchExpressions && !namespaceSelector && !ipBlock,
  );
  const wanted = only?.peer.podSelector?.matchLabels ?? {};
  const lacking = Object.entries(wanted).filter(([key, value]) => labels[key] !== value);
  return only && more.length === 0 && lacking.length > 0 ? { policy: only.policy, labels: Object.fromEntries(lacking) } : undefined;
}

/** The labels by which the workload finds its pods must stay as they are. */
function withLabels(input: RuleInput, wanted: Record<string, string>, policy: string): Correction[] {
  const place = input.place(null);
  const own = input.subject.labels ?? {};
  // A label with another value may be one of the selector's.
  if (!place || Object.keys(wanted).some((key) => own[key] !== undefined)) return [];
  const base = `${place.specPath.replace(/spec$/, '')}metadata.labels`;
  const shown = Object.entries(wanted).map((pair) => code(pair.join('=')));
  return [
    {
      title: `Give the pod the ${shown.length === 1 ? 'label' : 'labels'} ${shown.join(' and ')}`,
      changes: Object.entries(wanted).map(([key, value]) =>
        change(place, fieldPath(base, key), value, `the NetworkPolicy ${code(policy)} lets in pods with it`),
      ),
      confidence: 'likely',
      explanation: `The NetworkPolicy ${code(policy)} lets in no others. Decide first whether this workload may reach the server.`,
      mirrorable: false,
    },
  ];
}

import { fieldPath } from '../../crd/field-path.ts';
import type { SandboxFact } from '../facts/volume.ts';
import { code, withoutWrappers } from '../rendering/quote.ts';
import { describe } from '../rendering/commands.ts';
import { memoryLimit, raiseMemory } from '../corrections/memory/memory.ts';
import type { Correction } from '../corrections/correction.ts';
import { withoutSysctl } from '../corrections/admission/sysctl.ts';
import { change } from '../corrections/change.ts';
import { type ContainerPlace, factOf, type RuleInput, who } from '../facts/input.ts';
import { type DiagnosisRule } from './rule.ts';

const MEANINGS: Record<SandboxFact['cause'], { because: string; advice: string; whereToLook: string }> = {
  memory: {
    because: 'the memory limit of its containers is too low to start any process',
    advice: 'Raise the memory limit. `Ki` is a thousandth of `Mi`, and `m` is a thousandth of a byte.',
    whereToLook: 'the memory limits of the containers',
  },
  runtime: {
    because: 'the node does not have the runtime that its runtime class names',
    advice: 'Install the runtime on the nodes, or use a runtime class that they have.',
    whereToLook: "`kubectl get runtimeclasses` and the container runtime's configuration on the node",
  },
  sysctl: {
    because: 'the kernel of the node does not have, or does not let the pod set, a parameter in `securityContext.sysctls`',
    advice: 'Correct the name of the parameter, or remove it.',
    whereToLook: '`securityContext.sysctls` of the pod, and `sysctl -a` on the node',
  },
  'network-definition': {
    because: 'it asks for a further network that nobody has defined',
    advice:
      'Correct the name in the annotation `k8s.v1.cni.cncf.io/networks`, or create the NetworkAttachmentDefinition in this namespace.',
    whereToLook: '`kubectl get network-attachment-definitions` in the namespace',
  },
  'host-name': {
    because: 'its host name with the domain of the cluster is longer than the 64 characters that the kernel takes',
    advice: 'Remove `setHostnameAsFQDN`, or give the workload, `subdomain` and namespace shorter names.',
    whereToLook: '`setHostnameAsFQDN`, `hostname` and `subdomain` of the pod',
  },
  'user-namespace': {
    because: 'with `hostUsers: false` it asks for a user namespace, which the node cannot give it',
    advice:
      'Use nodes whose kernel, runtime and file systems support user namespaces. Without one, root of the container is root of the node.',
    whereToLook: "the node's kernel and container runtime, and the file systems of the pod's volumes",
  },
  addresses: {
    because: 'the node has no free address for it',
    advice: 'Give the network more addresses, or run fewer pods on the node.',
    whereToLook: "the network plugin's address pool",
  },
  network: {
    because: 'the network plugin cannot set up its network',
    advice: 'Look at the pods of the network plugin on this node.',
    whereToLook: 'the pods of the network plugin (`kube-system`) and `/etc/cni/net.d` on the node',
  },
  image: {
    because: 'the image of the sandbox cannot be pulled',
    advice: "Check the pause image in the container runtime's configuration.",
    whereToLook: "the container runtime's configuration on the node",
  },
  name: {
    because: 'the runtime still has an earlier sandbox with this name',
    advice: 'This usually ends by itself. If not, restart the runtime on the node.',
    whereToLook: "the container runtime's log on the node",
  },
  resources: {
    because: 'the node has run out of something (disk, files, processes)',
    advice: "Look at the node's conditions.",
    whereToLook: "the node's conditions and its log",
  },
  other: {
    because: 'the container runtime cannot create its sandbox',
    advice:
      'The message comes from the node. See whether other pods start there: if none does, look at its container runtime and its kernel.',
    whereToLook: "the container runtime's log on the node",
  },
};

/** What a runtime says that fails while it makes users for the pod, without a word about them. */
const OF_USERS = /operation not permitted|permission denied|unshare|newuidmap|setgroups|setresuid|invalid argument/i;

/** The runtime seldom says that users of the pod's own are the reason. */
function withUsers(fact: SandboxFact, place: ContainerPlace | undefined): SandboxFact {
  const isOfUsers =
    place?.spec.hostUsers === false && (fact.cause === 'other' || fact.cause === 'resources') && OF_USERS.test(fact.evidence.text);
  return isOfUsers ? { ...fact, cause: 'user-namespace', subject: null } : fact;
}

/** The sandbox of the pod cannot be created. */
export const sandbox: DiagnosisRule = {
  id: 'sandbox',
  reasons: ['FailedCreatePodSandBox', 'NetworkNotReady', 'ContainerCreating'],
  answer(input) {
    const told = factOf(input, 'sandbox');
    if (!told) return undefined;
    const place = input.place();
    const fact = withUsers(told, place);
    const { because, advice, whereToLook } = MEANINGS[fact.cause];
    const message = fact.cause === 'other' ? `: ${code(sandboxMessage(fact))}` : '';
    const runtimeClass = place?.spec.runtimeClassName ? `, runtime class ${code(place.spec.runtimeClassName)}` : '';
    const subject = fact.subject ? ` (${code(fact.subject)}${runtimeClass})` : '';
    return {
      summary: `${who(input, null)} cannot start: ${because}${subject}${message}.`,
      culprit: culpritOf(fact, place),
      evidence: [fact.evidence],
      advice: [advice],
      commands: [
        describe(input.subject),
        fact.cause === 'runtime' ? 'kubectl get runtimeclasses' : 'kubectl get pods -n kube-system -o wide',
      ],
      corrections: correctionsFor(input, fact, place),
      noCorrection: { why: `The manifest is not the cause: ${because}.`, whereToLook },
    };
  },
};

function culpritOf({ cause, subject, evidence }: SandboxFact, place: ContainerPlace | undefined): string {
  if (cause === 'runtime') return `runtime ${subject ?? place?.spec.runtimeClassName ?? ''}`.trim();
  if (cause === 'sysctl') return `sysctl ${(subject ?? '').replaceAll('/', '.')}`;
  if (cause === 'memory') return `memory limit ${memoryLimit(place)?.written ?? ''}`.trim();
  if (cause === 'user-namespace' && place?.spec.hostUsers === false) return 'hostUsers: false';
  return subject ?? `${cause === 'network' ? 'network: ' : ''}${sandboxMessage({ evidence })}`;
}

/** The message without the identifier of the sandbox, which differs from try to try. */
function sandboxMessage({ evidence }: Pick<SandboxFact, 'evidence'>): string {
  const text = withoutWrappers(evidence.text);
  const rest = evidence.text.slice(evidence.text.indexOf(text.slice(0, 40)));
  return withoutWrappers(rest.replace(/^failed to (?:start|create) sandbox "[^"]{1,100}": /, ''));
}

function correctionsFor(input: RuleInput, { cause, subject }: SandboxFact, place: ContainerPlace | undefined): Correction[] {
  if (cause === 'memory') return raiseMemory(input, 'the pod needs some mebibytes to start');
  if (cause === 'sysctl') return withoutSysctl(place, (subject ?? '').replaceAll('/', '.'));
  if (cause === 'host-name') return without(place, 'setHostnameAsFQDN', 'the name is too long for the kernel', 'likely');
  if (cause === 'user-namespace') return without(place, 'hostUsers', 'the node cannot give the pod a user namespace', 'guess');
  const runtimeClass = place?.spec.runtimeClassName;
  if (cause !== 'runtime' || !place || !runtimeClass) return [];
  return [
    {
      title: "Use the node's default runtime",
      changes: [change(place, fieldPath(place.specPath, 'runtimeClassName'), null, `no node has the runtime of ${code(runtimeClass)}`)],
      confidence: 'guess',
      explanation: 'The pod then runs with less isolation than its author wanted. Decide first whether that is acceptable.',
      mirrorable: false,
    },
  ];
}

/** Removes a field of the pod, where it is set to something else than its default. */
function without(
  place: ContainerPlace | undefined,
  field: 'setHostnameAsFQDN' | 'hostUsers',
  why: string,
  confidence: Correction['confidence'],
): Correction[] {
  if (!place || place.spec[field] !== (field === 'setHostnameAsFQDN')) return [];
  return [
    {
      title: `Remove ${code(field)}`,
      changes: [change(place, fieldPath(place.specPath, field), null, why)],
      confidence,
      explanation:
        field === 'hostUsers'
          ? 'Root in the container is then root on the node. Decide first whether that is acceptable.'
          : 'The pod then has its short name only.',
      mirrorable: field !== 'hostUsers',
    },
  ];
}

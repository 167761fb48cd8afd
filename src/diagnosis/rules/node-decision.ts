import { fieldPath } from '../../crd/field-path.ts';
import type { RejectedFact } from '../facts/node.ts';
import { code, withoutWrappers } from '../rendering/quote.ts';
import type { Correction } from '../corrections/correction.ts';
import { describe } from '../rendering/commands.ts';
import { choiceOfNodes } from '../corrections/placement/node-choice.ts';
import { withoutSysctl } from '../corrections/admission/sysctl.ts';
import { hostPorts } from '../corrections/placement/host-ports.ts';
import { fitRequests } from '../corrections/placement/requests.ts';
import { disruptions } from './disruption.ts';
import { change } from '../corrections/change.ts';
import { factOf, type ContainerPlace, type RuleInput, who } from '../facts/input.ts';
import { type DiagnosisRule } from './rule.ts';

/** The pod was ended to make room for a pod of higher priority. */
export const preempted: DiagnosisRule = {
  id: 'preempted',
  reasons: ['Preempted', 'Preempting'],
  answer(input) {
    const fact = factOf(input, 'preempted');
    if (!fact && !input.subject.reason.startsWith('Preempt')) return undefined;
    const place = input.place();
    const priority = place?.spec.priorityClassName;
    return {
      summary: `${who(input, null)} was ended to make room for a pod of higher priority${priority ? ` than its own (${code(priority)})` : ''}.`,
      culprit: 'preemption by a pod of higher priority',
      evidence: disruptions(place, fact),
      advice: [
        'Give the cluster room for both pods, or give this pod a priority class that fits its importance.',
        'The event names the other pod only by its UID. Look for it on the same node.',
      ],
      commands: [
        describe(input.subject),
        'kubectl get pods -A -o custom-columns=NS:.metadata.namespace,NAME:.metadata.name,UID:.metadata.uid,PRIORITY:.spec.priority',
        'kubectl get priorityclasses',
      ],
      noCorrection: {
        why: "The pod is not the cause. A higher priority is a right that only the cluster's administrators should give.",
        whereToLook: 'the priorities of the pods on that node and the room in the cluster',
      },
    };
  },
};

/** The pod's node was lost or shut down. */
export const nodeLost: DiagnosisRule = {
  id: 'node-lost',
  reasons: ['NodeLost', 'NodeShutdown', 'Shutdown', 'Terminated'],
  answer(input) {
    const fact = factOf(input, 'node-lost');
    if (!fact && !['NodeLost', 'NodeShutdown', 'Shutdown', 'Terminated'].includes(input.subject.reason)) return undefined;
    return {
      summary: `${who(input, null)} was lost with its node, which is away or was shut down.`,
      culprit: `node ${nameOfNode(input, fact?.evidence.text ?? '')}`.trim(),
      evidence: disruptions(input.place(), fact),
      advice: ['Bring the node back or remove it. A controller creates the pod again elsewhere; somebody must create a bare pod again.'],
      commands: ['kubectl get nodes -o wide', describe(input.subject)],
      noCorrection: { why: 'The node failed, not the pod.', whereToLook: "the node's conditions, its kubelet and its machine" },
    };
  },
};

function nameOfNode(input: RuleInput, text: string): string {
  return /\bnode (?!which\b)([a-z0-9][a-z0-9.-]{0,252}) (?:which|is|was)/i.exec(text)?.[1] ?? input.place()?.spec.nodeName ?? '';
}

/** The kubelet refused the pod after it was bound to the node. */
export const rejected: DiagnosisRule = {
  id: 'rejected',
  reasons: [
    'OutOfcpu',
    'OutOfmemory',
    'OutOfpods',
    'OutOfephemeral-storage',
    'NodeAffinity',
    'NodePorts',
    'UnexpectedAdmissionError',
    'TopologyAffinityError',
    'AppArmor',
    'SysctlForbidden',
    'PodOSNotSupported',
    'ResourceAllocationError',
    'TaintToleration',
    'NodeUnschedulable',
  ],
  answer(input) {
    const fact = factOf(input, 'rejected');
    if (!fact) return undefined;
    const resource = fact.resource;
    const { asked, corrections } = resource ? fitRequests(input, resource, roomOf(fact)) : { asked: null, corrections: [] };
    const other = otherCause(input, fact);
    const nodeName = input.place()?.spec.nodeName;
    return {
      summary: resource
        ? `${who(input, null)} was refused by its node, which does not have enough ${code(resource)}: ${asked?.written ? `it asks for ${code(asked.written)}` : 'it asks for too much'}${asked?.most ? `, ${code(asked.most)} is free` : ''}.`
        : `${who(input, null)} was refused by its node: ${other.because ?? `${code(fact.word)}${other.culprit === fact.word ? '' : ` (${code(other.culprit)})`}`}.`,
      culprit: resource ? `${resource} request${asked?.written ? ` ${asked.written}` : ''}` : other.culprit,
      evidence: [fact.evidence],
      advice: [
        resource
          ? `Request less ${code(resource)}, or let the scheduler choose a node that has it (no \`nodeName\`).`
          : other.isOfKernel
            ? 'Remove the AppArmor profile, or let the pod run on nodes whose kernel enforces it.'
            : "Compare what the pod requires with the node's labels and devices.",
        'A refused pod stays as a record and is never tried again. Create it again.',
      ],
      commands: [
        describe(input.subject),
        nodeName ? `kubectl describe node ${nodeName.replaceAll(/[^\w.-]/g, '')}` : 'kubectl describe nodes',
      ],
      corrections: resource ? corrections : other.corrections,
      noCorrection: {
        why: 'The pod does not fit this node.',
        whereToLook: "kubelet's log on the node, its device plugins and labels",
      },
    };
  },
};

/** How much of the resource the node has left. The kubelet counts CPU in millicores. */
function roomOf({ resource, used, capacity }: RejectedFact): number | undefined {
  if (used === null || capacity === null) return undefined;
  return Math.max(0, capacity - used) / (resource === 'cpu' ? 1000 : 1);
}

/** `because` completes "was refused by its node: …". */
function otherCause(
  input: RuleInput,
  fact: RejectedFact,
): { because?: string; culprit: string; corrections: Correction[]; isOfKernel?: boolean } {
  if (fact.word === 'NodePorts') return hostPorts(input);
  const sysctl = /forbidden sysctl: "([^"]{1,253})"/.exec(fact.evidence.text)?.[1];
  if (sysctl)
    return {
      because: `the node does not allow the kernel parameter ${code(sysctl)}`,
      culprit: `sysctl ${sysctl}`,
      corrections: withoutSysctl(input.place(), sysctl),
    };
  if (fact.word === 'TopologyAffinityError')
    return {
      because: 'no NUMA node of it has all CPUs, memory and devices that the pod wants together',
      culprit: 'TopologyAffinityError: resources of one NUMA node',
      corrections: [],
    };
  const os = fact.word === 'PodOSNotSupported' ? input.place(null)?.spec.os?.name : undefined;
  if (os)
    return {
      because: `the pod is for the operating system ${code(os)}, and the node runs another one`,
      culprit: `os ${os}`,
      corrections: otherSystem(input, os),
    };
  const forbidden = fact.word === 'AppArmor' ? withoutProfile(input.place(null)) : withoutGroupsPolicy(input.place(null), fact.word);
  if (fact.word !== 'NodeAffinity') {
    const message = withoutWrappers(fact.evidence.text);
    return {
      culprit: message === '' || message === fact.word ? fact.word : `${fact.word}: ${message}`,
      corrections: forbidden,
      isOfKernel: fact.word === 'AppArmor',
    };
  }
  const place = input.place();
  const unbound: Correction[] = place?.spec.nodeName
    ? [
        {
          title: 'Let the scheduler choose the node',
          changes: [change(place, fieldPath(place.specPath, 'nodeName'), null, 'this node does not have the labels that the pod requires')],
          confidence: 'guess',
          explanation: 'A mirror has no `nodeName` and goes through the scheduler.',
          mirrorable: true,
        },
      ]
    : [];
  const { wanted, corrections } = choiceOfNodes(input);
  return {
    because: `the node does not have the labels that the pod requires${wanted ? ` (${code(wanted)})` : ''}`,
    culprit: wanted || fact.word,
    corrections: [...unbound, ...corrections],
  };
}

/** Without the AppArmor profiles that the node cannot enforce. */
function withoutProfile(place: ContainerPlace | undefined): Correction[] {
  if (!place) return [];
  const lists = (['initContainers', 'containers'] as const).flatMap((list) =>
    (place.spec[list] ?? []).map((one, index) => ({ path: fieldPath(place.specPath, list, index), security: one.securityContext })),
  );
  const all = [{ path: place.specPath, security: place.spec.securityContext }, ...lists];
  const changes = all.flatMap(({ path, security }) =>
    security?.appArmorProfile
      ? [change(place, fieldPath(path, 'securityContext', 'appArmorProfile'), null, 'the node cannot enforce this profile')]
      : [],
  );
  if (changes.length === 0) return [];
  return [
    {
      title: 'Remove the AppArmor profile',
      changes,
      confidence: 'guess',
      explanation:
        'The profile forbids things that its author did not want. Decide first whether that is acceptable, or use nodes that have it.',
      mirrorable: false,
    },
  ];
}

function withoutGroupsPolicy(place: ContainerPlace | undefined, word: string): Correction[] {
  const path = fieldPath(place?.specPath ?? '', 'securityContext', 'supplementalGroupsPolicy');
  if (!place || word !== 'SupplementalGroupsPolicyNotSupported') return [];
  return [
    {
      title: 'Remove the policy for supplemental groups',
      changes: [change(place, path, null, 'the runtime of the node does not support it')],
      confidence: 'guess',
      explanation: 'The container then also has the groups that its image gives the user.',
      mirrorable: false,
    },
  ];
}

function otherSystem(input: RuleInput, os: string): Correction[] {
  const place = input.place(null);
  if (!place) return [];
  return [
    {
      title: `Remove ${code(`os: ${os}`)}`,
      changes: [change(place, fieldPath(place.specPath, 'os'), null, `the node does not run ${code(os)}`)],
      confidence: 'likely',
      explanation: 'The image decides for which system it is.',
      mirrorable: true,
    },
  ];
}

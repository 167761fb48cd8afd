import { fieldPath } from '../../crd/field-path.ts';
import type { RejectedFact } from '../facts/node.ts';
import { code, withoutWrappers } from '../rendering/quote.ts';
import type { Correction } from '../corrections/correction.ts';
import { describe } from './commands.ts';
import { choiceOfNodes } from '../corrections/node-choice.ts';
import { hostPorts } from '../corrections/placement.ts';
import { fitRequests } from '../corrections/requests.ts';
import { disruptions } from './disruption.ts';
import { change, factOf, type ContainerPlace, type DiagnosisRule, type RuleInput, who } from './rule.ts';

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

/** kubelet refused the pod when it came to the node. */
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
        : `${who(input, null)} was refused by its node: ${code(fact.word)}${other.culprit === fact.word ? '' : ` (${code(other.culprit)})`}.`,
      culprit: resource ? `${resource} request${asked?.written ? ` ${asked.written}` : ''}` : other.culprit,
      evidence: [fact.evidence],
      advice: [
        resource
          ? `Request less ${code(resource)}, or let the scheduler choose a node that has it (no \`nodeName\`).`
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

/** What the node has left. kubelet counts cpu in thousandths. */
function roomOf({ resource, used, capacity }: RejectedFact): number | undefined {
  if (used === null || capacity === null) return undefined;
  return Math.max(0, capacity - used) / (resource === 'cpu' ? 1000 : 1);
}

function otherCause(input: RuleInput, fact: RejectedFact): { culprit: string; corrections: Correction[] } {
  if (fact.word === 'NodePorts') return hostPorts(input);
  const sysctl = /forbidden sysctl: "([^"]{1,253})"/.exec(fact.evidence.text)?.[1];
  if (sysctl) return { culprit: `sysctl ${sysctl}`, corrections: withoutSysctl(input.place(), sysctl) };
  const os = fact.word === 'PodOSNotSupported' ? input.place(null)?.spec.os?.name : undefined;
  if (os) return { culprit: `os ${os}`, corrections: otherSystem(input, os) };
  if (fact.word !== 'NodeAffinity') {
    const message = withoutWrappers(fact.evidence.text);
    return { culprit: message === '' || message === fact.word ? fact.word : `${fact.word}: ${message}`, corrections: [] };
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
  return { culprit: wanted || fact.word, corrections: [...unbound, ...corrections] };
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

function withoutSysctl(place: ContainerPlace | undefined, name: string): Correction[] {
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

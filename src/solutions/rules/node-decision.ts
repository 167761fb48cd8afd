import { fieldPath } from '../fix/apply.ts';
import type { RejectedFact } from '../facts/node.ts';
import { code, heartOf } from '../quote.ts';
import type { RuleCorrection } from './answer.ts';
import { describe } from './commands.ts';
import { choiceOfNodes, hostPorts } from './cures/placement.ts';
import { fitRequests } from './cures/requests.ts';
import { disruptions } from './disruption.ts';
import { change, factOf, type Place, type Rule, type Scene, who } from './rule.ts';

/** A pod that gave way to a more important one. */
export const preempted: Rule = {
  id: 'preempted',
  reasons: ['Preempted', 'Preempting'],
  answer(scene) {
    const fact = factOf(scene, 'preempted');
    if (!fact && !scene.subject.reason.startsWith('Preempt')) return undefined;
    const place = scene.place();
    const priority = place?.spec.priorityClassName;
    return {
      summary: `${who(scene, null)} was ended to make room for a pod of higher priority${priority ? ` than its own (${code(priority)})` : ''}.`,
      culprit: 'preemption by a pod of higher priority',
      evidence: disruptions(place, fact),
      advice: [
        'Give the cluster room for both, or the pod a priority class that says how important it is.',
        'The event names the other pod by its UID only: look for it on the same node.',
      ],
      commands: [
        describe(scene.subject),
        'kubectl get pods -A -o custom-columns=NS:.metadata.namespace,NAME:.metadata.name,UID:.metadata.uid,PRIORITY:.spec.priority',
        'kubectl get priorityclasses',
      ],
      noCure: {
        why: "It did nothing wrong: it had to give way. A higher priority is a right that only the cluster's administrators should give.",
        whereToLook: 'the priorities of the pods on that node and the room in the cluster',
      },
    };
  },
};

/** A node that was lost or shut down with the pod on it. */
export const nodeLost: Rule = {
  id: 'node-lost',
  reasons: ['NodeLost', 'NodeShutdown', 'Shutdown', 'Terminated'],
  answer(scene) {
    const fact = factOf(scene, 'node-lost');
    if (!fact && !['NodeLost', 'NodeShutdown', 'Shutdown', 'Terminated'].includes(scene.subject.reason)) return undefined;
    return {
      summary: `${who(scene, null)} was lost with its node, which is away or was shut down.`,
      culprit: `node ${nameOfNode(scene, fact?.evidence.text ?? '')}`.trim(),
      evidence: disruptions(scene.place(), fact),
      advice: ['Bring the node back or remove it; a controller makes the pod anew elsewhere, a bare pod must be made again.'],
      commands: ['kubectl get nodes -o wide', describe(scene.subject)],
      noCure: { why: 'The node failed, not the pod.', whereToLook: "the node's conditions, its kubelet and its machine" },
    };
  },
};

function nameOfNode(scene: Scene, text: string): string {
  return /\bnode (?!which\b)([a-z0-9][a-z0-9.-]{0,252}) (?:which|is|was)/i.exec(text)?.[1] ?? scene.place()?.spec.nodeName ?? '';
}

/** A pod that kubelet refused on arrival. */
export const rejected: Rule = {
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
  answer(scene) {
    const fact = factOf(scene, 'rejected');
    if (!fact) return undefined;
    const resource = fact.resource;
    const { asked, corrections } = resource ? fitRequests(scene, resource, roomOf(fact)) : { asked: null, corrections: [] };
    const other = otherCause(scene, fact);
    const nodeName = scene.place()?.spec.nodeName;
    return {
      summary: resource
        ? `${who(scene, null)} was refused by its node, which has not enough ${code(resource)}: ${asked?.written ? `it asks for ${code(asked.written)}` : 'it asks for too much'}${asked?.most ? `, ${code(asked.most)} is free` : ''}.`
        : `${who(scene, null)} was refused by its node: ${code(fact.word)}${other.culprit === fact.word ? '' : ` (${code(other.culprit)})`}.`,
      culprit: resource ? `${resource} request${asked?.written ? ` ${asked.written}` : ''}` : other.culprit,
      evidence: [fact.evidence],
      advice: [
        resource
          ? `Ask for less ${code(resource)}, or let the scheduler choose a node that has it (no \`nodeName\`).`
          : "Compare what the pod asks for with the node's labels and devices.",
        'A refused pod stays as a record and is never tried again: make it anew.',
      ],
      commands: [
        describe(scene.subject),
        nodeName ? `kubectl describe node ${nodeName.replaceAll(/[^\w.-]/g, '')}` : 'kubectl describe nodes',
      ],
      corrections: resource ? corrections : other.corrections,
      noCure: { why: 'The node refuses it for what the node is.', whereToLook: "kubelet's log on the node, its device plugins and labels" },
    };
  },
};

/** What the node has left; kubelet counts cpu in thousandths. */
function roomOf({ resource, used, capacity }: RejectedFact): number | undefined {
  if (used === null || capacity === null) return undefined;
  return Math.max(0, capacity - used) / (resource === 'cpu' ? 1000 : 1);
}

function otherCause(scene: Scene, fact: RejectedFact): { culprit: string; corrections: RuleCorrection[] } {
  if (fact.word === 'NodePorts') return hostPorts(scene);
  const sysctl = /forbidden sysctl: "([^"]{1,253})"/.exec(fact.evidence.text)?.[1];
  if (sysctl) return { culprit: `sysctl ${sysctl}`, corrections: withoutSysctl(scene.place(), sysctl) };
  if (fact.word !== 'NodeAffinity') {
    const heart = heartOf(fact.evidence.text);
    return { culprit: heart === '' || heart === fact.word ? fact.word : `${fact.word}: ${heart}`, corrections: [] };
  }
  const place = scene.place();
  const unbound: RuleCorrection[] = place?.spec.nodeName
    ? [
        {
          title: 'Let the scheduler choose the node',
          changes: [change(place, fieldPath(place.specPath, 'nodeName'), null, 'this node has not the labels that the pod asks for')],
          confidence: 'guess',
          explanation: 'A mirror has no `nodeName` and goes through the scheduler.',
          mirrorable: true,
        },
      ]
    : [];
  const { wanted, corrections } = choiceOfNodes(scene);
  return { culprit: wanted || fact.word, corrections: [...unbound, ...corrections] };
}

function withoutSysctl(place: Place | undefined, name: string): RuleCorrection[] {
  const sysctls = place?.spec.securityContext?.sysctls ?? [];
  const others = sysctls.filter((sysctl) => sysctl.name !== name);
  if (!place || others.length === sysctls.length) return [];
  const path = fieldPath(place.specPath, 'securityContext', 'sysctls');
  return [
    {
      title: `Do without the kernel parameter ${code(name)}`,
      changes: [change(place, path, others.length > 0 ? others : null, `the node does not allow ${code(name)}`)],
      confidence: 'likely',
      explanation: 'The node has the parameter as it is; whether that is enough for the program, a mirror shows.',
      mirrorable: true,
    },
  ];
}

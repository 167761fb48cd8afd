import type { SchedulingCause, SchedulingReason } from '../facts/scheduling.ts';
import { code } from '../quote.ts';
import { describe, kubectl } from './commands.ts';
import { waitingClaim } from './cures/claims.ts';
import { fitRequests } from './cures/requests.ts';
import { choiceOfNodes, hostPorts, otherClaim, podAffinity, spread, tolerate } from './cures/placement.ts';
import type { RuleCorrection } from './answer.ts';
import { fieldPath } from '../fix/apply.ts';
import { change, factOf, type Rule, type Scene, who } from './rule.ts';

interface Told {
  because: string;
  culprit: string;
  advice: string;
  whereToLook: string;
  corrections: RuleCorrection[];
  commands: string[];
}

/** A pod that no node takes: each part of the scheduler's message with its numbers. */
export const unschedulable: Rule = {
  id: 'unschedulable',
  reasons: ['Unschedulable', 'SchedulerError', 'Pending'],
  answer(scene) {
    const fact = factOf(scene, 'unschedulable');
    if (!fact || fact.reasons.length === 0) return undefined;
    // What a change of the pod can cure, for most nodes, comes first: control-plane taints stand in nearly every message.
    const reasons = fact.reasons.toSorted((a, b) => weight(b) - weight(a) || b.nodes - a.nodes);
    const told = reasons.map((reason) => tell(scene, reason));
    const [first] = told;
    const count = (reason: SchedulingReason) => (reason.nodes > 0 && fact.total > 0 ? ` (${reason.nodes} of ${fact.total} nodes)` : '');
    return {
      summary: `${who(scene, null)} fits on no node: ${reasons.map((reason, index) => `${told[index]?.because}${count(reason)}`).join('; ')}.`,
      culprit: first?.culprit ?? null,
      evidence: [fact.evidence],
      advice: [...new Set(told.map(({ advice }) => advice))],
      commands: [describe(scene.subject), ...new Set(told.flatMap(({ commands }) => commands))],
      corrections: told.flatMap(({ corrections }) => corrections),
      noCure: {
        why: 'What is missing lies beside the pod: no field of its manifest would bring it.',
        whereToLook: [...new Set(told.map(({ whereToLook }) => whereToLook))].join('; '),
      },
    };
  },
};

function weight({ cause, subject }: SchedulingReason): number {
  if (cause === 'taint') return /^node\.kubernetes\.io|control-plane|master/.test(subject ?? '') ? 0 : 2;
  return cause === 'cordoned' || cause === 'other' ? 1 : 3;
}

function tell(scene: Scene, reason: SchedulingReason): Told {
  const name = reason.subject ?? '';
  const simple = (because: string, culprit: string, advice: string, whereToLook: string, corrections: RuleCorrection[] = []): Told => ({
    because,
    culprit,
    advice,
    whereToLook,
    corrections,
    commands: commandsFor(scene, reason.cause),
  });
  const tellers: Record<SchedulingCause, () => Told> = {
    resource: () => {
      const { asked, corrections } = fitRequests(scene, name);
      const most = asked.most ? `, the largest node has ${code(asked.most)}` : '';
      return simple(
        `not enough ${code(name)} is free${asked.written ? ` (the pod asks for ${code(asked.written)}${most})` : ''}`,
        `${name} request${asked.written ? ` ${asked.written}` : ''}`,
        `Lower the pod's request for ${code(name)} to what it needs, or add nodes that have it.`,
        'what the nodes have and what their pods ask for (`kubectl describe nodes`)',
        corrections,
      );
    },
    'too-many-pods': () =>
      simple('nodes have as many pods as they may', 'too many pods', 'Add nodes, or raise `maxPods` of kubelet.', "the nodes' pod counts"),
    'node-selection': () => {
      const { wanted, corrections } = choiceOfNodes(scene);
      return simple(
        `no node has the labels that the pod asks for${wanted ? ` (${code(wanted)})` : ''}`,
        wanted || 'node affinity/selector',
        'Correct `nodeSelector` or the required node affinity, or label a node.',
        'the labels of the nodes',
        corrections,
      );
    },
    taint: () =>
      simple(
        `nodes have ${name ? `the taint ${code(name)}` : 'taints'} that the pod does not tolerate`,
        `taint ${name}`.trim(),
        taintAdvice(name),
        taintAdvice(name),
        tolerate(scene, name),
      ),
    'claim-missing': () =>
      simple(
        `the claim ${code(name)} does not exist`,
        `PersistentVolumeClaim ${name}`,
        `Make the claim ${code(name)}, or correct \`claimName\`.`,
        `the claims of the namespace`,
        otherClaim(scene, name),
      ),
    'claim-unbound': () => {
      const known = waitingClaim(scene);
      return simple(
        known?.because ?? `its claim ${claimNames(scene)}is not bound to a volume`,
        known?.culprit ?? `PersistentVolumeClaim ${claimNames(scene, true)}`.trim(),
        known?.advice ??
          "Look at the claim's events: its storage class must exist and provision, or a volume of that size and access mode must be there.",
        "the claim's events and storage class",
      );
    },
    'claim-other': () =>
      simple(
        `a claim hinders it: ${code(reason.text)}`,
        `PersistentVolumeClaim ${name || claimNames(scene, true)}`.trim(),
        'Look at the claim and its storage class.',
        "the claim's events and storage class",
      ),
    'host-port': () =>
      simple(
        'the host port that it wants is taken',
        hostPorts(scene).culprit,
        'Do without `hostPort` (a Service gives an address), or free the port on a node.',
        'the pods with host ports on each node',
        hostPorts(scene).corrections,
      ),
    'anti-affinity': () =>
      simple(
        'pods are where its anti-affinity forbids them',
        `pod anti-affinity ${affinityLabels(scene, 'podAntiAffinity')}`.trim(),
        'Add nodes, or prefer (`preferredDuring…`) in place of requiring to keep apart.',
        'the pods that its anti-affinity names, and their nodes',
        podAffinity(scene, 'podAntiAffinity'),
      ),
    'pod-affinity': () =>
      simple(
        'no node has the pods that its affinity wants beside it',
        `pod affinity ${affinityLabels(scene, 'podAffinity')}`.trim(),
        'Correct the labels of the required pod affinity, or prefer in place of requiring.',
        'the pods that its affinity names',
        podAffinity(scene, 'podAffinity'),
      ),
    'topology-spread': () =>
      simple(
        'its topology spread constraint cannot be kept',
        `topology spread constraint ${topologyKeys(scene)}`.trim(),
        'Allow more skew or `ScheduleAnyway`, or add nodes in the other zones.',
        'the zones of the nodes and of the other replicas',
        spread(scene),
      ),
    scheduler: () =>
      simple(
        `no scheduler named ${code(name)} has looked at it`,
        `scheduler ${name}`,
        'Correct `schedulerName`, or start that scheduler.',
        'the pods of the scheduler, and its log',
        usualScheduler(scene),
      ),
    'volume-node': () =>
      simple(
        'its volume lives where no fitting node is',
        `volume node affinity${claimNames(scene, true) ? ` of claim ${claimNames(scene, true)}` : ''}`,
        'Place the pod in the zone of its volume, or make a volume where nodes are.',
        "the volume's node affinity and the zones of the nodes",
      ),
    'volume-count': () =>
      simple(
        'nodes have as many volumes attached as they may',
        'max volume count',
        'Add nodes, or use fewer volumes per node.',
        'the volumes attached to each node',
      ),
    cordoned: () =>
      simple(
        'nodes are cordoned',
        'cordoned node',
        'Uncordon the node when its work is done (`kubectl uncordon`).',
        'nodes that are `SchedulingDisabled`',
      ),
    'node-name': () =>
      simple('no node has the name that the pod asks for', 'node name', 'Correct the node name.', 'the names of the nodes'),
    'no-nodes': () => simple('the cluster has no nodes', 'no nodes', 'Add a node.', 'the nodes of the cluster'),
    'device-claim': () =>
      simple(
        `a device claim cannot be met: ${code(reason.text)}`,
        `ResourceClaim ${name || resourceClaims(scene)}`.trim(),
        'Look at the claim and at what the device drivers of the nodes offer.',
        'ResourceClaims, DeviceClasses and ResourceSlices',
      ),
    other: () => simple(code(reason.text), reason.text.slice(0, 200), "Read the scheduler's message.", "the scheduler's events"),
  };
  return tellers[reason.cause]();
}

function commandsFor({ subject }: Scene, cause: SchedulingCause): string[] {
  if (cause.startsWith('claim') || cause === 'volume-node')
    return [kubectl(subject, 'get', 'persistentvolumeclaims'), 'kubectl get storageclasses'];
  const ofNodes: SchedulingCause[] = ['resource', 'too-many-pods', 'taint', 'volume-count', 'cordoned'];
  return [ofNodes.includes(cause) ? 'kubectl describe nodes' : 'kubectl get nodes --show-labels'];
}

function taintAdvice(taint: string): string {
  if (/^node\.kubernetes\.io|unreachable|not-ready|pressure/.test(taint))
    return `The node has a trouble of its own (${code(taint)}): cure the node, not the pod.`;
  return 'Add a toleration when the pod belongs on these nodes; else add nodes without the taint.';
}

function claimNames(scene: Scene, plain = false): string {
  const names = (scene.place()?.spec.volumes ?? []).flatMap((volume) => volume.persistentVolumeClaim?.claimName ?? []);
  if (plain) return names.join(', ');
  return names.length > 0 ? `${names.map((name) => code(name)).join(', ')} ` : '';
}

function resourceClaims(scene: Scene): string {
  const claims = (scene.place()?.spec.resourceClaims ?? []) as {
    name?: string;
    resourceClaimName?: string;
    resourceClaimTemplateName?: string;
  }[];
  return claims.map((claim) => claim.resourceClaimName ?? claim.resourceClaimTemplateName ?? claim.name ?? '').join(', ');
}

function topologyKeys(scene: Scene): string {
  return (scene.place()?.spec.topologySpreadConstraints ?? [])
    .map(({ topologyKey }) => (typeof topologyKey === 'string' ? topologyKey : ''))
    .join(', ');
}

/** The labels that a required affinity looks for: `app=cache`. */
function affinityLabels(scene: Scene, kind: 'podAffinity' | 'podAntiAffinity'): string {
  const required = scene.place()?.spec.affinity?.[kind]?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = (Array.isArray(required) ? required : []) as { labelSelector?: { matchLabels?: Record<string, string> } }[];
  return terms.flatMap(({ labelSelector }) => Object.entries(labelSelector?.matchLabels ?? {}).map((pair) => pair.join('='))).join(', ');
}

function usualScheduler(scene: Scene): RuleCorrection[] {
  const place = scene.place();
  if (!place) return [];
  return [
    {
      title: "Use the cluster's own scheduler",
      changes: [change(place, fieldPath(place.specPath, 'schedulerName'), null, 'no scheduler of that name is heard of')],
      confidence: 'likely',
      explanation: 'Without a name the default scheduler places the pod.',
      mirrorable: true,
    },
  ];
}

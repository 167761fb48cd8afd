import { fieldPath } from '../../../crd/field-path.ts';
import { waitingClaim } from '../../corrections/placement/claims.ts';
import type { Correction } from '../../corrections/correction.ts';
import { choiceOfNodes } from '../../corrections/placement/node-choice.ts';
import { claimOverQuota } from '../../corrections/placement/claim-quota.ts';
import { otherClaim } from '../../corrections/placement/claims.ts';
import { hostPorts } from '../../corrections/placement/host-ports.ts';
import { podAffinity } from '../../corrections/placement/pod-affinity.ts';
import { tolerate } from '../../corrections/placement/toleration.ts';
import { spread } from '../../corrections/placement/topology-spread.ts';
import { fitRequests } from '../../corrections/placement/requests.ts';
import type { SchedulingCause, SchedulingReason } from '../../facts/scheduling.ts';
import { code } from '../../rendering/quote.ts';
import { kubectl } from '../../rendering/commands.ts';
import { change } from '../../corrections/change.ts';
import { type RuleInput } from '../../facts/input.ts';
import { affinityLabels, claimNames, deviceClaims, topologyKeys } from './names.ts';

/** One reason of the scheduler, explained. */
interface ExplainedReason {
  /** Completes "cannot be scheduled: …". */
  because: string;
  culprit: string;
  advice: string;
  whereToLook: string;
  corrections?: Correction[];
}

type Explain = (input: RuleInput, name: string, reason: SchedulingReason) => ExplainedReason;

/** Explains one reason why nodes do not accept the pod. */
export function explainReason(
  input: RuleInput,
  reason: SchedulingReason,
): ExplainedReason & { commands: string[]; corrections: Correction[] } {
  const explained = EXPLANATIONS[reason.cause](input, reason.subject ?? '', reason);
  return { ...explained, corrections: explained.corrections ?? [], commands: commandsFor(input, reason.cause) };
}

/** Every cause; `name` is the resource, taint, claim or scheduler that the message names. */
const EXPLANATIONS: Record<SchedulingCause, Explain> = {
  resource(input, name) {
    const { asked, corrections } = fitRequests(input, name);
    const isNowhere = name.includes('/') && asked.most === null && (input.subject.surroundings?.nodes ?? []).length > 0;
    const largest = asked.most ? `, ${asked.isFree ? 'the most that a node has free is' : 'the largest node has'} ${code(asked.most)}` : '';
    return {
      because: `${isNowhere ? `no node offers ${code(name)}` : `not enough ${code(name)} is free`}${asked.written ? ` (the pod requests ${code(asked.total ?? asked.written)}${largest})` : ''}`,
      culprit: `${name} request${asked.written ? ` ${asked.written}` : ''}`,
      advice: `Lower the pod's request for ${code(name)} to what it needs, or add nodes that have it.`,
      whereToLook: 'what the nodes have and what their pods request (`kubectl describe nodes`)',
      corrections,
    };
  },
  'too-many-pods': () => ({
    because: 'nodes already run as many pods as they may',
    culprit: 'too many pods',
    advice: 'Add nodes, or raise the kubelet setting `maxPods`.',
    whereToLook: "the nodes' pod counts",
  }),
  'node-selection'(input) {
    const { wanted, corrections } = choiceOfNodes(input);
    return {
      because: `no node has the labels that the pod requires${wanted ? ` (${code(wanted)})` : ''}`,
      culprit: wanted || 'node affinity/selector',
      advice: 'Correct `nodeSelector` or the required node affinity, or label a node.',
      whereToLook: 'the labels of the nodes',
      corrections,
    };
  },
  taint: (input, name) => ({
    because: `nodes have ${name ? `the taint ${code(name)}` : 'taints'} that the pod does not tolerate`,
    culprit: `taint ${name}`.trim(),
    advice: taintAdvice(name),
    whereToLook: "the nodes' taints and conditions",
    corrections: tolerate(input, name),
  }),
  'claim-missing': (input, name) => ({
    because: `the claim ${code(name)} does not exist`,
    culprit: `PersistentVolumeClaim ${name}`,
    advice: `Create the claim ${code(name)}, or correct \`claimName\`.`,
    whereToLook: 'the claims of the namespace',
    corrections: otherClaim(input, name),
  }),
  'claim-unbound'(input) {
    const names = claimNames(input);
    const quoted = names.map((name) => `${code(name)}`).join(', ');
    return {
      because:
        names.length > 1
          ? `its claims ${quoted} are not bound to volumes`
          : `its claim ${quoted ? `${quoted} ` : ''}is not bound to a volume`,
      culprit: `PersistentVolumeClaim ${names.join(', ')}`.trim(),
      advice:
        "Look at the claim's events. Its storage class must exist and be able to provision, or a volume of that size and access mode must exist.",
      ...waitingClaim(input),
      corrections: instead(input),
      whereToLook: "the claim's events and storage class",
    };
  },
  'claim-deleted': (input, name) => ({
    because: `somebody has deleted its claim ${code(name)}, which stays only until no pod uses it any more`,
    culprit: `PersistentVolumeClaim ${name} is being deleted`,
    advice: DELETED_CLAIM,
    whereToLook: 'who deleted the claim, and the reclaim policy of its volume',
  }),
  'claim-ephemeral'(input, name, { text }) {
    if (/was not created for/.test(text))
      return {
        because: `the claim ${code(name)} of its ephemeral volume is there, and belongs to another owner`,
        culprit: `PersistentVolumeClaim ${name}`,
        advice:
          'A claim of an ephemeral volume is called after pod and volume, and somebody has made another one of that name. Rename the volume or the pod, or delete that claim if nobody needs its data.',
        whereToLook: 'the claims of the namespace and their owners',
      };
    const because = `the claim ${code(name)} of its ephemeral volume has not been made yet`;
    const full = claimOverQuota(input, name);
    if (full)
      return {
        because: `${because}: ${full.because}`,
        culprit: `PersistentVolumeClaim ${name} (${full.culprit})`,
        advice: 'Raise the quota, delete claims that nobody needs, or let the volume ask for less.',
        corrections: full.corrections,
        whereToLook: 'the quota and the claims of the namespace',
      };
    return {
      because,
      culprit: `PersistentVolumeClaim ${name}`,
      advice:
        'The ephemeral volume controller makes the claim. Its event on the pod says why it could not: a quota, a policy, or a claim of that name.',
      whereToLook: 'the claims of the namespace and their owners',
    };
  },
  'claim-other': (input, name, { text }) => ({
    because: `a claim prevents it: ${code(text)}`,
    culprit: `PersistentVolumeClaim ${name || claimNames(input).join(', ')}`.trim(),
    advice: 'Look at the claim and its storage class.',
    whereToLook: "the claim's events and storage class",
  }),
  'host-port': (input) => ({
    because: 'its host port is taken',
    advice: 'Remove `hostPort` (a Service gives an address), or free the port on a node.',
    whereToLook: 'the pods with host ports on each node',
    ...hostPorts(input),
  }),
  'anti-affinity': (input) => ({
    because: `its anti-affinity forbids the nodes on which ${podsOf(input)} already run`,
    culprit: `pod anti-affinity ${affinityLabels(input, 'podAntiAffinity')}`.trim(),
    advice: 'Add nodes, or make the anti-affinity a preference (`preferredDuring…`).',
    whereToLook: 'the pods that its anti-affinity names, and their nodes',
    corrections: podAffinity(input, 'podAntiAffinity'),
  }),
  'pod-affinity': (input) => ({
    because: 'no node runs the pods that its affinity requires',
    culprit: `pod affinity ${affinityLabels(input, 'podAffinity')}`.trim(),
    advice: 'Correct the labels of the required pod affinity, or make it a preference.',
    whereToLook: 'the pods that its affinity names',
    corrections: podAffinity(input, 'podAffinity'),
  }),
  'topology-spread': (input) => ({
    because: 'its topology spread constraint cannot be met',
    culprit: `topology spread constraint ${topologyKeys(input)}`.trim(),
    advice: 'Allow more skew or `ScheduleAnyway`, or add nodes in the other zones.',
    whereToLook: 'the zones of the nodes and of the other replicas',
    corrections: spread(input),
  }),
  scheduler: (input, name) => ({
    because: `no scheduler named ${code(name)} has looked at it`,
    culprit: `scheduler ${name}`,
    advice: 'Correct `schedulerName`, or start that scheduler.',
    whereToLook: 'the pods of the scheduler, and its log',
    corrections: usualScheduler(input),
  }),
  'volume-node'(input) {
    const names = claimNames(input);
    const claims = (input.subject.surroundings?.claims ?? []).filter(({ name, nodes }) => names.includes(name) && nodes !== undefined);
    const [only] = claims.length === 1 ? claims : [];
    const where = only ? `the volume of its claim ${code(only.name)} can be used only on nodes with ${code(only.nodes ?? '')}` : '';
    return {
      because: where ? `${where}, and none fits` : 'its volume can be used only on nodes that do not fit',
      culprit: `volume node affinity${only ? ` ${only.nodes}` : ''}${names.length > 0 ? ` of claim ${names.join(', ')}` : ''}`,
      advice: only
        ? 'Bring such a node back, or let the pod run on it. If it is gone for good, delete the claim and its pod: a new volume has none of the data.'
        : 'Place the pod in the zone of its volume, or create a volume where nodes are.',
      whereToLook: "the volume's node affinity and the zones of the nodes",
    };
  },
  'volume-count': () => ({
    because: 'nodes already have as many volumes attached as they may',
    culprit: 'max volume count',
    advice: 'Add nodes, or use fewer volumes per node.',
    whereToLook: 'the volumes attached to each node',
  }),
  cordoned: () => ({
    because: 'nodes are cordoned',
    culprit: 'cordoned node',
    advice: 'Uncordon the node when the work on it is done (`kubectl uncordon`).',
    whereToLook: 'nodes that are `SchedulingDisabled`',
  }),
  'node-name': () => ({
    because: 'no node has the name that the pod requires',
    culprit: 'node name',
    advice: 'Correct the node name.',
    whereToLook: 'the names of the nodes',
  }),
  'no-nodes': () => ({
    because: 'the cluster has no nodes',
    culprit: 'no nodes',
    advice: 'Add a node.',
    whereToLook: 'the nodes of the cluster',
  }),
  'device-claim': deviceClaim,
  other: (_input, _name, { text }) => ({
    because: code(text),
    culprit: text.slice(0, 200),
    advice: 'Change what the scheduler names, in the pod or on the nodes.',
    whereToLook: "the scheduler's events",
  }),
};

/** What to do when a claim is being deleted that a pod wants. The data go with the claim unless its volume is kept. */
export const DELETED_CLAIM =
  'To keep the data, set `persistentVolumeReclaimPolicy: Retain` on its PersistentVolume first. `kubectl describe pvc` shows under `Used By` which pods hold the claim; stop them, and the claim is gone. Then remove `spec.claimRef` from the volume and create the claim again with its `volumeName`, or let the pod name another claim.';

/** The pods that the anti-affinity keeps away from, by their labels if those are known. */
function podsOf(input: RuleInput): string {
  const labels = affinityLabels(input, 'podAntiAffinity');
  return /^[^ ,]+=[^ ,]*$/.test(labels) ? `pods with ${code(labels)}` : 'other pods';
}

/** A claim for devices: it is not made, its template or its device class is missing, or no node has the devices left. */
function deviceClaim(input: RuleInput, name: string, { text }: SchedulingReason): ExplainedReason {
  const template = /resourceclaimtemplates?\S{0,40} "([^"]{1,253})" not found/i;
  const missing = input.subject.events.map(({ message }) => template.exec(message ?? '')?.[1]).find((one) => one !== undefined);
  if (missing)
    return {
      because: `the ResourceClaimTemplate ${code(missing)} does not exist, so its device claim cannot be made`,
      culprit: `ResourceClaimTemplate ${missing}`,
      advice: 'Create the ResourceClaimTemplate in this namespace, or correct `resourceClaimTemplateName`.',
      whereToLook: '`kubectl get resourceclaimtemplates` in the namespace',
    };
  if (/device class \S{1,253} does not exist/.test(text))
    return {
      because: `the DeviceClass ${code(name)} that its device claim asks for does not exist`,
      culprit: `DeviceClass ${name}`,
      advice: 'Install the device driver that brings this DeviceClass, or correct `deviceClassName` in the claim or its template.',
      whereToLook: '`kubectl get deviceclasses`',
    };
  if (/not found/.test(text) && name !== '')
    return {
      because: `the ResourceClaim ${code(name)} does not exist`,
      culprit: `ResourceClaim ${name}`,
      advice: `Create the ResourceClaim ${code(name)} in this namespace, or correct \`resourceClaimName\`.`,
      whereToLook: '`kubectl get resourceclaims` in the namespace',
    };
  return {
    because: /allocate all claims/.test(text)
      ? 'no node has the devices left that its claim asks for'
      : `a device claim cannot be met: ${code(text)}`,
    culprit: `ResourceClaim ${name || deviceClaims(input)}`.trim(),
    advice: 'Compare what the claim asks for with what the nodes offer in their ResourceSlices, and see which other claims hold devices.',
    whereToLook: 'ResourceClaims, DeviceClasses and ResourceSlices',
  };
}

/** A volume that lives only as long as the pod needs no storage class. */
function instead(input: RuleInput): Correction[] {
  const place = input.place(null);
  const index = place?.spec.volumes?.findIndex(({ ephemeral }) => ephemeral) ?? -1;
  const volume = place?.spec.volumes?.[index];
  if (!place || !volume) return [];
  const path = fieldPath(place.specPath, 'volumes', index);
  return [
    {
      title: 'Use an empty volume',
      changes: [
        change(place, fieldPath(path, 'ephemeral'), null, 'an empty volume needs no claim'),
        change(place, fieldPath(path, 'emptyDir'), {}, 'it lives as long as the pod, too'),
      ],
      confidence: 'guess',
      explanation: `What is written to ${code(volume.name)} then lies on the disk of the node.`,
      mirrorable: true,
    },
  ];
}

function commandsFor({ subject }: RuleInput, cause: SchedulingCause): string[] {
  if (cause === 'device-claim') return [kubectl(subject, 'get', 'resourceclaims'), 'kubectl get deviceclasses,resourceslices'];
  if (cause.startsWith('claim') || cause === 'volume-node')
    return [kubectl(subject, 'get', 'persistentvolumeclaims'), 'kubectl get storageclasses'];
  const ofNodes: SchedulingCause[] = ['resource', 'too-many-pods', 'taint', 'volume-count', 'cordoned'];
  return [ofNodes.includes(cause) ? 'kubectl describe nodes' : 'kubectl get nodes --show-labels'];
}

function taintAdvice(taint: string): string {
  if (/^node\.kubernetes\.io|unreachable|not-ready|pressure/.test(taint))
    return `The node itself has a problem (${code(taint)}): repair the node, not the pod.`;
  return 'Add a toleration when the pod belongs on these nodes; otherwise add nodes without the taint.';
}

function usualScheduler(input: RuleInput): Correction[] {
  const place = input.place();
  if (!place) return [];
  return [
    {
      title: "Use the cluster's own scheduler",
      changes: [change(place, fieldPath(place.specPath, 'schedulerName'), null, 'nothing shows that a scheduler of this name runs')],
      confidence: 'likely',
      explanation: 'Without a name the default scheduler places the pod.',
      mirrorable: true,
    },
  ];
}

import type { PodSpec } from '../../crd/kubernetes.ts';
import type { Correction } from '../corrections/correction.ts';
import { nearest } from '../corrections/similar-names.ts';
import { choiceOfNodes } from '../corrections/placement/node-choice.ts';
import { isSelected, isSystemTaint, type NodeAround, nodesWithout, type Refusal, refusalsOf } from '../corrections/placement/node-fit.ts';
import { spread } from '../corrections/placement/topology-spread.ts';
import { tolerate } from '../corrections/placement/toleration.ts';
import { fitRequests } from '../corrections/placement/requests.ts';
import { code } from '../rendering/quote.ts';
import { factOf, type RuleInput } from '../facts/input.ts';
import type { Obstacle } from './on-paper.ts';

/** In a larger cluster only the first nodes are checked. */
const MAX_NODES = 200;
/** Taints that Kubernetes sets are never tolerated. */
const NEVER = 100;

/** Whether the case is about a pod that no node accepts. */
export function isPlacing(reason: string): boolean {
  return ['Unschedulable', 'SchedulerError', 'Pending', 'NodeAffinity', 'TaintToleration'].includes(reason) || reason.startsWith('OutOf');
}

/**
 * What keeps the pod from the node that comes nearest to accepting it. Undefined when a node accepts it, or when not all nodes are known.
 */
export function obstacleOnNodes(input: RuleInput): Obstacle | undefined {
  const place = input.place(null);
  const nodes = knownNodes(input);
  if (!place || nodes.length === 0) return undefined;
  const refused = nodes.map((node) => ({ node, refusals: refusalsOf(place.spec, node) }));
  const best = refused.reduce((one, other) => (costOf(other) < costOf(one) ? other : one));
  const [refusal] = best.refusals;
  if (!refusal) return undefined;
  const near = { ...input, subject: { ...input.subject, surroundings: { ...input.subject.surroundings, nodes: [best.node] } } };
  return { correction: correctionFor(near, refusal), remains: `No node takes the pod then: ${nameOf(refusal)}.` };
}

/** Set when the pod must be spread over values of a label that no node has (Kubernetes, "Pod Topology Spread Constraints": Conventions). */
export function keyOfNoNode(input: RuleInput): Obstacle | undefined {
  const place = input.place(null);
  const nodes = knownNodes(input);
  const wanted = (place?.spec.topologySpreadConstraints ?? []).find(
    ({ topologyKey, whenUnsatisfiable }) =>
      whenUnsatisfiable !== 'ScheduleAnyway' && nodes.every(({ labels }) => !Object.hasOwn(labels, String(topologyKey))),
  );
  if (!wanted || nodes.length === 0) return undefined;
  return {
    correction: spread(input)[0],
    remains: `No node has the label ${code(String(wanted.topologyKey))}, over which it must be spread.`,
  };
}

/** Set when a pod fitted a node before the correction and fits none after it. */
export function roomLost(before: RuleInput, after: RuleInput, { changes }: Correction): Obstacle | undefined {
  if (!changes.some(({ path }) => /\.(?:resources|nodeSelector|affinity|tolerations)\b/.test(path))) return undefined;
  const nodes = knownNodes(before);
  const fits = (spec: PodSpec | undefined) => spec !== undefined && nodes.some((node) => refusalsOf(spec, node).length === 0);
  if (!fits(before.place(null)?.spec) || fits(after.place(null)?.spec)) return undefined;
  const isKnown = nodes.some(({ used }) => used !== undefined);
  return { remains: isKnown ? 'No node has that much free.' : 'No node of the cluster is large enough for it.' };
}

/** Set when a volume that only one node at a time can use is in use on a node that does not accept the corrected pod. */
export function heldElsewhere(before: RuleInput, after: RuleInput): Obstacle | undefined {
  const [old, place] = [before.place(null)?.spec, after.place(null)];
  const nodes = knownNodes(after);
  if (!old || !place || nodes.length === 0) return undefined;
  const takes = (spec: PodSpec, name: string) => nodes.some((node) => node.name === name && isSelected(spec, node));
  for (const volume of place.spec.volumes ?? []) {
    const claim = after.subject.surroundings?.claims?.find(({ name }) => name === volume.persistentVolumeClaim?.claimName);
    const modes = claim?.accessModes ?? [];
    const isShared = modes.length === 0 || modes.some((mode) => mode === 'ReadWriteMany' || mode === 'ReadOnlyMany');
    const [holder] = isShared ? [] : (claim?.usedOn ?? []);
    if (!claim || holder === undefined || takes(place.spec, holder)) continue;
    // That node did not accept the pod before either, so the correction is not the reason.
    if (!takes(old, holder) && JSON.stringify(old.nodeSelector) === JSON.stringify(place.spec.nodeSelector)) continue;
    return { remains: `Its claim ${code(claim.name)} is in use on node ${code(holder)}, and one node at a time can use it.` };
  }
  return undefined;
}

/** The nodes, if all nodes that the scheduler counted are known. */
function knownNodes(input: RuleInput): NodeAround[] {
  const nodes = nodesWithout(input);
  const total = isPlacing(input.subject.reason) ? (factOf(input, 'unschedulable')?.total ?? 0) : 0;
  return nodes.length < total ? [] : nodes.slice(0, MAX_NODES);
}

function costOf({ node, refusals }: { node: NodeAround; refusals: Refusal[] }): number {
  return refusals.reduce((sum, refusal) => sum + costOfOne(refusal, node), 0);
}

/** How much is given up by correcting one refusal. */
function costOfOne(refusal: Refusal, { labels }: NodeAround): number {
  switch (refusal.kind) {
    case 'label':
      return nearest(refusal.value, Object.hasOwn(labels, refusal.key) ? [labels[refusal.key] as string] : []).length > 0 ? 1 : 4;
    case 'affinity':
      return 4;
    case 'taint':
      return isSystemTaint(refusal.key) ? NEVER : 6;
    case 'resource':
      return refusal.resource.includes('/') ? 8 : 2;
  }
}

function correctionFor(input: RuleInput, refusal: Refusal): Correction | undefined {
  switch (refusal.kind) {
    case 'label':
    case 'affinity':
      return choiceOfNodes(input).corrections[0];
    case 'taint':
      return tolerate(input, refusal.value ? `${refusal.key}=${refusal.value}` : refusal.key)[0];
    case 'resource':
      return fitRequests(input, refusal.resource).corrections[0];
  }
}

function nameOf(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'label':
      return `none that could has the label ${code(`${refusal.key}=${refusal.value}`)}`;
    case 'affinity':
      return 'none meets the required node affinity';
    case 'taint':
      return `it does not tolerate the taint ${code(refusal.value ? `${refusal.key}=${refusal.value}` : refusal.key)}`;
    case 'resource':
      return `none has enough ${code(refusal.resource)}`;
  }
}

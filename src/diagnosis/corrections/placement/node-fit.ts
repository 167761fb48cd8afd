import type { NodeSelectorRequirement, PodSpec, Toleration } from '../../../crd/kubernetes.ts';
import { parseQuantity } from '../../../crd/quantity.ts';
import { requestsOf } from '../../../crd/requests.ts';
import type { Surroundings } from '../../case.ts';
import type { RuleInput } from '../../facts/input.ts';

export type NodeAround = NonNullable<Surroundings['nodes']>[number];

/** One reason why a node does not accept a pod. */
export type Refusal =
  | { kind: 'label'; key: string; value: string }
  | { kind: 'affinity' }
  | { kind: 'taint'; key: string; value?: string }
  | { kind: 'resource'; resource: string };

/**
 * Why a node would refuse a pod, judged by the node's labels, taints and free capacity. If the node's pods are unknown, an empty result does not
 * mean that the pod fits.
 */
export function refusalsOf(spec: PodSpec, node: NodeAround): Refusal[] {
  return [...placeRefusals(spec, node), ...sizeRefusals(spec, node)];
}

/** The nodes that accept the pod by labels and taints; all nodes if none does. */
export function candidates(spec: PodSpec, nodes: NodeAround[]): NodeAround[] {
  const fit = nodes.filter((node) => placeRefusals(spec, node).length === 0);
  return fit.length > 0 ? fit : nodes;
}

/** Whether the node has the labels that the pod requires. */
export function isSelected(spec: PodSpec, node: NodeAround): boolean {
  return labelRefusals(spec, node).length === 0;
}

/** Whether Kubernetes sets the taint itself: it stands for a problem of the node, or for the control plane. */
export function isSystemTaint(key: string): boolean {
  return /^node\.(?:kubernetes\.io|cloudprovider)|control-plane|node-role\.kubernetes\.io\/master/.test(key);
}

function placeRefusals(spec: PodSpec, node: NodeAround): Refusal[] {
  const taints = node.taints.filter(
    ({ key, value, effect }) =>
      effect !== 'PreferNoSchedule' && !(spec.tolerations ?? []).some((toleration) => tolerates(toleration, key, value, effect)),
  );
  return [...labelRefusals(spec, node), ...taints.map(({ key, value }): Refusal => ({ kind: 'taint', key, ...(value ? { value } : {}) }))];
}

function labelRefusals({ nodeSelector, affinity }: PodSpec, node: NodeAround): Refusal[] {
  const { labels } = node;
  const unmet = Object.entries(nodeSelector ?? {}).filter(([key, value]) => labels[key] !== value);
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  // A term without a requirement matches nothing.
  const isMet = terms?.some(
    ({ matchExpressions, matchFields }) =>
      Boolean(matchExpressions?.length || matchFields?.length) &&
      (matchExpressions ?? []).every((requirement) => isRequirementMet(requirement, node, false)) &&
      (matchFields ?? []).every((requirement) => isRequirementMet(requirement, node, true)),
  );
  return [
    ...unmet.map(([key, value]): Refusal => ({ kind: 'label', key, value })),
    ...(terms && !isMet ? [{ kind: 'affinity' } as const] : []),
  ];
}

/** Whether a node meets one requirement of a node affinity. `isField`: the requirement is about the node's name. */
export function isRequirementMet(requirement: NodeSelectorRequirement, { name, labels }: NodeAround, isField: boolean): boolean {
  return meets(requirement, isField ? (requirement.key === 'metadata.name' ? name : undefined) : labels[requirement.key]);
}

function meets({ operator, values }: NodeSelectorRequirement, own: string | undefined): boolean {
  const list = values ?? [];
  switch (operator) {
    case 'In':
      return own !== undefined && list.includes(own);
    case 'NotIn':
      return own === undefined || !list.includes(own);
    case 'Exists':
      return own !== undefined;
    case 'DoesNotExist':
      return own === undefined;
    case 'Gt':
      return Number(own) > Number(list[0]);
    case 'Lt':
      return Number(own) < Number(list[0]);
    default:
      return false;
  }
}

function tolerates(toleration: Toleration, key: string, value: string | undefined, effect: string): boolean {
  if (toleration.effect && toleration.effect !== effect) return false;
  if (!toleration.key) return toleration.operator === 'Exists';
  return toleration.key === key && (toleration.operator === 'Exists' || (toleration.value ?? '') === (value ?? ''));
}

function sizeRefusals(spec: PodSpec, node: NodeAround): Refusal[] {
  // A node of unknown size never refuses a pod for its size.
  if (Object.keys(node.allocatable).length === 0) return [];
  return [...requestsOf(spec), ['pods', 1] as const].flatMap(([resource, asked]) =>
    asked > 0 && asked - freeOf(node, resource) > ROUNDING ? [{ kind: 'resource', resource } as const] : [],
  );
}

/** Sums of decimal fractions are not exact. */
const ROUNDING = 1e-9;

/**
 * How much of a resource the node has left, as far as its pods are known. A resource that the node does not list is unlimited; of an
 * extended resource, it has none.
 */
export function freeOf({ allocatable, used }: NodeAround, resource: string): number {
  const has = parseQuantity(allocatable[resource]) ?? (resource.includes('/') ? 0 : Infinity);
  return Math.max(0, has - (used?.[resource] ?? 0));
}

/** The nodes without the failing pod. What it holds is free for the corrected pod. */
export function nodesWithout({ subject, place }: RuleInput): NodeAround[] {
  const nodes = subject.surroundings?.nodes ?? [];
  const object = subject.manifest();
  const spec = object?.kind === 'Pod' ? place(null)?.spec : undefined;
  const holds = spec?.nodeName !== undefined && subject.statuses.some(({ state }) => state === 'running' || state === 'waiting');
  if (!spec || !holds) return nodes;
  return nodes.map((node) => {
    if (node.name !== spec.nodeName || !node.used) return node;
    const used: Record<string, number> = { ...node.used, pods: (node.used['pods'] ?? 1) - 1 };
    for (const [resource, amount] of requestsOf(spec)) used[resource] = Math.max(0, (used[resource] ?? 0) - amount);
    return { ...node, used };
  });
}

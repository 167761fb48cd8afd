import type { NodeSelectorRequirement, PodSpec, Toleration } from '../../crd/kubernetes.ts';
import { parseQuantity } from '../../crd/quantity.ts';
import type { Surroundings } from '../case.ts';

export type NodeAround = NonNullable<Surroundings['nodes']>[number];

/** One thing for which a node does not take a pod. */
export type Refusal =
  | { kind: 'label'; key: string; value: string }
  | { kind: 'affinity' }
  | { kind: 'taint'; key: string; value?: string }
  | { kind: 'resource'; resource: string };

/**
 * Why an empty node would not take a pod: its labels, its taints, its size. What other pods take of it is not known, so none is no promise.
 */
export function refusalsOf(spec: PodSpec, node: NodeAround): Refusal[] {
  return [...placeRefusals(spec, node), ...sizeRefusals(spec, node)];
}

/** The nodes that take the pod by labels and taints; all when none does. */
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

function labelRefusals({ nodeSelector, affinity }: PodSpec, { name, labels }: NodeAround): Refusal[] {
  const unmet = Object.entries(nodeSelector ?? {}).filter(([key, value]) => labels[key] !== value);
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  // A term without a requirement matches nothing.
  const isMet = terms?.some(
    ({ matchExpressions, matchFields }) =>
      Boolean(matchExpressions?.length || matchFields?.length) &&
      (matchExpressions ?? []).every((requirement) => meets(requirement, labels[requirement.key])) &&
      (matchFields ?? []).every((requirement) => meets(requirement, requirement.key === 'metadata.name' ? name : undefined)),
  );
  return [
    ...unmet.map(([key, value]): Refusal => ({ kind: 'label', key, value })),
    ...(terms && !isMet ? [{ kind: 'affinity' } as const] : []),
  ];
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

function sizeRefusals(spec: PodSpec, { allocatable }: NodeAround): Refusal[] {
  // A node whose size is not known refuses nothing for its size.
  if (Object.keys(allocatable).length === 0) return [];
  return [...requestsOf(spec)].flatMap(([resource, asked]) => {
    const has = parseQuantity(allocatable[resource]) ?? (resource.includes('/') ? 0 : Infinity);
    return asked > has ? [{ kind: 'resource', resource } as const] : [];
  });
}

/** What the scheduler counts for the pod: sidecars and containers together, or the largest init container. */
function requestsOf({ initContainers, containers }: PodSpec): Map<string, number> {
  const sums = new Map<string, number>();
  const most = new Map<string, number>();
  for (const container of [...(initContainers ?? []), ...containers]) {
    const isPassing = (initContainers ?? []).includes(container) && container.restartPolicy !== 'Always';
    // A limit without a request counts as the request.
    const asked = { ...container.resources?.limits, ...container.resources?.requests };
    for (const [resource, quantity] of Object.entries(asked)) {
      const amount = parseQuantity(quantity) ?? 0;
      if (isPassing) most.set(resource, Math.max(most.get(resource) ?? 0, amount));
      else sums.set(resource, (sums.get(resource) ?? 0) + amount);
    }
  }
  for (const [resource, amount] of most) sums.set(resource, Math.max(sums.get(resource) ?? 0, amount));
  return sums;
}

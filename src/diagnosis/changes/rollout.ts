import { hostPortsOf } from '../../checks/baseline.ts';
import type { KubeObject, PodSpec, PodTemplate } from '../../crd/kubernetes.ts';
import { parseQuantity } from '../../crd/quantity.ts';
import { askedOf } from '../../crd/quota.ts';
import { type LabelSelector, selects } from '../../crd/selector.ts';
import type { Surroundings } from '../case.ts';
import { requestsOf } from '../../crd/requests.ts';
import { type NodeAround, refusalsOf } from '../corrections/placement/node-fit.ts';
import { podSpecIn } from '../facts/manifest.ts';

/** A Deployment before and after a correction, as in the cluster. */
export interface Rollout {
  old: KubeObject;
  young: KubeObject;
  surroundings: Surroundings | undefined;
}

/**
 * Why a rolling update blocks: its new pods cannot run while the old ones exist, and no old pod may end before a new one is ready.
 * Undefined when they can run together, when old pods may end first, or when it is unknown.
 */
export function rolloutBlock({ old, young, surroundings = {} }: Rollout): string | undefined {
  if (young.kind !== 'Deployment' || mayGoFirst(young)) return undefined;
  const [before, after] = [templateOf(old), templateOf(young)];
  if (!before || !after) return undefined;
  return (
    keptApart(before, after, surroundings, replicasOf(young)) ??
    heldPorts(before, after, surroundings, replicasOf(young)) ??
    heldVolume(after, surroundings) ??
    noRoom(before, after, surroundings) ??
    noQuota(before, after, surroundings)
  );
}

type Deployed = KubeObject & {
  spec?: { replicas?: number; strategy?: { type?: string; rollingUpdate?: { maxUnavailable?: number | string } }; template?: PodTemplate };
};

const replicasOf = (deployment: KubeObject): number => (deployment as Deployed).spec?.replicas ?? 1;

/** Whether old pods end before new ones are ready. A percentage in `maxUnavailable` is rounded down; the default is 25%. */
function mayGoFirst(deployment: KubeObject): boolean {
  const { type, rollingUpdate } = (deployment as Deployed).spec?.strategy ?? {};
  if (type === 'Recreate') return true;
  const most = rollingUpdate?.maxUnavailable ?? '25%';
  const share = /^(\d{1,3})%$/.exec(`${most}`)?.[1];
  return (share === undefined ? Number(most) : Math.floor((replicasOf(deployment) * Number(share)) / 100)) >= 1;
}

function templateOf(object: KubeObject): PodTemplate | undefined {
  const spec = podSpecIn(object)?.spec;
  const metadata = (object as Deployed).spec?.template?.metadata;
  return spec && { spec, ...(metadata ? { metadata } : {}) };
}

/** Whether every node that accepts the pod may already have an old one. If the nodes are unknown, there may be only one. */
function areFewNodes(spec: PodSpec, { nodes }: Surroundings, replicas: number): boolean {
  if (!nodes) return false;
  return nodes.filter((node) => refusalsOf(spec, node).every(({ kind }) => kind === 'resource')).length <= replicas;
}

function keptApart(old: PodTemplate, young: PodTemplate, around: Surroundings, replicas: number): string | undefined {
  const [before, after] = [old, young].map((one) => ownTerms(one));
  // Required anti-affinity of a running pod also applies to later pods.
  const isLifted = (before ?? 0) > (after ?? 0);
  if (!isLifted && !((after ?? 0) > 0 && areFewNodes(young.spec, around, replicas))) return undefined;
  return 'While an old pod runs, its required anti-affinity keeps the new ones away';
}

/** Whether the correction removes the workload's anti-affinity to itself. Running pods still keep new ones away. */
export function isApartLifted(old: KubeObject, young: KubeObject): boolean {
  const [before, after] = [templateOf(old), templateOf(young)];
  return before !== undefined && after !== undefined && ownTerms(before) > ownTerms(after);
}

interface Term {
  labelSelector?: LabelSelector;
  namespaces?: string[];
}

/** The number of required terms that keep pods of this template apart. */
function ownTerms({ metadata, spec }: PodTemplate): number {
  const required = spec.affinity?.podAntiAffinity?.['requiredDuringSchedulingIgnoredDuringExecution'];
  const terms = (Array.isArray(required) ? required : []) as (Term | null)[];
  return terms.filter((term) => term?.labelSelector && selects(term.labelSelector, metadata?.labels ?? {})).length;
}

function heldPorts(old: PodTemplate, young: PodTemplate, around: Surroundings, replicas: number): string | undefined {
  const held = hostPortsOf(old);
  const port = hostPortsOf(young).find((one) => held.includes(one));
  if (port === undefined || !areFewNodes(young.spec, around, replicas)) return undefined;
  return `While an old pod runs, it holds port ${port} of the node`;
}

/** A volume that only one pod or one node at a time can use, while the scheduler may choose another node. */
function heldVolume({ spec }: PodTemplate, { claims = [], nodes = [] }: Surroundings): string | undefined {
  for (const { persistentVolumeClaim } of spec.volumes ?? []) {
    const claim = claims.find(({ name }) => name === persistentVolumeClaim?.claimName);
    const modes = claim?.accessModes ?? [];
    if (!claim?.usedOn?.length || modes.some((mode) => mode === 'ReadWriteMany' || mode === 'ReadOnlyMany')) continue;
    const others = nodes.filter((node) => !claim.usedOn?.includes(node.name) && refusalsOf(spec, node).length === 0);
    if (modes.includes('ReadWriteOncePod') || (modes.length > 0 && others.length > 0))
      return `While an old pod runs, it holds the volume of claim ${claim.name}`;
  }
  return undefined;
}

/** No node has room for an additional pod, but one has room for a pod that replaces an old one. */
function noRoom(old: PodTemplate, { spec }: PodTemplate, { nodes = [] }: Surroundings): string | undefined {
  const takes = (one: NodeAround) => refusalsOf(spec, one).length === 0;
  const held = requestsOf(old.spec);
  const freed = (node: NodeAround): NodeAround => {
    const used = Object.entries(node.used ?? {}).map(([name, amount]) => [name, amount - (name === 'pods' ? 1 : (held.get(name) ?? 0))]);
    return { ...node, used: Object.fromEntries(used) as Record<string, number> };
  };
  return nodes.every(({ used }) => used) && !nodes.some(takes) && nodes.map(freed).some(takes)
    ? 'While the old pods run, no node has room for a new one'
    : undefined;
}

function noQuota(old: PodTemplate, young: PodTemplate, { quotas = [] }: Surroundings): string | undefined {
  for (const { name, scopes, hard, used } of quotas)
    for (const [resource, most] of scopes.length > 0 ? [] : Object.entries(hard)) {
      const left = (parseQuantity(most) ?? Infinity) - (parseQuantity(used[resource]) ?? 0);
      const [frees, asks] = [askedOf(old.spec, resource), askedOf(young.spec, resource)];
      if (asks - left > 1e-9 && asks - left - frees <= 1e-9) return `While the old pods run, quota ${name} has no room for a new one`;
    }
  return undefined;
}

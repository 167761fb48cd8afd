import type { PolicyRule, RbacSubject } from '../objects.ts';

/** A role as bindings name it. Without a namespace it is a ClusterRole. */
export interface RoleName {
  kind: 'Role' | 'ClusterRole';
  name: string;
  namespace?: string | undefined;
}

/** Stands for all namespaces. */
export const EVERYWHERE = '*';

/**
 * What somebody can come to hold. `acts-as`: an identity; `granted`: rules that it can give to itself; `rewrites`: a role that it can fill with
 * any rule; `runs-pods` and those after it: what it can do in a namespace, `makes-accounts` with any name or one; `takes-token`: the identity of an account that does not exist yet; `changes-pod`: what Pod Security forbids as
 * long as the namespace has its label; `makes-namespaces`: also those that bindings name; `node`: root on a node, or the node's identity (any node without a
 * name); `secrets`: all Secrets of a namespace; `all`: everything, as the ClusterRole cluster-admin says it.
 */
export type Power =
  | { kind: 'acts-as'; subject: RbacSubject }
  | { kind: 'granted'; role: RoleName; rules: readonly PolicyRule[]; namespace: string | undefined }
  | { kind: 'rewrites'; role: RoleName }
  | { kind: 'runs-pods' | 'makes-volumes' | 'makes-secrets' | 'weakens' | 'frees' | 'secrets'; namespace: string }
  | { kind: 'makes-accounts'; namespace: string; name?: string }
  | { kind: 'changes-pod'; namespace: string; name: string; by: 'image' | 'ephemeral' }
  | { kind: 'takes-token'; namespace: string; name: string }
  | { kind: 'makes-namespaces' }
  | { kind: 'node'; name: string | undefined }
  | { kind: 'all' };

/** How somebody comes to hold it. */
export type Way =
  | 'holds'
  | 'bind'
  | 'escalate'
  | 'aggregate'
  | 'rewritten'
  | 'impersonate'
  | 'token'
  | 'token-secret'
  | 'token-read'
  | 'bootstrap'
  | 'csr'
  | 'exec'
  | 'ephemeral'
  | 'image'
  | 'kubelet'
  | 'pod'
  | 'workload'
  | 'pod-account'
  | 'pod-secrets'
  | 'pod-node'
  | 'node-pods'
  | 'account'
  | 'new-account'
  | 'new-token'
  | 'pod-change'
  | 'namespace'
  | 'volume'
  | 'secret'
  | 'pod-volume'
  | 'label'
  | 'quota'
  | 'webhook';

/** The object that a step goes through: a pod, a workload, a binding. */
export interface Through {
  kind: string;
  name: string;
  namespace?: string | undefined;
}

/** Whether the rules allow everything. The API server allows a request for `*` only by a literal `*`. */
export function isEverything(rules: readonly PolicyRule[]): boolean {
  const any = (list: string[] | null | undefined): boolean => Array.isArray(list) && list.includes('*');
  return rules.some((rule) => any(rule.verbs) && any(rule.apiGroups) && any(rule.resources) && !rule.resourceNames?.length);
}

/** The rule that allows everything. */
export const EVERYTHING: PolicyRule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };

/** One key for each power. */
export function keyOfPower(power: Power): string {
  switch (power.kind) {
    case 'acts-as':
      return `acts-as ${power.subject.kind} ${power.subject.namespace ?? ''}/${power.subject.name}`;
    case 'granted':
      // Whichever role gives everything.
      return `granted ${isEverything(power.rules) ? 'everything' : roleKey(power.role)} in ${power.namespace ?? EVERYWHERE}`;
    case 'rewrites':
      return `rewrites ${roleKey(power.role)}`;
    case 'node':
      return `node ${power.name ?? EVERYWHERE}`;
    case 'all':
    case 'makes-namespaces':
      return power.kind;
    case 'makes-accounts':
      return `makes-accounts ${power.namespace}${power.name === undefined ? '' : `/${power.name}`}`;
    case 'takes-token':
      return `takes-token ${power.namespace}/${power.name}`;
    case 'changes-pod':
      return `changes-pod ${power.namespace}/${power.name} ${power.by}`;
    default:
      return `${power.kind} ${power.namespace}`;
  }
}

/** One key for each role. */
export function roleKey({ kind, namespace = '', name }: RoleName): string {
  return `${kind} ${namespace}/${name}`;
}

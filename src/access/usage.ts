import { aggregated } from './aggregate.ts';
import type { PolicyRule, RbacBinding, RbacObjects, RbacRole } from './objects.ts';
import { type AccessRequest, listOf, ruleAllows } from './rules.ts';
import { canonicalSubject, type Requester, userOfAccount } from './subjects.ts';

// Which rights of a binding requests have used. A request that several bindings allow uses all of them: nobody can say which one it needed.

/** A request that the API server allowed. */
export interface Use {
  who: Requester;
  request: AccessRequest;
}

/** What the requests of a binding's subjects used of its role. Rights are sentences like `get pods/log` and `list deployments.apps`. */
export interface Usage {
  used: string[];
  unused: string[];
}

/** One verb on one resource, as a rule writes both. */
interface Right {
  text: string;
  rule: PolicyRule;
  isUsed: boolean;
}

interface Bound {
  namespace: string | undefined;
  rights: Right[];
}

/** How many kinds of requests are remembered as counted. Then the memory is cleared. */
const MOST_KNOWN = 20_000;

/** Counts requests, one after another, in bounded memory. */
export function usageCounter({ clusterRoles, roles, clusterRoleBindings, roleBindings }: RbacObjects) {
  const whole = new Map(aggregated(clusterRoles).map((role) => [`ClusterRole//${role.metadata.name}`, role]));
  for (const role of roles) whole.set(`Role/${role.metadata.namespace ?? ''}/${role.metadata.name}`, role);
  const byBinding = new Map<RbacBinding, Bound>();
  const bySubject = new Map<string, Bound[]>();
  for (const binding of [...clusterRoleBindings, ...roleBindings]) {
    const namespace = binding.metadata.namespace || undefined;
    const { kind, name } = binding.roleRef ?? {};
    const role = whole.get(`${kind}/${kind === 'Role' ? (namespace ?? '') : ''}/${name}`);
    if (!role) continue;
    const bound = { namespace, rights: rightsOf(role) };
    byBinding.set(binding, bound);
    for (const key of new Set(subjectsOf(binding))) bySubject.set(key, [...(bySubject.get(key) ?? []), bound]);
  }
  let known = new Set<string>();

  return {
    count({ who, request }: Use): void {
      const key = JSON.stringify([who, request]);
      if (known.has(key)) return;
      if (known.size >= MOST_KNOWN) known = new Set();
      known.add(key);
      const keys = [`User ${who.user}`, ...who.groups.map((group) => `Group ${group}`)];
      for (const bound of keys.flatMap((one) => bySubject.get(one) ?? [])) use(bound, request);
    },

    /** Undefined for a binding whose role is not known. */
    of(binding: RbacBinding): Usage | undefined {
      const bound = byBinding.get(binding);
      if (!bound) return undefined;
      const texts = (isUsed: boolean): string[] => [
        ...new Set(bound.rights.filter((right) => right.isUsed === isUsed).map(({ text }) => text)),
      ];
      return { used: texts(true), unused: texts(false) };
    },
  };
}

function use({ namespace, rights }: Bound, request: AccessRequest): void {
  if (namespace !== undefined && ('path' in request || request.namespace !== namespace)) return;
  for (const right of rights) if (!right.isUsed && ruleAllows(right.rule, request)) right.isUsed = true;
}

function subjectsOf({ subjects, metadata }: RbacBinding): string[] {
  return (subjects ?? []).flatMap((subject) => {
    const one = subject && canonicalSubject(subject, metadata.namespace);
    if (!one) return [];
    return one.kind === 'ServiceAccount' ? [`User ${userOfAccount(one.namespace ?? '', one.name)}`] : [`${one.kind} ${one.name}`];
  });
}

/** Each verb × group × resource, and each verb × path, with the rule that has only this. */
function rightsOf({ rules }: RbacRole): Right[] {
  return (rules ?? []).flatMap((rule): Right[] =>
    listOf(rule?.verbs).flatMap((verb) => [
      ...listOf(rule.apiGroups).flatMap((group) =>
        listOf(rule.resources).map((resource) => ({
          text: told(verb, group, resource, listOf(rule.resourceNames)),
          rule: { verbs: [verb], apiGroups: [group], resources: [resource], resourceNames: rule.resourceNames ?? [] },
          isUsed: false,
        })),
      ),
      ...listOf(rule.nonResourceURLs).map((path) => ({
        text: `${verb} ${path}`,
        rule: { verbs: [verb], nonResourceURLs: [path] },
        isUsed: false,
      })),
    ]),
  );
}

function told(verb: string, group: string, resource: string, names: string[]): string {
  return `${verb} ${resource}${group === '' ? '' : `.${group}`}${names.length > 0 ? ` ${names.join(', ')}` : ''}`;
}

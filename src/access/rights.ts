import { listOf } from '../crd/pod-template.ts';
import type { PolicyRule, RbacBinding, RbacObjects, RbacRole, RbacSubject } from './objects.ts';
import { type AccessRequest, isPathRequest, ruleAllows } from './rules.ts';
import { canonicalSubject, keyOfSubject, keysOfRequester, MASTERS, type Requester } from './subjects.ts';

/** The namespace in which kubectl creates objects of a file that name none. */
const DEFAULT_NAMESPACE = 'default';

/** A binding, the role that it refers to (undefined when there is none) and whom it names. */
export interface Bound {
  binding: RbacBinding;
  role: RbacRole | undefined;
  /** Where it holds: in one namespace, or everywhere when undefined. */
  namespace: string | undefined;
  /** In canonical form, each once. Subjects that match nobody are left out. */
  subjects: RbacSubject[];
}

/** One rule that a subject has through one binding. */
export interface Grant {
  bound: Bound;
  /** The subject that the binding names: the requester, or a group that the requester is in. */
  subject: RbacSubject;
  rule: PolicyRule;
}

/** The decision about a request. `isMaster`: allowed without a binding, because the requester is in `system:masters`. */
export interface Decision {
  allowed: boolean;
  isMaster: boolean;
  /** The rules that allow it. One of them is enough. */
  by: Grant[];
}

/** A subject that may do something, and the rules that allow it. */
export interface Holder {
  subject: RbacSubject;
  by: Grant[];
}

/** Roles and bindings, prepared for questions. It decides as the API server's RBAC authorizer does, by the stored rules. */
export interface AccessIndex {
  bound: Bound[];
  /** Subject → rights: every rule that the requester has, and through which binding. */
  grantsOf(requester: Requester): Grant[];
  decide(requester: Requester, request: AccessRequest): Decision;
  /** Right → subjects: everybody named by a binding that allows it, `system:masters` first. */
  whoCan(request: AccessRequest): Holder[];
}

/** Builds the index in one pass over roles and bindings. Later changes of the objects are not seen. */
export function accessIndex(objects: RbacObjects): AccessIndex {
  const bound = boundOf(objects);
  const bySubject = new Map<string, { one: Bound; subject: RbacSubject }[]>();
  for (const one of bound)
    for (const subject of one.subjects) {
      const key = keyOfSubject(subject);
      const known = bySubject.get(key);
      if (known) known.push({ one, subject });
      else bySubject.set(key, [{ one, subject }]);
    }
  const grantsOf = (requester: Requester): Grant[] =>
    [...new Set(keysOfRequester(requester))].flatMap((key) =>
      (bySubject.get(key) ?? []).flatMap(({ one, subject }) => rulesOf(one).map((rule) => ({ bound: one, subject, rule }))),
    );
  return {
    bound,
    grantsOf,
    decide(requester, request) {
      const by = grantsOf(requester).filter((grant) => grantAllows(grant, request));
      const isMaster = requester.groups.includes(MASTERS);
      return { allowed: isMaster || by.length > 0, isMaster, by };
    },
    whoCan(request) {
      const holders = new Map<string, Holder>([[`group ${MASTERS}`, { subject: { kind: 'Group', name: MASTERS }, by: [] }]]);
      for (const one of bound) {
        if (!holdsFor(one, request)) continue;
        const rules = rulesOf(one).filter((rule) => ruleAllows(rule, request));
        if (rules.length === 0) continue;
        for (const subject of one.subjects) {
          const key = keyOfSubject(subject);
          const holder = holders.get(key) ?? { subject, by: [] };
          holder.by.push(...rules.map((rule) => ({ bound: one, subject, rule })));
          holders.set(key, holder);
        }
      }
      return [...holders.values()];
    },
  };
}

/** Every binding with its role. A RoleBinding finds Roles in its own namespace only; a ClusterRoleBinding finds ClusterRoles only. */
export function boundOf({ clusterRoles, roles, clusterRoleBindings, roleBindings }: RbacObjects): Bound[] {
  const clusterRole = new Map(clusterRoles.map((role) => [role.metadata.name, role]));
  const role = new Map(roles.map((one) => [`${one.metadata.namespace ?? DEFAULT_NAMESPACE}/${one.metadata.name}`, one]));
  const found = ({ kind, name }: RbacBinding['roleRef'], namespace: string | undefined): RbacRole | undefined => {
    if (kind === 'ClusterRole') return clusterRole.get(name);
    return kind === 'Role' && namespace ? role.get(`${namespace}/${name}`) : undefined;
  };
  return [
    ...clusterRoleBindings.map((binding) => ({ binding, namespace: undefined })),
    ...roleBindings.map((binding) => ({ binding, namespace: binding.metadata.namespace ?? DEFAULT_NAMESPACE })),
  ].map(({ binding, namespace }) => ({
    binding,
    namespace,
    role: found(binding.roleRef ?? { kind: '', name: '' }, namespace),
    subjects: subjectsOf(binding, namespace),
  }));
}

function subjectsOf({ subjects }: RbacBinding, namespace: string | undefined): RbacSubject[] {
  const found = new Map<string, RbacSubject>();
  for (const one of listOf(subjects)) {
    const subject = canonicalSubject(one, namespace);
    if (subject) found.set(keyOfSubject(subject), subject);
  }
  return [...found.values()];
}

/** The rules of the role that a binding refers to. */
export function rulesOf({ role }: Pick<Bound, 'role'>): PolicyRule[] {
  return listOf(role?.rules);
}

/** Whether a rule allows a request where its binding holds. */
export function grantAllows({ bound, rule }: Grant, request: AccessRequest): boolean {
  return holdsFor(bound, request) && ruleAllows(rule, request);
}

/** A RoleBinding holds only for requests in its own namespace: not for paths, and not for cluster-wide requests. */
function holdsFor({ namespace }: Bound, request: AccessRequest): boolean {
  return namespace === undefined || (!isPathRequest(request) && request.namespace === namespace);
}

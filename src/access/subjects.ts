import type { RbacSubject } from './objects.ts';

/** The requester, as the API server's authenticator describes it. */
export interface Requester {
  user: string;
  groups: string[];
}

/** The group whose members are allowed everything without RBAC. */
export const MASTERS = 'system:masters';
const ACCOUNT_PREFIX = 'system:serviceaccount:';
const ACCOUNTS_GROUP = 'system:serviceaccounts';
const AUTHENTICATED = 'system:authenticated';
const UNAUTHENTICATED = 'system:unauthenticated';
const ANONYMOUS = 'system:anonymous';

/** The user name of a ServiceAccount. */
export function userOfAccount(namespace: string, name: string): string {
  return `${ACCOUNT_PREFIX}${namespace}:${name}`;
}

/** The ServiceAccount behind a user name; undefined for people, and for names that no ServiceAccount can have. */
export function accountOfUser(user: string): { namespace: string; name: string } | undefined {
  if (!user.startsWith(ACCOUNT_PREFIX)) return undefined;
  const [namespace = '', name = '', ...rest] = user.slice(ACCOUNT_PREFIX.length).split(':');
  return namespace && name && rest.length === 0 ? { namespace, name } : undefined;
}

/** The namespace whose ServiceAccounts a group holds; undefined for any other group. */
export function accountsNamespaceOf(group: string): string | undefined {
  return group.startsWith(`${ACCOUNTS_GROUP}:`) ? group.slice(ACCOUNTS_GROUP.length + 1) : undefined;
}

/**
 * The requester for a subject, with the groups of everybody of its kind. Only the identity provider knows the groups of a person: `groups`
 * names them. A Group asks as a member about whom nothing else is known.
 */
export function requesterOf({ kind, name, namespace = '' }: RbacSubject, groups: readonly string[] = []): Requester {
  if (kind === 'Group') return { user: '', groups: [...new Set([name, ...groups, ...everybody(name)])] };
  const user = kind === 'ServiceAccount' ? userOfAccount(namespace, name) : name;
  const account = accountOfUser(user);
  const own = account ? [ACCOUNTS_GROUP, `${ACCOUNTS_GROUP}:${account.namespace}`] : [];
  return { user, groups: [...new Set([...own, ...groups, user === ANONYMOUS ? UNAUTHENTICATED : AUTHENTICATED])] };
}

/** The groups that contain all members of a group. */
function everybody(group: string): string[] {
  if (group === UNAUTHENTICATED || group === AUTHENTICATED) return [];
  return accountsNamespaceOf(group) === undefined ? [AUTHENTICATED] : [ACCOUNTS_GROUP, AUTHENTICATED];
}

/**
 * A subject in the one spelling of its identity: a ServiceAccount that a binding names as a User becomes that ServiceAccount, and one
 * without a namespace gets the binding's. Undefined for a subject that matches nobody.
 */
export function canonicalSubject(subject: RbacSubject, bindingNamespace: string | undefined): RbacSubject | undefined {
  const { kind, name } = subject;
  if (typeof name !== 'string' || name === '') return undefined;
  if (kind === 'Group') return { kind, name };
  if (kind === 'User') {
    const account = accountOfUser(name);
    return account ? { kind: 'ServiceAccount', ...account } : { kind, name };
  }
  const namespace = subject.namespace || bindingNamespace;
  return kind === 'ServiceAccount' && namespace ? { kind, name, namespace } : undefined;
}

/** One key for each identity, for canonical subjects. */
export function keyOfSubject({ kind, name, namespace = '' }: RbacSubject): string {
  return kind === 'Group' ? `group ${name}` : `user ${kind === 'ServiceAccount' ? userOfAccount(namespace, name) : name}`;
}

/** The keys under which a requester's bindings are found. */
export function keysOfRequester({ user, groups }: Requester): string[] {
  return [...(user ? [`user ${user}`] : []), ...groups.map((group) => `group ${group}`)];
}

/** Whether a subject is a component of Kubernetes itself: its names begin with `system:`, its accounts are in kube-system. */
export function isBuiltIn({ kind, name, namespace }: RbacSubject): boolean {
  if (kind === 'ServiceAccount') return namespace === 'kube-system';
  return (
    name.startsWith('system:') &&
    name !== AUTHENTICATED &&
    name !== UNAUTHENTICATED &&
    name !== ANONYMOUS &&
    !name.startsWith(ACCOUNTS_GROUP)
  );
}

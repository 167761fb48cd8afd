import { accountOfUser, MASTERS } from '../../subjects.ts';
import { type Ask, namesFor } from '../move.ts';
import type { Power } from '../powers.ts';
import { parse, type Right } from '../right-index.ts';

const NODES = 'system:nodes';

const NODE_USER = 'system:node:';

/** Acts as somebody else. A group can only be impersonated together with a user or an account (Kubernetes, "User impersonation"). */
export function impersonations<S>(ask: Ask<S>): void {
  const { find, may, add, terrain } = ask;
  if (!['users', 'groups'].some((one) => may(['impersonate'], one))) return;
  const users = namesFor(ask, { verb: 'impersonate', resource: 'users' });
  const groups = namesFor(ask, { verb: 'impersonate', resource: 'groups' });
  const some = anyIdentity(ask, users);
  const rightFor = (resource: string, name: string): Right<S>[] => {
    const right = find({ verb: 'impersonate', resource, name });
    return right ? [right] : [];
  };
  const take = (power: Power, by: Right<S>[]): void => add({ power, way: 'impersonate', rights: [...new Set(by)] });
  const isOpen = (names: ReadonlySet<string> | undefined, name: string): boolean => names?.has(name) ?? true;
  for (const subject of terrain.identities) {
    const { kind, name } = subject;
    if (kind === 'User' && isOpen(users, name)) take({ kind: 'acts-as', subject }, rightFor('users', name));
    if (kind === 'Group' && some && isOpen(groups, name)) take({ kind: 'acts-as', subject }, [some, ...rightFor('groups', name)]);
  }
  if (some && isOpen(groups, MASTERS)) take({ kind: 'all' }, [some, ...rightFor('groups', MASTERS)]);
  const node = users ? [...users].find((name) => name.startsWith(NODE_USER)) : `${NODE_USER}`;
  if (node && isOpen(groups, NODES)) {
    const name = node.slice(NODE_USER.length) || undefined;
    take({ kind: 'node', name }, [...rightFor('users', node), ...rightFor('groups', NODES)]);
  }
}

/** A right to impersonate any user or account, which impersonating a group requires. */
function anyIdentity<S>({ find, indexes }: Ask<S>, users: ReadonlySet<string> | undefined): Right<S> | undefined {
  const name = [...(users ?? ['anybody'])].find((one) => !accountOfUser(one));
  const user = name === undefined ? undefined : find({ verb: 'impersonate', resource: 'users', name });
  if (user) return user;
  // In any namespace.
  const found = parse('serviceaccounts').patterns.flatMap((pattern) =>
    indexes.flatMap((index) => index.shelf('impersonate', pattern)?.whatever ?? []),
  );
  return found.find(({ groups }) => groups.includes('') || groups.includes('*'))?.right;
}

import { type Ask, placeOf } from '../move.ts';
import { blocksPods, type FullQuota } from '../quotas.ts';
import type { Right } from '../right-index.ts';
import { missingAccounts, takes } from '../terrain.ts';
import { CHANGE } from '../useful-rules.ts';

const UNDO = [...CHANGE, 'delete'];

/** Creates ServiceAccounts, and the namespaces of accounts that bindings name. */
export function accountMoves<S>({ find, creation, add, terrain }: Ask<S>, scope: string | undefined): void {
  const account = find({ verb: 'create', resource: 'serviceaccounts', namespace: scope });
  if (!takes(terrain, 'serviceaccounts', scope)) return;
  if (account) add({ power: { kind: 'makes-accounts', namespace: placeOf(scope) }, way: 'account', rights: [account] });
  else if (creation({ resource: 'serviceaccounts', namespace: scope }))
    for (const { name, namespace = '' } of missingAccounts(terrain, scope)) {
      const asked = { resource: 'serviceaccounts', namespace, name };
      const [create, patch] = [find({ ...asked, verb: 'create' }), find({ ...asked, verb: 'patch' })];
      if (create && patch)
        add({ power: { kind: 'makes-accounts', namespace, name }, way: 'account', rights: [...new Set([create, patch])] });
    }
  if (scope !== undefined) return;
  const place = find({ verb: 'create', resource: 'namespaces' });
  if (place) add({ power: { kind: 'makes-namespaces' }, way: 'namespace', rights: [place] });
}

/** Removes what forbids pods in a namespace: the Pod Security label, or a quota that is used up. */
export function placeMoves<S>(ask: Ask<S>, scope: string | undefined): void {
  const { find, any, may, add, terrain } = ask;
  const mayLabel = [...LABELLED, 'namespaces/finalize'].some((resource) => may(CHANGE, resource));
  const mayFree = FREEING.some(([verbs, resource]) => may(verbs, resource));
  if (!mayLabel && !mayFree) return;
  for (const [at, { level, fullQuotas }] of terrain.world.places) {
    if (scope !== undefined && at !== scope) continue;
    const place = { name: at, namespace: at };
    const label =
      level === 'privileged' || !mayLabel
        ? undefined
        : (LABELLED.map((resource) => any(CHANGE, { resource, ...place })).find(Boolean) ??
          find({ verb: 'update', resource: 'namespaces/finalize', ...place }));
    if (label && label.namespace === scope) add({ power: { kind: 'weakens', namespace: at }, way: 'label', rights: [label] });
    const freed = mayFree && fullQuotas.length > 0 ? freeing(ask, at, fullQuotas) : [];
    if (freed.some(({ namespace }) => namespace === scope)) add({ power: { kind: 'frees', namespace: at }, way: 'quota', rights: freed });
  }
}

/** The labels of a namespace can be changed through each of these resources, and through PUT on its finalizers. */
const LABELLED = ['namespaces', 'namespaces/status'];
const FREEING: [verbs: string[], resource: string][] = [
  [[...UNDO, 'deletecollection'], 'resourcequotas'],
  [CHANGE, 'resourcequotas/status'],
  [['delete', 'deletecollection'], 'pods'],
];

/**
 * The rights that make room for a pod: change the quotas, or delete a pod that no controller creates again. Empty if they are not
 * sufficient.
 */
function freeing<S>({ find, any, terrain }: Ask<S>, namespace: string, quotas: readonly FullQuota[]): Right<S>[] {
  const room = quotas.every(({ hasPods }) => hasPods)
    ? terrain.podsIn
        .get(namespace)
        ?.filter(({ isAlone }) => isAlone)
        .map(
          ({ name }) =>
            any(['delete'], { resource: 'pods', namespace, name }) ?? find({ verb: 'deletecollection', resource: 'pods', namespace }),
        )
        .find(Boolean)
    : undefined;
  const undone = quotas.map(
    ({ name }) =>
      any(UNDO, { resource: 'resourcequotas', namespace, name }) ??
      any(CHANGE, { resource: 'resourcequotas/status', namespace, name }) ??
      find({ verb: 'deletecollection', resource: 'resourcequotas', namespace }),
  );
  if (!blocksPods(quotas.filter((_, index) => !undone[index]))) return [...new Set(undone.filter((right) => right !== undefined))];
  return room ? [room] : [];
}

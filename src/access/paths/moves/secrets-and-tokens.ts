import type { RbacSubject } from '../../objects.ts';
import { type Ask, held, placeOf } from '../move.ts';
import type { Power, Way } from '../powers.ts';
import type { Right } from '../right-index.ts';
import { missingAccounts, takes, worthHaving } from '../terrain.ts';

/** Reads Secrets, and requests tokens of ServiceAccounts (Kubernetes, "Managing Service Accounts"). */
export function secretMoves<S>(ask: Ask<S>, scope: string | undefined): void {
  const { reading, add, terrain } = ask;
  readMoves(ask, scope);
  const take = (way: Way, rights: Right<S>[], name?: string): void => {
    for (const subject of worthHaving(terrain, scope))
      if ((name ?? subject.name) === subject.name && (way !== 'token' || takes(terrain, 'serviceaccounts/token', subject.namespace)))
        add({ power: { kind: 'acts-as', subject }, way, rights });
  };
  const missing = missingAccounts(terrain, scope);
  for (const { right, name } of held(ask, { verbs: ['create'], resource: 'serviceaccounts/token' }, scope)) {
    take('token', [right], name);
    for (const subject of missing)
      if ((name ?? subject.name) === subject.name) add({ power: takingToken(subject), way: 'account', rights: [right] });
  }
  for (const { name, namespace: at, account } of terrain.world.tokenSecrets) {
    const right = scope === undefined || at === scope ? reading({ resource: 'secrets', namespace: at, name }) : undefined;
    const subject = right?.namespace === scope ? worthHaving(terrain, at).find((one) => one.name === account) : undefined;
    if (right && subject)
      add({ power: { kind: 'acts-as', subject }, way: 'token-read', rights: [right], through: { kind: 'Secret', name, namespace: at } });
  }
  // A ServiceAccount can be impersonated even if it does not exist.
  for (const { right, name } of held(ask, { verbs: ['impersonate'], resource: 'serviceaccounts' }, scope)) {
    take('impersonate', [right], name);
    for (const subject of missing)
      if ((name ?? subject.name) === subject.name) add({ power: { kind: 'acts-as', subject }, way: 'impersonate', rights: [right] });
  }
}

/** Secrets that the identity may read. This needs no step. */
export function readMoves<S>({ reading, add }: Ask<S>, scope: string | undefined): void {
  const read = reading({ resource: 'secrets', namespace: scope });
  if (read) add({ power: { kind: 'secrets', namespace: placeOf(scope) }, way: 'holds', rights: [read] });
}

/** The power to take the identity of an account as soon as the account exists. */
function takingToken({ namespace = '', name }: RbacSubject): Power {
  return { kind: 'takes-token', namespace, name };
}

/** Creates a Secret into which the token controller writes the token of an account, and reads it. */
export function tokenSecretMoves<S>({ creation, reading, add, terrain }: Ask<S>, scope: string | undefined): void {
  const write = creation({ resource: 'secrets', namespace: scope });
  if (!write) return;
  // Somebody else may read what it writes.
  add({ power: { kind: 'makes-secrets', namespace: placeOf(scope) }, way: 'secret', rights: write });
  const readOwn = reading({ resource: 'secrets', namespace: scope }, true);
  if (!readOwn) return;
  const rights = [...new Set([...write, readOwn])];
  const hasRoom = ({ namespace }: RbacSubject): boolean => takes(terrain, 'secrets', namespace);
  for (const subject of worthHaving(terrain, scope).filter(hasRoom))
    add({ power: { kind: 'acts-as', subject }, way: 'token-secret', rights });
  for (const subject of missingAccounts(terrain, scope).filter(hasRoom)) add({ power: takingToken(subject), way: 'account', rights });
}

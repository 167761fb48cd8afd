import { askOf, type Move } from '../move.ts';
import type { Right, RightIndex } from '../right-index.ts';
import type { Terrain } from '../terrain.ts';
import { isOnlyOfRoles } from '../useful-rules.ts';
import { bootstrapMoves } from './bootstrap.ts';
import { certificates } from './certificates.ts';
import { impersonations } from './impersonation.ts';
import { insideMoves } from './existing-pods.ts';
import { podMoves, volumeMoves } from './new-pods.ts';
import { roleMoves } from './roles.ts';
import { readMoves, secretMoves, tokenSecretMoves } from './secrets-and-tokens.ts';
import { webhookMoves } from './webhooks.ts';

/**
 * All moves towards more power that an identity can make with the rights of these indexes. Leave out rights that lead nowhere. With
 * `fresh`, the result has at least the moves that need one of those rights; the caller knows the others already.
 */
export function movesOf<S>(indexes: readonly RightIndex<S>[], terrain: Terrain, fresh?: readonly Right<S>[]): Move<S>[] {
  const found = mixedMovesOf(indexes, terrain, fresh);
  if (fresh?.every(({ rule }) => isOnlyOfRoles(rule))) return found;
  const ask = askOf(indexes, terrain, found, fresh);
  webhookMoves(ask);
  volumeMoves(ask);
  for (const scope of ask.scopes) {
    podMoves(ask, scope);
    insideMoves(ask, scope);
    secretMoves(ask, scope);
  }
  return found;
}

/** Only moves that need no step: reading Secrets. */
export function directMovesOf<S>(indexes: readonly RightIndex<S>[], terrain: Terrain, fresh: readonly Right<S>[]): Move<S>[] {
  const moves: Move<S>[] = [];
  const ask = askOf(indexes, terrain, moves, fresh);
  for (const scope of ask.scopes) readMoves(ask, scope);
  return moves;
}

/**
 * Only moves that need several rights, which may come from different sources. `fresh` and `indexes` hold rights that are useful only
 * together.
 */
export function mixedMovesOf<S>(indexes: readonly RightIndex<S>[], terrain: Terrain, fresh?: readonly Right<S>[]): Move<S>[] {
  const moves: Move<S>[] = [];
  if (indexes.every((index) => index.size() === 0) || fresh?.length === 0) return moves;
  const ask = askOf(indexes, terrain, moves, fresh);
  const isOnlyRoles = fresh?.every(({ rule }) => isOnlyOfRoles(rule)) ?? false;
  if (!isOnlyRoles) {
    impersonations(ask);
    certificates(ask);
    bootstrapMoves(ask);
  }
  for (const scope of ask.scopes) {
    if (!isOnlyRoles) {
      tokenSecretMoves(ask, scope);
    }
    roleMoves(ask, scope);
  }
  return moves;
}

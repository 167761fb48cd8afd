import type { Ask } from '../move.ts';
import { BOOTSTRAP_NAMESPACE, canBeToken, isBootstrapGroup } from '../bootstrap.ts';
import { takes } from '../terrain.ts';

/** Creates a bootstrap token. Whoever creates its Secret chooses the token and its groups. */
export function bootstrapMoves<S>({ creation, add, terrain }: Ask<S>): void {
  if (!terrain.world.takesBootstrapTokens || !takes(terrain, 'secrets', BOOTSTRAP_NAMESPACE)) return;
  const groups = terrain.identities.filter(({ kind, name }) => kind === 'Group' && isBootstrapGroup(name));
  if (groups.length === 0) return;
  const rights = creation({ resource: 'secrets', namespace: BOOTSTRAP_NAMESPACE }, (name) => !canBeToken(name));
  if (rights) for (const subject of groups) add({ power: { kind: 'acts-as', subject }, way: 'bootstrap', rights });
}

import type { Ask } from '../move.ts';
import { EVERYWHERE, type Power } from '../powers.ts';
import { WEBHOOKS } from '../world.ts';

/** The API server sends a webhook each written object that its rules select, Secrets included. */
export function webhookMoves<S>({ find, reading, creation, add, terrain }: Ask<S>): void {
  const power: Power = { kind: 'secrets', namespace: EVERYWHERE };
  for (const { kind, resource } of WEBHOOKS) {
    const there = terrain.world.webhooks.filter((one) => one.kind === kind);
    const rights = creation({ resource, namespace: undefined }, (name) => there.some((one) => one.name === name));
    if (rights) return add({ power, way: 'webhook', rights });
    for (const { name } of there) {
      const asked = { resource, name, namespace: undefined };
      const patch = find({ ...asked, verb: 'patch' });
      // An update of these configurations must name the resource version, so it needs a read first.
      const changes = patch ? [patch] : [find({ ...asked, verb: 'update' }), reading(asked)].filter((right) => right !== undefined);
      if (patch || changes.length === 2) return add({ power, way: 'webhook', rights: [...new Set(changes)], through: { kind, name } });
    }
  }
}

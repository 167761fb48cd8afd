import { type Ask, placeOf } from '../move.ts';
import { EVERYWHERE } from '../powers.ts';
import { takes } from '../terrain.ts';
import { CHANGE, POD_MAKERS } from '../useful-rules.ts';
import { TEMPLATE_RESOURCES } from '../world.ts';
import { accountMoves, placeMoves } from './accounts-and-namespaces.ts';

/** Starts pods, and removes what forbids them (Kubernetes, "RBAC good practices": workload creation). */
export function podMoves<S>(ask: Ask<S>, scope: string | undefined): void {
  const { any, may, creation, add, terrain } = ask;
  const { world } = terrain;
  const namespace = placeOf(scope);
  const isPod = (name: string): boolean => terrain.podsIn.get(namespace)?.some((pod) => pod.name === name) ?? false;
  const makers = POD_MAKERS.flatMap((resource) => {
    const rights = creation({ resource, namespace: scope }, resource === 'pods' ? isPod : undefined);
    return rights ? [{ resource, rights }] : [];
  });
  // If a quota leaves no room for one kind of workload, another kind may still fit.
  const places = scope === undefined ? [...world.places.keys()] : [scope];
  const make = makers.find(({ resource }) => places.every((place) => takes(terrain, resource, place)));
  const runs = (at: string, { resource, rights }: (typeof makers)[number]): void =>
    add({ power: { kind: 'runs-pods', namespace: at }, way: resource === 'pods' ? 'pod' : 'workload', rights });
  if (make) runs(namespace, make);
  else if (makers.length > 0)
    for (const place of places) {
      const other = makers.find(({ resource }) => takes(terrain, resource, place));
      if (other) runs(place, other);
    }
  const resources = Object.values(TEMPLATE_RESOURCES);
  const changed = new Set(resources.filter((resource) => may(CHANGE, resource)));
  for (const { resource, name, namespace: at } of changed.size > 0 ? world.workloads : []) {
    if (make || (scope !== undefined && at !== scope) || !changed.has(resource as (typeof resources)[number])) continue;
    const right = any(CHANGE, { resource, name, namespace: at });
    if (right && right.namespace === scope)
      add({
        power: { kind: 'runs-pods', namespace: at },
        way: 'workload',
        rights: [right],
        through: { kind: resource, name, namespace: at },
      });
  }
  accountMoves(ask, scope);
  placeMoves(ask, scope);
}

/**
 * Creates volumes that hold folders of the node, which Pod Security does not check. The pod creates its claim itself (Kubernetes,
 * "Ephemeral Volumes").
 */
export function volumeMoves<S>({ creation, add }: Ask<S>): void {
  const volume = creation({ resource: 'persistentvolumes', namespace: undefined });
  if (volume) add({ power: { kind: 'makes-volumes', namespace: EVERYWHERE }, way: 'volume', rights: volume });
}

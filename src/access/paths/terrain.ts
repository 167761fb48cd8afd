import type { PolicyRule, RbacBinding, RbacSubject } from '../objects.ts';
import type { AccessIndex, Bound } from '../rights.ts';
import { EVERYWHERE, type RoleName } from './powers.ts';
import type { RunningPod, World } from './world.ts';

/** A role with the rules of it that lead somewhere. */
export interface UsefulRole {
  name: RoleName;
  rules: readonly PolicyRule[];
}

/** How much work is left to be done: each thing that is looked at is about one. Without any, searches end where they are. */
export interface Effort {
  left: number;
}

/** The world, looked up once for all searches. */
export interface Terrain {
  world: World;
  effort: Effort;
  index: AccessIndex;
  /** Everybody whom a binding names. */
  subjects: readonly RbacSubject[];
  /** Those of them whose identity leads somewhere. */
  identities: readonly RbacSubject[];
  podsIn: ReadonlyMap<string, readonly RunningPod[]>;
  /** Of all pods that bring the same power one, and none that brings no power. */
  tellingPodsIn: ReadonlyMap<string, readonly RunningPod[]>;
  /** One pod for each node. */
  onePodIn: ReadonlyMap<string, readonly RunningPod[]>;
  /** Of all pods on a node with the same account one, and none whose account leads nowhere. */
  nodePods: readonly RunningPod[];
  /** Roles with the rules of them that lead somewhere, by namespace; ClusterRoles under `*`. */
  usefulRolesIn: ReadonlyMap<string, readonly UsefulRole[]>;
  /** By their keys. */
  usefulRoles: ReadonlyMap<string, UsefulRole>;
  /** The roles that bindings name, by namespace, and ClusterRoles that others collect (`*`). */
  boundRolesIn: ReadonlyMap<string, readonly { role: RoleName; isThere: boolean }[]>;
  /** The aggregated ClusterRoles. */
  collecting: readonly RoleName[];
  /** Names of roles that somebody may bind or rewrite by name, and one that no role has. */
  bindableNames: ReadonlySet<string>;
  /** One Role of each namespace: who may rewrite and bind all of them needs no more. */
  spareRoleIn: ReadonlyMap<string, RoleName>;
  /** By their keys. */
  rolesThere: ReadonlySet<string>;
  /** By namespace. */
  roleBindingsIn: ReadonlyMap<string, readonly RbacBinding[]>;
  /** The accounts that exist, by namespace. */
  accountsIn: ReadonlyMap<string, readonly RbacSubject[]>;
  /** Those that bindings name, and one of the others where bindings name their group: all the others may do the same. */
  worthIn: ReadonlyMap<string, readonly RbacSubject[]>;
  /** The accounts that bindings name and that do not exist, by namespace; all of them under `*`. */
  missingIn: ReadonlyMap<string, readonly RbacSubject[]>;
  /** Each role that a binding refers to, whether or not it exists. */
  boundByRole: ReadonlyMap<string, readonly (Bound & { subjectKeys: readonly string[] })[]>;
}

/** A name that no object has. */
export const NEW_NAME = 'new';

/** Whether one more object of a resource may be made in a namespace: it does not end, and no quota that counts them is full. */
export function takes({ world }: Terrain, resource: string, namespace: string | undefined): boolean {
  const place = namespace === undefined ? undefined : world.places.get(namespace);
  return !place || (!place.isEnding && !place.refused.has(resource));
}

/** Accounts that bindings name and that do not exist: of a namespace, or of all. */
export function missingAccounts({ missingIn }: Terrain, scope: string | undefined): readonly RbacSubject[] {
  return missingIn.get(scope ?? EVERYWHERE) ?? [];
}

/** Of pods by namespace those of one, or all. */
export function podsAt(podsIn: Terrain['podsIn'], scope: string | undefined): readonly RunningPod[] {
  return scope === undefined ? [...podsIn.values()].flat() : (podsIn.get(scope) ?? []);
}

/** The accounts of a namespace, or all, whose identity leads somewhere. */
export function worthHaving({ worthIn }: Terrain, scope: string | undefined): readonly RbacSubject[] {
  return scope === undefined ? [...worthIn.values()].flat() : (worthIn.get(scope) ?? []);
}

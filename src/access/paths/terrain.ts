import type { PolicyRule, RbacBinding, RbacSubject } from '../objects.ts';
import type { AccessIndex, Bound } from '../rights.ts';
import { EVERYWHERE, type RoleName } from './powers.ts';
import type { RunningPod, World } from './world.ts';

/** A role, and those of its rules that lead somewhere. */
export interface UsefulRole {
  name: RoleName;
  rules: readonly PolicyRule[];
}

/** How much work is left; looking at one object costs about one. When nothing is left, searches stop where they are. */
export interface Effort {
  left: number;
}

/** The prepared world that all searches share. */
export interface Terrain {
  world: World;
  effort: Effort;
  index: AccessIndex;
  /** Everybody whom a binding names. */
  subjects: readonly RbacSubject[];
  /** The subjects whose identity leads somewhere. */
  identities: readonly RbacSubject[];
  podsIn: ReadonlyMap<string, readonly RunningPod[]>;
  /** One of the pods that bring the same power, for each power; none that brings no power. */
  tellingPodsIn: ReadonlyMap<string, readonly RunningPod[]>;
  /** One pod for each node. */
  onePodIn: ReadonlyMap<string, readonly RunningPod[]>;
  /** One of the pods on a node that share an account, for each account that leads somewhere. */
  nodePods: readonly RunningPod[];
  /** Roles with their rules that lead somewhere, by namespace; ClusterRoles under `*`. */
  usefulRolesIn: ReadonlyMap<string, readonly UsefulRole[]>;
  /** By their keys. */
  usefulRoles: ReadonlyMap<string, UsefulRole>;
  /** The roles that bindings name, by namespace. Under `*`: ClusterRoles that others collect. */
  boundRolesIn: ReadonlyMap<string, readonly { role: RoleName; isThere: boolean }[]>;
  /** The aggregated ClusterRoles. */
  collecting: readonly RoleName[];
  /** Names of roles that somebody may bind or rewrite by name, and one name that no role has. */
  bindableNames: ReadonlySet<string>;
  /** One Role of each namespace. Somebody who may rewrite and bind all of them needs only one. */
  spareRoleIn: ReadonlyMap<string, RoleName>;
  /** By their keys. */
  rolesThere: ReadonlySet<string>;
  /** By namespace. */
  roleBindingsIn: ReadonlyMap<string, readonly RbacBinding[]>;
  /** The accounts that exist, by namespace. */
  accountsIn: ReadonlyMap<string, readonly RbacSubject[]>;
  /** The accounts that bindings name. If bindings name their group, also one of the other accounts, because all others may do the same. */
  worthIn: ReadonlyMap<string, readonly RbacSubject[]>;
  /** The accounts that bindings name but that do not exist, by namespace; all of them under `*`. */
  missingIn: ReadonlyMap<string, readonly RbacSubject[]>;
  /** Each role that a binding refers to, whether it exists or not. */
  boundByRole: ReadonlyMap<string, readonly (Bound & { subjectKeys: readonly string[] })[]>;
}

/** A name that no object has. */
export const NEW_NAME = 'new';

/**
 * Whether one more object of a resource can be created in a namespace: the namespace is not terminating, and no quota for it is used up.
 */
export function takes({ world }: Terrain, resource: string, namespace: string | undefined): boolean {
  const place = namespace === undefined ? undefined : world.places.get(namespace);
  return !place || (!place.isEnding && !place.refused.has(resource));
}

/** Accounts that bindings name but that do not exist: of one namespace, or of all. */
export function missingAccounts({ missingIn }: Terrain, scope: string | undefined): readonly RbacSubject[] {
  return missingIn.get(scope ?? EVERYWHERE) ?? [];
}

/** The pods of one namespace, or of all. */
export function podsAt(podsIn: Terrain['podsIn'], scope: string | undefined): readonly RunningPod[] {
  return scope === undefined ? [...podsIn.values()].flat() : (podsIn.get(scope) ?? []);
}

/** The accounts of one namespace, or of all, whose identity leads somewhere. */
export function worthHaving({ worthIn }: Terrain, scope: string | undefined): readonly RbacSubject[] {
  return scope === undefined ? [...worthIn.values()].flat() : (worthIn.get(scope) ?? []);
}

import type { Container, PodTemplate, SecurityContext } from '../crd/kubernetes.ts';
import { isMapping } from '../crd/mapping.ts';

/** A container and its path in the template. */
export interface Place {
  container: Container;
  path: string;
  /** Ephemeral containers cannot be changed, so no patch helps. */
  isFixed: boolean;
}

const LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** All containers of a template: init containers, sidecars, app containers and ephemeral ones. */
export function placesOf({ spec }: PodTemplate): Place[] {
  // Every check calls this. A loop takes half the time of concatenated lists.
  const places: Place[] = [];
  for (const list of LISTS) {
    const entries: unknown = spec[list];
    if (!Array.isArray(entries)) continue;
    for (const [index, container] of (entries as unknown[]).entries())
      if (typeof container === 'object' && container !== null)
        places.push({ container: container as Container, path: `spec.${list}[${index}]`, isFixed: list === 'ephemeralContainers' });
  }
  return places;
}

/** A security context and its path: first the pod's, then each container's. */
export interface ContextPlace {
  context: SecurityContext;
  path: string;
  /** Absent for the security context of the pod. */
  place?: Place;
}

export function podContext({ spec }: PodTemplate): SecurityContext {
  return mapping<SecurityContext>(spec.securityContext);
}

export function contextOf({ container }: Place): SecurityContext {
  return mapping<SecurityContext>(container.securityContext);
}

export function contextsOf(template: PodTemplate): ContextPlace[] {
  const own: ContextPlace = { context: podContext(template), path: 'spec.securityContext' };
  const theirs = placesOf(template).map((place) => ({ context: contextOf(place), path: `${place.path}.securityContext`, place }));
  return [own, ...theirs];
}

/** The container's name as a field of a violation; empty for the pod's own context. */
export function owner(place: Place | undefined): { container?: string } {
  return place ? { container: String(place.container.name ?? '') } : {};
}

/** The entries of a list that are mappings, each with its index. */
export function indexed<T extends object>(value: readonly T[] | undefined): [entry: T, index: number][] {
  const entries = Array.isArray(value) ? (value as T[]) : [];
  return entries.map((entry, index): [T, number] => [entry, index]).filter(([entry]) => typeof entry === 'object' && entry !== null);
}

/** A mapping; an empty one for anything else. */
export function mapping<T extends object>(value: unknown): Partial<T> {
  return isMapping(value) ? (value as Partial<T>) : {};
}

/** The texts in a list; empty for any other value. */
export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];
}

/** Whether the pod declares that it is for Windows nodes. */
export function isWindows({ spec }: PodTemplate): boolean {
  return mapping<{ name: string }>(spec.os).name === 'windows';
}

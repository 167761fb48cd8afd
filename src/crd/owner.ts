import type { ObjectMeta, OwnerReference } from './kubernetes.ts';

/**
 * The reference to the object's controller. An object has at most one (Kubernetes, "Owners and Dependents"); undefined when it has none.
 */
export function controllerOf({ ownerReferences }: Pick<ObjectMeta, 'ownerReferences'>): OwnerReference | undefined {
  return ownerReferences?.find(({ controller }) => controller);
}

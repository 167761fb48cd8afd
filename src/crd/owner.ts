import type { ObjectMeta, OwnerReference } from './kubernetes.ts';

/** The reference to the object's controller: an object has at most one (Kubernetes' "Owners and Dependents"). Undefined where there is none. */
export function controllerOf({ ownerReferences }: Pick<ObjectMeta, 'ownerReferences'>): OwnerReference | undefined {
  return ownerReferences?.find(({ controller }) => controller);
}

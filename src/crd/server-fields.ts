import type { KubeObject } from './kubernetes.ts';

const SERVER_SET = [
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'generation',
  'managedFields',
  'selfLink',
  'deletionTimestamp',
  'ownerReferences',
] as const;

/** A copy without the fields that only the server writes (status, uid, managed fields, owners), so that it can be applied. */
export function withoutServerFields<T extends KubeObject>(object: T): T {
  const copy = structuredClone(object) as T & { status?: unknown };
  delete copy.status;
  const metadata = copy.metadata as Record<string, unknown>;
  for (const field of SERVER_SET) delete metadata[field];
  return copy;
}

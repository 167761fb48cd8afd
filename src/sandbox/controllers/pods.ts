import { createHash } from 'node:crypto';
import type { Api } from '../api/api.ts';
import { ApiError } from '../api/errors.ts';
import type { Loose, Stored } from '../store/object.ts';
import type { Recorder } from './recorder.ts';
import type { Change } from '../store/store.ts';

const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** The `pod-template-hash` of a template. Equal templates have equal hashes. */
export function templateHash(template: Loose): string {
  const digest = createHash('sha256').update(JSON.stringify(template)).digest();
  return [...digest.subarray(0, 10)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
}

/** The controller reference of an owner, for objects that it creates. */
export const controllerReference = ({ apiVersion, kind, metadata }: Stored) => ({
  apiVersion,
  kind,
  name: metadata.name,
  uid: metadata.uid,
  controller: true,
  blockOwnerDeletion: true,
});

/** The uid of the object that controls this one. */
export const controllerOf = (object: Stored): string | undefined => object.metadata.ownerReferences?.find((ref) => ref.controller)?.uid;

/** The pods that the owner controls, oldest first. */
export function podsOf(api: Api, owner: Stored): Stored[] {
  const pods = api.store
    .list(api.registry.builtin('pods').storage, owner.metadata.namespace)
    .filter((pod) => controllerOf(pod) === owner.metadata.uid);
  return pods.sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion));
}

export const isReady = (pod: Stored): boolean =>
  pod.status?.conditions?.some((c: Loose) => c.type === 'Ready' && c.status === 'True') === true;
export const isFinished = (pod: Stored): boolean => ['Succeeded', 'Failed'].includes(pod.status?.phase);

/**
 * Creates one pod from the owner's template and writes an event. Returns why it was refused (also as an event), or undefined. `name` is for
 * pods with a fixed name.
 */
export function createPod(
  api: Api,
  owner: Stored,
  record: Recorder,
  { name, labels = {}, nodeName }: { name?: string; labels?: Record<string, string>; nodeName?: string } = {},
): string | undefined {
  const { template } = owner.spec;
  const metadata = {
    ...(name ? { name } : { generateName: `${owner.metadata.name}-` }),
    labels: { ...template.metadata?.labels, ...labels },
    ...(template.metadata?.annotations && { annotations: template.metadata.annotations }),
    ownerReferences: [controllerReference(owner)],
  };
  try {
    const spec = { ...structuredClone(template.spec), ...(name && { hostname: name }) };
    if (nodeName) spec.nodeSelector = { ...spec.nodeSelector, 'kubernetes.io/hostname': nodeName };
    const pod = api.create(api.registry.builtin('pods'), owner.metadata.namespace, { metadata, spec }, { isInternal: true });
    record({ object: owner, reason: 'SuccessfulCreate', message: `Created pod: ${pod.metadata.name}` });
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    record({ object: owner, type: 'Warning', reason: 'FailedCreate', message: `Error creating: ${error.message}` });
    return error.message;
  }
}

/** Deletes one pod of the owner and writes an event. */
export function deletePod(api: Api, owner: Stored, pod: Stored, record: Recorder): void {
  api.remove(api.registry.builtin('pods'), pod.metadata.namespace, pod.metadata.name);
  record({ object: owner, reason: 'SuccessfulDelete', message: `Deleted pod: ${pod.metadata.name}` });
}

/** Keys of the owners that a change concerns: the changed object itself, or its controller. */
export function ownerKeys(api: Api, storage: string, kind: string): (change: Change) => string[] {
  return (change) => {
    const { object } = change;
    const key = (name: string) => `${object.metadata.namespace}/${name}`;
    if (change.storage === storage) return change.type === 'DELETED' ? [] : [key(object.metadata.name)];
    const owner = object.metadata.ownerReferences?.find((ref) => ref.controller && ref.kind === kind);
    return owner && api.store.get(storage, key(owner.name)) ? [key(owner.name)] : [];
  };
}

/** Sets a condition. Its transition time changes only with its status. */
export function withCondition(conditions: Loose[] | undefined, condition: Loose, now: string): Loose[] {
  const before = (conditions ?? []).find((c) => c.type === condition.type);
  const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : now;
  const same = before && before.status === condition.status && before.reason === condition.reason && before.message === condition.message;
  const next = same ? before : { ...condition, lastTransitionTime };
  return [...(conditions ?? []).filter((c) => c.type !== condition.type), next];
}

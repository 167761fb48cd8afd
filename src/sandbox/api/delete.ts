import type { Api, DeleteOptions } from './api.ts';
import { conflict, forbidden } from './errors.ts';
import type { Kind } from '../kinds/kinds.ts';
import type { Loose, Stored } from '../store/object.ts';
import { keyOf, timeText } from '../store/object.ts';

/** Kinds whose deletion returns the object instead of a `Status`. */
const ANSWERS_OBJECT = new Set(['pods', 'services', 'serviceaccounts', 'resourcequotas', 'persistentvolumeclaims', 'persistentvolumes']);

function graceOf(kind: Kind, object: Stored, options: DeleteOptions): number {
  if (kind.plural !== 'pods' || kind.group !== '') return 0;
  if (!object.spec.nodeName || ['Succeeded', 'Failed'].includes(object.status?.phase)) return 0;
  return options.gracePeriodSeconds ?? object.spec.terminationGracePeriodSeconds ?? 30;
}

/** The finalizers for work that the garbage collector must do first. */
function finalizersFor(object: Stored, { propagationPolicy }: DeleteOptions): string[] {
  const own = (object.metadata.finalizers ?? []).filter((f) => f !== 'foregroundDeletion' && f !== 'orphan');
  if (propagationPolicy === 'Foreground') return [...own, 'foregroundDeletion'];
  return propagationPolicy === 'Orphan' ? [...own, 'orphan'] : own;
}

function finished(kind: Kind, object: Stored): Loose {
  if (ANSWERS_OBJECT.has(kind.plural)) return object;
  const details = { name: object.metadata.name, ...(kind.group && { group: kind.group }), kind: kind.plural, uid: object.metadata.uid };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}

/** A pod that is deleted at once has the same status as one that terminates. */
function endedPod(pod: Stored, now: string): Stored {
  const { metadata } = pod;
  const generation = (metadata.generation ?? 0) + (metadata.deletionTimestamp ? 0 : 1);
  const deletionTimestamp = metadata.deletionTimestamp ?? now;
  return { ...pod, metadata: { ...metadata, generation, deletionTimestamp, deletionGracePeriodSeconds: 0 } };
}

function checkPreconditions(kind: Kind, { metadata }: Stored, wanted: DeleteOptions['preconditions'] = {}): void {
  const differ = (what: string, given: string, is: string, why: string) =>
    conflict(
      { ...kind, plural: kind.kind },
      metadata.name,
      `the ${what} in the precondition (${given}) does not match the ${what} in record (${is}). The object might have been ${why}`,
    );
  const { uid, resourceVersion } = wanted;
  if (uid && uid !== metadata.uid) throw differ('UID', uid, metadata.uid, 'deleted and then recreated');
  if (resourceVersion && resourceVersion !== metadata.resourceVersion)
    throw differ('ResourceVersion', resourceVersion, metadata.resourceVersion, 'modified');
}

/**
 * Deletes as the real server does: at once, or by marking the object while its kubelet, a finalizer or the namespace controller has work to
 * do. Returns the body of the answer: the object, or a `Status`.
 */
export function removeObject(api: Api, kind: Kind, namespace: string | undefined, name: string, options: DeleteOptions): Loose {
  const { store, clock } = api;
  const object = api.get(kind, namespace, name);
  const { metadata } = object;
  if (kind.plural === 'namespaces' && ['default', 'kube-system', 'kube-public'].includes(name))
    throw forbidden(kind, name, 'this namespace may not be deleted');
  checkPreconditions(kind, object, options.preconditions);

  const grace = graceOf(kind, object, options);
  const finalizers = finalizersFor(object, options);
  const isNamespace = kind.plural === 'namespaces' && kind.group === '';
  if (grace === 0 && finalizers.length === 0 && !isNamespace) {
    if (!options.dryRun) store.remove(kind.storage, keyOf(object));
    return finished(kind, kind.plural === 'pods' ? endedPod(object, timeText(clock.now())) : object);
  }
  const isShorter = grace < (metadata.deletionGracePeriodSeconds ?? Number.POSITIVE_INFINITY);
  if (metadata.deletionTimestamp && !isShorter) return object;
  const marked = structuredClone(object);
  if (finalizers.length) marked.metadata.finalizers = finalizers;
  marked.metadata.deletionTimestamp = timeText(new Date(clock.now().getTime() + grace * 1000));
  marked.metadata.deletionGracePeriodSeconds = grace;
  if (isNamespace) {
    delete marked.metadata.deletionGracePeriodSeconds;
    marked.status = { ...marked.status, phase: 'Terminating' };
  } else if (kind.hasGeneration && !metadata.deletionTimestamp) marked.metadata.generation = (metadata.generation ?? 0) + 1;
  return options.dryRun ? marked : store.put(kind.storage, marked);
}

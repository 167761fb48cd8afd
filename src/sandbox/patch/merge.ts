import type { Kind } from '../kinds/kinds.ts';
import type { Loose, Stored } from '../store/object.ts';

/**
 * Whether an object that is being deleted stays even without a finalizer: a pod until its kubelet has ended it, a namespace until its
 * controller has.
 */
export const isGraceful = ({ kind, metadata, spec }: Stored): boolean =>
  kind === 'Pod' ? (metadata.deletionGracePeriodSeconds ?? 0) > 0 : kind === 'Namespace' && spec?.finalizers?.length > 0;

/** The fields that an update may change: the status only through its subresource, and the subresource nothing else. */
export function merged(kind: Kind, old: Stored, object: Stored, subresource: string | undefined): Stored {
  const { labels, annotations, finalizers, ownerReferences, managedFields } = object.metadata;
  const metadata = { ...old.metadata };
  for (const [field, value] of Object.entries({ labels, annotations, finalizers, ownerReferences, managedFields })) {
    if (value === undefined) delete (metadata as Loose)[field];
    else (metadata as Loose)[field] = value;
  }
  if (subresource === 'status')
    return {
      ...old,
      status: object.status,
      metadata: {
        ...metadata,
        ...(kind.isCustom && { labels: old.metadata.labels, annotations: old.metadata.annotations }),
        finalizers: old.metadata.finalizers,
        ownerReferences: old.metadata.ownerReferences,
      } as Stored['metadata'],
    };
  const next: Stored = { ...object, apiVersion: old.apiVersion, kind: old.kind, metadata };
  if (kind.hasStatus) {
    if (old.status === undefined) delete next.status;
    else next.status = old.status;
  }
  return next;
}

/** Restores fields that a client may omit without removing them. */
export function keepServerFields(old: Stored, next: Stored): void {
  for (const field of ['finalizers', 'ownerReferences', 'labels', 'annotations'] as const) {
    const value = next.metadata[field];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) delete next.metadata[field];
  }
  if (old.kind === 'Service') next.spec.clusterIP ??= old.spec.clusterIP;
  if (old.kind === 'Service') next.spec.clusterIPs ??= old.spec.clusterIPs;
  if (old.kind === 'Job') next.spec.selector ??= old.spec.selector;
}

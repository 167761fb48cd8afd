import type { Kind } from '../kinds/kinds.ts';
import type { Loose, Stored } from '../store/object.ts';

/** Whether an object that is going stays without a finalizer: a pod until its kubelet, a namespace until its controller has ended it. */
export const isGraceful = ({ kind, metadata, spec }: Stored): boolean =>
  kind === 'Pod' ? (metadata.deletionGracePeriodSeconds ?? 0) > 0 : kind === 'Namespace' && spec?.finalizers?.length > 0;

/** What an update may change: status only by its subresource, and nothing else by that. */
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

/** What a client may leave out without taking it away. */
export function keepServerFields(old: Stored, next: Stored): void {
  for (const field of ['finalizers', 'ownerReferences', 'labels', 'annotations'] as const) {
    const value = next.metadata[field];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) delete next.metadata[field];
  }
  if (old.kind === 'Service') next.spec.clusterIP ??= old.spec.clusterIP;
  if (old.kind === 'Service') next.spec.clusterIPs ??= old.spec.clusterIPs;
  if (old.kind === 'Job') next.spec.selector ??= old.spec.selector;
}

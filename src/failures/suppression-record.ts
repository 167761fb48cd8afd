import type { SuppressionRecord } from '../contract/suppression.ts';
import { sourceOf } from '../crd/managed.ts';
import type { Suppression } from '../crd/suppression.ts';
import { effectOf } from './suppress.ts';

/** A Suppression as the API and the sockets show it. */
export function suppressionRecord(suppression: Suppression, now: Date, operatorNamespace: string): SuppressionRecord {
  const { metadata, spec } = suppression;
  return {
    name: metadata.name ?? '',
    namespace: metadata.namespace ?? '',
    reason: spec.reason,
    owner: spec.owner ?? null,
    ticket: spec.ticket ?? null,
    expires_at: spec.expirationTime ?? null,
    suspend: spec.suspend ?? false,
    active: effectOf(suppression, now, operatorNamespace).active,
    match: { ...spec.match },
    source: sourceOf(metadata),
    created_at: metadata.creationTimestamp ?? '',
  };
}

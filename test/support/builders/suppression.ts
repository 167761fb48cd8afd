import type { ObjectMeta } from '../../../src/crd/kubernetes.ts';
import { API_VERSION } from '../../../src/crd/mirrorpod.ts';
import type { Suppression, SuppressionMatch, SuppressionSpec } from '../../../src/crd/suppression.ts';

/** A Suppression, by default in the operator's namespace `podmend`. */
export function aSuppression(
  match: SuppressionMatch,
  { metadata = {}, ...spec }: Partial<SuppressionSpec> & { metadata?: ObjectMeta } = {},
): Suppression {
  return {
    apiVersion: API_VERSION,
    kind: 'Suppression',
    metadata: { name: 'known', namespace: 'podmend', uid: 'known', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z', ...metadata },
    spec: { reason: 'known and accepted', match, ...spec },
  };
}

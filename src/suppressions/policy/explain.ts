import type { SuppressedBy } from '../../contract/suppression.ts';
import type { Suppression } from '../../crd/suppression.ts';
import { suppressionsOf, type TenantRules, whyFirst } from './match.ts';
import type { Subject } from '../../crd/suppression-subject.ts';

/** The most others that are named. */
const OTHERS = 20;

/** Which Suppression hides the subject at `now`, why this one if several match, and which the others are; null when none does. */
export function explainSuppression(
  subject: Subject,
  suppressions: readonly Suppression[],
  now: Date,
  rules: TenantRules,
): SuppressedBy | null {
  const found = suppressionsOf(subject, suppressions, now, rules);
  const [first, ...others] = found;
  if (!first) return null;
  const { metadata, spec } = first;
  return {
    name: metadata.name ?? '',
    namespace: metadata.namespace ?? '',
    reason: spec.reason,
    expires_at: spec.expirationTime ?? null,
    why: whyFirst(found, rules.operatorNamespace),
    others: others.slice(0, OTHERS).map((other) => ({ name: other.metadata.name ?? '', namespace: other.metadata.namespace ?? '' })),
  };
}

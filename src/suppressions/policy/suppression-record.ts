import type { SuppressionMatchBody, SuppressionRecord } from '../../contract/suppression.ts';
import { sourceOf } from '../../crd/managed.ts';
import type { Suppression, SuppressionMatch } from '../../crd/suppression.ts';
import type { LabelSelector } from '../../crd/selector.ts';
import { withoutUndefined } from '../../crd/without-undefined.ts';
import { effectOf } from './match.ts';

/** A Suppression as the API and the sockets show it. */
export function suppressionRecord(suppression: Suppression, now: Date, operatorNamespace: string): SuppressionRecord {
  const { metadata, spec, status } = suppression;
  const { active, reason } = effectOf(suppression, now, operatorNamespace);
  return {
    name: metadata.name ?? '',
    namespace: metadata.namespace ?? '',
    reason: spec.reason,
    owner: spec.owner ?? null,
    ticket: spec.ticket ?? null,
    expires_at: spec.expirationTime ?? null,
    suspend: spec.suspend ?? false,
    active,
    active_reason: reason,
    matched_failures: status?.matchedFailures ?? 0,
    matched_findings: status?.matchedFindings ?? 0,
    last_matched_at: status?.lastMatchedTime ?? null,
    match: matchBody(spec.match),
    source: sourceOf(metadata),
    created_at: metadata.creationTimestamp ?? '',
  };
}

/**
 * The visible part of a record: nothing if it is in a hidden namespace (the operator's own never is), and no names of hidden namespaces.
 * Undefined when nothing is left.
 */
export function shownRecord(
  record: SuppressionRecord,
  { operatorNamespace, hiddenNamespaces }: { operatorNamespace: string; hiddenNamespaces: readonly string[] },
): SuppressionRecord | undefined {
  if (record.namespace !== operatorNamespace && hiddenNamespaces.includes(record.namespace)) return undefined;
  const { namespaces } = record.match;
  const shown = namespaces?.filter((one) => !hiddenNamespaces.includes(one));
  if (!shown || shown.length === namespaces?.length) return record;
  return shown.length > 0 ? { ...record, match: { ...record.match, namespaces: shown } } : undefined;
}

type SelectorBody = NonNullable<SuppressionMatchBody['label_selector']>;

/** `spec.match` with the field names of the API. */
export function matchBody({ failureReasons, labelSelector, ...same }: SuppressionMatch): SuppressionMatchBody {
  const { matchLabels, matchExpressions } = labelSelector ?? {};
  const selector: SelectorBody = {
    ...(matchLabels ? { match_labels: matchLabels } : {}),
    // The schema of the kind has the same four operators.
    ...(matchExpressions ? { match_expressions: matchExpressions as NonNullable<SelectorBody['match_expressions']> } : {}),
  };
  return {
    ...same,
    ...(labelSelector ? { label_selector: selector } : {}),
    ...(failureReasons ? { failure_reasons: failureReasons } : {}),
  };
}

/** `spec.match` from the field names of the API. Unknown fields are dropped. */
export function matchOf(body: SuppressionMatchBody): SuppressionMatch {
  const { namespaces, pods, label_selector, failure_reasons, checks, images } = body;
  return withoutUndefined({
    namespaces,
    pods,
    labelSelector: label_selector && selectorOf(label_selector),
    failureReasons: failure_reasons,
    checks,
    images,
  });
}

function selectorOf({ match_labels, match_expressions }: SelectorBody): LabelSelector {
  const expressions = match_expressions?.map(({ key, operator, values }) => withoutUndefined({ key, operator, values }));
  return withoutUndefined({ matchLabels: match_labels, matchExpressions: expressions });
}

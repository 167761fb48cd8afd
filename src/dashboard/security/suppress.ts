import type { Finding } from '../../contract/finding.ts';
import type { SuppressionMatchBody } from '../../contract/suppression.ts';
import { lastingLabels } from '../../contract/workload-match.ts';

/** A choice of findings to hide: its extent, and the match of the Suppression. */
export interface Reach {
  label: string;
  match: SuppressionMatchBody;
}

/** The ways to hide a finding, narrowest first. A workload is identified by its name, and for pods by the labels of its template. */
export function reachesOf({ resource_type: kind, resource_name: name, namespace, check_name: check, details }: Finding): Reach[] {
  const checks = [check];
  const narrow = kind === 'Pod' ? { pods: [name] } : selectorOf(details['labels'], kind);
  return [
    ...(narrow ? [{ label: `This check on ${kind} ${name}`, match: { namespaces: [namespace], checks, ...narrow } }] : []),
    {
      label: namespace === 'cluster-wide' ? 'This check on everything without a namespace' : `This check in ${namespace}`,
      match: { namespaces: [namespace], checks },
    },
    { label: 'This check everywhere', match: { checks } },
  ];
}

function selectorOf(labels: unknown, kind: string): Pick<SuppressionMatchBody, 'label_selector'> | undefined {
  if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) return undefined;
  const known = Object.entries(labels).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const lasting = lastingLabels(Object.fromEntries(known), kind);
  return Object.keys(lasting).length > 0 ? { label_selector: { match_labels: lasting } } : undefined;
}

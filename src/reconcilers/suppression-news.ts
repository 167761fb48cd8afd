import type { SuppressionRecord } from '../contract/suppression.ts';
import type { Hub } from '../events.ts';

export interface SuppressionNews {
  /** Takes note of what is there and tells nobody: clients read it when they connect. */
  begin(records: SuppressionRecord[]): void;
  /** Tells what changed since the last telling; undefined is a removal. */
  tell(key: string, record: SuppressionRecord | undefined): void;
}

/** Tells the sockets of Suppressions that appeared, changed (also by time) or went, and of namespaces that are excluded by them. */
export function suppressionNews(hub: Hub, operatorNamespace: string): SuppressionNews {
  const known = new Map<string, SuppressionRecord>();
  return {
    begin: (records) => records.forEach((record) => known.set(`${record.namespace}/${record.name}`, record)),
    tell(key, record) {
      const before = known.get(key);
      if (record) known.set(key, record);
      else known.delete(key);
      publishChange(hub, before, record);
      const was = excludedNamespaces(before, operatorNamespace);
      const is = excludedNamespaces(record, operatorNamespace);
      publishExclusions(
        hub,
        is.filter((namespace) => !was.includes(namespace)),
        'excluded',
      );
      publishExclusions(
        hub,
        was.filter((namespace) => !is.includes(namespace)),
        'included',
      );
    },
  };
}

function publishChange(hub: Hub, before: SuppressionRecord | undefined, after: SuppressionRecord | undefined): void {
  if (after && !before) hub.publish({ type: 'suppression_change', data: { ...after, action: 'added' } });
  else if (before && !after) hub.publish({ type: 'suppression_change', data: { ...before, active: false, action: 'removed' } });
  else if (after && JSON.stringify(before) !== JSON.stringify(after))
    hub.publish({ type: 'suppression_change', data: { ...after, action: 'changed' } });
}

function publishExclusions(hub: Hub, namespaces: string[], action: 'excluded' | 'included'): void {
  for (const namespace of namespaces) hub.publish({ type: 'namespace_exclusion', data: { namespace, action } });
}

/** The namespaces that a Suppression excludes altogether: it has an effect everywhere and matches by namespace alone. */
function excludedNamespaces(record: SuppressionRecord | undefined, operatorNamespace: string): string[] {
  if (!record?.active || record.namespace !== operatorNamespace) return [];
  return Object.keys(record.match).join() === 'namespaces' ? (record.match.namespaces as string[]) : [];
}

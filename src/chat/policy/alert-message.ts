import { globMatches } from '../../crd/glob.ts';
import type { NotificationFilter } from '../../crd/notificationprovider.ts';
import { alertText } from '../../notifications/policy/compose.ts';
import type { Notification } from '../../notifications/types/service.ts';
import type { StoredAlert } from './alert.ts';

const LISTED = 15;
/** Labels that the message shows elsewhere, or that only describe the source of the metric. */
const UNTOLD = new Set(['alertname', 'severity', 'job', 'instance', 'endpoint', 'service', 'prometheus', 'uid']);

/**
 * Whether a provider gets an alert about an unknown object. An alert without a namespace passes. Filters for labels and reasons do not
 * apply: they are about pods.
 */
export function isAlertWanted(filter: NotificationFilter | undefined, { namespace }: Pick<StoredAlert, 'namespace'>): boolean {
  const { namespaces, excludeNamespaces, labelSelector, reasons } = filter ?? {};
  if (labelSelector || reasons) return false;
  const some = (globs: string[]): boolean => namespace !== null && globs.some((glob) => globMatches(glob, namespace));
  if (namespaces && namespace !== null && !some(namespaces)) return false;
  return !(excludeNamespaces && some(excludeNamespaces));
}

/** A message about unchanged alerts of one group of Alertmanager; undefined when there are none. */
export function composeAlerts(
  alerts: StoredAlert[],
  { cluster, now }: { cluster: string; now: Date },
): Omit<Notification, 'id' | 'key'> | undefined {
  const firing = alerts.filter(({ status }) => status === 'firing');
  const [main] = firing.length > 0 ? firing : alerts;
  if (!main) return undefined;
  const isOver = firing.length === 0;
  const what =
    alerts.length === 1 ? main.name : `${alerts.length} alerts (${[...new Set(alerts.map(({ name }) => name))].slice(0, 3).join(', ')})`;
  const lines = alerts.slice(0, LISTED).map((alert) => `${alert.status === 'resolved' && !isOver ? 'resolved: ' : ''}${alertText(alert)}`);
  const more = alerts.length > LISTED ? [`and ${alerts.length - LISTED} more`] : [];
  return {
    event: isOver ? 'resolved' : 'alert',
    title: isOver ? `Resolved: ${what}` : `Alert: ${what}`,
    text: isOver ? '' : [...lines, ...more].join('\n'),
    news: isOver ? 'Alertmanager says that it is over.' : 'Podmend sees no failing pod that it is about.',
    facts: [
      { name: 'Cluster', value: cluster },
      ...(alerts.length === 1
        ? Object.entries(main.labels)
            .filter(([name]) => !UNTOLD.has(name))
            .slice(0, 8)
            .map(([name, value]) => ({ name, value }))
        : []),
    ],
    sections: [],
    link: null,
    cluster,
    namespace: main.namespace ?? '-',
    workload: main.owner ?? (main.pod ? `Pod/${main.pod}` : main.node ? `Node/${main.node}` : '-'),
    reason: main.name,
    startedAt: main.starts_at.toISOString(),
    at: now.toISOString(),
  };
}

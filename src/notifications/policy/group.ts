import type { NotificationGrouping } from '../../crd/notificationprovider.ts';
import type { IncidentView } from './view.ts';

/** The key of the summary that takes what is too much. */
export const STORM = 'storm';
/** More openings than this within the window are a storm. */
export const STORM_OPENINGS = 20;
export const STORM_WINDOW_MS = 5 * 60_000;

/**
 * What shares one message with this incident. An incident that comes back has the same key. What many suffer together (a dead node, a full
 * quota, a registry that does not answer) is one, whatever the grouping says.
 */
export function groupOf(grouping: NotificationGrouping | undefined, incident: IncidentView): string {
  return cascadeOf(incident) ?? (grouping?.by ?? ['incident']).map((by) => PARTS[by](incident)).join(' ');
}

type By = NonNullable<NotificationGrouping['by']>[number];
const own = ({ namespace, owner, container, family }: IncidentView): string => `incident:${namespace}/${owner}/${container}/${family}`;
const PARTS: Record<By, (incident: IncidentView) => string> = {
  incident: own,
  namespace: ({ namespace }) => `namespace:${namespace}`,
  workload: ({ namespace, owner }) => `workload:${namespace}/${owner}`,
  reason: ({ reason }) => `reason:${reason}`,
  node: (incident) => (incident.node ? `node:${incident.node}` : own(incident)),
};

function cascadeOf({ reason, message, namespace, node }: IncidentView): string | undefined {
  if (reason === 'NodeLost' && node) return `lost node:${node}`;
  if (reason === 'FailedCreate' && /exceeded quota/i.test(message)) return `full quota:${namespace}`;
  const registry = /image "([a-z0-9.-]+\.[a-z0-9-]+(?::\d+)?|localhost:\d+)\//.exec(message)?.[1];
  const isAway = /dial tcp|i\/o timeout|no such host|connection refused|TLS handshake timeout|50[234] /i.test(message);
  return registry && isAway ? `silent registry:${registry}` : undefined;
}

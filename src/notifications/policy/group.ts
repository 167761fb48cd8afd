import type { NotificationGrouping } from '../../crd/notificationprovider.ts';
import type { IncidentView } from './view.ts';

/** The key of the summary that collects incidents during a storm. */
export const STORM = 'storm';
export const STORM_WINDOW_MS = 5 * 60_000;
/** More openings than this within the window are a storm. Findings are counted separately, so that they never push incidents into a summary. */
const STORM_OPENINGS = { incidents: 20, findings: 5 };

const FINDING = 'finding ';
/** Whether the thread of this key is about findings. */
export const isOfFindings = (groupKey: string): boolean => groupKey.startsWith(FINDING);
/** The key of a day's summary of findings. Findings stay open for long, so each day has its own. */
export const findingsStorm = (now: Date): string => `${FINDING}${STORM}:${dayOf(now)}`;
export const isSummary = (groupKey: string): boolean => groupKey === STORM || groupKey.startsWith(`${FINDING}${STORM}:`);
/** The key of the summary that collects a thread during a storm. */
export const summaryOf = (groupKey: string, now: Date): string => (isOfFindings(groupKey) ? findingsStorm(now) : STORM);

/** How many more threads of the same subject may be opened now, given the openings within the window. */
export function openingsLeft(groupKey: string, openings: readonly { groupKey: string; at: Date }[], now: Date): number {
  const same = openings.filter((one) => isOfFindings(one.groupKey) === isOfFindings(groupKey));
  const recent = same.filter(({ at }) => now.getTime() - at.getTime() < STORM_WINDOW_MS);
  return STORM_OPENINGS[isOfFindings(groupKey) ? 'findings' : 'incidents'] - recent.length;
}

const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

/**
 * The key of the thread that an incident belongs to. An incident that comes back has the same key. A cause that affects many incidents at
 * once (a dead node, a full quota, a registry that does not answer) is always one group, whatever the grouping says. All findings of one
 * day about a resource are one group.
 */
export function groupOf(grouping: NotificationGrouping | undefined, incident: IncidentView, now: Date): string {
  if (incident.finding) return `${FINDING}${partsOf(grouping, incident)} ${dayOf(now)}`;
  return cascadeOf(incident) ?? partsOf(grouping, incident);
}

const partsOf = (grouping: NotificationGrouping | undefined, incident: IncidentView): string =>
  (grouping?.by ?? ['incident']).map((by) => PARTS[by](incident)).join(' ');

type By = NonNullable<NotificationGrouping['by']>[number];
const own = ({ namespace, owner, container, family, finding }: IncidentView): string =>
  finding ? `resource:${namespace}/${owner}` : `incident:${namespace}/${owner}/${container}/${family}`;
const PARTS: Record<By, (incident: IncidentView) => string> = {
  incident: own,
  namespace: ({ namespace }) => `namespace:${namespace}`,
  workload: ({ namespace, owner }) => `workload:${namespace}/${owner}`,
  reason: ({ reason }) => `reason:${reason}`,
  node: (incident) => (incident.node ? `node:${incident.node}` : own(incident)),
};

/** The title of a cascade by its key; undefined for other groups. */
export function cascadeTitle(groupKey: string): string | undefined {
  const [, kind = '', name = ''] = /^([a-z ]+):(.*)$/.exec(groupKey) ?? [];
  return {
    'lost node': `Node ${name} is lost`,
    'full quota': `The quota of ${name} is full`,
    'silent registry': `Registry ${name} does not answer`,
  }[kind];
}

function cascadeOf({ reason, message, namespace, node }: IncidentView): string | undefined {
  if (reason === 'NodeLost' && node) return `lost node:${node}`;
  if (reason === 'FailedCreate' && /exceeded quota/i.test(message)) return `full quota:${namespace}`;
  const registry = /image "([a-z0-9.-]+\.[a-z0-9-]+(?::\d+)?|localhost:\d+)\//.exec(message)?.[1];
  const isAway = /dial tcp|i\/o timeout|no such host|connection refused|TLS handshake timeout|50[234] |\b429\b|toomanyrequests/i.test(
    message,
  );
  return registry && isAway ? `silent registry:${registry}` : undefined;
}

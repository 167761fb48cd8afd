import { SEVERITIES } from '../../contract/finding.ts';
import { globMatches } from '../../crd/glob.ts';
import type { NotificationFilter, NotificationProviderSpec } from '../../crd/notificationprovider.ts';
import { selects } from '../../crd/selector.ts';
import type { NotificationEvent } from '../types/service.ts';
import type { IncidentView } from './view.ts';

/** Findings below this severity are sent only to providers that ask for them. */
const USUAL_SEVERITY = 'high';

/**
 * Whether a provider gets messages about this incident or finding. All fields that are set must match. `minSeverity` applies to findings
 * only, `reasons` to failures only.
 */
export function isWanted(filter: NotificationFilter | undefined, incident: IncidentView): boolean {
  const { namespaces, excludeNamespaces, labelSelector, reasons, minSeverity = USUAL_SEVERITY } = filter ?? {};
  if (incident.finding && (reasons || SEVERITIES.indexOf(incident.finding.severity) > SEVERITIES.indexOf(minSeverity))) return false;
  const some = (globs: string[], text: string): boolean => globs.some((glob) => globMatches(glob, text));
  if (namespaces && !some(namespaces, incident.namespace)) return false;
  if (excludeNamespaces && some(excludeNamespaces, incident.namespace)) return false;
  if (labelSelector && !selects(labelSelector, incident.labels)) return false;
  return !reasons || some(reasons, incident.reason);
}

/** Whether a provider wants this kind of event. */
export function hears({ filter }: Pick<NotificationProviderSpec, 'filter'>, event: NotificationEvent): boolean {
  if (event === 'test') return true;
  if (event === 'resolved' && filter?.sendResolved === false) return false;
  return !filter?.events || filter.events.includes(event);
}

import { globMatches } from '../../crd/glob.ts';
import type { NotificationFilter, NotificationProviderSpec } from '../../crd/notificationprovider.ts';
import { selects } from '../../crd/selector.ts';
import type { NotificationEvent } from '../types/service.ts';
import type { IncidentView } from './view.ts';

/** Whether a provider hears of this incident: all fields that are set must match. `minSeverity` is about findings only. */
export function isWanted(filter: NotificationFilter | undefined, incident: IncidentView): boolean {
  const { namespaces, excludeNamespaces, labelSelector, reasons } = filter ?? {};
  const some = (globs: string[], text: string): boolean => globs.some((glob) => globMatches(glob, text));
  if (namespaces && !some(namespaces, incident.namespace)) return false;
  if (excludeNamespaces && some(excludeNamespaces, incident.namespace)) return false;
  if (labelSelector && !selects(labelSelector, incident.labels)) return false;
  return !reasons || some(reasons, incident.reason);
}

/** Whether a provider hears of this kind of news. */
export function hears({ filter }: Pick<NotificationProviderSpec, 'filter'>, event: NotificationEvent): boolean {
  if (event === 'test') return true;
  if (event === 'resolved' && filter?.sendResolved === false) return false;
  return !filter?.events || filter.events.includes(event);
}

import type { Condition, KubeObject } from './kubernetes.ts';
import type { LabelSelector } from './selector.ts';

export const PROVIDER_TYPES = [
  'slack',
  'teams',
  'discord',
  'mattermost',
  'googlechat',
  'telegram',
  'pagerduty',
  'opsgenie',
  'jsm',
  'incidentio',
  'alertmanager',
  'email',
  'webhook',
] as const;
export type ProviderType = (typeof PROVIDER_TYPES)[number];

/** Which events to send. All given fields must match; in a list, one matching entry is enough. Namespaces and reasons are globs. */
export interface NotificationFilter {
  events?: ('incident_opened' | 'incident_updated' | 'correction' | 'verdict' | 'verdict_revised' | 'resolved' | 'finding' | 'alert')[];
  namespaces?: string[];
  excludeNamespaces?: string[];
  labelSelector?: LabelSelector;
  reasons?: string[];
  minSeverity?: 'critical' | 'high' | 'medium' | 'low' | 'info';
  sendResolved?: boolean;
}

/** Who may act from the chat of a provider, of the types slack and teams. */
export interface ProviderChat {
  /** The role of chat users who are not mapped. Without it they may do nothing. */
  defaultRole?: 'read' | 'write';
  /** Ids of the chat service, and the Podmend users that they act as. */
  users?: { id: string; user: string }[];
}

export interface NotificationGrouping {
  by?: ('incident' | 'namespace' | 'workload' | 'reason' | 'node')[];
  waitSeconds?: number;
  intervalSeconds?: number;
  repeatSeconds?: number;
  minOccurrences?: number;
  windowSeconds?: number;
}

/** `from` and `to` are HH:MM in `timeZone` (IANA name); `to` before `from` is the next day. */
export interface QuietHours {
  days?: ('Mon' | 'Tue' | 'Wed' | 'Thu' | 'Fri' | 'Sat' | 'Sun')[];
  from: string;
  to: string;
  timeZone: string;
}

/** The spec in `crds/notificationproviders.yaml`. */
export interface NotificationProviderSpec {
  type: ProviderType;
  suspend?: boolean;
  secretRef: { name: string };
  channel?: string;
  /** Of type `webhook`. */
  format?: 'json' | 'cloudevents';
  filter?: NotificationFilter;
  grouping?: NotificationGrouping;
  quietHours?: QuietHours[];
  chat?: ProviderChat;
}

export interface NotificationProviderStatus {
  observedGeneration?: number;
  lastDeliveryTime?: string;
  /** Masked. */
  lastError?: string;
  conditions?: Condition[];
}

export interface NotificationProvider extends KubeObject {
  spec: NotificationProviderSpec;
  status?: NotificationProviderStatus;
}

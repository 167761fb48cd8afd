import { hash } from 'node:crypto';
import { type Alert, type AlertmanagerMessage, type AlertsTaken, MAX_ALERTS } from '../contract/alert.ts';
import type { NotificationProvider } from '../crd/notificationprovider.ts';
import type { AlertRepository } from '../db/alerts.ts';
import type { NotificationRepository } from '../db/notifications.ts';
import { composeAlerts } from './policy/alert-message.ts';
import { type Here, isIgnored, readAlert, shownAlert, type StoredAlert } from './policy/alert.ts';
import { hears } from '../notifications/policy/filter.ts';
import { isAlertWanted } from './policy/alert-message.ts';
import { quietUntil } from '../notifications/policy/quiet-hours.ts';

export interface AlertsDeps {
  rows: Pick<AlertRepository, 'store' | 'ofIncident' | 'newest'>;
  outbox: Pick<NotificationRepository, 'tellGroup'>;
  /** Those that are sent to. */
  providers(): NotificationProvider[];
  here: Here;
  now(): Date;
}

/** How long an alert without an incident is kept after it last arrived. */
export const KEPT_MS = 24 * 3_600_000;
const SHOWN = 100;

export interface Alerts {
  take(message: AlertmanagerMessage): Promise<AlertsTaken>;
  /** The newest of the last day. */
  list(): Promise<Alert[]>;
  /** The newest about an incident. */
  ofIncident(id: number): Promise<Alert[]>;
}

/**
 * Takes the alerts that Alertmanager sends. An alert about a failing object joins its incident, and providers receive it in the incident's
 * thread. All other alerts of a request are forwarded together, unchanged. When an alert ends, its incident stays open.
 */
export function alerts({ rows, outbox, providers, here, now }: AlertsDeps): Alerts {
  /** Without those that were stored before their namespace was hidden. */
  const shownOf = (stored: StoredAlert[]): Alert[] => stored.filter((alert) => !isIgnored(alert, here)).map(shownAlert);
  const tell = async (groupKey: string, unknown: StoredAlert[]): Promise<void> => {
    const at = now();
    const key = `alert:${hash('sha256', groupKey).slice(0, 32)}`;
    for (const { metadata, spec } of providers()) {
      // Sending Alertmanager its own alerts back would be a loop.
      if (spec.type === 'alertmanager') continue;
      const wanted = unknown.filter((alert) => isAlertWanted(spec.filter, alert));
      const message = composeAlerts(wanted, { cluster: here.cluster, now: at });
      if (!message || !hears(spec, message.event) || !hears(spec, 'alert')) continue;
      const told = wanted.map(({ fingerprint, status }) => `${fingerprint} ${status}`).sort();
      const dueAt = quietUntil(spec.quietHours, at) ?? at;
      await outbox.tellGroup({ provider: metadata.name ?? '', groupKey: key, event: message.event, message, told, dueAt }, at);
    }
  };

  return {
    async take({ groupKey, alerts: given }) {
      const looked = given.slice(0, MAX_ALERTS);
      const kept = looked.filter((alert) => !isIgnored(alert, here));
      const read = kept.map((alert) => readAlert(alert, here)).filter((alert) => alert !== undefined);
      const stored: StoredAlert[] = [];
      for (const alert of read) stored.push(await rows.store(alert, now()));
      const unknown = stored.filter(({ incident_id }) => incident_id === null);
      if (unknown.length > 0) await tell(groupKey, unknown);
      return { joined: stored.length - unknown.length, unknown: unknown.length, ignored: given.length - stored.length };
    },

    async list() {
      const since = new Date(now().getTime() - KEPT_MS);
      return shownOf(await rows.newest(since, { hidden: here.hiddenNamespaces, limit: SHOWN }));
    },

    ofIncident: async (id) => shownOf(await rows.ofIncident(id, SHOWN)),
  };
}

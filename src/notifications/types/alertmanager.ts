import { below, isResolved, JSON_TYPE, read } from './answers.ts';
import type { Notification, Service, Target } from './service.ts';
import { fitted, inert, mapTexts } from './text.ts';
import { linesOf } from './words.ts';

const MAX_BYTES = 60_000;
/** Alertmanager ends an alert that is not repeated. Podmend sends each alert once, so it sets a late end itself. */
const FIRES_FOR_MS = 7 * 86_400_000;

/** Prometheus Alertmanager, API v2 (key `address`; `token`, or `username` and `password`, where it asks for them). */
export const alertmanager: Service = {
  pauseMs: 0,
  canUpdate: () => true,
  lacks: ({ address }) => (address === '' ? 'the Secret needs the key address: the address of Alertmanager' : undefined),
  requests: ({ notification, target, now }) => [
    {
      method: 'POST',
      url: below(target.address, 'api/v2/alerts'),
      headers: { ...JSON_TYPE, ...credentials(target) },
      body: fitted(notification, MAX_BYTES, (said) => [alert(mapTexts(said, inert), now)]),
    },
  ],
  read,
};

function credentials({ secret: { token, username, password } }: Target): Record<string, string> {
  if (token) return { authorization: `Bearer ${token}` };
  return username && password ? { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` } : {};
}

/**
 * Its receivers put texts into the markup of others. The labels identify the alert, so they must not change while it fires: what changes is
 * in the annotations.
 */
function alert(said: Notification, now: Date): object {
  return {
    labels: {
      alertname: 'PodmendIncident',
      cluster: said.cluster,
      namespace: said.namespace,
      workload: said.workload,
      podmend_key: said.key,
    },
    annotations: { summary: said.title, reason: said.reason, description: linesOf(said) },
    startsAt: said.startedAt,
    endsAt: isResolved(said) ? now.toISOString() : new Date(now.getTime() + FIRES_FOR_MS).toISOString(),
    ...(said.link && { generatorURL: said.link }),
  };
}

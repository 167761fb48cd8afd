import { below, isResolved, JSON_TYPE, read } from './answers.ts';
import type { Notification, Service, Target } from './service.ts';
import { fitted, inert, mapTexts } from './text.ts';
import { linesOf } from './words.ts';

const MAX_BYTES = 60_000;
/** Alertmanager ends alerts that are not repeated. Podmend sends each alert once, so it sets an end far in the future. */
const FIRES_FOR_MS = 7 * 86_400_000;

/** Prometheus Alertmanager, API v2. Keys: `address`, and `token` or `username` and `password` if it requires them. */
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
 * Alertmanager's receivers may render texts as markup. The labels identify an alert, so they must stay the same while it fires; everything
 * that changes goes into annotations.
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

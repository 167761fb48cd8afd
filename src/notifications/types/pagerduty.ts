import { below, detailOf, isResolved, JSON_TYPE, objectOf, read } from './answers.ts';
import type { Notification, Service } from './service.ts';
import { fitted, inert, mapTexts } from './text.ts';
import { linesOf } from './words.ts';

/** An event has at most 512 KB. */
const MAX_BYTES = 100_000;

/** PagerDuty, Events API v2 (key `token`: the integration key). `dedup_key` keeps one alert for each incident. */
export const pagerduty: Service = {
  defaultAddress: 'https://events.pagerduty.com',
  pauseMs: 500,
  canUpdate: () => true,
  lacks: ({ secret }) => (secret.token ? undefined : 'the Secret needs the key token: the integration key of the service'),
  requests: ({ notification, target }) => {
    const about = { routing_key: target.secret.token, dedup_key: notification.key };
    const body = isResolved(notification)
      ? JSON.stringify({ ...about, event_action: 'resolve' })
      : fitted(notification, MAX_BYTES, (said) => ({ ...about, ...trigger(mapTexts(said, inert)) }));
    return [{ method: 'POST', url: below(target.address, 'v2/enqueue'), headers: { ...JSON_TYPE }, body }];
  },
  read(answer, now) {
    const outcome = read(answer, now);
    if (outcome.ok) return { ok: true, state: 'accepted' };
    const { message, errors } = objectOf(answer.body);
    const said = [message, ...(Array.isArray(errors) ? (errors as unknown[]) : [])].filter((one) => typeof one === 'string').join(': ');
    // PagerDuty answers 400 to a wrong integration key.
    const isKey = answer.status === 400 && /routing_?key|integration key/i.test(said);
    return { ...outcome, ...(isKey && { reason: 'CredentialsRefused' as const }), detail: detailOf(answer.status, said || answer.body) };
  },
};

function trigger(said: Notification): object {
  const facts = Object.fromEntries(said.facts.map(({ name, value }) => [name, value]));
  return {
    event_action: 'trigger',
    client: 'Podmend',
    ...(said.link && { client_url: said.link, links: [{ href: said.link, text: 'Open in Podmend' }] }),
    payload: {
      summary: said.title,
      source: said.cluster,
      severity: said.event === 'test' ? 'info' : said.event === 'finding' ? 'warning' : 'error',
      timestamp: said.at,
      component: said.workload,
      group: said.namespace,
      class: said.reason,
      custom_details: { ...facts, message: linesOf({ ...said, facts: [] }) },
    },
  };
}

import { below, detailOf, isResolved, JSON_TYPE, objectOf, read } from './answers.ts';
import type { Notification, Said, Service, ServiceRequest } from './service.ts';
import { clipped, fitted, inert, mapTexts, shortened } from './text.ts';
import { linesOf } from './words.ts';

/** A description has at most 15,000 characters. */
const MAX_BYTES = 60_000;

/** Opsgenie's Alert API (key `token`: the API key). The service ends on 2027-04-05; `jsm` is its successor. */
export const opsgenie: Service = alerts('https://api.opsgenie.com');

/** The Alert API of Opsgenie and Jira Service Management: one alert for each `alias`, with notes, then closed. */
export function alerts(defaultAddress: string): Service {
  return {
    defaultAddress,
    pauseMs: 500,
    canUpdate: () => true,
    lacks: ({ secret }) => (secret.token ? undefined : 'the Secret needs the key token: the API key of the integration'),
    requests,
    read(answer, now) {
      const outcome = read(answer, now);
      if (outcome.ok) return { ok: true, state: 'accepted' };
      const { message } = objectOf(answer.body);
      return { ...outcome, detail: detailOf(answer.status, typeof message === 'string' ? message : answer.body) };
    },
  };
}

function requests({ notification, target, place }: Said): ServiceRequest[] {
  const headers = { ...JSON_TYPE, authorization: `GenieKey ${target.secret.token ?? ''}` };
  const post = (path: string, body: string): ServiceRequest => ({ method: 'POST', url: below(target.address, path), headers, body });
  const one = `v2/alerts/${encodeURIComponent(notification.key)}`;
  if (isResolved(notification)) {
    return [post(`${one}/close?identifierType=alias`, JSON.stringify({ source: 'Podmend', note: inert(shortened(notification, 0).news) }))];
  }
  const note = fitted(notification, MAX_BYTES, (said) => ({ source: 'Podmend', note: clipped(inert(linesOf(said)), 20_000) }));
  if (place) return [post(`${one}/notes?identifierType=alias`, note)];
  return [
    post(
      'v2/alerts',
      fitted(notification, MAX_BYTES, (said) => alert(mapTexts(said, inert))),
    ),
  ];
}

function alert(said: Notification): object {
  const link = said.link ? { link: said.link } : {};
  return {
    message: clipped(said.title, 130),
    alias: said.key,
    description: clipped(linesOf(said), 15_000),
    entity: clipped(said.workload, 512),
    source: 'Podmend',
    priority: said.event === 'test' ? 'P5' : 'P3',
    details: { cluster: said.cluster, namespace: said.namespace, workload: said.workload, reason: said.reason, ...link },
  };
}

import type { PreviewedMessage } from '../contract/notification.ts';
import { MASK } from '../contract/notification.ts';
import type { NotificationFilter, NotificationProviderSpec } from '../crd/notificationprovider.ts';
import { composeNotification } from './policy/compose.ts';
import { hears } from './policy/filter.ts';
import type { IncidentView } from './policy/view.ts';
import { serviceOf } from './target.ts';
import { mailOf } from './types/email.ts';
import type { Notification, Place, Said, Service, Target } from './types/service.ts';

export interface PreviewContext {
  /** The keys that the Secret has or would have. Values are not needed here, so they can never be shown. */
  keys: readonly string[];
  cluster: string;
  baseUrl: string | null;
  now: Date;
}

/** The example messages: the beginning, an update, and the end. */
const EVENTS = ['incident_opened', 'verdict', 'resolved'] as const;
const MINUTE_MS = 60_000;
/** The place that the first message would get. */
const PLACE: Place = { ts: '1750000000.000100', id: '1', message: '1' };
const SILENCE = {
  filter: 'The filter leaves it out.',
  update: 'This service cannot change a message, and another one would be a second alarm. The end is told.',
  end: 'Nothing was told, so no end is told.',
};

/** The messages that a provider would get about an example incident, from opening to end. Only the filter's events apply. */
export function previewOf(spec: Draft, context: PreviewContext): PreviewedMessage[] {
  const service = serviceOf(spec);
  const target = targetOf(spec, service, context.keys);
  const filter = filterOf(spec.filter);
  let place: Place | null = null;
  return EVENTS.map((event) => {
    const silence = silenceOf({ event, filter, place, canUpdate: service?.canUpdate(target) ?? true });
    if (silence !== null) return { event, silence, requests: [], mail: null };
    const message = sentOf({ notification: exampleOf(event, context), target, place, now: context.now }, service);
    place = PLACE;
    return { event, silence, ...message };
  });
}

/** A setting whose fields are not validated yet. */
type Draft = Pick<NotificationProviderSpec, 'type'> & { [field in 'channel' | 'format' | 'filter']?: unknown };
type Event = (typeof EVENTS)[number];

/** A target with masks in place of its secrets. */
function targetOf({ channel, format }: Draft, service: Service | undefined, keys: readonly string[]): Target {
  const secret = Object.fromEntries(keys.map((key) => [key, MASK]));
  return {
    address: service?.defaultAddress ?? 'https://address.example/',
    channel: typeof channel === 'string' && channel !== '' ? channel : undefined,
    format: format === 'cloudevents' ? 'cloudevents' : undefined,
    secret: { ...secret, from: 'podmend@address.example' },
  };
}

function filterOf(filter: unknown): NotificationFilter {
  const { events, sendResolved } = (filter ?? {}) as Record<string, unknown>;
  return {
    ...(Array.isArray(events) && { events: events as NonNullable<NotificationFilter['events']> }),
    ...(sendResolved === false && { sendResolved }),
  };
}

interface Moment {
  event: Event;
  filter: NotificationFilter;
  place: Place | null;
  canUpdate: boolean;
}

/** The reason why no message is sent, by the rules of `decideThread`; null if one is sent. */
function silenceOf({ event, filter, place, canUpdate }: Moment): string | null {
  if (!hears({ filter }, event)) return SILENCE.filter;
  if (event === 'resolved') return place === null ? SILENCE.end : null;
  return place !== null && !canUpdate ? SILENCE.update : null;
}

function sentOf(said: Said, service: Service | undefined): Pick<PreviewedMessage, 'requests' | 'mail'> {
  if (!service) {
    const { from, to, subject, text, html } = mailOf(said);
    return { requests: [], mail: { from, to, subject, text, html } };
  }
  const requests = service.requests(said).map(({ headers, ...request }) => ({
    ...request,
    // Mask the signature: it was made with a mask instead of the secret, so it would be wrong.
    headers: headers['webhook-signature'] ? { ...headers, 'webhook-signature': `v1,${MASK}` } : headers,
  }));
  return { requests, mail: null };
}

function exampleOf(event: Event, { cluster, baseUrl, now }: PreviewContext): Notification {
  const startedAt = new Date(now.getTime() - 12 * MINUTE_MS);
  const incident = { ...EXAMPLE, cluster, openedAt: startedAt, ...(event !== 'incident_opened' && { verdict: FIXED }) };
  const seen = event === 'resolved' ? { ...incident, open: 0, active: 0 } : incident;
  const composed = composeNotification({ event, groupKey: 'incident:shop', incidents: [seen], cluster, baseUrl, startedAt, now });
  return { ...composed, id: `podmend-example-${event}`, key: 'podmend-example' };
}

const FIXED = { verdict: 'Fixed', strength: 'Strong', revisions: 0, message: '' };
const EXAMPLE: Omit<IncidentView, 'cluster' | 'openedAt'> = {
  id: 1,
  namespace: 'shop',
  owner: 'Deployment/payments',
  container: 'api',
  family: 'crash',
  open: 3,
  active: 3,
  occurrences: 9,
  recordId: 1,
  pod: 'payments-5d9c7b8f6-x2x7p',
  node: 'node-1',
  labels: { app: 'payments' },
  reason: 'CrashLoopBackOff',
  message: 'back-off 40s restarting failed container=api pod=payments-5d9c7b8f6-x2x7p',
  solution: [
    '## What happened\n\nThe container exits with code 1: `DATABASE_URL` is not set.',
    '## What changed\n\nRevision 7 removed the variable from the template 12 minutes ago.',
    '## Correction\n\nSet `DATABASE_URL` from the Secret `payments-db` again, as revision 6 did.',
  ].join('\n\n'),
  verdict: null,
  alerts: [],
};

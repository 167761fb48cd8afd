import { createHmac } from 'node:crypto';
import { JSON_TYPE, read } from './answers.ts';
import type { Notification, Said, Service, ServiceRequest } from './service.ts';
import { fitted } from './text.ts';

const MAX_BYTES = 60_000;

/**
 * A generic receiver. It gets the message as JSON, or as a CloudEvent (`spec.format: cloudevents`). With the key `signingSecret` the request
 * is signed according to Standard Webhooks; during a rotation the key has two secrets, separated by a space, and both sign. With the key
 * `token` the request has a bearer token.
 */
export const webhook: Service = {
  pauseMs: 0,
  canUpdate: () => true,
  lacks({ address, secret }) {
    if (address === '') return 'the Secret needs the key address';
    const isBad = secretsOf(secret.signingSecret).some((one) => keyOf(one).length < 24 || keyOf(one).length > 64);
    return isBad ? 'the key signingSecret must be whsec_ and 24 to 64 bytes in base64' : undefined;
  },
  requests,
  read,
};

function requests({ notification, target, now }: Said): ServiceRequest[] {
  const isEvent = target.format === 'cloudevents';
  const body = fitted(notification, MAX_BYTES, (said) =>
    isEvent ? cloudEvent(said) : { type: typeOf(said), timestamp: said.at, data: dataOf(said) },
  );
  const type = isEvent ? { 'content-type': 'application/cloudevents+json; charset=utf-8' } : JSON_TYPE;
  const { token, signingSecret } = target.secret;
  const headers = {
    ...type,
    'webhook-id': notification.id,
    ...signature({ id: notification.id, body, now, signingSecret }),
    ...(token && { authorization: `Bearer ${token}` }),
  };
  return [{ method: 'POST', url: target.address, headers, body }];
}

const typeOf = ({ event }: Notification): string => `podmend.${event}`;
const dataOf = ({ id: _id, at: _at, subject: _subject, ...data }: Notification): object => data;

/** CloudEvents 1.0, structured mode. */
function cloudEvent(said: Notification): object {
  return {
    specversion: '1.0',
    id: said.id,
    source: `/podmend/${encodeURIComponent(said.cluster)}`,
    type: `dev.podmend.${said.event}`,
    subject: said.key,
    time: said.at,
    datacontenttype: 'application/json',
    data: dataOf(said),
  };
}

export interface Signed {
  id: string;
  body: string;
  now: Date;
  signingSecret: string | undefined;
}

/** The headers of Standard Webhooks, with one signature for each secret. */
export function signature({ id, body, now, signingSecret }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signatures = secretsOf(signingSecret).map(
    (secret) => `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return { 'webhook-timestamp': timestamp, ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }) };
}

const secretsOf = (text = ''): string[] => text.split(/\s+/).filter((one) => one !== '');
const keyOf = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

import type { ChatSubject } from '../../contract/chat.ts';

/** The events that a message can be about: the values of a NotificationProvider's `filter.events`, and the test message. */
export type NotificationEvent =
  | 'incident_opened'
  | 'incident_updated'
  | 'correction'
  | 'verdict'
  | 'verdict_revised'
  | 'resolved'
  | 'alert'
  | 'finding'
  | 'test';

/** The content of a message as masked plain text. Each service escapes it in its own way. */
export interface Notification {
  /** The same for every attempt to send the same message. */
  id: string;
  /** The same for all messages from the opening to the end; at most 255 ASCII characters. */
  key: string;
  event: NotificationEvent;
  title: string;
  text: string;
  /** The news since the last message, as one sentence. */
  news: string;
  facts: { name: string; value: string }[];
  sections: { title: string; text: string }[];
  /** The address in the dashboard; null without `BASE_URL`. */
  link: string | null;
  /** The incident that people can act on in a chat. Absent unless the message is about a single failing incident. */
  subject?: ChatSubject;
  cluster: string;
  namespace: string;
  workload: string;
  reason: string;
  /** RFC 3339. */
  startedAt: string;
  at: string;
}

/** Where a provider's messages go. `secret` holds the decoded values of its Secret. */
export interface Target {
  address: string;
  channel: string | undefined;
  format: 'json' | 'cloudevents' | undefined;
  secret: Readonly<Record<string, string>>;
}

/** The service's reference to a sent message, which later messages need. */
export type Place = Record<string, string>;

/** One HTTP request to a service. */
export interface ServiceRequest {
  method: 'POST' | 'PATCH' | 'PUT';
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface ServiceAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** Why a message did not arrive. */
export const REASONS = [
  'RateLimited',
  'CredentialsRefused',
  'NoSuchChannel',
  'TooLarge',
  'Refused',
  'Redirected',
  'Timeout',
  'Unreachable',
  'AddressNotAllowed',
  'ServiceError',
  'NotReady',
  'Expired',
] as const;
export type Reason = (typeof REASONS)[number];

/** The result of a request. `accepted` means that the service may still drop the message. `detail` is the service's answer. */
export type Outcome =
  | { ok: true; state: 'delivered' | 'accepted'; place?: Place }
  | { ok: false; reason: Reason; detail: string; retryAfterMs?: number };

export interface Said {
  notification: Notification;
  target: Target;
  /** The place of the first message with the same key; null for the first one. */
  place: Place | null;
  now: Date;
}

/** A service that receives messages over HTTP. All functions are pure. */
export interface Service {
  /** The address of a service that has only one. The Secret then needs no address. */
  defaultAddress?: string;
  /** The shortest time between two requests, in milliseconds, because of the service's own limit. */
  pauseMs: number;
  /** Whether news about an open incident can be shown without a second alarm. If not, only the end is sent. */
  canUpdate(target: Target): boolean;
  /** What the Secret or the channel lacks, as a sentence; undefined if nothing. */
  lacks(target: Target): string | undefined;
  /** The requests that send the message, in order. The first answer gives the place. */
  requests(said: Said): ServiceRequest[];
  read(answer: ServiceAnswer, now: Date): Outcome;
}

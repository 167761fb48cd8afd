import type { ChatSubject } from '../../contract/chat.ts';

/** What a message can be about: the words of a NotificationProvider's `filter.events`, and the test message. */
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

/** What a message says, as masked plain text. It has no markup: each service escapes it in its own way. */
export interface Notification {
  /** The same for every try of the same message. */
  id: string;
  /** The same for all messages from one opening to its end; at most 255 characters of ASCII. */
  key: string;
  event: NotificationEvent;
  title: string;
  text: string;
  /** The news since the last message, as one sentence. */
  news: string;
  facts: { name: string; value: string }[];
  sections: { title: string; text: string }[];
  /** Made from `BASE_URL`; null without one. */
  link: string | null;
  /** What people can act on from a chat; absent where a message is not about a single incident that fails. */
  subject?: ChatSubject;
  cluster: string;
  namespace: string;
  workload: string;
  reason: string;
  /** RFC 3339. */
  startedAt: string;
  at: string;
}

/** Where messages of one provider go. `secret` holds the decoded keys of its Secret. */
export interface Target {
  address: string;
  channel: string | undefined;
  format: 'json' | 'cloudevents' | undefined;
  secret: Readonly<Record<string, string>>;
}

/** What a service answered about where a message is. Later messages need it. */
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

/** What a service made of a request. `accepted` means that the service may still drop the message. `detail` is the service's own word. */
export type Outcome =
  | { ok: true; state: 'delivered' | 'accepted'; place?: Place }
  | { ok: false; reason: Reason; detail: string; retryAfterMs?: number };

export interface Said {
  notification: Notification;
  target: Target;
  /** Where the first message of the same key is; null for the first one. */
  place: Place | null;
  now: Date;
}

/** A service that takes messages over HTTP. Everything is pure. */
export interface Service {
  /** For services that live at one address: the Secret needs none. */
  defaultAddress?: string;
  /** The shortest time between two requests, by the service's own limit. */
  pauseMs: number;
  /** Whether people see news about an open incident without a second message. Otherwise only its end is sent. */
  canUpdate(target: Target): boolean;
  /** What the Secret or the channel lacks, as a sentence; undefined when nothing does. */
  lacks(target: Target): string | undefined;
  /** The requests that say it, in order. The place is what the first one answers. */
  requests(said: Said): ServiceRequest[];
  read(answer: ServiceAnswer, now: Date): Outcome;
}

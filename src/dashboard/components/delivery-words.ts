import type { Delivery } from '../../contract/notification.ts';

const EVENTS: Record<string, string> = {
  incident_opened: 'Began',
  incident_updated: 'Changed',
  correction: 'Correction',
  verdict: 'Verdict',
  verdict_revised: 'Verdict revised',
  resolved: 'Ended',
  alert: 'Alert',
  finding: 'Finding',
  test: 'Test',
};

/** The subject of a message, in words for people. */
export const eventName = (event: string): string => (Object.hasOwn(EVENTS, event) ? EVENTS[event] : undefined) ?? event;

const REASONS: Record<string, string> = {
  RateLimited: 'it gets too many messages',
  CredentialsRefused: 'it refused our credentials',
  NoSuchChannel: 'it knows no such channel or address',
  TooLarge: 'the message is too large for it',
  Refused: 'it refused the message',
  Redirected: 'it sends us elsewhere, which is not followed',
  Timeout: 'it did not answer in time',
  Unreachable: 'it cannot be reached',
  AddressNotAllowed: 'its address is not allowed',
  ServiceError: 'it has an error of its own',
  NotReady: 'the provider is not complete',
  Expired: 'the message was too old to be sent',
};

/** Why a message did not arrive, in words for people. The reason code is shown beside it. */
export const reasonText = (reason: string): string => (Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined) ?? 'it did not arrive';

/** The state of a message as a word with a colour. */
export function stateOf({ state, attempts }: Pick<Delivery, 'state' | 'attempts'>): {
  name: string;
  tone: 'good' | 'unsure' | 'bad' | 'plain';
} {
  switch (state) {
    case 'delivered':
      return { name: 'Delivered', tone: 'good' };
    case 'accepted':
      return { name: 'Accepted', tone: 'good' };
    case 'pending':
      return attempts === 0 ? { name: 'Waiting', tone: 'plain' } : { name: 'Trying again', tone: 'unsure' };
    case 'dead':
      return { name: 'Not sent', tone: 'bad' };
    case 'dropped':
      return { name: 'Dropped', tone: 'plain' };
  }
}

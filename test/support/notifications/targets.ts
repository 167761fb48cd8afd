import type { Target } from '../../../src/notifications/types/service.ts';
import type { HttpType } from './schemas.ts';

const SIGNING = `whsec_${Buffer.from('a signing secret of 32 bytes....').toString('base64')}`;

/** A complete provider of each type. `address` is its server's address. */
export function targetOf(type: HttpType | 'email', address: string): Target {
  const target = { address, channel: undefined, format: undefined, secret: {} };
  switch (type) {
    case 'slack':
      return { ...target, channel: '#on-call', secret: { token: 'bot-token' } };
    case 'telegram':
      return { ...target, channel: '-1001', secret: { token: '123:bot-token' } };
    case 'mattermost':
      return { ...target, channel: 'on-call' };
    case 'pagerduty':
    case 'opsgenie':
    case 'jsm':
    case 'incidentio':
      return { ...target, secret: { token: 'the-integration-key' } };
    case 'webhook':
      return { ...target, secret: { signingSecret: SIGNING, token: 'bearer-token' } };
    case 'email':
      return { ...target, channel: 'team@example.com', secret: { from: 'podmend@example.com' } };
    default:
      return target;
  }
}

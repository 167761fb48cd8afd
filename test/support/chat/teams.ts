import { createHmac, randomUUID } from 'node:crypto';

// Requests as an outgoing webhook of Teams sends them. They follow the published description and do not use our own code for signatures.

/** In base64, as Teams shows it. */
export const TEAMS_SECRET = Buffer.from('a secret of teams, of 32 bytes..').toString('base64');

export interface TeamsMessage {
  text: string;
  from?: { id?: string; aadObjectId?: string; name?: string };
  id?: string;
  timestamp?: string;
}

export function teamsRequest(
  { text, from = {}, id = randomUUID(), timestamp = new Date().toISOString() }: TeamsMessage,
  secret = TEAMS_SECRET,
) {
  const body = JSON.stringify({
    type: 'message',
    id,
    timestamp,
    text: `<at>Podmend</at>&nbsp;${text}`,
    from: { id: '29:1', aadObjectId: 'aad-1', name: 'Anna', ...from },
    conversation: { id: '19:channel' },
  });
  return { headers: { 'content-type': 'application/json', authorization: hmacOf(body, secret) }, body };
}

/** `HMAC <base64>`: HMAC-SHA256 of the body with the decoded secret. */
export const hmacOf = (body: string | Buffer, secret = TEAMS_SECRET): string =>
  `HMAC ${createHmac('sha256', Buffer.from(secret, 'base64')).update(body).digest('base64')}`;

import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** The largest accepted difference between a request's time and ours, in either direction. Slack uses the same bound. */
export const WINDOW_MS = 5 * 60_000;

/** A provider with the secrets in its `signingSecret` key. */
export interface Signer {
  provider: string;
  secrets: readonly string[];
}

/** The provider whose secret signed the request. `key` identifies the request: a repeated request has the same key. */
export type Signed = { provider: string; key: string };

/** The secrets in a `signingSecret`, separated by blanks. There are two while one replaces the other. */
export const secretsIn = (text = ''): string[] => text.split(/\s+/).filter((one) => one !== '');

/** Slack's headers of a request. */
export interface SlackHeaders {
  timestamp: unknown;
  signature: unknown;
}

/** Whether the headers have the form and a recent time of a signed request. Needs no secret and no body. */
export function isFresh({ timestamp, signature }: SlackHeaders, now: Date): boolean {
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return false;
  if (!/^\d{1,12}$/.test(timestamp) || !/^v0=[0-9a-f]{64}$/.test(signature)) return false;
  return Math.abs(now.getTime() - Number(timestamp) * 1000) <= WINDOW_MS;
}

/** Slack's signature, version v0: HMAC-SHA256 of `v0:<timestamp>:<body>`. */
export function slackMac(secret: string, timestamp: string, body: Buffer): Buffer {
  return createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest();
}

/** The provider that signed a Slack request; undefined when the signature does not match or is too old. */
export function slackSigner(headers: SlackHeaders, body: Buffer, { signers, now }: { signers: readonly Signer[]; now: Date }) {
  if (!isFresh(headers, now)) return undefined;
  const timestamp = String(headers.timestamp);
  return signerOf(Buffer.from(String(headers.signature).slice(3), 'hex'), signers, (secret) => slackMac(secret, timestamp, body));
}

/** The form of the `Authorization` header of a Teams outgoing webhook. */
const TEAMS = /^HMAC ([A-Za-z0-9+/]{43}=)$/;

/** Whether the header has the form of a signed request of Teams. */
export const isTeamsHeader = (authorization: unknown): authorization is string =>
  typeof authorization === 'string' && TEAMS.test(authorization);

/** The signature of a Teams outgoing webhook: HMAC-SHA256 of the body. The secret is base64, as Teams shows it. */
export function teamsMac(secret: string, body: Buffer): Buffer {
  return createHmac('sha256', Buffer.from(secret, 'base64')).update(body).digest();
}

/** The provider that signed a Teams request; undefined when none did. The request's time is in the body. */
export function teamsSigner(authorization: unknown, body: Buffer, signers: readonly Signer[]): Signed | undefined {
  const [, given = ''] = isTeamsHeader(authorization) ? (TEAMS.exec(authorization) ?? []) : [];
  if (given === '') return undefined;
  // Text that is not base64 decodes to an empty key, with which anybody could sign.
  const keyed = signers.map(({ provider, secrets }) => ({
    provider,
    secrets: secrets.filter((one) => Buffer.from(one, 'base64').length > 0),
  }));
  return signerOf(Buffer.from(given, 'base64'), keyed, (secret) => teamsMac(secret, body));
}

/** Compares with every secret, so that the response time reveals nothing. */
function signerOf(given: Buffer, signers: readonly Signer[], macOf: (secret: string) => Buffer): Signed | undefined {
  let found: Signed | undefined;
  for (const { provider, secrets } of signers) {
    for (const secret of secrets) {
      const mac = macOf(secret);
      // The key is built from the expected signature, so that another spelling of the same signature counts as the same request.
      if (mac.length === given.length && timingSafeEqual(mac, given)) found = { provider, key: hash('sha256', mac, 'hex') };
    }
  }
  return found;
}

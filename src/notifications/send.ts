import { type Http, httpClient, type HttpProxy } from '../http.ts';
import { maskText } from '../redact/text.ts';
import { failureOf } from './failure.ts';
import type { SendMail } from './mail.ts';
import { mailOf } from './types/email.ts';
import type { Outcome, Place, Said, Service, ServiceRequest, Target } from './types/service.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1024;

/** The result of sending a message, and how many of its requests have arrived. */
export interface Sent {
  outcome: Outcome;
  step: number;
  place: Place;
}

export interface SenderDeps {
  allowedRanges: readonly string[];
  /** Used for https. Mail and unencrypted addresses are sent directly. */
  proxy?: HttpProxy | undefined;
  sendMail: SendMail;
  timeoutMs?: number;
}

/** The HTTP client for a target: allows only permitted addresses, and trusts the target's own certificate authority if it names one. */
export function clientsFor({
  allowedRanges,
  proxy,
  timeoutMs = TIMEOUT_MS,
}: Pick<SenderDeps, 'allowedRanges' | 'proxy' | 'timeoutMs'>): (target: Target) => Http {
  const limits = { timeoutMs, maxBytes: MAX_BYTES };
  const encrypted = { ...limits, onlyPublicAnd: allowedRanges, proxy };
  const usual = httpClient(encrypted);
  const unencrypted = httpClient({ ...limits, onlyIn: allowedRanges });
  return ({ address, secret }) => {
    if (address.startsWith('http:')) return unencrypted;
    return secret['ca.crt'] ? httpClient({ ...encrypted, ca: secret['ca.crt'] }) : usual;
  };
}

/** Sends a message. Requests before `step` arrived earlier and are skipped. Never rejects. */
export type Sender = (said: Said, service: Service | undefined, step?: number) => Promise<Sent>;

/**
 * Sends messages over HTTP or mail: only to permitted addresses, without redirects, with a deadline for each request, and without secrets
 * in errors.
 */
export function sender({ allowedRanges, proxy, sendMail, timeoutMs = TIMEOUT_MS }: SenderDeps): Sender {
  const clientFor = clientsFor({ allowedRanges, proxy, timeoutMs });

  return async (said, service, step = 0) => {
    const place = { ...said.place };
    if (!service) return { outcome: masked(await sendMail(mailOf(said), said.target), said.target), step: 1, place };
    const http = clientFor(said.target);
    const requests = service.requests(said);
    let state: 'delivered' | 'accepted' = 'delivered';
    for (const [index, request] of requests.entries()) {
      if (index < step) continue;
      const outcome = masked(await ask(http, request, service, said.now), said.target);
      if (!outcome.ok) return { outcome, step: index, place };
      // Later answers concern the same message.
      if (index === 0 && said.place === null) Object.assign(place, outcome.place);
      state = outcome.state;
    }
    return { outcome: { ok: true, state }, step: requests.length, place };
  };
}

async function ask(http: Http, { url, method, headers, body }: ServiceRequest, service: Service, now: Date): Promise<Outcome> {
  try {
    return service.read(await http(url, { method, headers, body }), now);
  } catch (error) {
    return { ok: false, ...failureOf(error) };
  }
}

/** A service's answer may quote the request, so secrets are masked in it. */
function masked(outcome: Outcome, { secret, address }: Target): Outcome {
  if (outcome.ok) return outcome;
  const path = URL.canParse(address) ? [new URL(address).pathname, new URL(address).search] : [];
  const hidden = [address, ...path, ...Object.values(secret)].filter((value) => value.length >= 4);
  return { ...outcome, detail: maskText(hidden.reduce((text, value) => text.replaceAll(value, '***'), outcome.detail)) };
}

import type { Outcome, Reason, ServiceAnswer } from './service.ts';
import { clipped, oneLine } from './text.ts';
import { isMapping } from '../../crd/mapping.ts';

/** The outcome of a request by its HTTP status, for services that tell nothing more precise. */
export function read({ status, headers, body }: ServiceAnswer, now: Date): Outcome {
  if (status >= 200 && status < 300) return { ok: true, state: 'delivered' };
  const wait = retryAfterMs(headers['retry-after'], now);
  const detail = detailOf(status, body);
  return { ok: false, reason: reasonOf(status), detail, ...(wait === undefined ? {} : { retryAfterMs: wait }) };
}

function reasonOf(status: number): Reason {
  if (status >= 300 && status < 400) return 'Redirected';
  if (status === 401 || status === 403) return 'CredentialsRefused';
  if (status === 404 || status === 410) return 'NoSuchChannel';
  if (status === 413) return 'TooLarge';
  if (status === 408) return 'Timeout';
  if (status === 429) return 'RateLimited';
  return status >= 500 ? 'ServiceError' : 'Refused';
}

/** The service's answer, short and on one line. */
export function detailOf(status: number, said: string): string {
  return clipped(oneLine(`HTTP ${status} ${said}`), 300);
}

/** `Retry-After` given as seconds or as a date, at most a day. Undefined when it is missing or unreadable. */
export function retryAfterMs(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now.getTime();
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), 86_400_000) : undefined;
}

/** The answer as an object; empty when it is not one. */
export function objectOf(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return isMapping(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

export const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** An address with a path appended, without a double slash. */
export const below = (address: string, path: string): string => `${address.replace(/\/+$/, '')}/${path}`;

export const isResolved = ({ event }: { event: string }): boolean => event === 'resolved';

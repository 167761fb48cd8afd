import { HttpError } from '../http.ts';
import type { Reason } from './types/service.ts';

/** Describes an error by its code only, because its text may contain the address, and with it a secret. */
export function failureOf(error: unknown): { reason: Reason; detail: string } {
  const code = error instanceof HttpError ? error.code : 'UNKNOWN';
  const reasons: Record<string, Reason> = { TIMEOUT: 'Timeout', PRIVATE: 'AddressNotAllowed', TOO_LARGE: 'ServiceError' };
  return { reason: reasons[code] ?? 'Unreachable', detail: `no answer (${code})` };
}

import { HttpError } from '../http.ts';
import type { Reason } from './types/service.ts';

/** The error's own text may hold the address, and with it a secret. So only its code is shown. */
export function failureOf(error: unknown): { reason: Reason; detail: string } {
  const code = error instanceof HttpError ? error.code : 'UNKNOWN';
  const reasons: Record<string, Reason> = { TIMEOUT: 'Timeout', PRIVATE: 'AddressNotAllowed', TOO_LARGE: 'ServiceError' };
  return { reason: reasons[code] ?? 'Unreachable', detail: `no answer (${code})` };
}

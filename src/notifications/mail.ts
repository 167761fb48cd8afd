import { isIP } from 'node:net';
import { createTransport } from 'nodemailer';
import { allowedAddress } from '../http.ts';
import { failureOf } from './failure.ts';
import type { Mail } from './types/email.ts';
import type { Outcome, Reason, Target } from './types/service.ts';
import { clipped, oneLine } from './types/text.ts';

/** Sends one mail. Never rejects. */
export type SendMail = (mail: Mail, target: Target) => Promise<Outcome>;

/**
 * Sends mail over SMTP. `smtps://` is encrypted from the start; `smtp://` must upgrade by STARTTLS before anything is sent. Unencrypted
 * SMTP is allowed only with `ALLOW_PRIVATE_ADDRESSES`, and without a password.
 */
export function mailSender({ allowedRanges, timeoutMs = 20_000 }: { allowedRanges: readonly string[]; timeoutMs?: number }): SendMail {
  return async (mail, { address, secret }) => {
    const url = new URL(address);
    const isTls = url.protocol === 'smtps:';
    let host: string;
    try {
      host = await allowedAddress(url.hostname.replaceAll(/^\[|\]$/g, ''), allowedRanges);
    } catch (error) {
      return { ok: false, ...failureOf(error) };
    }
    const { username, password } = secret;
    const mayBePlain = url.searchParams.get('starttls') === 'never' && allowedRanges.length > 0 && !password;
    const transport = createTransport({
      // Connect to the address that was checked. The certificate must match the name.
      host,
      port: Number(url.port || (isTls ? 465 : 587)),
      secure: isTls,
      requireTLS: !mayBePlain,
      ignoreTLS: mayBePlain,
      tls: { ...(!isIP(url.hostname) && { servername: url.hostname }), ...(secret['ca.crt'] && { ca: secret['ca.crt'] }) },
      ...(username && password && { auth: { user: username, pass: password } }),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      await transport.sendMail(mail);
      return { ok: true, state: 'accepted' };
    } catch (error) {
      return { ok: false, ...refusalOf(error) };
    } finally {
      transport.close();
    }
  };
}

function refusalOf(error: unknown): { reason: Reason; detail: string } {
  const { code = 'UNKNOWN', responseCode, response } = error as { code?: string; responseCode?: number; response?: string };
  const detail = clipped(oneLine(response ? `SMTP ${response}` : `no answer (${code})`), 300);
  return { reason: reasonOf(code, responseCode), detail };
}

function reasonOf(code: string, status = 0): Reason {
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'CredentialsRefused';
  if (code === 'ETIMEDOUT') return 'Timeout';
  if (status === 552) return 'TooLarge';
  if (code === 'EENVELOPE') return status >= 500 ? 'NoSuchChannel' : 'ServiceError';
  if (status >= 500) return 'Refused';
  return status >= 400 ? 'ServiceError' : 'Unreachable';
}

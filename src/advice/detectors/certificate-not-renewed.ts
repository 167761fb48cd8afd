import type { Detector, DetectorResult } from './detector.ts';
import type { Certificate } from './objects.ts';
import { endsSoon, endTold } from './certificate-expiry.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** cert-manager waits an hour before it tries again. */
const LEAST_MS = 2 * HOUR_MS;
const MAX_MESSAGE = 300;

/** Certificates of cert-manager that were not renewed in time, or never issued. */
export const certificateNotRenewed: Detector = {
  id: 'certificate-not-renewed',
  title: 'cert-manager has not renewed a certificate',
  category: 'lifecycle',
  severity: 'high',
  requires: ['Certificate'],
  why: 'Nothing fails until the old certificate expires; then every client refuses the connection at the same moment. cert-manager keeps trying, less and less often, and reports the problem only in the status of the Certificate.',
  run: ({ certificates }, now) => certificates.flatMap((certificate) => adviceOn(certificate, now)),
};

function adviceOn(certificate: Certificate, now: Date): DetectorResult[] {
  const problem = problemOf(certificate, now);
  if (problem === undefined) return [];
  const { metadata, spec, status } = certificate;
  const { name = '' } = metadata;
  const ready = conditionOf(certificate, 'Ready');
  return [
    {
      kind: 'Certificate',
      name,
      summary: `Certificate ${name} ${problem}.`,
      evidence: {
        secret: textOf(spec?.secretName),
        issuer: textOf(spec?.issuerRef?.name),
        not_before: textOf(status?.notBefore),
        not_after: textOf(status?.notAfter),
        renewal_time: textOf(status?.renewalTime),
        failed_attempts: typeof status?.failedIssuanceAttempts === 'number' ? status.failedIssuanceAttempts : 0,
        ready_reason: textOf(ready?.reason),
        ready_message: textOf(ready?.message)?.slice(0, MAX_MESSAGE) ?? null,
      },
      change: `\`kubectl describe certificate ${name}\` names its CertificateRequest, and with ACME its Order and Challenge: the last of them says what failed. Mend that (the issuer, its credentials, DNS or the challenge's route), then \`cmctl renew ${name}\` tries at once.`,
      labels: metadata.labels ?? {},
    },
  ];
}

/** The problem, as the end of a sentence. */
function problemOf(certificate: Certificate, now: Date): string | undefined {
  const { notBefore, notAfter, renewalTime } = certificate.status ?? {};
  const [from, end, renewal] = [instantOf(notBefore), instantOf(notAfter), instantOf(renewalTime)];
  if (!end) return unissued(certificate, now);
  if (end <= now || (renewal ? isLate(renewal, end, now) : from !== undefined && endsSoon(from, end, now)))
    return endTold(end, now) + ', and was not renewed';
  return undefined;
}

/**
 * A renewal may take a day, or a third of the remaining time if that is shorter: a certificate that is valid for an hour is renewed within
 * minutes.
 */
function isLate(renewal: Date, end: Date, now: Date): boolean {
  const left = end.getTime() - renewal.getTime();
  return now.getTime() - renewal.getTime() > Math.min(DAY_MS, Math.max(0, left / 3));
}

/** Never issued, and not new: what counts is for how long the condition has said so. */
function unissued(certificate: Certificate, now: Date): string | undefined {
  const ready = conditionOf(certificate, 'Ready');
  const since = instantOf(ready?.lastTransitionTime);
  if (ready?.status !== 'False' || !since || now.getTime() - since.getTime() <= LEAST_MS) return undefined;
  return 'has never been issued';
}

function conditionOf({ status }: Certificate, type: string) {
  const { conditions } = status ?? {};
  return Array.isArray(conditions) ? conditions.find((one) => one?.type === type) : undefined;
}

function instantOf(text: unknown): Date | undefined {
  const at = new Date(typeof text === 'string' ? text : NaN);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

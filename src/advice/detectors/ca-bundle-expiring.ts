import { X509Certificate } from 'node:crypto';
import type { ClusterView, TrustBundle } from './cluster-view.ts';
import { counted, type ClusterDetector, type DetectorResult, named } from './detector.ts';
import { CLUSTER_KINDS } from './cluster-view.ts';
import { endsSoon, endTold } from './certificate-expiry.ts';

/** More than a bundle of all public roots. */
const MAX_CERTIFICATES = 300;
const BLOCK = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]{1,20000}-----END CERTIFICATE-----/g;

interface Expiring {
  bundle: TrustBundle;
  certificates: number;
  last: X509Certificate;
}

/**
 * CA bundles with which the API server verifies the servers that it calls. Of several certificates, the one that expires last counts: the
 * API server trusts all of them, and both are present while one replaces the other. A bundle without a readable certificate is skipped.
 */
export const caBundleExpiring: ClusterDetector = {
  id: 'ca-bundle-expiring',
  title: 'A CA bundle that the API server trusts expires',
  category: 'lifecycle',
  severity: 'high',
  requires: CLUSTER_KINDS,
  why: 'When the last certificate of a bundle has expired, the API server no longer trusts the server that it calls. Then a webhook blocks every create and update that it checks (or lets all of them pass, with `failurePolicy: Ignore`), an aggregated API is unavailable, and custom resources cannot be converted to another version.',
  run({ bundles }: ClusterView, now) {
    const byObject = Map.groupBy(
      bundles.flatMap((bundle) => expiringOf(bundle, now)),
      ({ bundle }) => `${bundle.kind}/${bundle.name}`,
    );
    return [...byObject.values()].flatMap((found) => resultOf(found, now));
  },
};

function expiringOf(bundle: TrustBundle, now: Date): Expiring[] {
  const certificates = certificatesOf(bundle.caBundle);
  const [last] = certificates.toSorted((one, other) => other.validToDate.getTime() - one.validToDate.getTime());
  if (!last || !endsSoon(last.validFromDate, last.validToDate, now)) return [];
  return [{ bundle, certificates: certificates.length, last }];
}

/** The readable certificates. The API server ignores the others too. */
function certificatesOf(caBundle: string): X509Certificate[] {
  const blocks = Buffer.from(caBundle, 'base64').toString('latin1').match(BLOCK) ?? [];
  return blocks.slice(0, MAX_CERTIFICATES).flatMap((pem) => {
    try {
      return [new X509Certificate(pem)];
    } catch {
      return [];
    }
  });
}

/** One piece of advice for each object. It names the bundle that expires first. */
function resultOf(found: Expiring[], now: Date): DetectorResult[] {
  const [first] = found.toSorted((one, other) => one.last.validToDate.getTime() - other.last.validToDate.getTime());
  if (!first) return [];
  const { kind, name } = first.bundle;
  const webhooks = found.flatMap(({ bundle: { webhook } }) => webhook ?? []);
  const whose = webhooks.length > 0 ? ` for ${named(webhooks)}` : '';
  return [
    {
      kind,
      name,
      summary: `The last certificate that ${kind} ${name} trusts${whose} ${endTold(first.last.validToDate, now)}.`,
      evidence: {
        field: FIELDS[kind],
        bundles: found.map(({ bundle: { webhook }, certificates, last }) => ({
          ...(webhook !== null && { webhook }),
          certificates: counted(certificates, 'certificate'),
          subject: last.subject,
          not_before: last.validFromDate.toISOString(),
          not_after: last.validToDate.toISOString(),
          serial_number: last.serialNumber,
        })),
      },
      change: `Renew the CA, put its new certificate into \`${FIELDS[kind]}\` beside the old one, then renew the server's certificate. If a controller should do this (cert-manager's cainjector, or the operator that installed the object), read its log to see why it has not.`,
    },
  ];
}

const FIELDS: Record<TrustBundle['kind'], string> = {
  ValidatingWebhookConfiguration: 'webhooks[].clientConfig.caBundle',
  MutatingWebhookConfiguration: 'webhooks[].clientConfig.caBundle',
  APIService: 'spec.caBundle',
  CustomResourceDefinition: 'spec.conversion.webhook.clientConfig.caBundle',
};

import type { FindingReport } from '../../../src/contract/finding.ts';
import { loadManifest } from './report.ts';

/** A load of findings. `concurrency` counts requests; `prefix` begins the names of the resources. */
export interface FindingLoad {
  count: number;
  concurrency: number;
  prefix: string;
  /** How many findings come with one request: all of a resource, or one of the ten that each has. */
  perRequest: number | 'one by one';
  /** With the manifest of the resource in every finding, as some scanners send them: 3.7 KB each, else 0.6 KB. */
  hasManifest: boolean;
  /** Loads that differ in this alone find the same, but for the words of every tenth finding. */
  round: number;
}

const CHECKS = [
  'privileged',
  'read-only-root',
  'capabilities',
  'limits',
  'registry',
  'root',
  'seccomp',
  'apparmor',
  'host-port',
  'account',
];
const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;

/** The nth finding of a load. */
export function loadFinding(n: number, { prefix, perRequest, hasManifest, round }: FindingLoad): FindingReport {
  const perResource = perRequest === 'one by one' ? 10 : perRequest;
  const resource = Math.floor(n / perResource);
  const [name, namespace, container] = [`${prefix}-${resource}`, `team-${resource % 20}`, `app-${Math.floor((n % perResource) / 10)}`];
  return {
    resource_type: 'Pod',
    resource_name: name,
    namespace,
    check_name: CHECKS[n % 10] ?? '',
    severity: SEVERITIES[n % 4] ?? 'low',
    message: `Container ${container} of pod ${name} does not meet this rule, which weakens isolation between the workload and the node${n % 10 === 0 && round > 0 ? ` (pass ${round})` : ''}.`,
    remediation: 'Set the matching securityContext field on the container or the pod and roll the workload out again.',
    details: {
      container,
      images: [`registry.example.test/shop/${container}:1.14.2`],
      fix: [
        { path: `spec.containers[${container}].securityContext.privileged`, from: true, to: false, why: 'It may do all that root may.' },
      ],
      ...(hasManifest ? { manifest: loadManifest(name, namespace) } : {}),
    },
  };
}

/** Where all findings of a finding's resource are replaced. */
export function resourcePath({ resource_type, namespace, resource_name }: FindingReport): string {
  return `/api/security/findings/resource/${resource_type}/${namespace}/${resource_name}`;
}

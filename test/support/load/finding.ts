import type { FindingReport } from '../../../src/contract/finding.ts';
import { loadManifest } from './report.ts';

/** A load of findings. `concurrency` is the number of concurrent requests; resource names start with `prefix`. */
export interface FindingLoad {
  count: number;
  concurrency: number;
  prefix: string;
  /** How many findings a request has. A number: all findings of a resource. `one by one`: one of the ten that each resource has. */
  perRequest: number | 'one by one';
  /** Whether every finding includes the resource's manifest, as some scanners send it: 3.7 KB each instead of 0.6 KB. */
  hasManifest: boolean;
  /** Loads that differ only in `round` have the same findings, except for the text of every tenth one. */
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

/** The path that replaces all findings of a finding's resource. */
export function resourcePath({ resource_type, namespace, resource_name }: FindingReport): string {
  return `/api/security/findings/resource/${resource_type}/${namespace}/${resource_name}`;
}

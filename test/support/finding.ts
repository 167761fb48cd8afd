import type { FindingReport } from '../../src/contract/finding.ts';

/** What a scanner found on pod `web-1` of namespace `shop`. */
export function aFindingReport(over: Partial<FindingReport> = {}): FindingReport {
  return {
    resource_type: 'Pod',
    resource_name: 'web-1',
    namespace: 'shop',
    check_name: 'privileged',
    severity: 'high',
    message: 'container app is privileged',
    remediation: 'Set privileged to false.',
    details: { container: 'app' },
    ...over,
  };
}

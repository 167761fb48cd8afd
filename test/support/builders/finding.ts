import type { FindingReport } from '../../../src/contract/finding.ts';
import type { FindingRow } from '../../../src/db/finding-reports.ts';

/** A scanner's report on pod `web-1` of namespace `shop`. */
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

/** A finding about pod `web-1` of namespace `shop`, as the write path stores it. */
export function aFindingRow(over: Partial<FindingRow> = {}): FindingRow {
  return {
    cluster: 'test',
    resource_type: 'Pod',
    namespace: 'shop',
    resource_name: 'web-1',
    check_name: 'privileged',
    item: 'app',
    source: '',
    severity: 'high',
    message: 'found',
    remediation: 'mend it',
    details: { container: 'app' },
    now: '2026-05-01T10:00:00.000Z',
    suppressed_by: null,
    ...over,
  };
}

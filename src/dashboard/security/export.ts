import type { Finding } from '../../contract/finding.ts';
import { factsOf } from './facts.ts';

/** The same table as `?format=csv` of the API, which knows fewer filters. */
const COLUMNS = [
  'id',
  'severity',
  'check_name',
  'resource_type',
  'namespace',
  'resource_name',
  'container',
  'message',
  'remediation',
  'status',
  'first_seen',
  'last_seen',
  'source',
] as const;

/** Findings as CSV (RFC 4180), one row each. A text that a spreadsheet would run as a formula stands behind an apostrophe. */
export function csvOf(findings: readonly Finding[]): string {
  const rows = findings.map((finding) =>
    COLUMNS.map((column) => (column === 'container' ? (factsOf(finding).container ?? '') : finding[column])),
  );
  return [COLUMNS, ...rows].map((line) => `${line.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string | number): string {
  const text = typeof value === 'string' && /^\s*[=+\-@|%]/.test(value) ? `'${value}` : String(value);
  return `"${text.replaceAll('"', '""')}"`;
}

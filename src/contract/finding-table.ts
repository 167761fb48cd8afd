import type { Finding } from './finding.ts';

// Findings as a table for spreadsheets: the API, `podmend scan` and the dashboard write the same one.

/** The columns of a finding in an export. A scan of files has places in files instead of times. */
export type Exported = Pick<Finding, 'check_name' | 'severity' | 'resource_type' | 'resource_name' | 'namespace'> &
  Partial<Omit<Finding, 'details'>> & { details?: Record<string, unknown>; file?: string; line?: number };

type Column = keyof Exported | 'container';

/** The columns of findings of a cluster. */
export const FINDING_TABLE: readonly Column[] = [
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
];
/** The columns of findings in files. */
export const FILE_TABLE: readonly Column[] = [
  'severity',
  'check_name',
  'resource_type',
  'namespace',
  'resource_name',
  'container',
  'message',
  'remediation',
  'file',
  'line',
];

/** The header row of a CSV table. */
export function csvHead(columns: readonly Column[]): string {
  return csvLine(columns);
}

/** The rows of a CSV table (RFC 4180), without the header. */
export function csvRows(columns: readonly Column[], findings: readonly Exported[]): string {
  return findings.map((finding) => csvLine(columns.map((column) => valueOf(finding, column)))).join('');
}

function valueOf(finding: Exported, column: Column): unknown {
  return column === 'container' ? finding.details?.['container'] : finding[column];
}

const csvLine = (cells: readonly unknown[]): string => `${cells.map(cell).join(',')}\r\n`;

/** Quotes a value for CSV. Spreadsheets evaluate text that begins like a formula, so such text gets an apostrophe in front. */
function cell(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const harmless = typeof value === 'string' && /^\s*[=+\-@|%]/.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}

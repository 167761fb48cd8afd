import { hash } from 'node:crypto';
import { CLUSTER_WIDE, type Finding } from '../contract/finding.ts';
import { dumpManifest } from '../crd/manifest.ts';

// Findings as other programs take them: a table for spreadsheets, and reports of openreports.io.

/** What an export shows of a finding; a scan of files has no instants, and places in files instead. */
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

/** The first line of a table. */
export function csvHead(columns: readonly Column[]): string {
  return csvLine(columns);
}

/** Lines of a table (RFC 4180). */
export function csvRows(columns: readonly Column[], findings: readonly Exported[]): string {
  return findings.map((finding) => csvLine(columns.map((column) => valueOf(finding, column)))).join('');
}

function valueOf(finding: Exported, column: Column): unknown {
  return column === 'container' ? finding.details?.['container'] : finding[column];
}

const csvLine = (cells: readonly unknown[]): string => `${cells.map(cell).join(',')}\r\n`;

/** A spreadsheet would run a text that begins like a formula: a quote before it makes it a text. */
function cell(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const harmless = typeof value === 'string' && /^\s*[=+\-@|%]/.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}

/** `Report`s and `ClusterReport`s of openreports.io/v1alpha1 in YAML, one for each object. Every document ends, so that more may follow. */
export function openReports(findings: readonly Exported[]): string {
  const groups = Map.groupBy(findings, ({ resource_type, namespace, resource_name }) =>
    [namespace, resource_type, resource_name].join('\n'),
  );
  return [...groups].map(([key, some]) => `---\n${dumpManifest(report(key, some))}`).join('');
}

function report(key: string, findings: readonly Exported[]): object {
  const [{ resource_type, namespace, resource_name, id }] = findings as [Exported];
  const isWide = namespace === CLUSTER_WIDE;
  const within = isWide ? {} : { namespace };
  // The findings of one object may come in several reports.
  const name = `podmend-${hash('sha256', `${key}\n${id ?? ''}`).slice(0, 16)}`;
  return {
    apiVersion: 'openreports.io/v1alpha1',
    kind: isWide ? 'ClusterReport' : 'Report',
    metadata: { name, ...within },
    source: 'podmend',
    scope: { kind: resource_type, name: resource_name, ...within },
    summary: { pass: 0, fail: findings.length, warn: 0, error: 0, skip: 0 },
    results: findings.map(result),
  };
}

function result({ check_name, severity, message = '', remediation = '', source, first_seen, details = {}, file, line }: Exported): object {
  const { container, title, field_paths: paths } = details;
  const properties = {
    ...(typeof container === 'string' && { container }),
    ...(typeof title === 'string' && { title }),
    ...(remediation !== '' && { remediation }),
    ...(Array.isArray(paths) && { fields: paths.map(String).join(', ') }),
    ...(file !== undefined && { file: `${file}:${line}` }),
  };
  const seconds = Math.floor(Date.parse(first_seen ?? '') / 1000);
  return {
    source: source ?? 'podmend',
    policy: check_name,
    severity,
    result: 'fail',
    scored: true,
    message,
    ...(Number.isNaN(seconds) ? {} : { timestamp: { seconds, nanos: 0 } }),
    properties,
  };
}

import type { Finding } from '../../contract/finding.ts';
import { factsOf, titleOf } from './facts.ts';

const COLUMNS: [name: string, of: (finding: Finding) => string | number][] = [
  ['id', ({ id }) => id],
  ['cluster', ({ cluster }) => cluster],
  ['namespace', ({ namespace }) => namespace],
  ['kind', ({ resource_type: kind }) => kind],
  ['name', ({ resource_name: name }) => name],
  ['container', (finding) => factsOf(finding).container ?? ''],
  ['severity', ({ severity }) => severity],
  ['check', ({ check_name: check }) => check],
  ['title', titleOf],
  ['message', ({ message }) => message],
  ['fields', (finding) => factsOf(finding).fields.join(' ')],
  ['remediation', ({ remediation }) => remediation],
  ['enforced_by', (finding) => factsOf(finding).enforcedBy.join('; ')],
  ['frameworks', (finding) => factsOf(finding).frameworks.join('; ')],
  ['status', ({ status }) => status],
  ['first_seen', ({ first_seen: at }) => at],
  ['last_seen', ({ last_seen: at }) => at],
];

/** Findings as CSV (RFC 4180), one row each. A text that a spreadsheet would run as a formula stands behind an apostrophe. */
export function csvOf(findings: readonly Finding[]): string {
  const lines = [COLUMNS.map(([name]) => name), ...findings.map((finding) => COLUMNS.map(([, of]) => cell(of(finding))))];
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

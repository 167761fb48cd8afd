import type { Change } from '../../contract/failure.ts';
import type { Finding } from '../../contract/finding.ts';
import { evidenceFacts } from '../components/evidence.ts';

/** The frameworks that a finding can belong to. */
export const FRAMEWORK_NAMES = {
  baseline: 'Pod Security baseline',
  restricted: 'Pod Security restricted',
  nsa: 'NSA/CISA hardening guide',
  cis: 'CIS Benchmark',
  mitre: 'MITRE ATT&CK',
} as const;
export type Framework = keyof typeof FRAMEWORK_NAMES;

/** Further facts about a finding. Any scanner may have written the details, so everything is optional. */
export interface Facts {
  title: string;
  container: string | undefined;
  fields: string[];
  rationale: string;
  /** Addresses of the web only. */
  references: string[];
  /** Each framework with its entries, for people: `CIS Benchmark 5.2.2`. */
  frameworks: string[];
  /** The policy that refuses this today. */
  enforcedBy: string[];
  /** Admission controllers that match the kind but were not asked, and may refuse it. */
  mayBeRefusedBy: string[];
  changes: Pick<Change, 'path' | 'from' | 'to'>[];
  /** Other details from the scanner. */
  others: [name: string, values: string[]][];
}

/** Details that are shown elsewhere or are meant for programs. */
const KNOWN = new Set([
  ...['title', 'container', 'key', 'field_paths', 'rationale', 'references', 'frameworks', 'enforced_by', 'may_be_refused_by', 'fix'],
  ...['labels', 'images'],
]);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string' && one !== '');
const mapping = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** Reads the details of a finding. Never throws. */
export function factsOf({ details, check_name: check }: Pick<Finding, 'details' | 'check_name'>): Facts {
  const others = Object.fromEntries(Object.entries(details).filter(([name]) => !KNOWN.has(name)));
  return {
    title: titleOf({ details, check_name: check }),
    container: text(details['container']) || undefined,
    fields: texts(details['field_paths']),
    rationale: text(details['rationale']),
    references: texts(details['references']).filter((one) => /^https?:\/\//.test(one)),
    frameworks: frameworkEntries(mapping(details['frameworks'])),
    enforcedBy: texts(details['enforced_by']),
    mayBeRefusedBy: texts(details['may_be_refused_by']),
    changes: changesIn(details['fix']),
    others: evidenceFacts(others),
  };
}

/** The title of its check, or the check's name if the scanner gives no title. */
export function titleOf({ details, check_name: check }: Pick<Finding, 'details' | 'check_name'>): string {
  return text(details['title']) || check;
}

function frameworkEntries(frameworks: Record<string, unknown>): string[] {
  const level = text(frameworks['pod_security']);
  const named = (['nsa', 'cis', 'mitre'] as const).map((name) => [FRAMEWORK_NAMES[name], texts(frameworks[name])] as const);
  return [
    ...(level ? [`Pod Security ${level}`] : []),
    ...named.filter(([, entries]) => entries.length > 0).map(([name, entries]) => `${name} ${entries.join(', ')}`),
  ];
}

/** Whether a finding belongs to a framework. Restricted includes everything that baseline forbids. */
export function isIn(framework: Framework, { details }: Pick<Finding, 'details'>): boolean {
  const frameworks = mapping(details['frameworks']);
  const level = frameworks['pod_security'];
  if (framework === 'baseline') return level === 'baseline';
  if (framework === 'restricted') return level === 'baseline' || level === 'restricted';
  return texts(frameworks[framework]).length > 0;
}

function changesIn(fix: unknown): Facts['changes'] {
  if (!Array.isArray(fix)) return [];
  return fix.map(mapping).flatMap(({ path, from = null, to = null }) => (typeof path === 'string' ? [{ path, from, to }] : []));
}

/** A value of a manifest on one line. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'not set';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

import type { Finding, Severity } from '../../contract/finding.ts';
import type { Search } from '../components/address.ts';
import { FRAMEWORK_NAMES, type Framework, isIn, titleOf } from './facts.ts';
import { SEVERITIES } from '../components/severity.ts';

/** The states of findings, which are the question to the server. */
export const STATUS_NAMES = { '': 'Open', dismissed: 'Dismissed', suppressed: 'Suppressed', resolved: 'Resolved' } as const;
export type Status = keyof typeof STATUS_NAMES;

/** The list of findings that an address selects. */
export interface Filters {
  status: Status;
  severities: readonly Severity[];
  check: string;
  framework: Framework | '';
  q: string;
  /** Show only findings that appeared since the last visit. */
  isNew: boolean;
  by: 'workload' | 'check';
  /** Whether `kube-*` namespaces are shown. */
  hasKube: boolean;
}

/** Severity info is hidden by default. */
const USUAL: readonly Severity[] = SEVERITIES.filter((one) => one !== 'info');

const own = <T extends object>(table: T, key: string | undefined): (keyof T & string) | undefined =>
  key !== undefined && Object.hasOwn(table, key) ? (key as keyof T & string) : undefined;

/** Reads the search part of an address; invalid values are ignored. */
export function filtersOf({ status, severity, check = '', framework, q = '', new: isNew, by, kube }: Search): Filters {
  const asked = severity?.split(',') ?? [];
  const severities = SEVERITIES.filter((one) => asked.includes(one));
  return {
    status: own(STATUS_NAMES, status) ?? '',
    severities: severities.length > 0 ? severities : USUAL,
    check,
    framework: own(FRAMEWORK_NAMES, framework) ?? '',
    q: q.trim().slice(0, 200),
    isNew: isNew === 'yes',
    by: by === 'check' ? 'check' : 'workload',
    hasKube: kube === 'yes',
  };
}

/** The severities in the address after one was toggled; undefined for the default. Removing the last one restores the default. */
export function toggled(severities: readonly Severity[], one: Severity): string | undefined {
  const next = SEVERITIES.filter((severity) => (severity === one) !== severities.includes(severity));
  return next.length === 0 || next.join() === USUAL.join() ? undefined : next.join();
}

/** Whether to show a finding. `since` is the highest id of the previous visit, or null. */
export function matches(finding: Finding, filters: Filters, since: number | null): boolean {
  return filters.severities.includes(finding.severity) && matchesElse(finding, filters, since);
}

/** The same, whatever its severity. */
export function matchesElse(finding: Finding, { check, framework, q, isNew }: Filters, since: number | null): boolean {
  return (
    (check === '' || finding.check_name === check) &&
    (framework === '' || isIn(framework, finding)) &&
    (!isNew || isNews(finding, since)) &&
    holds(finding, q)
  );
}

/** Whether it appeared after the last visit. Ids only grow. */
export function isNews({ id }: Pick<Finding, 'id'>, since: number | null): boolean {
  return since === null || id > since;
}

function holds(finding: Finding, q: string): boolean {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const { resource_type, resource_name, namespace, check_name, message } = finding;
  const all = [resource_type, resource_name, namespace, check_name, titleOf(finding), message].join(' ').toLowerCase();
  return words.every((word) => all.includes(word));
}

/** Whether anything but the state restricts the list. */
export function isFiltered(filters: Filters): boolean {
  const { check, framework, q, isNew } = filters;
  return !hasUsualSeverities(filters) || [check, framework, q, isNew].some(Boolean);
}

/** Whether these are the default severities. */
export function hasUsualSeverities({ severities }: Pick<Filters, 'severities'>): boolean {
  return severities.join() === USUAL.join();
}

import { SEVERITIES } from '../../contract/finding.ts';
import type { Notification } from '../types/service.ts';
import type { Composed } from './compose.ts';
import { isSummary } from './group.ts';
import { type IncidentView, worstOf } from './view.ts';

const LISTED = 15;

type Texts = Pick<Notification, 'title' | 'text' | 'news' | 'namespace' | 'workload' | 'reason' | 'facts' | 'sections'>;

/** The texts of a message about findings, without times and links. */
export function findingTexts({ event, incidents, groupKey, cluster }: Composed): Texts {
  const open = incidents.filter(({ active }) => active > 0);
  const told = open.length > 0 ? open : incidents;
  const [only] = told.length === 1 ? told : [];
  const where = isSummary(groupKey) ? 'many at once' : placeOf(told);
  const reason = only ? only.reason : `${told.length || 'all'} findings`;
  const about = {
    namespace: oneOf(told.map(({ namespace }) => namespace)) ?? 'several namespaces',
    workload: oneOf(told.map(({ owner }) => owner)) ?? 'several resources',
    reason,
    facts: factsOf(told, cluster),
  };
  if (event === 'resolved') {
    const news = 'This is no longer found, or the resource has been deleted.';
    return { ...about, title: `Resolved: ${reason}: ${where}`, text: '', news, sections: [] };
  }
  const gone = incidents.length - open.length;
  return {
    ...about,
    title: `Security: ${reason} (${worstOf(told) ?? 'info'}): ${where}`,
    text: only ? only.message : listOf(told),
    news: event === 'finding' ? 'This is new.' : `Update: ${gone} of ${incidents.length} findings are no longer found.`,
    sections: only?.finding?.remediation ? [{ title: 'What to do', text: only.finding.remediation }] : [],
  };
}

/** The dashboard path that lists these findings. */
export function findingPath(incidents: IncidentView[]): string {
  const owner = oneOf(incidents.map((one) => one.owner));
  const name = owner?.slice(owner.indexOf('/') + 1).toWellFormed();
  return name ? `/security?q=${encodeURIComponent(name)}` : '/security';
}

function factsOf(told: IncidentView[], cluster: string): Notification['facts'] {
  const common = (label: string, value: (one: IncidentView) => string) => [label, oneOf(told.map(value))] as const;
  const facts = [
    ['Cluster', cluster] as const,
    common('Namespace', ({ namespace }) => namespace),
    common('Resource', ({ owner }) => owner),
    common('Container', ({ container }) => container),
    [told.length === 1 ? 'Severity' : 'Highest severity', worstOf(told)] as const,
  ];
  return facts.flatMap(([name, value]) => (value ? [{ name, value }] : []));
}

/** The value that all have in common; undefined if they differ. */
function oneOf(values: string[]): string | undefined {
  const [first, ...others] = new Set(values);
  return others.length === 0 ? first : undefined;
}

function placeOf(findings: IncidentView[]): string {
  const resources = new Set(findings.map(({ owner, namespace }) => `${owner} in ${namespace}`));
  const [first] = resources;
  if (resources.size === 0) return 'deleted resources';
  return resources.size === 1 && first ? first : `${resources.size} resources`;
}

/** The findings, one per line, the worst first. */
function listOf(findings: IncidentView[]): string {
  const isOne = new Set(findings.map(({ owner, namespace }) => `${owner}/${namespace}`)).size === 1;
  const sorted = SEVERITIES.flatMap((severity) => findings.filter(({ finding }) => finding?.severity === severity));
  const lines = sorted
    .slice(0, LISTED)
    .map(({ finding, reason, owner, namespace, container, message }) =>
      isOne
        ? `${finding?.severity} ${reason}${container ? ` (${container})` : ''}: ${message}`
        : `${finding?.severity} ${reason}: ${owner} in ${namespace}`,
    );
  return [...lines, ...(sorted.length > LISTED ? [`and ${sorted.length - LISTED} more`] : [])].join('\n');
}

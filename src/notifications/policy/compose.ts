import { maskText } from '../../redact/text.ts';
import type { Notification, NotificationEvent } from '../types/service.ts';
import { findingPath, findingTexts } from './compose-finding.ts';
import { cascadeTitle, isOfFindings, STORM } from './group.ts';
import { type AlertView, type IncidentView, isOver } from './view.ts';

export interface Composed {
  event: NotificationEvent;
  /** The key of the thread. */
  groupKey: string;
  /** All incidents of the thread. Empty only in a `resolved` message after all of them were deleted. */
  incidents: IncidentView[];
  cluster: string;
  /** Without a trailing slash; null when no links are wanted. */
  baseUrl: string | null;
  startedAt: Date;
  now: Date;
}

/** The input of all texts of a message. */
interface Subject extends Composed {
  failing: IncidentView[];
  /** The incident of a message that is about a single one. */
  main: IncidentView | undefined;
  isGroup: boolean;
}

/** A message about a thread, masked. `id` and `key` belong to the outbox. */
export function composeNotification(composed: Composed): Omit<Notification, 'id' | 'key'> {
  const { event, incidents, groupKey, startedAt, now, baseUrl } = composed;
  const times = { startedAt: startedAt.toISOString(), at: now.toISOString() };
  if (isOfFindings(groupKey)) {
    const { facts, sections, ...texts } = findingTexts(composed);
    const link = baseUrl === null ? null : `${baseUrl}${findingPath(composed.incidents)}`;
    return {
      ...masked({ ...texts, cluster: composed.cluster }),
      facts: facts.map(masked),
      sections: sections.map(masked),
      event,
      link,
      ...times,
    };
  }
  const failing = incidents.filter(({ active }) => active > 0);
  const main = failing[0] ?? incidents[0];
  const subject: Subject = { ...composed, failing, main, isGroup: incidents.length > 1 || groupKey === STORM };
  const isShort = event === 'resolved' || subject.isGroup;
  return {
    ...masked(textsOf(subject)),
    event,
    facts: factsOf(subject).map(masked),
    sections: isShort ? [] : sectionsOf(main?.solution ?? null).map(masked),
    link: linkOf(subject),
    ...subjectOf(subject),
    ...times,
  };
}

function textsOf(subject: Subject) {
  const { event, incidents, cluster, failing, main, isGroup } = subject;
  const said = isGroup ? listOf(failing) : (main?.message ?? '');
  return {
    title: isGroup ? groupTitle(subject) : titleOf(event, main),
    text: event === 'resolved' ? '' : said,
    news: newsOf(subject),
    namespace: oneOf(
      incidents.map(({ namespace }) => namespace),
      'namespaces',
    ),
    workload: isGroup ? `${incidents.length} incidents` : (main?.owner ?? '-'),
    reason: oneOf(
      incidents.map(({ reason }) => reason),
      'reasons',
    ),
    cluster,
  };
}

/** The value that all have in common, or else how many there are. */
function oneOf(values: string[], many: string): string {
  const [first = '-', ...others] = new Set(values);
  return others.length === 0 ? first : `${others.length + 1} ${many}`;
}

function linkOf({ baseUrl, isGroup, main }: Subject): string | null {
  if (baseUrl === null) return null;
  return isGroup || !main?.recordId ? `${baseUrl}/` : `${baseUrl}/failures/${main.recordId}`;
}

/** The incident that buttons act on. Only a message about a single failing incident has one. */
function subjectOf({ event, isGroup, main }: Subject): Pick<Notification, 'subject'> {
  if (event === 'resolved' || isGroup || !main?.recordId) return {};
  return { subject: { incident: main.id, record: main.recordId } };
}

function masked<T extends Record<string, string>>(texts: T): T {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, maskText(text)])) as T;
}

function titleOf(event: NotificationEvent, main: IncidentView | undefined): string {
  if (!main) return 'An incident is over';
  const about = `${main.owner} in ${main.namespace}`;
  return event === 'resolved' ? `Resolved: ${about} (${main.reason})` : `${main.reason}: ${about}`;
}

function groupTitle({ event, groupKey, incidents, failing }: Subject): string {
  const cascade = cascadeTitle(groupKey);
  const about = groupKey === STORM ? 'many at once' : (cascade ?? groupKey.replaceAll(':', ' '));
  if (event === 'resolved') return `Resolved: ${incidents.length} incidents (${about})`;
  const pods = failing.reduce((sum, { active }) => sum + active, 0);
  if (cascade) return `${cascade}: ${pods} failing pods in ${failing.length} incidents`;
  return `${failing.length} incidents with ${pods} failing pods (${about})`;
}

const LISTED = 15;

/** The incidents of a group, one per line. */
function listOf(failing: IncidentView[]): string {
  const lines = failing
    .slice(0, LISTED)
    .map(({ reason, owner, namespace, active }) => `${reason}: ${owner} in ${namespace}, ${active} pods`);
  return [...lines, ...(failing.length > LISTED ? [`and ${failing.length - LISTED} more`] : [])].join('\n');
}

function newsOf({ event, incidents, startedAt, now, main }: Subject): string {
  const { verdict = null } = main ?? {};
  switch (event) {
    case 'resolved':
      return `Everything has recovered or been deleted, after ${lasted(now.getTime() - startedAt.getTime())}.`;
    case 'verdict':
      return verdict ? `A mirror ran the correction. Its verdict: ${verdict.verdict}${strengthOf(verdict)}.` : 'A mirror has a verdict.';
    case 'verdict_revised':
      return verdict ? `The verdict was revised: ${verdict.verdict}. ${verdict.message}` : 'A verdict was revised.';
    case 'correction':
      return 'There is a new explanation or correction.';
    case 'alert':
      return main?.alerts[0] ? `Alertmanager reports this too: ${alertText(main.alerts[0])}` : 'Alertmanager reports this too.';
    case 'incident_updated': {
      const healthy = incidents.filter(isOver).length;
      return healthy > 0 ? `Update: ${healthy} of ${incidents.length} incidents are over.` : 'This incident has changed.';
    }
    default:
      return '';
  }
}

/** An alert on one line. */
export const alertText = ({ name, severity, summary }: AlertView): string =>
  `${name}${severity ? ` (${severity})` : ''}${summary ? `: ${summary}` : ''}`;

const strengthOf = ({ strength }: { strength: string | null }): string => (strength ? ` (${strength.toLowerCase()} evidence)` : '');

function lasted(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return 'less than a minute';
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

function factsOf({ cluster, incidents, main, isGroup }: Subject): { name: string; value: string }[] {
  const pods = incidents.reduce((sum, { active }) => sum + active, 0);
  const facts: [string, string | null | undefined][] = [
    ['Cluster', cluster],
    ['Namespace', isGroup ? null : main?.namespace],
    ['Workload', isGroup ? null : main?.owner],
    ['Container', isGroup ? null : main?.container],
    ['Reason', isGroup ? null : main?.reason],
    ['Failing pods', pods > 0 ? String(pods) : null],
    ['Alerts', incidents.flatMap(({ alerts }) => alerts.map(({ name }) => name)).join(', ')],
    ['Verdict of the mirror', isGroup || !main?.verdict ? null : `${main.verdict.verdict}${strengthOf(main.verdict)}`],
  ];
  return facts.flatMap(([name, value]) => (value ? [{ name, value }] : []));
}

const SHOWN = [
  'What changed',
  'What happened',
  'What to do',
  'Correction',
  ...['corrects', 'is known to correct'].map((verb) => `No change to the manifest ${verb} this`),
];

/** The most important sections of a solution, without Markdown. */
export function sectionsOf(solution: string | null): { title: string; text: string }[] {
  if (!solution) return [];
  const parts = `\n${solution}`.split(/\n## /).slice(1);
  // A solution that a model or a person wrote may have no headings.
  if (parts.length === 0) return [{ title: 'Solution', text: unmarked(solution) }];
  const sections = parts.map((part) => {
    const [title = '', ...rest] = part.split('\n');
    return { title: title.trim(), text: unmarked(rest.join('\n')) };
  });
  const known = sections.filter(({ title }) => SHOWN.includes(title));
  return known.length > 0 ? known : sections.slice(0, 4);
}

const unmarked = (markdown: string): string =>
  markdown
    .replaceAll(/^`{3,}.*$/gm, '')
    .replaceAll('**', '')
    .replaceAll('`', '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

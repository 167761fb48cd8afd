import { createHash } from 'node:crypto';
import type { NotificationProviderSpec } from '../../crd/notificationprovider.ts';
import type { NotificationEvent } from '../types/service.ts';
import { SEVERITIES } from '../../contract/finding.ts';
import { hears, isWanted } from './filter.ts';
import { quietUntil } from './quiet-hours.ts';
import { type IncidentView, isOver, type Thread, type ThreadDecision, type Told, worstOf } from './view.ts';

/** The shortest time between two messages about the same thing, unless the provider sets another. */
const INTERVAL_SECONDS = 30;
/** An incident that ended and comes back within this time is not announced at once. */
export const COOLDOWN_MS = 5 * 60_000;
const WINDOW_SECONDS = 3_600;
const MAX_SAMPLES = 1_000;

export interface ThreadView {
  spec: Pick<NotificationProviderSpec, 'filter' | 'grouping' | 'quietHours'>;
  thread: Thread;
  /** All incidents that were ever in the thread, except deleted ones. */
  incidents: IncidentView[];
  /** Whether the service can change a sent message, or add to it. */
  canUpdate: boolean;
  /** Whether too many threads were opened lately. */
  isStorm: boolean;
  now: Date;
}

/**
 * Decides the next message of a thread. The decision depends only on the present state, not on events in between, so calling this twice
 * does not send a message twice. A thread gets an end message if, and only if, an opening message was sent.
 */
export function decideThread(view: ThreadView): ThreadDecision {
  const active = view.incidents.filter((incident) => incident.active > 0 && isWanted(view.spec.filter, incident));
  const over = view.incidents.every(isOver);
  if (view.thread.status === 'resolved') return silence(view.thread);
  return view.thread.status === 'open' ? decideOpen(view, active, over) : decideWaiting(view, active, over);
}

const silence = (thread: Thread, dueAt: Date | null = null): ThreadDecision => ({ thread, dueAt });
const ofFindings = (incidents: IncidentView[]): boolean => incidents.some(({ finding }) => finding !== undefined);
const after = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1000);
const latest = (...dates: (Date | null)[]): Date => new Date(Math.max(...dates.map((date) => date?.getTime() ?? 0)));

function decideWaiting(view: ThreadView, active: IncidentView[], over: boolean): ThreadDecision {
  const { spec, thread, now } = view;
  if (over) return silence({ ...thread, status: 'resolved', resolvedAt: now });
  if (active.length === 0) return silence(thread);
  const counted = { ...thread, samples: sampled(view, active) };
  // A finding occurs only once, so the least number of occurrences does not apply to it.
  if (!ofFindings(active) && !isFrequent(spec.grouping, counted)) return silence(counted);
  const notBefore = latest(after(thread.createdAt, spec.grouping?.waitSeconds ?? 0), thread.notBefore, quietUntil(spec.quietHours, now));
  if (notBefore > now) return silence(counted, notBefore);
  const told = toldOf(active);
  const event = ofFindings(active) ? (hears(spec, 'finding') ? 'finding' : undefined) : firstEvent(spec, told);
  if (!event) return silence(counted);
  if (view.isStorm) return { ...silence(counted), folds: true };
  return {
    thread: { ...thread, status: 'open', openedAt: now, lastSentAt: now, told, samples: [] },
    send: event,
    dueAt: repeatAt(view, now),
  };
}

/** A provider that wants only verdicts gets its first message with the first verdict. */
function firstEvent(spec: ThreadView['spec'], told: Told): ThreadDecision['send'] {
  if (hears(spec, 'incident_opened')) return 'incident_opened';
  if (told.verdict !== '' && hears(spec, 'verdict')) return 'verdict';
  return told.solution !== '' && hears(spec, 'correction') ? 'correction' : undefined;
}

function sampled({ thread, spec, now }: ThreadView, active: IncidentView[]): Thread['samples'] {
  const count = active.reduce((sum, { occurrences }) => sum + occurrences, 0);
  const window = (spec.grouping?.windowSeconds ?? WINDOW_SECONDS) * 1000;
  const kept = thread.samples.filter(({ at }) => now.getTime() - Date.parse(at) < window);
  return kept.at(-1)?.count === count ? kept : [...kept, { at: now.toISOString(), count }].slice(-MAX_SAMPLES);
}

/** The first sample counts as one occurrence, whatever failed before. */
function isFrequent(grouping: ThreadView['spec']['grouping'], { samples }: Thread): boolean {
  const least = grouping?.minOccurrences ?? 1;
  if (least <= 1) return true;
  const counts = samples.map(({ count }) => count);
  const grown = counts.slice(1).reduce((sum, count, index) => sum + Math.max(0, count - (counts[index] ?? 0)), 0);
  return 1 + grown >= least;
}

function decideOpen(view: ThreadView, active: IncidentView[], over: boolean): ThreadDecision {
  const { spec, thread, now } = view;
  // The end is sent even in quiet hours and between intervals, because people wait for it.
  if (over) {
    const resolved: Thread = { ...thread, status: 'resolved', resolvedAt: now };
    return hears(spec, 'resolved') ? { ...silence({ ...resolved, lastSentAt: now }), send: 'resolved' } : silence(resolved);
  }
  if (active.length === 0) return { ...silence(thread), hushes: true };
  const told = toldOf(active);
  const repeat = repeatAt(view, thread.lastSentAt ?? now);
  const isRepeat = repeat !== null && repeat <= now;
  const news = ofFindings(active) ? newFindings(spec, thread.told, told) : newsOf(spec, thread.told, told);
  const event = isRepeat ? 'incident_updated' : news;
  // If sent messages cannot be changed, only reminders and further findings are sent as new messages.
  if (!event || !(view.canUpdate || isRepeat || event === 'finding')) return silence(thread, repeat);
  const quiet = quietUntil(spec.quietHours, now);
  const interval = after(thread.lastSentAt ?? new Date(0), spec.grouping?.intervalSeconds ?? INTERVAL_SECONDS);
  const notBefore = latest(quiet, interval);
  if (notBefore > now) return silence(thread, notBefore);
  return { thread: { ...thread, lastSentAt: now, told }, send: event, dueAt: repeatAt(view, now) };
}

/** When to send the next reminder; null for never. Findings stay open for weeks, so reminders about them would be noise. */
function repeatAt({ spec, incidents }: ThreadView, lastSentAt: Date): Date | null {
  const seconds = ofFindings(incidents) ? 0 : (spec.grouping?.repeatSeconds ?? 0);
  return seconds > 0 ? after(lastSentAt, seconds) : null;
}

/** The content of a message about these incidents, for later comparison. */
export function toldOf(active: IncidentView[]): Told {
  const verdicts = active.flatMap(({ verdict }) => (verdict ? [verdict] : []));
  const severity = worstOf(active);
  const solutions = active.map(({ solution }) => solution ?? '').filter((text) => text !== '');
  return {
    incidents: active.map(({ id }) => id).sort((a, b) => a - b),
    pods: active.reduce((sum, one) => sum + one.active, 0),
    reasons: [...new Set(active.map(({ reason }) => reason))].sort(),
    solution: solutions.length === 0 ? '' : createHash('sha256').update(solutions.sort().join('\n')).digest('hex').slice(0, 16),
    verdict: verdicts.map(({ verdict }) => verdict).join(','),
    revisions: verdicts.reduce((sum, { revisions }) => sum + revisions, 0),
    alerts: [...new Set(active.flatMap(({ alerts }) => alerts.map(({ name }) => name)))].sort(),
    ...(severity && { severity }),
  };
}

/** Returns `finding` if there are more or worse findings than before. Fewer findings are no news. */
function newFindings(spec: ThreadView['spec'], before: Told | null, now: Told): ThreadDecision['send'] {
  const known = new Set(before?.incidents);
  const isWorse = SEVERITIES.indexOf(now.severity ?? 'info') < SEVERITIES.indexOf(before?.severity ?? 'info');
  if (isWorse || now.incidents.some((id) => !known.has(id))) return hears(spec, 'finding') ? 'finding' : undefined;
  return now.pods !== before?.pods && hears(spec, 'incident_updated') ? 'incident_updated' : undefined;
}

/** The most important news that the provider wants. */
function newsOf(spec: ThreadView['spec'], before: Told | null, now: Told): ThreadDecision['send'] {
  const isOther = (field: 'incidents' | 'reasons'): boolean => JSON.stringify(before?.[field]) !== JSON.stringify(now[field]);
  // Different incidents bring different solutions and verdicts, which are no news by themselves.
  const isSame = !isOther('incidents');
  const news: [Exclude<NotificationEvent, 'test'>, boolean][] = [
    ['verdict_revised', now.revisions > (before?.revisions ?? 0)],
    ['verdict', isSame && now.verdict !== '' && now.verdict !== before?.verdict],
    ['correction', isSame && now.solution !== '' && now.solution !== before?.solution],
    ['alert', isSame && (now.alerts ?? []).some((name) => !before?.alerts?.includes(name))],
    ['incident_updated', !isSame || isOther('reasons') || now.pods !== before?.pods],
  ];
  return news.find(([event, isNew]) => isNew && hears(spec, event))?.[0];
}

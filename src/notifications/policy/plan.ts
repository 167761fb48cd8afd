import type { NotificationProviderSpec } from '../../crd/notificationprovider.ts';
import { COOLDOWN_MS, decideThread } from './decide.ts';
import { isWanted } from './filter.ts';
import { cascadeTitle, groupOf, isSummary, openingsLeft, summaryOf } from './group.ts';
import type { IncidentView, Thread, ThreadDecision } from './view.ts';

/** A thread that is not resolved, with the ids of its incidents. A new thread has no id yet. */
export interface HeldThread {
  id: number | null;
  groupKey: string;
  thread: Thread;
  incidents: number[];
}

export interface PlanView {
  spec: Pick<NotificationProviderSpec, 'filter' | 'grouping' | 'quietHours'>;
  canUpdate: boolean;
  /** The provider's threads that contain a changed incident, have the key of one, are due, or are the summary of a storm. */
  held: HeldThread[];
  /** The changed incidents and all incidents of the held threads, except deleted ones. */
  incidents: ReadonlyMap<number, IncidentView>;
  /** Incidents whose change is news to a provider without an earlier message. */
  changed: readonly number[];
  /** The provider's recent opening messages. */
  openings: readonly { groupKey: string; at: Date }[];
  /** When the newest thread of a key ended. */
  endedAt: ReadonlyMap<string, Date>;
  now: Date;
}

/** The next state of a thread. `isGone` means that its incidents moved to another thread and no message of it was ever sent. */
export interface PlannedThread extends HeldThread, Pick<ThreadDecision, 'send' | 'dueAt' | 'hushes'> {
  isGone: boolean;
}

/** Plans the messages to one provider about everything that changed or is due. */
export function planProvider(view: PlanView): PlannedThread[] {
  const held = view.held.map(({ id, groupKey, thread, incidents }) => ({ id, groupKey, thread, incidents: [...incidents] }));
  for (const id of view.changed) place(view, held, id);
  const planned: PlannedThread[] = [];
  const openings = [...view.openings];
  const decide = (one: HeldThread): ThreadDecision => {
    const { spec, canUpdate, now } = view;
    const incidents = one.incidents.flatMap((id) => view.incidents.get(id) ?? []);
    const isStorm = !isSummary(one.groupKey) && openingsLeft(one.groupKey, openings, now) <= 0;
    const decision = decideThread({ spec, canUpdate, now, incidents, thread: one.thread, isStorm });
    if (one.thread.status === 'waiting' && decision.send) openings.push({ groupKey: one.groupKey, at: now });
    return decision;
  };
  // Threads of a cascade go first, because they explain the most and should be the last ones to go into a summary.
  const rank = ({ groupKey }: HeldThread): number => (cascadeTitle(groupKey) ? 0 : 1);
  const others = held.filter(({ groupKey }) => !isSummary(groupKey)).sort((one, other) => rank(one) - rank(other));
  for (const one of others) {
    const { folds, ...decision } = decide(one);
    if (folds) fold(view, held, one);
    planned.push({ ...one, ...decision, isGone: folds === true });
  }
  // The summary is planned last, because its content is known only then.
  for (const one of held.filter(({ groupKey }) => isSummary(groupKey))) planned.push({ ...one, ...decide(one), isGone: false });
  return planned;
}

/** Puts an incident into the thread that already has it, else into the thread of its key, else into a new thread. */
function place(view: PlanView, held: HeldThread[], id: number): void {
  const incident = view.incidents.get(id);
  if (!incident || incident.active === 0 || !isWanted(view.spec.filter, incident)) return;
  if (held.some(({ incidents }) => incidents.includes(id))) return;
  const groupKey = groupOf(view.spec.grouping, incident, view.now);
  const there = held.find((one) => one.groupKey === groupKey);
  if (there) there.incidents.push(id);
  else held.push(newThread(view, groupKey, [id]));
}

function fold(view: PlanView, held: HeldThread[], one: HeldThread): void {
  const key = summaryOf(one.groupKey, view.now);
  const summary = held.find(({ groupKey }) => groupKey === key);
  if (summary) summary.incidents.push(...one.incidents);
  else held.push(newThread(view, key, [...one.incidents]));
}

function newThread({ endedAt, now }: PlanView, groupKey: string, incidents: number[]): HeldThread {
  const ended = endedAt.get(groupKey);
  const thread: Thread = {
    status: 'waiting',
    createdAt: now,
    notBefore: ended ? new Date(ended.getTime() + COOLDOWN_MS) : null,
    openedAt: null,
    lastSentAt: null,
    resolvedAt: null,
    told: null,
    samples: [],
  };
  return { id: null, groupKey, thread, incidents };
}

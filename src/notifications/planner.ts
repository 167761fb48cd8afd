import { isHiddenOwner } from '../contract/hidden.ts';
import type { NotificationProvider } from '../crd/notificationprovider.ts';
import type { HeldThreadRow, NotificationRepository, ThreadChange } from '../db/notifications.ts';
import { composeNotification } from './policy/compose.ts';
import { COOLDOWN_MS } from './policy/decide.ts';
import { findingsStorm, groupOf, STORM, STORM_WINDOW_MS } from './policy/group.ts';
import { type HeldThread, type PlannedThread, planProvider } from './policy/plan.ts';
import type { IncidentView, Thread } from './policy/view.ts';
import type { Service } from './types/service.ts';
import { serviceOf } from './target.ts';

export interface PlannerDeps {
  read: Pick<NotificationRepository, 'changes' | 'isDue' | 'incidents' | 'held' | 'openings' | 'endings'>;
  write: Pick<NotificationRepository, 'apply'>;
  /** The providers that get messages. */
  providers(): NotificationProvider[];
  cluster: string;
  baseUrl: string | null;
  /** No message is sent about these namespaces. */
  hiddenNamespaces: readonly string[];
  now(): Date;
}

/** At most this many changes are handled together. */
const BATCH = 500;

/**
 * Turns changes of incidents into messages in the outbox, one batch per call; returns whether there may be more. The changes are removed in
 * the transaction that stores the messages, so a process that dies in between repeats the batch.
 */
export function planner(deps: PlannerDeps): () => Promise<boolean> {
  const { read, write, now } = deps;
  return async () => {
    const at = now();
    const changes = await read.changes(BATCH);
    if (changes.length === 0 && !(await read.isDue(at))) return false;
    const changed = [...new Set(changes.map(({ incident_id }) => incident_id))];
    const news = [...new Set(changes.filter(({ is_news }) => is_news).map(({ incident_id }) => incident_id))];
    const views = await shownViews(deps, changed);
    const threads: ThreadChange[] = [];
    for (const provider of deps.providers()) threads.push(...(await planFor(deps, provider, { changed, news, views, at })));
    await write.apply({ changes: changes.map(({ id }) => id), threads, now: at });
    return changes.length === BATCH;
  };
}

interface Batch {
  changed: number[];
  /** The changes that are news for a provider without an earlier message. */
  news: number[];
  views: Map<number, IncidentView>;
  at: Date;
}

async function shownViews({ read, hiddenNamespaces }: PlannerDeps, ids: number[]): Promise<Map<number, IncidentView>> {
  const views = await read.incidents(ids);
  return new Map(views.filter(({ owner, namespace }) => !isHiddenOwner(owner, namespace, hiddenNamespaces)).map((view) => [view.id, view]));
}

async function planFor(deps: PlannerDeps, { metadata, spec }: NotificationProvider, batch: Batch): Promise<ThreadChange[]> {
  const { read } = deps;
  const { changed, news, at } = batch;
  const name = metadata.name ?? '';
  const keys = [...new Set([...batch.views.values()].map((view) => groupOf(spec.grouping, view, at)))];
  const held = (await read.held(name, { incidents: changed, keys: [...keys, STORM, findingsStorm(at)], now: at })).map(heldThread);
  const known = new Set(batch.views.keys());
  const others = held.flatMap(({ incidents }) => incidents).filter((id) => !known.has(id));
  const incidents = new Map([...batch.views, ...(await shownViews(deps, [...new Set(others)]))]);
  const planned = planProvider({
    spec,
    canUpdate: canUpdate(serviceOf(spec), spec.channel),
    held,
    incidents,
    changed: news,
    openings: await read.openings(name, new Date(at.getTime() - STORM_WINDOW_MS)),
    endedAt: await read.endings(name, keys, new Date(at.getTime() - COOLDOWN_MS)),
    now: at,
  });
  return planned.map((one) => changeOf(deps, { provider: name, incidents, at }, one));
}

/** Whether the service can add to a sent message. A Slack bot, which has a channel, can; a Slack webhook cannot. Mails form threads. */
function canUpdate(service: Service | undefined, channel: string | undefined): boolean {
  return service?.canUpdate({ address: '', channel, format: undefined, secret: channel ? { token: 'bot' } : {} }) ?? true;
}

function changeOf(
  { cluster, baseUrl }: PlannerDeps,
  { provider, incidents, at }: { provider: string; incidents: ReadonlyMap<number, IncidentView>; at: Date },
  { id, groupKey, thread, incidents: members, dueAt, isGone, hushes, send }: PlannedThread,
): ThreadChange {
  const views = members.flatMap((member) => incidents.get(member) ?? []);
  const startedAt = thread.openedAt ?? thread.createdAt;
  const message = send && composeNotification({ event: send, groupKey, incidents: views, cluster, baseUrl, startedAt, now: at });
  return {
    id,
    provider,
    groupKey,
    thread,
    incidents: members,
    dueAt,
    isGone,
    hushes: hushes === true,
    send: send && { event: send, message },
  };
}

/** `told` and `samples` were stored by this code, so their shape is known. */
function heldThread({ thread, ...row }: HeldThreadRow): HeldThread {
  return { ...row, thread: { ...thread, told: thread.told as Thread['told'], samples: thread.samples as Thread['samples'] } };
}

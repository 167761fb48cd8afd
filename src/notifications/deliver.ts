import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '../async/backoff.ts';
import { isHiddenOwner } from '../contract/hidden.ts';
import type { NotificationProvider } from '../crd/notificationprovider.ts';
import type { DeliveryResult, DueDelivery, NotificationRepository } from '../db/notifications.ts';
import type { Logger } from '../log.ts';
import type { Sender } from './send.ts';
import { type Readiness, serviceOf } from './target.ts';
import type { Notification, Outcome, Reason } from './types/service.ts';

const RETRY = { firstMs: 2_000, maxMs: 10 * 60_000 };
/** A message that could not be delivered within this time is dropped. */
export const EXPIRY_MS = 24 * 3_600_000;
/** Reasons for which a repeated request would be refused again. */
const FINAL: ReadonlySet<Reason> = new Set(['TooLarge', 'Refused', 'Redirected']);

export interface DelivererDeps {
  read: Pick<NotificationRepository, 'due'>;
  write: Pick<NotificationRepository, 'begin' | 'finish'>;
  /** Undefined for a provider that was deleted or is suspended. */
  provider(name: string): NotificationProvider | undefined;
  readiness(provider: NotificationProvider): Promise<Readiness>;
  send: Sender;
  /** Whether this process is still the leader. Checked before each message. */
  isCurrent(): boolean;
  cluster: string;
  /** No message is sent about these namespaces. */
  hiddenNamespaces: readonly string[];
  now(): Date;
  /** Waits `ms` milliseconds between two messages to one service. */
  pause?: (ms: number) => Promise<void>;
  log: Logger;
}

export interface Deliverer {
  /** Starts sending the messages that are due: for each provider one at a time, in order. Resolves when all lanes have started. */
  deliver(): Promise<void>;
  /** Starts no more deliveries. Resolves when the running ones have ended. */
  stop(): Promise<void>;
}

/**
 * Sends the messages of the outbox. Each provider has its own lane, so that one slow provider does not delay the others. A message is
 * marked as tried before it is sent, and is delivered at least once.
 */
export function deliverer(deps: DelivererDeps): Deliverer {
  const { read, log } = deps;
  const lanes = new Map<string, Promise<void>>();
  let stopped = false;

  /** Sends one message after the other until one has to wait. */
  const work = async (first: DueDelivery): Promise<void> => {
    let next: DueDelivery | undefined = first;
    while (next && !stopped && (await deliverOne(deps, next)))
      next = (await read.due(deps.now())).find(({ provider }) => provider === first.provider);
  };
  const deliver = async (): Promise<void> => {
    const due = await read.due(deps.now());
    for (const delivery of stopped ? [] : due) {
      const { provider } = delivery;
      if (lanes.has(provider)) continue;
      const lane = work(delivery)
        .catch((error: unknown) => log.warn({ err: error, provider }, 'a message stays in the outbox'))
        .finally(() => lanes.delete(provider));
      lanes.set(provider, lane);
    }
  };
  return {
    deliver,
    async stop() {
      stopped = true;
      await Promise.all(lanes.values());
    },
  };
}

/** Returns true when the lane may continue at once. */
async function deliverOne(deps: DelivererDeps, delivery: DueDelivery): Promise<boolean> {
  const { write, now, log } = deps;
  const provider = deps.provider(delivery.provider);
  if (!provider || !deps.isCurrent()) return false;
  const result = { id: delivery.id, threadId: delivery.thread_id, step: delivery.step, reason: null, detail: null };
  // The opening message never arrived, so there is nothing to end.
  if (delivery.event === 'resolved' && delivery.place === null) {
    await write.finish({ ...result, state: 'dropped' }, now());
    return true;
  }
  if (now().getTime() - delivery.created_at.getTime() > EXPIRY_MS) {
    await write.finish({ ...result, state: 'dead', reason: 'Expired', detail: delivery.detail ?? 'it waited for a day' }, now());
    return true;
  }
  // The namespace was hidden after the message was written.
  const { workload = '', namespace = '' } = delivery.message as Partial<Notification>;
  if (isHiddenOwner(workload, namespace, deps.hiddenNamespaces)) {
    await write.finish({ ...result, state: 'dropped' }, now());
    return true;
  }
  if (!(await write.begin(delivery.id))) return true;
  const begun = performance.now();
  const { outcome, step, place } = await tryToSend(deps, provider, delivery);
  const at = now();
  const fields = { provider: delivery.provider, event: delivery.event, attempt: delivery.attempts + 1 };
  if (outcome.ok) {
    await write.finish({ ...result, step, state: outcome.state, place }, at);
    log.debug({ ...fields, ms: Math.round(performance.now() - begun) }, 'message sent');
    const pauseMs = serviceOf(provider.spec)?.pauseMs ?? 0;
    if (pauseMs > 0) await (deps.pause ?? sleep)(pauseMs);
    return true;
  }
  const failed = failedResult({ delivery, outcome, at });
  await write.finish({ ...result, step, ...failed }, at);
  log.warn({ ...fields, reason: outcome.reason, detail: outcome.detail, state: failed.state }, 'message not sent');
  return failed.state === 'dead';
}

async function tryToSend(deps: DelivererDeps, provider: NotificationProvider, delivery: DueDelivery): ReturnType<Sender> {
  const readiness = await deps.readiness(provider);
  if (!('target' in readiness)) {
    const outcome = { ok: false, reason: 'NotReady', detail: readiness.message } as const;
    return { outcome, step: delivery.step, place: delivery.place ?? {} };
  }
  const said = { notification: notificationOf(deps.cluster, delivery), target: readiness.target, place: delivery.place, now: deps.now() };
  return deps.send(said, serviceOf(provider.spec), delivery.step);
}

function failedResult({
  delivery,
  outcome,
  at,
}: {
  delivery: DueDelivery;
  outcome: Outcome & { ok: false };
  at: Date;
}): Pick<DeliveryResult, 'state' | 'dueAt' | 'reason' | 'detail'> {
  const { reason, detail, retryAfterMs = 0 } = outcome;
  const dueAt = new Date(at.getTime() + Math.max(retryAfterMs, backoffMs(RETRY, delivery.attempts + 1)));
  const isExpired = dueAt.getTime() - delivery.created_at.getTime() > EXPIRY_MS;
  if (isExpired && !FINAL.has(reason)) return { state: 'dead', reason: 'Expired', detail: `${reason}: ${detail}` };
  return FINAL.has(reason) ? { state: 'dead', reason, detail } : { state: 'pending', reason, detail, dueAt };
}

/** Id and key are derived from rows, so they are the same for every try. After a new database they differ. */
export function notificationOf(
  cluster: string,
  { id, thread_id, thread_created_at, message }: Pick<DueDelivery, 'id' | 'thread_id' | 'thread_created_at' | 'message'>,
): Notification {
  const scope = `podmend-${hash('sha256', cluster).slice(0, 8)}-${Math.floor(thread_created_at.getTime() / 1000).toString(36)}`;
  return { ...(message as Omit<Notification, 'id' | 'key'>), id: `${scope}-m${id}`, key: `${scope}-${thread_id}` };
}

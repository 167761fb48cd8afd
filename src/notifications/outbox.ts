import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../log.ts';
import { type Deliverer, deliverer, type DelivererDeps } from './deliver.ts';
import { planner, type PlannerDeps } from './planner.ts';

/** How often the database is polled for changes of other replicas and for messages that are due. */
const POLL_MS = 1_000;

export type OutboxDeps = Omit<PlannerDeps, 'read' | 'write'> &
  Omit<DelivererDeps, 'read' | 'write'> & {
    read: PlannerDeps['read'] & DelivererDeps['read'];
    write: PlannerDeps['write'] & DelivererDeps['write'];
    log: Logger;
    pollMs?: number;
  };

export interface Outbox {
  /** Polls now. Call this after a change in this process. */
  wake(): void;
  /** Resolves when nothing more is sent. */
  stop(): Promise<void>;
}

/**
 * The leader's worker: decides which messages a change needs, then sends those that are due. Without providers it does not query the
 * database.
 */
export function startOutbox(deps: OutboxDeps): Outbox {
  const plan = planner(deps);
  const lanes: Deliverer = deliverer(deps);
  const stopping = new AbortController();
  let woken = Promise.withResolvers<void>();
  const turn = async (): Promise<void> => {
    while (!stopping.signal.aborted && (await plan()));
    await lanes.deliver();
  };
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      woken = Promise.withResolvers<void>();
      if (deps.providers().length > 0)
        await turn().catch((error: unknown) => deps.log.warn({ err: error }, 'messages wait for the next turn'));
      const pause = sleep(deps.pollMs ?? POLL_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      await Promise.race([pause, woken.promise]);
    }
  };
  const running = run();
  return {
    wake: () => woken.resolve(),
    async stop() {
      stopping.abort();
      await Promise.all([running, lanes.stop()]);
    },
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { LeadershipRepository, Term } from '../../db/leadership.ts';
import type { LeaseLock } from '../../kube/lease.ts';
import type { Logger } from '../../log.ts';

/** The leader's tasks. They start with the term; `stop` ends them and waits for running work. */
export interface LeaderTasks {
  stop(): Promise<void>;
}

/** One term of the leader, as its tasks see it. */
export interface Leading extends Term {
  /** Call this on learning of a newer leader before the Lease says so. */
  stale(): void;
  /**
   * Whether the Lease was renewed in time. A suspended process may continue in the middle of its work before its tasks end, so ask before
   * each write.
   */
  isCurrent(): boolean;
}

export interface LeaderOptions<D extends LeaderTasks> {
  lease: LeaseLock;
  /** The process, as the Lease names it. */
  identity: string;
  fence: Pick<LeadershipRepository, 'newest' | 'claim'>;
  /** Begins to lead. */
  begin(term: Leading): D;
  timing?: Partial<LeaderTiming>;
  /** A monotonic clock in milliseconds. */
  clock?: () => number;
  log: Logger;
}

export interface LeaderTiming {
  /** How often the leader renews, and how soon it retries a failed renewal. */
  renewMs: number;
  retryMs: number;
  /**
   * Without a renewal for this long it stops leading. At two thirds of the Lease's duration, it has stopped before another process starts.
   */
  deadlineMs: number;
  /** How often the others look, with a jitter of a fifth. */
  lookMs: number;
}

/** Suits a Lease of 20 s, even if each answer of the API server takes 5 s. */
export const TIMING: LeaderTiming = { renewMs: 5_000, retryMs: 1_000, deadlineMs: 13_000, lookMs: 2_000 };

export interface OtherLeader {
  holder: string;
  lives: boolean;
}

export interface Leader<D extends LeaderTasks> {
  start(): void;
  /** Ends the tasks, then releases the Lease. */
  stop(): Promise<void>;
  /** The running tasks; undefined while this process does not lead. */
  tasks(): D | undefined;
  /** The other process that held the Lease at the last look, and whether it was seen to renew it. Undefined when none is known. */
  other(): OtherLeader | undefined;
}

/**
 * Leads while it holds the Lease. When it loses the Lease, it ends the tasks and tries again. Each term has its own epoch, and the database
 * refuses writes with an earlier one. A process can become leader while the database is down, because mirrors must end on time even then.
 */
export function leader<D extends LeaderTasks>(options: LeaderOptions<D>): Leader<D> {
  const { lease, identity, fence, begin, log, clock = () => performance.now() } = options;
  const timing = { ...TIMING, ...options.timing };
  const stopping = new AbortController();
  let loop: Promise<void> | undefined;
  let tasks: D | undefined;
  let other: OtherLeader | undefined;
  let said = '';
  /** When the last successful request for the Lease began. */
  let renewedAt = 0;
  const deadline = (): number => renewedAt + timing.deadlineMs;

  const say = (what: string, fields: object = {}): void => {
    const line = `${what} ${JSON.stringify(fields)}`;
    if (line !== said) log.info(fields, what);
    said = line;
  };
  const take = async (): Promise<Term | undefined> => {
    try {
      const taken = await lease.take(await fence.newest().catch(() => 0));
      if ('epoch' in taken) {
        other = undefined;
        return { epoch: taken.epoch, holder: identity };
      }
      const lives = taken.isRenewed === true || (other?.holder === taken.heldBy && other.lives);
      other = { holder: taken.heldBy, lives };
      say('another process leads', { holder: taken.heldBy });
    } catch (error) {
      say('the Lease cannot be taken', { why: whyOf(error) });
    }
    return undefined;
  };
  /** Whether the term may begin. If the database is away, the first write claims the term. */
  const claim = async (term: Term): Promise<boolean> => {
    try {
      if (await fence.claim(term)) return true;
      say('the database knows a newer leader', { name: term.holder });
      return false;
    } catch {
      return true;
    }
  };
  /** Renews the Lease until renewing fails for too long, another process has it, or `ended` fires. */
  const renewUntilLost = async (ended: AbortSignal): Promise<void> => {
    let nextAt = renewedAt + timing.renewMs;
    for (;;) {
      await pause(Math.min(nextAt, deadline()) - clock(), ended);
      if (ended.aborted) return;
      const askedAt = clock();
      if (askedAt >= deadline()) return log.warn('the Lease could not be renewed in time');
      const answer = await within(deadline() - askedAt, lease.renew());
      if (answer === false) return log.warn('the Lease is another’s now');
      if (answer === true) renewedAt = askedAt;
      nextAt = answer === true ? askedAt + timing.renewMs : clock() + timing.retryMs;
    }
  };
  const lead = async (term: Term): Promise<void> => {
    const lost = new AbortController();
    tasks = begin({ ...term, stale: () => lost.abort(), isCurrent: () => !lost.signal.aborted && clock() < deadline() });
    say('this process leads', { ...term });
    await renewUntilLost(AbortSignal.any([lost.signal, stopping.signal]));
    // On a stop, the Lease is held until running work has ended.
    if (!stopping.signal.aborted) lost.abort();
    const ending = tasks;
    tasks = undefined;
    await ending.stop();
    lost.abort();
    say('this process leads no more', { ...term });
  };
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const askedAt = clock();
      const term = await take();
      renewedAt = askedAt;
      if (term && (await claim(term))) await lead(term);
      else await pause(timing.lookMs * (0.8 + Math.random() * 0.4), stopping.signal);
    }
    await lease
      .release()
      .catch((error: unknown) => log.warn({ why: whyOf(error) }, 'the Lease could not be released: it runs out by itself'));
  };
  return {
    start: () => void (loop ??= run()),
    async stop() {
      stopping.abort();
      await loop;
    },
    tasks: () => tasks,
    other: () => other,
  };
}

const whyOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(0, ms), undefined, { signal }).catch(() => undefined);
}

/** The result of `work`; undefined when it fails or is late. */
async function within(ms: number, work: Promise<boolean>): Promise<boolean | undefined> {
  const over = new AbortController();
  const late = pause(ms, over.signal).then(() => undefined);
  try {
    return await Promise.race([work.catch(() => undefined), late]);
  } finally {
    over.abort();
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { LeadershipRepository, Term } from '../db/leadership.ts';
import type { LeaseLock } from '../kube/lease.ts';
import type { Logger } from '../log.ts';

/** What only the leader does, begun when it becomes one. `stop` ends it and waits for what is under way. */
export interface Duties {
  stop(): Promise<void>;
}

/** One time of leading, as those see it who act in it. */
export interface Leading extends Term {
  /** For who learns of a newer leader before we hear it from the Lease. */
  stale(): void;
  /**
   * Whether the Lease was renewed in time. A process that was stopped for long wakes in the midst of what it did, and may get to that
   * before it gets to ending its duties: ask before each write.
   */
  isCurrent(): boolean;
}

export interface LeaderOptions<D extends Duties> {
  lease: LeaseLock;
  /** The process, as the Lease names it. */
  identity: string;
  fence: Pick<LeadershipRepository, 'newest' | 'claim'>;
  /** Begins to lead. */
  begin(term: Leading): D;
  timing?: Partial<LeaderTiming>;
  /** Milliseconds on a clock that never jumps. */
  clock?: () => number;
  log: Logger;
}

export interface LeaderTiming {
  /** How often the leader renews, and how soon again when that failed. */
  renewMs: number;
  retryMs: number;
  /** Not renewed for so long, it stops leading: two thirds of what the Lease is good for, so that it has stopped when another begins. */
  deadlineMs: number;
  /** How often the others look, give or take a fifth. */
  lookMs: number;
}

/** For a Lease that is good for 20 s. An API server that takes 5 s to answer is still lived with. */
const TIMING: LeaderTiming = { renewMs: 5_000, retryMs: 1_000, deadlineMs: 13_000, lookMs: 2_000 };

export interface Leader<D extends Duties> {
  start(): void;
  /** Ends the duties, then sets the Lease free. */
  stop(): Promise<void>;
  /** What runs now; undefined while this process does not lead. */
  duties(): D | undefined;
}

/**
 * Leads while it holds the Lease (DESIGN section 7). Losing it ends the duties, and it tries again; each time of leading has its own epoch,
 * by which the database refuses the writes of earlier ones. A database that is away keeps nobody from leading: mirrors end all the same.
 */
export function leader<D extends Duties>(options: LeaderOptions<D>): Leader<D> {
  const { lease, identity, fence, begin, log, clock = () => performance.now() } = options;
  const timing = { ...TIMING, ...options.timing };
  const stopping = new AbortController();
  let loop: Promise<void> | undefined;
  let duties: D | undefined;
  let said = '';
  /** When the Lease was asked for that we hold. */
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
      if ('epoch' in taken) return { epoch: taken.epoch, holder: identity };
      say('another process leads', { holder: taken.heldBy });
    } catch (error) {
      say('the Lease cannot be taken', { why: whyOf(error) });
    }
    return undefined;
  };
  /** Whether it may begin. A database that is away is claimed by the first write. */
  const claim = async (term: Term): Promise<boolean> => {
    try {
      if (await fence.claim(term)) return true;
      say('the database knows a newer leader', { name: term.holder });
      return false;
    } catch {
      return true;
    }
  };
  /** Renews until that fails for too long, the Lease is another's, or `ended` says so. */
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
    duties = begin({ ...term, stale: () => lost.abort(), isCurrent: () => !lost.signal.aborted && clock() < deadline() });
    say('this process leads', { ...term });
    await renewUntilLost(AbortSignal.any([lost.signal, stopping.signal]));
    // A stop lets what is under way end well: the Lease is ours until then.
    if (!stopping.signal.aborted) lost.abort();
    const ending = duties;
    duties = undefined;
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
    await lease.release().catch((error: unknown) => log.warn({ why: whyOf(error) }, 'the Lease could not be set free: it runs out'));
  };
  return {
    start: () => void (loop ??= run()),
    async stop() {
      stopping.abort();
      await loop;
    },
    duties: () => duties,
  };
}

const whyOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(0, ms), undefined, { signal }).catch(() => undefined);
}

/** The answer of `work`; undefined when it fails or does not come in time. */
async function within(ms: number, work: Promise<boolean>): Promise<boolean | undefined> {
  const over = new AbortController();
  const late = pause(ms, over.signal).then(() => undefined);
  try {
    return await Promise.race([work.catch(() => undefined), late]);
  } finally {
    over.abort();
  }
}

import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Backoff, backoffMs, jittered } from '../async/backoff.ts';
import { nextFlight } from '../async/single-flight.ts';
import type { Logger } from '../log.ts';
import type { Inventory } from './judged-objects.ts';
import { type Operator, OperatorAway } from './operator.ts';
import { judgeVisible } from './judge-visible.ts';

export interface ScanDeps {
  inventory: Pick<Inventory, 'keys' | 'get' | 'around' | 'missing'>;
  operator: Operator;
  /** Findings never name objects in these namespaces. */
  hiddenNamespaces: readonly string[];
  /** The minor version of Kubernetes whose rules apply. */
  minor(): number;
  log: Logger;
  /** Milliseconds of a monotonic clock. */
  clock?: () => number;
  /** How long changes are collected before they are judged, in milliseconds. */
  gatherMs?: number;
  backoff?: Backoff;
}

export interface Scan {
  /** Queues objects whose findings may have changed. */
  changed(keys: readonly string[]): void;
  /** Judges everything. Resolves when the operator has received the result. A pass that is queued for the same reason is shared. */
  pass(reason: string): Promise<void>;
  stop(): Promise<void>;
}

/** How many resources are sent at the same time. */
const LANES = 12;
const GATHER_MS = 300;
const BACKOFF = { firstMs: 500, maxMs: 30_000 };
/** The digest of a resource without findings. */
const NOTHING = '';

/**
 * Judges objects and sends the operator only changed results, so an unchanged pass sends no findings. This process does not know what was
 * sent before its start. The first pass therefore starts a new scan, and the operator resolves findings that are not reported again.
 */
export function scan({
  inventory,
  operator,
  hiddenNamespaces,
  minor,
  log,
  clock = () => performance.now(),
  gatherMs = GATHER_MS,
  backoff = BACKOFF,
}: ScanDeps): Scan {
  const told = new Map<string, string>();
  const waiting = new Set<string>();
  const busy = new Set<string>();
  const stopping = new AbortController();
  let hasBegun = false;
  let timer: NodeJS.Timeout | undefined;
  let passes: Promise<void> = Promise.resolve();
  const asked = new Map<string, Promise<void>>();

  const judge = async (key: string): Promise<void> => {
    const object = inventory.get(key);
    if (!object) {
      if (told.get(key)) await operator.remove(key);
      told.delete(key);
      return;
    }
    const findings = judgeVisible(object, hiddenNamespaces, { minor: minor(), around: inventory.around(object.metadata.namespace ?? '') });
    const digest = findings.length > 0 ? hash('sha1', JSON.stringify(findings), 'base64') : NOTHING;
    if ((told.get(key) ?? NOTHING) !== digest) await operator.replace(key, findings);
    told.set(key, digest);
  };
  /** The next resource to send. A resource never has two requests in flight, because they must arrive in order. */
  const nextKey = (): string | undefined => {
    for (const key of waiting) if (!busy.has(key)) return key;
    return undefined;
  };
  const lane = async (): Promise<void> => {
    for (let key = nextKey(); key !== undefined && !stopping.signal.aborted; key = nextKey()) {
      waiting.delete(key);
      busy.add(key);
      try {
        await judge(key);
      } catch (error) {
        waiting.add(key);
        throw error;
      } finally {
        busy.delete(key);
      }
    }
  };
  /** Judges everything in the queue. Throws OperatorAway; unsent objects stay in the queue. */
  const drain = nextFlight(async () => {
    if (stopping.signal.aborted) return;
    if (!hasBegun) await operator.clear();
    hasBegun = true;
    const ends = await Promise.allSettled(Array.from({ length: LANES }, lane));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
  });
  /** Repeats `drain` until it succeeds, because the operator may be away for a long time. */
  const drainWhole = async (): Promise<void> => {
    for (let failures = 1; !stopping.signal.aborted; failures += 1) {
      try {
        await drain();
        return;
      } catch (error) {
        if (!(error instanceof OperatorAway)) throw error;
        log.warn({ why: error.message, waiting: waiting.size }, 'operator is away');
        await sleep(jittered(backoffMs(backoff, failures)), undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  const judgeAll = async (reason: string): Promise<void> => {
    await toOperator(() => operator.status({ status: 'started', reason }));
    const began = clock();
    for (const key of [...inventory.keys(), ...told.keys()]) waiting.add(key);
    try {
      await drainWhole();
    } catch (error) {
      log.error({ err: error }, 'scan failed');
      await toOperator(() => operator.status({ status: 'failed', reason: `${reason}: ${(error as Error).message}`.slice(0, MAX_REASON) }));
      return;
    }
    if (stopping.signal.aborted) return;
    const seconds = (clock() - began) / 1000;
    const missing = inventory.missing();
    if (missing.length > 0) log.warn({ kinds: missing }, 'these kinds cannot be listed: they were not scanned');
    log.info({ reason, resources: told.size, seconds }, 'scan completed');
    await toOperator(() => operator.duration(seconds));
    await toOperator(() =>
      operator.status({ status: 'completed', reason: missing.length > 0 ? `${reason} (could not list ${missing.join(', ')})` : reason }),
    );
  };
  /** Sends something optional; it is dropped if the operator is away. */
  const toOperator = (tell: () => Promise<void>): Promise<void> =>
    tell().catch((error: unknown) => log.warn({ why: (error as Error).message }, 'operator was not told how the scan goes'));

  return {
    changed(keys) {
      for (const key of keys) waiting.add(key);
      // Before the first pass there is nothing to do: that pass judges everything.
      if (!hasBegun || waiting.size === 0 || stopping.signal.aborted) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void drainWhole().catch((error: unknown) => log.error({ err: error }, 'scan of changes failed'));
      }, gatherMs);
    },
    pass(reason) {
      const same = asked.get(reason);
      if (same) return same;
      const mine = passes.then(async () => {
        asked.delete(reason);
        if (!stopping.signal.aborted) await judgeAll(reason);
      });
      asked.set(reason, mine);
      passes = mine.catch(() => undefined);
      return mine;
    },
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await passes;
      await drain().catch(() => undefined);
    },
  };
}

const MAX_REASON = 1000;

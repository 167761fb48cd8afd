import { setTimeout as sleep } from 'node:timers/promises';
import type { FailingPod, Heartbeat } from '../contract/agent.ts';
import type { FailureReport } from '../contract/failure.ts';
import type { Http } from '../http.ts';
import type { Logger } from '../log.ts';
import { occurrenceKey, recordIdentity } from './identity.ts';

export interface ReporterDeps {
  http: Http;
  /** Without a trailing slash. */
  backendUrl: string;
  serviceToken: string;
  log: Logger;
  limits?: { items: number; bytes: number };
  /** First and longest wait between attempts, in milliseconds, each give or take a quarter. */
  backoff?: { firstMs: number; maxMs: number };
}

/** Tells the operator, in order, and keeps what it cannot tell while the operator is away. */
export interface Reporter {
  report(report: FailureReport): void;
  gone(pod: Omit<FailingPod, 'container'>, reason: 'deleted' | 'recovered'): void;
  /** Sent at once, past what waits, and never kept: the next one says more. Answers whether it arrived. */
  heartbeat(node: string, heartbeat: Omit<Heartbeat, 'spooled' | 'dropped'>): Promise<boolean>;
  /** What waits and what was lost since the start. */
  stats(): { spooled: number; dropped: number };
  /** Tries once more to tell what waits, for at most `withinMs`. */
  stop(withinMs?: number): Promise<void>;
}

interface Item {
  /** Of reports: a newer one of the same key replaces it. */
  key: string | undefined;
  path: string;
  body: string;
}

const LIMITS = { items: 1_000, bytes: 32 * 1024 * 1024 };
const BACKOFF = { firstMs: 500, maxMs: 30_000 };
/** The operator's answer to a message that it will never take. */
const REFUSALS = new Set([400, 404, 405, 413, 415, 422]);

export function reporter(deps: ReporterDeps): Reporter {
  const { http, backendUrl, serviceToken, log, limits = LIMITS, backoff = BACKOFF } = deps;
  const spool: Item[] = [];
  const stopping = new AbortController();
  let bytes = 0;
  let dropped = 0;
  let sending: Promise<void> | undefined;

  const ask = async (method: 'POST' | 'PUT', path: string, body: string): Promise<number> => {
    const headers = { 'content-type': 'application/json', 'x-service-token': serviceToken };
    return (await http(backendUrl + path, { method, headers, body })).status;
  };
  const take = (item: Item | undefined) => {
    if (item) bytes -= item.body.length;
    return item;
  };
  const add = (item: Item) => {
    // The first one may be on its way, and is left alone.
    const same = item.key === undefined ? -1 : spool.findIndex(({ key }, index) => index > 0 && key === item.key);
    if (same > 0) take(spool.splice(same, 1)[0]);
    spool.push(item);
    bytes += item.body.length;
    while (spool.length > limits.items || (bytes > limits.bytes && spool.length > 1)) {
      take(spool.shift());
      dropped += 1;
      log.warn({ spooled: spool.length, dropped }, 'spool is full: the oldest report was dropped');
    }
    sending ??= drain().finally(() => (sending = undefined));
  };
  /** Whether the first item is done with, one way or another. */
  const send = async ({ path, body }: Item): Promise<boolean> => {
    try {
      const status = await ask('POST', path, body);
      if (status < 300) return true;
      log.warn({ status, path }, REFUSALS.has(status) ? 'operator refused a message: it is dropped' : 'operator did not take a message');
      return REFUSALS.has(status);
    } catch (error) {
      log.warn({ err: error, path, spooled: spool.length }, 'operator is away');
      return false;
    }
  };
  const drain = async () => {
    let wait = backoff.firstMs;
    for (let item = spool[0]; item; item = spool[0]) {
      if (await send(item)) {
        // It may have been dropped meanwhile.
        if (spool[0] === item) take(spool.shift());
        wait = backoff.firstMs;
        continue;
      }
      if (stopping.signal.aborted) return;
      await sleep(wait * (0.75 + Math.random() / 2), undefined, { signal: stopping.signal }).catch(() => undefined);
      wait = Math.min(wait * 2, backoff.maxMs);
    }
  };

  return {
    report(report) {
      const key = `${recordIdentity(report)}|${occurrenceKey(report)}`;
      add({ key, path: '/api/pods/failed', body: JSON.stringify(report) });
    },
    gone({ pod_uid, pod_name, namespace }, reason) {
      add({ key: undefined, path: '/api/pods/dismiss-deleted', body: JSON.stringify({ pod_uid, pod_name, namespace, reason }) });
    },
    async heartbeat(node, heartbeat) {
      const body = JSON.stringify({ ...heartbeat, spooled: spool.length, dropped } satisfies Heartbeat);
      try {
        const status = await ask('PUT', `/api/agents/${encodeURIComponent(node)}`, body);
        if (status >= 300) log.warn({ status }, 'operator did not take the heartbeat');
        return status < 300;
      } catch (error) {
        log.warn({ err: error }, 'heartbeat did not arrive');
        return false;
      }
    },
    stats: () => ({ spooled: spool.length, dropped }),
    async stop(withinMs = 3_000) {
      stopping.abort();
      const last = async () => {
        await sending;
        if (spool.length > 0) await drain();
      };
      await Promise.race([last(), sleep(withinMs, undefined, { ref: false })]);
    },
  };
}

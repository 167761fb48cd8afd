import { setTimeout as sleep } from 'node:timers/promises';
import type { DismissDeleted, FailingPod, Heartbeat } from '../contract/agent.ts';
import type { FailureReport } from '../contract/failure.ts';
import type { Http, HttpAnswer } from '../http.ts';
import type { Logger } from '../log.ts';
import { occurrenceKey, recordIdentity } from './identity.ts';

export interface ReporterDeps {
  http: Http;
  /** Without a trailing slash. */
  backendUrl: string;
  serviceToken: string;
  log: Logger;
  now: () => Date;
  limits?: { items: number; bytes: number };
  /** First and longest wait between attempts, in milliseconds, each give or take a quarter. */
  backoff?: { firstMs: number; maxMs: number };
}

/** Tells the operator, in order, and keeps what it cannot tell while the operator is away. */
export interface Reporter {
  report(report: FailureReport): void;
  gone(pod: Omit<FailingPod, 'container'>, end: { reason: 'deleted' | 'recovered'; seenAt: Date }): void;
  /**
   * Sent at once, past what waits, and never kept: the next one says more. Pods of which something waits are unsettled besides, so
   * that it does not end their records before their own story does. Answers the uids of which the operator has no record and nothing
   * waits; undefined when it did not arrive.
   */
  heartbeat(node: string, heartbeat: Omit<Heartbeat, 'spooled' | 'dropped'>): Promise<string[] | undefined>;
  /** What waits and what was lost since the start. */
  stats(): { spooled: number; dropped: number };
  /** Tries once more to tell what waits, for at most `withinMs`. */
  stop(withinMs?: number): Promise<void>;
}

interface Item {
  /** Of reports: a newer one of the same key takes its place, until something else is told of the pod. */
  key: string | undefined;
  pod: FailingPod;
  node: string | null | undefined;
  /** When it was first seen. */
  seenAt: string | null | undefined;
  path: string;
  body: string;
}

const LIMITS = { items: 1_000, bytes: 32 * 1024 * 1024 };
const BACKOFF = { firstMs: 500, maxMs: 30_000 };
/** The operator's answer to a message that it will never take. */
const REFUSALS = new Set([400, 404, 405, 413, 415, 422]);

export function reporter(deps: ReporterDeps): Reporter {
  const { http, backendUrl, serviceToken, log, now, limits = LIMITS, backoff = BACKOFF } = deps;
  const spool: Item[] = [];
  const stopping = new AbortController();
  let bytes = 0;
  let dropped = 0;
  let sending: Promise<void> | undefined;

  const ask = async (method: 'POST' | 'PUT', path: string, body: string): Promise<HttpAnswer> => {
    // The date lets the operator see by how much this clock is wrong.
    const headers = { 'content-type': 'application/json', 'x-service-token': serviceToken, date: now().toUTCString() };
    return await http(backendUrl + path, { method, headers, body });
  };
  const take = (item: Item | undefined) => {
    if (item) bytes -= item.body.length;
    return item;
  };
  const add = (item: Item) => {
    spool.push(item);
    bytes += item.body.length;
    while (spool.length > limits.items || (bytes > limits.bytes && spool.length > 1)) {
      take(spool.shift());
      dropped += 1;
      log.warn({ spooled: spool.length, dropped }, 'spool is full: the oldest report was dropped');
    }
    sending ??= drain().finally(() => (sending = undefined));
  };
  /** Puts a report in the place of an earlier one of the same occurrence, which is then told with what is known by now. */
  const replace = (same: Item, report: FailureReport) => {
    bytes -= same.body.length;
    same.body = JSON.stringify({ ...report, observed_at: same.seenAt });
    bytes += same.body.length;
  };
  /** Whether the first item is done with, one way or another. */
  const send = async ({ path, body }: Item): Promise<boolean> => {
    try {
      const { status } = await ask('POST', path, body);
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
      // The first one may be on its way, and is left alone.
      const same = spool.find((item, index) => index > 0 && item.key === key);
      if (same) return replace(same, report);
      const { pod_name, namespace, pod_uid, node_name, observed_at } = report;
      const pod = { pod_uid: pod_uid ?? '', pod_name, namespace };
      add({ key, pod, node: node_name, seenAt: observed_at, path: '/api/pods/failed', body: JSON.stringify(report) });
    },
    gone({ pod_uid, pod_name, namespace }, { reason, seenAt }) {
      const pod = { pod_uid, pod_name, namespace };
      const observed_at = seenAt.toISOString();
      const earlier = spool.filter((item) => item.pod.pod_uid === pod_uid);
      for (const item of earlier) item.key = undefined;
      const body = JSON.stringify({ ...pod, reason, observed_at } satisfies DismissDeleted);
      add({ key: undefined, pod, node: earlier[0]?.node, seenAt: observed_at, path: '/api/pods/dismiss-deleted', body });
    },
    async heartbeat(node, heartbeat) {
      const waiting = new Map(spool.filter((item) => !item.node || item.node === node).map(({ pod }) => [pod.pod_uid, pod]));
      const unsettled = [...(heartbeat.unsettled ?? []), ...waiting.values()];
      const body = JSON.stringify({ ...heartbeat, unsettled, spooled: spool.length, dropped } satisfies Heartbeat);
      try {
        const { status, body: answer } = await ask('PUT', `/api/agents/${encodeURIComponent(node)}`, body);
        if (status < 300) return unknownIn(answer).filter((uid) => !spool.some(({ pod }) => pod.pod_uid === uid));
        log.warn({ status }, 'operator did not take the heartbeat');
      } catch (error) {
        log.warn({ err: error }, 'heartbeat did not arrive');
      }
      return undefined;
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

/** An operator of another version may say less, or nothing. */
function unknownIn(answer: string): string[] {
  const { unknown } = (answer.startsWith('{') ? JSON.parse(answer) : {}) as { unknown?: string[] };
  return unknown ?? [];
}

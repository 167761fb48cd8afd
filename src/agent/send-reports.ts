import { setTimeout as sleep } from 'node:timers/promises';
import { type Backoff, backoffMs, jittered } from '../async/backoff.ts';
import { singleFlight } from '../async/single-flight.ts';
import type { DismissDeleted, FailingPod, Heartbeat } from '../contract/agent.ts';
import type { FailureReport } from '../contract/failure.ts';
import type { Http, HttpAnswer } from '../http.ts';
import type { Logger } from '../log.ts';
import { messageSpool, SPOOL_LIMITS, type SpooledMessage, type SpoolLimits } from './spool.ts';
import { occurrenceOf, recordIdentity } from '../failures/policy/identity.ts';

export interface ReporterDeps {
  http: Http;
  /** Without a trailing slash. */
  backendUrl: string;
  serviceToken: string;
  log: Logger;
  now: () => Date;
  limits?: SpoolLimits;
  /** The waits between attempts. Each wait is jittered. */
  backoff?: Backoff;
}

/** Sends messages to the operator in order, and keeps them in a spool while the operator is away. */
export interface Reporter {
  report(report: FailureReport): void;
  gone(pod: Omit<FailingPod, 'container'>, end: { reason: 'deleted' | 'recovered'; seenAt: Date }): void;
  /**
   * Sends a heartbeat at once, before the waiting reports. A failed heartbeat is not kept, because the next one is more recent. Adds the
   * pods with a message in the spool as unsettled, so that the heartbeat does not end their records. Returns the uids of pods that have
   * neither a record nor a message in the spool; undefined if the heartbeat did not arrive.
   */
  heartbeat(node: string, heartbeat: Omit<Heartbeat, 'spooled' | 'dropped'>): Promise<string[] | undefined>;
  /** The numbers of messages that wait, and of messages that were lost since the start. */
  stats(): { spooled: number; dropped: number };
  /** Tries once more to send the waiting messages, for at most `withinMs`. */
  stop(withinMs?: number): Promise<void>;
}

const BACKOFF = { firstMs: 500, maxMs: 30_000 };
/** Statuses of messages that the operator will never accept. */
const REFUSALS = new Set([400, 404, 405, 413, 415, 422]);

export function reporter(deps: ReporterDeps): Reporter {
  const { http, backendUrl, serviceToken, log, now, limits = SPOOL_LIMITS, backoff = BACKOFF } = deps;
  const spool = messageSpool(limits);
  const stopping = new AbortController();

  const ask = async (method: 'POST' | 'PUT', path: string, body: string): Promise<HttpAnswer> => {
    // The operator uses the Date header to correct times of this machine's clock.
    const headers = { 'content-type': 'application/json', 'x-service-token': serviceToken, date: now().toUTCString() };
    return await http(backendUrl + path, { method, headers, body });
  };
  const add = (message: SpooledMessage) => {
    if (spool.add(message) > 0) log.warn(spool.stats(), 'spool is full: the oldest report was dropped');
    void drainOnce();
  };
  /** Whether the message is done: sent, or refused for good. */
  const send = async ({ path, body }: SpooledMessage): Promise<boolean> => {
    try {
      const { status } = await ask('POST', path, body);
      if (status < 300) return true;
      log.warn({ status, path }, refusalOf(status) ?? 'operator did not take a message');
      return REFUSALS.has(status);
    } catch (error) {
      log.warn({ err: error, path, ...spool.stats() }, 'operator is away');
      return false;
    }
  };
  const drain = async () => {
    let failures = 0;
    for (let message = spool.first(); message; message = spool.first()) {
      if (await send(message)) {
        spool.remove(message);
        failures = 0;
        continue;
      }
      if (stopping.signal.aborted) return;
      failures += 1;
      await sleep(jittered(backoffMs(backoff, failures)), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const drainOnce = singleFlight(drain);

  return {
    report(report) {
      const key = `${recordIdentity(report)}|${occurrenceOf(report)}`;
      // A report of the same occurrence has newer evidence.
      const same = spool.replaceable(key);
      if (same) return spool.replace(same, JSON.stringify({ ...report, observed_at: same.seenAt }));
      const { pod_name, namespace, pod_uid, node_name, observed_at } = report;
      const pod = { pod_uid: pod_uid ?? '', pod_name, namespace };
      add({ key, pod, node: node_name, seenAt: observed_at, path: '/api/pods/failed', body: JSON.stringify(report) });
    },
    gone({ pod_uid, pod_name, namespace }, { reason, seenAt }) {
      const pod = { pod_uid, pod_name, namespace };
      const observed_at = seenAt.toISOString();
      const earlier = spool.about(pod_uid);
      for (const message of earlier) message.key = undefined;
      const body = JSON.stringify({ ...pod, reason, observed_at } satisfies DismissDeleted);
      add({ key: undefined, pod, node: earlier[0]?.node, seenAt: observed_at, path: '/api/pods/dismiss-deleted', body });
    },
    async heartbeat(node, heartbeat) {
      const unsettled = [...(heartbeat.unsettled ?? []), ...spool.podsOf(node)];
      const body = JSON.stringify({ ...heartbeat, unsettled, ...spool.stats() } satisfies Heartbeat);
      try {
        const { status, body: answer } = await ask('PUT', `/api/agents/${encodeURIComponent(node)}`, body);
        if (status < 300) return unknownIn(answer).filter((uid) => spool.about(uid).length === 0);
        log.warn({ status }, status === 401 ? TOKEN_REFUSED : 'operator did not take the heartbeat');
      } catch (error) {
        log.warn({ err: error }, 'heartbeat did not arrive');
      }
      return undefined;
    },
    stats: spool.stats,
    async stop(withinMs = 3_000) {
      stopping.abort();
      const last = async () => {
        await drainOnce();
        if (spool.first()) await drainOnce();
      };
      await Promise.race([last(), sleep(withinMs, undefined, { ref: false })]);
    },
  };
}

const TOKEN_REFUSED = 'the operator refused our SERVICE_TOKEN';

/** Why the operator will not accept a message; undefined if it may accept it later. */
function refusalOf(status: number): string | undefined {
  if (status === 401) return TOKEN_REFUSED;
  return REFUSALS.has(status) ? 'operator refused a message: it is dropped' : undefined;
}

/** Reads the uids from an answer. An operator of another version may return less, or nothing. */
function unknownIn(answer: string): string[] {
  const { unknown } = (answer.startsWith('{') ? JSON.parse(answer) : {}) as { unknown?: string[] };
  return unknown ?? [];
}

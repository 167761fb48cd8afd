import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { FailureDetail, FailureStatus } from '../../contract/failure.ts';
import type { MirrorRecord } from '../../contract/mirror.ts';
import type { SocketMessage } from '../../contract/socket.ts';
import type { Finding } from '../../contract/finding.ts';
import { applyToFindings, applyToMirrors, type FindingList } from './apply.ts';
import { dropEarly } from './early.ts';
import { pulse, PULSE } from './pulse.ts';
import { type Rescan, rescanAfter } from './rescan.ts';
import { type Connection, liveSocket } from './socket.ts';
import { staleAfter } from './stale.ts';

/** Messages are applied in batches, so that a storm is one update of the screen. */
const GATHER_MS = 100;
/** If more messages than this arrive at once, everything is reloaded instead. */
const MOST = 500;
/** The minimum time between two reloads of stale lists. */
const RELOAD_MS = 1_000;

/** The state of the connection. `away`: the server does not answer at all. `asOf` is the time of the data while no changes arrive. */
export interface Live {
  connection: Connection | 'away';
  asOf: Date | null;
}

/** Keeps the loaded data up to date and returns the state of the connection. Calls `ended` when the session has ended. */
export function useLive(ended: () => void): Live {
  const client = useQueryClient();
  const [connection, setConnection] = useState<Connection>('connecting');
  const [isAway, setAway] = useState(false);
  const [asOf, setAsOf] = useState<Date | null>(null);
  useEffect(() => {
    let isLive = false;
    let wasLive = false;
    let lastSignAt: Date | undefined;
    let waiting: SocketMessage[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const reload = reloader(client);
    const take = (): void => {
      timer = undefined;
      const messages = waiting;
      waiting = [];
      if (messages.length > MOST) return void client.invalidateQueries();
      for (const message of messages) takeIn(client, message);
      reload(messages.flatMap(staleAfter));
    };
    const socket = liveSocket({
      open: () => new WebSocket(new URL('/api/ws', location.href.replace(/^http/, 'ws'))),
      setTimeout: (callback, ms) => setTimeout(callback, ms),
      clearTimeout: (timer) => clearTimeout(timer as number),
      random: Math.random,
      message: (message) => {
        lastSignAt = new Date();
        waiting.push(message);
        timer ??= setTimeout(take, GATHER_MS);
      },
      changed: (now) => {
        isLive = now === 'live';
        if (isLive) lastSignAt = new Date();
        setConnection(now);
        setAsOf(isLive ? null : (lastSignAt ?? null));
        // Messages between loading a list and now were missed. The same requests also notice a lost session.
        if (now === 'live' && !wasLive) void reloadLoaded(client);
        else if (now === 'live' || now === 'refused') void client.invalidateQueries();
        wasLive ||= now === 'live';
        // The progress of a rescan meanwhile is unknown.
        if (now !== 'live') client.setQueryData<Rescan | null>(['rescan'], null);
        if (now === 'refused') ended();
      },
    });
    let wasAway = false;
    const heart = pulse({
      ask: async () => {
        const { status } = await fetch('/health', { cache: 'no-store', signal: AbortSignal.timeout(PULSE.answerMs) });
        if (status >= 500) throw new Error(String(status));
      },
      setTimeout: (callback, ms) => setTimeout(callback, ms),
      clearTimeout: (timer) => clearTimeout(timer as number),
      answered: () => {
        if (isLive && !wasAway) lastSignAt = new Date();
        setAway(false);
        // The messages that a connection missed while the server was away are unknown.
        if (wasAway) socket.renew();
        wasAway = false;
      },
      missed: () => {
        wasAway = true;
        setAway(true);
        setAsOf(lastSignAt ?? null);
      },
    });
    const retry = (): void => {
      if (document.visibilityState !== 'visible') return heart.pause();
      socket.retry();
      heart.now();
    };
    retry();
    addEventListener('online', retry);
    document.addEventListener('visibilitychange', retry);
    return () => {
      clearTimeout(timer);
      heart.pause();
      removeEventListener('online', retry);
      document.removeEventListener('visibilitychange', retry);
      socket.close();
    };
  }, [client, ended]);
  return { connection: isAway && connection !== 'refused' ? 'away' : connection, asOf };
}

/**
 * Loads all data again after the first connection. Running requests are not cancelled, because this would delay the first rows. Their data is
 * shown, and then loaded again, because it may be older than the connection.
 */
async function reloadLoaded(client: QueryClient): Promise<void> {
  const loading = client.getQueryCache().findAll({ fetchStatus: 'fetching' });
  const again = loading.map(async ({ promise, queryKey }) => {
    await promise?.catch(() => undefined);
    await client.invalidateQueries({ queryKey, exact: true });
  });
  await Promise.all([client.invalidateQueries({ predicate: (query) => !loading.includes(query) }), ...again]);
  dropEarly();
}

/**
 * Reloads stale data soon, but not too often, and only after the previous answer arrived, so that a storm of messages does not cancel every
 * answer.
 */
function reloader(client: QueryClient): (keys: readonly string[]) => void {
  const stale = new Set<string>();
  let isBusy = false;
  const run = async (): Promise<void> => {
    const keys = [...stale];
    stale.clear();
    await Promise.allSettled(keys.map((key) => client.invalidateQueries({ queryKey: [key] })));
    isBusy = false;
    schedule();
  };
  const schedule = (): void => {
    if (isBusy || stale.size === 0) return;
    isBusy = true;
    setTimeout(() => void run(), RELOAD_MS);
  };
  return (keys) => {
    for (const key of keys) stale.add(key);
    schedule();
  };
}

/** Applies a message about a failure or a mirror to the loaded data. Lists are reloaded (`stale.ts`). */
function takeIn(client: QueryClient, message: SocketMessage): void {
  const again = (id: number): void => void client.invalidateQueries({ queryKey: ['failure', id] });
  switch (message.type) {
    case 'pod_failure':
      return again(message.data.id);
    case 'pod_status_change':
      setStatus(client, message.data.id, message.data.status);
      if (message.data.incident_id !== undefined) triaged(client, message.data.incident_id);
      return again(message.data.id);
    case 'solution_updated':
      return again(message.data.id);
    case 'pod_deleted':
    case 'suppression_change':
      return void client.invalidateQueries({ queryKey: ['failure'] });
    case 'mirror_status': {
      const record: MirrorRecord = message.data;
      client.setQueryData<MirrorRecord[]>(['mirrors'], (known) => known && applyToMirrors(known, record));
      if (record.pod_id !== null) again(record.pod_id);
      return;
    }
    case 'security_finding':
      return takeFinding(client, message.data, false);
    case 'finding_deleted':
      return takeFinding(client, message.data, true);
    case 'security_rescan_status':
      return takeRescan(client, message);
  }
}

/** Loads the comments of an incident again, and all its loaded records, which show the assignee. */
function triaged(client: QueryClient, incident: number): void {
  void client.invalidateQueries({ queryKey: ['comments', incident] });
  void client.invalidateQueries({
    queryKey: ['failure'],
    predicate: ({ state }) => (state.data as FailureDetail | undefined)?.incident_id === incident,
  });
}

/** A list of findings in the cache. `isWhole` means that there are no more. */
export interface LoadedFindings {
  findings: Finding[];
  isWhole: boolean;
}

function takeFinding(client: QueryClient, finding: Finding, isDeleted: boolean): void {
  for (const [key, known] of client.getQueriesData<LoadedFindings>({ queryKey: ['findings'] })) {
    const list = key[1] as FindingList;
    if (known) client.setQueryData<LoadedFindings>(key, { ...known, findings: applyToFindings(known.findings, finding, isDeleted, list) });
  }
  client.setQueryData<Finding>(['finding', finding.id], (known) => known && finding);
  client.setQueryData<Rescan | null>(['rescan'], (known) => known && { ...known, changes: known.changes + 1 });
}

function takeRescan(client: QueryClient, { data }: Extract<SocketMessage, { type: 'security_rescan_status' }>): void {
  client.setQueryData<Rescan | null>(['rescan'], (known) => rescanAfter(known, data, new Date()));
}

function setStatus(client: QueryClient, id: number, status: FailureStatus): void {
  client.setQueryData<FailureDetail>(['failure', id], (known) => known && { ...known, status });
}

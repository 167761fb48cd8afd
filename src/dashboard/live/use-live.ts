import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { FailureDetail, FailureStatus } from '../../contract/failure.ts';
import type { MirrorRecord } from '../../contract/mirror.ts';
import type { SocketMessage } from '../../contract/socket.ts';
import { applyToMirrors, applyToPages, type ListName, type Page } from './apply.ts';
import { type Connection, liveSocket } from './socket.ts';

/** Messages are applied in batches: a storm of them is one update of the screen. */
const GATHER_MS = 100;
/** With more messages than this at once, the screen is reloaded. */
const MOST = 500;
/** Lists that must be asked for again are, at most this often. */
const RELOAD_MS = 1_000;

/** Keeps the loaded data in step with the server and returns the state of the connection. Calls `ended` when the session has ended. */
export function useLive(ended: () => void): Connection {
  const client = useQueryClient();
  const [connection, setConnection] = useState<Connection>('connecting');
  useEffect(() => {
    let waiting: SocketMessage[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const reload = reloader(client);
    const take = (): void => {
      timer = undefined;
      const messages = waiting;
      waiting = [];
      if (messages.length > MOST) void client.invalidateQueries();
      else if (takeIn(client, messages)) reload();
    };
    const socket = liveSocket({
      open: () => new WebSocket(new URL('/api/ws', location.href.replace(/^http/, 'ws'))),
      setTimeout: (callback, ms) => setTimeout(callback, ms),
      clearTimeout: (timer) => clearTimeout(timer as number),
      random: Math.random,
      message: (message) => {
        waiting.push(message);
        timer ??= setTimeout(take, GATHER_MS);
      },
      changed: (now) => {
        setConnection(now);
        // What came between the loading of a list and this moment was missed; a lost session is noticed by the same requests.
        if (now === 'live' || now === 'refused') void client.invalidateQueries();
        if (now === 'refused') ended();
      },
    });
    const retry = (): void => {
      if (document.visibilityState === 'visible') socket.retry();
    };
    addEventListener('online', retry);
    document.addEventListener('visibilitychange', retry);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', retry);
      document.removeEventListener('visibilitychange', retry);
      socket.close();
    };
  }, [client, ended]);
  return connection;
}

/** Asks for the lists again, soon and not too often. */
function reloader(client: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void client.invalidateQueries({ queryKey: ['failures'] });
    }, RELOAD_MS);
  };
}

/** Puts messages into what is loaded; true when a list must be asked for again. */
function takeIn(client: QueryClient, messages: SocketMessage[]): boolean {
  let mustReload = false;
  for (const query of client.getQueryCache().findAll({ queryKey: ['failures'] })) {
    const [, list, search] = query.queryKey as [string, ListName, string];
    client.setQueryData<InfiniteData<Page, string>>(query.queryKey, (data) => {
      if (!data) return data;
      let { pages } = data;
      for (const message of messages) {
        const next = applyToPages(pages, message, { list, search });
        if (next === 'reload') mustReload = true;
        else pages = next;
      }
      return pages === data.pages ? data : { ...data, pages };
    });
  }
  for (const message of messages) takeInOne(client, message);
  return mustReload;
}

/** Messages about one failure or its mirrors. */
function takeInOne(client: QueryClient, message: SocketMessage): void {
  const again = (id: number): void => void client.invalidateQueries({ queryKey: ['failure', id] });
  switch (message.type) {
    case 'pod_failure':
      return again(message.data.id);
    case 'pod_status_change':
      setStatus(client, message.data.id, message.data.status);
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
    }
  }
}

function setStatus(client: QueryClient, id: number, status: FailureStatus): void {
  client.setQueryData<FailureDetail>(['failure', id], (known) => known && { ...known, status });
}

import type { Api } from './api.ts';
import type { Clock } from '../clock.ts';
import { expired } from './errors.ts';
import type { Kind } from '../kinds/kinds.ts';
import { apiVersionOf } from '../kinds/kinds.ts';
import { selectorOf } from './list.ts';
import type { Loose, Stored } from '../store/object.ts';
import { shownAs } from '../table/served-version.ts';
import type { Change } from '../store/store.ts';

/** Where the events of a watch go, and how it learns that the client has gone. */
export interface WatchSink {
  send(event: { type: string; object: Loose }): void;
  end(): void;
}

/** A bookmark at least this often, so that idle watches can resume from near where they are. */
const BOOKMARK_MS = 60_000;

/**
 * Sends what a watch request asks for: all existing objects (no resource version, `0` or `sendInitialEvents`), or the changes since a
 * resource version; then changes as they happen, for `timeoutSeconds`. Returns a function that stops it.
 */
export function startWatch(
  { api, clock }: { api: Api; clock: Clock },
  kind: Kind,
  namespace: string | undefined,
  query: URLSearchParams,
  sink: WatchSink,
): () => void {
  const { store } = api;
  const matches = selectorOf(kind, query);
  const isMeant = (object: Stored) => (namespace === undefined || object.metadata.namespace === namespace) && matches(object);
  const send = (type: string, object: Stored) => sink.send({ type, object: shownAs(kind, object) });

  function tell(change: Change): void {
    if (change.storage !== kind.storage) return;
    const isIn = change.type !== 'DELETED' && isMeant(change.object);
    const wasIn = change.previous !== undefined && isMeant(change.previous);
    if (isIn) send(wasIn ? 'MODIFIED' : 'ADDED', change.object);
    else if (wasIn)
      send('DELETED', {
        ...(change.previous as Stored),
        metadata: { ...(change.previous as Stored).metadata, resourceVersion: String(change.revision) },
      });
  }

  const bookmark = (annotations?: Record<string, string>) =>
    sink.send({
      type: 'BOOKMARK',
      object: {
        kind: kind.kind,
        apiVersion: apiVersionOf(kind),
        metadata: { resourceVersion: String(store.revision), creationTimestamp: null, ...(annotations && { annotations }) },
      },
    });

  const from = query.get('resourceVersion') ?? '';
  const wantsInitial = query.get('sendInitialEvents') === 'true';
  if (wantsInitial || from === '' || from === '0') {
    for (const object of store.list(kind.storage, namespace)) if (isMeant(object)) send('ADDED', object);
    if (wantsInitial && query.get('allowWatchBookmarks') === 'true') bookmark({ 'k8s.io/initial-events-end': 'true' });
  } else {
    const missed = store.since(kind.storage, Number(from));
    if (!missed) {
      sink.send({ type: 'ERROR', object: expired(`too old resource version: ${from} (${store.oldest(kind.storage)})`).status() });
      sink.end();
      return () => undefined;
    }
    for (const change of missed) tell(change);
  }

  const forget = store.onChange(tell);
  const cancels: (() => void)[] = [];
  const stop = () => {
    forget();
    for (const cancel of cancels.splice(0)) cancel();
  };
  const seconds = Number(query.get('timeoutSeconds') ?? 0) || 1800 + Math.random() * 1800;
  cancels.push(
    clock.after(seconds * 1000, () => {
      stop();
      sink.end();
    }),
  );
  if (query.get('allowWatchBookmarks') === 'true') {
    const again = () => {
      bookmark();
      cancels[1] = clock.after(BOOKMARK_MS, again);
    };
    cancels[1] = clock.after(BOOKMARK_MS, again);
  }
  return stop;
}

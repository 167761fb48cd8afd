import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../crd/kubernetes.ts';
import type { Logger } from '../log.ts';
import type { KubeClient, Selection } from './connect.ts';
import { ClusterUnavailable, isKubeError, KubeError, kubeErrorOf, retryAfterOf } from './errors.ts';
import type { Kind } from './kinds.ts';
import { linesOf } from './lines.ts';
import { objectStore, type ObjectStore } from './store.ts';

export interface WatchOptions<T extends KubeObject, P extends KubeObject> extends Selection {
  /** Only these namespaces, one watch each; without it `namespace`, and without that all. */
  namespaces?: string[] | undefined;
  /** What is kept of an object, at most 4 KB; name, namespace, uid and resourceVersion must stay. It may change its argument. */
  project: (object: T) => P;
  log?: Logger | undefined;
  timing?: Partial<WatchTiming>;
}

export interface WatchTiming {
  /** First and longest wait after trouble, doubled in between, each give or take a quarter. */
  backoffMs: number;
  maxBackoffMs: number;
  /** A watch that says nothing for this long is taken for dead. API servers send a bookmark about every minute. */
  quietMs: number;
  /** How long a watch is asked to last; a random part of a fifth is taken off. */
  watchSeconds: number;
}

const TIMING: WatchTiming = { backoffMs: 250, maxBackoffMs: 10_000, quietMs: 90_000, watchSeconds: 300 };
/** A watch that lived this long, and longer than the wait before it, was healthy: the next trouble begins with the shortest wait. */
const HEALTHY_MS = 1_000;
const PAGE_SIZE = 500;

interface WatchEvent<T> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: T & { code?: number };
}

/** One watched collection: where in its history we are, undefined when it has to be listed (again); whether the cluster is away, and whether it says nothing. */
interface Scope {
  selection: Selection;
  version: string | undefined;
  isAway: boolean;
  isSilent: boolean;
}

export interface Cache<P extends KubeObject> extends Pick<ObjectStore<P>, 'get' | 'list' | 'byUid' | 'onChange' | 'seen'> {
  /** Resolves when everything has been listed once, however long the cluster is away, or when stopped. */
  start(): Promise<void>;
  /** Ends the watches; the content stays as it was. */
  stop(): Promise<void>;
  readonly synced: boolean;
  /** Calls whenever the cluster answers again after it did not. Returns its own end. */
  onReturn(listener: () => void): () => void;
}

/**
 * A cache of a kind that follows the cluster: listed in pages, then watched, listed again after a 410. It survives every kind of
 * trouble: refused, cut, quiet and half-dead connections, errors of any code. Changes missed meanwhile arrive as changes.
 */
export function watchKind<T extends KubeObject, P extends KubeObject = T>(
  client: Pick<KubeClient, 'page' | 'watch'>,
  kind: Kind<T>,
  { namespaces, namespace, labelSelector, fieldSelector, project, log, timing }: WatchOptions<T, P>,
): Cache<P> {
  const times = { ...TIMING, ...timing };
  const store = objectStore<P>(log);
  const stopping = new AbortController();
  const places = namespaces && namespaces.length > 0 ? namespaces : [namespace];
  const scopes = places.map((place): Scope => ({
    selection: { namespace: place, labelSelector, fieldSelector },
    version: undefined,
    isAway: false,
    isSilent: false,
  }));
  const unlisted = new Set(scopes);
  const listed = Promise.withResolvers<void>();
  const returns = new Set<() => void>();
  let loops: Promise<unknown> | undefined;

  const answered = (scope: Scope) => {
    if (!scope.isAway) return;
    scope.isAway = false;
    for (const listener of returns) listener();
  };
  const relist = async (scope: Scope) => {
    const keys = new Set<string>();
    let token: string | undefined;
    let version: string;
    do {
      const query = { limit: PAGE_SIZE, continue: token };
      const page = await client.page(kind, scope.selection, query, stopping.signal);
      for (const object of page.items) keys.add(store.put(project(object)));
      token = page.continueToken;
      version = page.resourceVersion;
    } while (token);
    store.keepOnly(keys, scope.selection.namespace);
    answered(scope);
    scope.version = version;
    unlisted.delete(scope);
    if (unlisted.size === 0) listed.resolve();
  };

  const take = (scope: Scope, { type, object }: WatchEvent<T>) => {
    if (type === 'ERROR') throw kubeErrorOf(object.code ?? 500, JSON.stringify(object));
    const { resourceVersion } = object.metadata;
    if (type === 'DELETED') store.drop(object);
    else if (type !== 'BOOKMARK') store.put(project(lean(object)));
    // After the content: trouble in between lets this event come again.
    scope.version = resourceVersion;
  };

  const follow = async (scope: Scope) => {
    const seconds = Math.round(times.watchSeconds * (1 - Math.random() / 5));
    const guard = quietGuard(times.quietMs, AbortSignal.any([stopping.signal, AbortSignal.timeout(seconds * 1000 + 30_000)]));
    const query = { resourceVersion: scope.version, allowWatchBookmarks: true, timeoutSeconds: seconds };
    try {
      const stream = await client.watch(kind, scope.selection, query, guard.signal);
      answered(scope);
      for await (const line of linesOf(stream)) {
        guard.heard();
        take(scope, JSON.parse(line) as WatchEvent<T>);
      }
    } finally {
      guard.end();
    }
  };

  const tell = (trouble: unknown) => {
    // Of a kind that has never changed since the API server's start there are no bookmarks: silence is the usual thing then.
    const level = trouble instanceof Quiet ? 'debug' : 'warn';
    log?.[level]({ kind: kind.kind, why: whyOf(trouble) }, 'watch interrupted');
  };

  /** One list or one watch, to its end. A list is followed by its watch at once, and a watch by the next unless it ended as soon as it began. */
  const turn = async (scope: Scope, waitedMs: number): Promise<{ smooth: boolean; healthy: boolean; notBeforeMs: number }> => {
    const began = performance.now();
    const listing = scope.version === undefined;
    const trouble = await attempt(() => (listing ? relist(scope) : follow(scope)));
    // An API server that answers at all, if only that it is starting, is tried again soon, however long the silence was.
    const isBack = trouble instanceof KubeError && (scope.isSilent || (trouble.code === 410 && scope.isAway));
    scope.isSilent = trouble !== undefined && !(trouble instanceof KubeError);
    if (isKubeError(trouble, 410)) {
      scope.version = undefined;
      answered(scope);
    } else if (trouble) scope.isAway = true;
    if (trouble && !stopping.signal.aborted) tell(trouble);
    const lived = performance.now() - began;
    return {
      smooth: !trouble && (listing || lived > HEALTHY_MS),
      healthy: isBack || (!listing && lived > Math.max(waitedMs, HEALTHY_MS)),
      notBeforeMs: retryAfterOf(trouble),
    };
  };

  const loop = async (scope: Scope) => {
    let wait = times.backoffMs;
    let waited = 0;
    while (!stopping.signal.aborted) {
      const { smooth, healthy, notBeforeMs } = await turn(scope, waited);
      if (healthy) wait = times.backoffMs;
      if (smooth) continue;
      waited = wait;
      await pause(notBeforeMs + wait * (0.75 + Math.random() / 2), stopping.signal);
      wait = Math.min(wait * 2, times.maxBackoffMs);
    }
  };
  return {
    get synced() {
      return unlisted.size === 0;
    },
    async start() {
      loops ??= Promise.all(scopes.map(loop));
      await listed.promise;
    },
    async stop() {
      stopping.abort();
      listed.resolve();
      await loops;
    },
    get: store.get,
    list: store.list,
    byUid: store.byUid,
    onChange: store.onChange,
    onReturn(listener) {
      returns.add(listener);
      return () => returns.delete(listener);
    },
    seen: store.seen,
  };
}

class Quiet extends Error {}

async function attempt(work: () => Promise<void>): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error ?? new Error('unknown');
  }
}

function whyOf(trouble: unknown): string {
  if (trouble instanceof ClusterUnavailable) return trouble.why;
  return trouble instanceof Error ? trouble.message : String(trouble);
}

function lean<T extends KubeObject>(object: T): T {
  delete object.metadata.managedFields;
  return object;
}

/** A signal that fires when `outer` does, or when nothing was heard for `quietMs`. */
function quietGuard(quietMs: number, outer: AbortSignal): { signal: AbortSignal; heard(): void; end(): void } {
  const quiet = new AbortController();
  const timer = setTimeout(() => quiet.abort(new Quiet(`nothing heard for ${quietMs} ms`)), quietMs);
  return { signal: AbortSignal.any([outer, quiet.signal]), heard: () => void timer.refresh(), end: () => clearTimeout(timer) };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, jittered } from '../async/backoff.ts';
import type { KubeObject } from '../crd/kubernetes.ts';
import { GROUP } from '../crd/mirrorpod.ts';
import type { Logger } from '../log.ts';
import type { KubeClient, Selection } from './client.ts';
import { ClusterUnavailable, isKubeError, KindNotServed, KubeError, kubeErrorOf, retryAfterOf } from './errors.ts';
import type { Kind } from './kinds.ts';
import { linesOf } from './lines.ts';
import { objectStore, type ObjectStore } from './store.ts';

export interface WatchOptions<T extends KubeObject, P extends KubeObject> extends Selection {
  /** Watches only these namespaces, with one watch for each. Default: `namespace`, or if that is not set either, all namespaces. */
  namespaces?: string[] | undefined;
  /** Returns the part of an object to keep, at most 4 KB. It must keep name, namespace, uid and resourceVersion, and may change its argument. */
  project: (object: T) => P;
  /** Set this for a kind that not every cluster serves. While the kind is not served, the cache is empty and counts as synced. */
  mayBeUnserved?: boolean;
  log?: Logger | undefined;
  timing?: Partial<WatchTiming>;
  /** Waits for this time, or until the signal fires. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds of a monotonic clock. */
  clock?: () => number;
}

export interface WatchTiming {
  /** The first and the longest wait after an error. Waits double in between, and vary by up to a quarter. */
  backoffMs: number;
  maxBackoffMs: number;
  /** A watch that sends nothing for this long counts as dead. API servers send a bookmark about every minute. */
  quietMs: number;
  /** How long a watch may last. Each watch ends earlier by a random part of a fifth of this. */
  watchSeconds: number;
}

const TIMING: WatchTiming = { backoffMs: 250, maxBackoffMs: 10_000, quietMs: 90_000, watchSeconds: 300 };
/** A watch that lived this long, and longer than the backoff before it, was healthy. The next error starts with the shortest backoff. */
const HEALTHY_MS = 1_000;
const PAGE_SIZE = 500;

interface WatchEvent<T> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: T & { code?: number };
}

/** One watched collection. `version` is where the watch continues; undefined when the collection must be listed (again). */
interface Scope {
  selection: Selection;
  version: string | undefined;
  isAway: boolean;
  isSilent: boolean;
}

export interface Cache<P extends KubeObject> extends Pick<ObjectStore<P>, 'get' | 'list' | 'byUid' | 'onChange' | 'seen'> {
  /** Resolves when everything was listed once, or when stopped. It waits as long as the cluster does not respond. */
  start(): Promise<void>;
  /** Ends the watches. The content stays. */
  stop(): Promise<void>;
  readonly synced: boolean;
  /** Calls `listener` whenever the cluster responds again. Returns a function that ends this. */
  onReturn(listener: () => void): () => void;
}

/**
 * A cache of one kind that follows the cluster: a list in pages, then a watch, and a new list after a 410. It survives refused, cut, silent
 * and half-dead connections, and errors with any code. Missed changes arrive later as changes.
 */
export function watchKind<T extends KubeObject, P extends KubeObject = T>(
  client: Pick<KubeClient, 'page' | 'watch'>,
  kind: Kind<T>,
  { namespaces, namespace, labelSelector, fieldSelector, project, log, timing, mayBeUnserved = false, ...options }: WatchOptions<T, P>,
): Cache<P> {
  const times = { ...TIMING, ...timing };
  const { pause = pauseFor, clock = () => performance.now() } = options;
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
  const isListed = (scope: Scope) => {
    unlisted.delete(scope);
    if (unlisted.size === 0) listed.resolve();
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
    isListed(scope);
  };

  const take = (scope: Scope, { type, object }: WatchEvent<T>) => {
    if (type === 'ERROR') throw kubeErrorOf(object.code ?? 500, JSON.stringify(object));
    const { resourceVersion } = object.metadata;
    if (type === 'DELETED') store.drop(object);
    else if (type !== 'BOOKMARK') store.put(project(lean(object)));
    // Set the version only after the content was stored, so that the event comes again if an error happens in between.
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

  const isUnserved = (trouble: unknown): boolean => mayBeUnserved && trouble instanceof KindNotServed;
  const tell = (trouble: unknown) => {
    // The API server sends no bookmarks for a kind that has not changed since its start, so silence is normal then.
    const level = trouble instanceof Quiet || isUnserved(trouble) ? 'debug' : 'warn';
    const isMissing = trouble instanceof KindNotServed && kind.apiVersion.startsWith(`${GROUP}/`);
    log?.[level]({ kind: kind.kind, why: whyOf(trouble) }, isMissing ? 'the custom resources are not installed' : 'watch interrupted');
  };

  /**
   * Runs one list or one watch to its end. A watch follows a list immediately. The next watch follows immediately too, unless the last one
   * ended at once.
   */
  const turn = async (scope: Scope, waitedMs: number): Promise<{ smooth: boolean; healthy: boolean; notBeforeMs: number }> => {
    const began = clock();
    const listing = scope.version === undefined;
    const trouble = await attempt(() => (listing ? relist(scope) : follow(scope)));
    // If the API server answers at all, even with a refusal during its start, retry soon.
    const isBack = trouble instanceof KubeError && (scope.isSilent || (trouble.code === 410 && scope.isAway));
    scope.isSilent = trouble !== undefined && !(trouble instanceof KubeError);
    if (isKubeError(trouble, 410)) {
      scope.version = undefined;
      answered(scope);
    } else if (trouble) scope.isAway = true;
    if (trouble && !stopping.signal.aborted) tell(trouble);
    if (isUnserved(trouble)) isListed(scope);
    const lived = clock() - began;
    return {
      smooth: !trouble && (listing || lived > HEALTHY_MS),
      healthy: isBack || (!listing && lived > Math.max(waitedMs, HEALTHY_MS)),
      notBeforeMs: retryAfterOf(trouble),
    };
  };

  const loop = async (scope: Scope) => {
    let failures = 0;
    let waited = 0;
    while (!stopping.signal.aborted) {
      const { smooth, healthy, notBeforeMs } = await turn(scope, waited);
      if (healthy) failures = 0;
      if (smooth) continue;
      failures += 1;
      waited = backoffMs({ firstMs: times.backoffMs, maxMs: times.maxBackoffMs }, failures);
      await pause(notBeforeMs + jittered(waited), stopping.signal);
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

/** A signal that fires when `outer` fires, or when nothing has arrived for `quietMs`. */
function quietGuard(quietMs: number, outer: AbortSignal): { signal: AbortSignal; heard(): void; end(): void } {
  const quiet = new AbortController();
  const timer = setTimeout(() => quiet.abort(new Quiet(`nothing heard for ${quietMs} ms`)), quietMs);
  return { signal: AbortSignal.any([outer, quiet.signal]), heard: () => void timer.refresh(), end: () => clearTimeout(timer) };
}

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

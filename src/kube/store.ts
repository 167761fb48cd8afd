import type { KubeObject } from '../crd/kubernetes.ts';
import type { Logger } from '../log.ts';

/** A change of an object. `object` is its last state, and `previous` the state before; for a deletion, the state that the cache had. */
export interface Change<P> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: P;
  previous?: P;
}

export type ChangeListener<P> = (change: Change<P>) => void | Promise<void>;

/** `<namespace>/<name>`, or the name alone for cluster-scoped objects: the key of caches and controllers. */
export function keyOf({ namespace, name }: { namespace?: string; name?: string }): string {
  return namespace ? `${namespace}/${name}` : (name ?? '');
}

/** The parts of a key. */
export function partsOf(key: string): { namespace: string; name: string } {
  const cut = key.indexOf('/');
  return { namespace: cut < 0 ? '' : key.slice(0, cut), name: key.slice(cut + 1) };
}

export interface ObjectStore<P extends KubeObject> {
  get(namespace: string | undefined, name: string): P | undefined;
  byUid(uid: string): P | undefined;
  /** All objects, or the objects of one namespace. */
  list(namespace?: string): P[];
  /**
   * Listeners run one after another for each change. An error in one is logged and does not affect the others. Returns a function that ends
   * the subscription.
   */
  onChange(listener: ChangeListener<P>): () => void;
  /** Whether `check` becomes true within `timeoutMs`. It runs now and after each change. */
  seen(check: () => boolean, timeoutMs: number): Promise<boolean>;
  /** Stores an object, announces the change and returns the key. Storing the same version again changes nothing. */
  put(object: P): string;
  drop(object: KubeObject): void;
  /** Removes all objects (of one namespace) that are not among the keys. */
  keepOnly(keys: ReadonlySet<string>, namespace: string | undefined): void;
}

/** The content of a cache. It does not know where the objects come from. */
export function objectStore<P extends KubeObject>(log?: Logger): ObjectStore<P> {
  const objects = new Map<string, P>();
  const uids = new Map<string, P>();
  const listeners = new Set<ChangeListener<P>>();
  const failed = (error: unknown) => log?.error({ err: error }, 'change listener failed');
  const tell = (change: Change<P>) => {
    for (const listener of listeners)
      try {
        Promise.resolve(listener(change)).catch(failed);
      } catch (error) {
        failed(error);
      }
  };
  const forget = (key: string) => {
    const previous = objects.get(key);
    if (!previous) return;
    objects.delete(key);
    uids.delete(previous.metadata.uid ?? '');
    tell({ type: 'DELETED', object: previous, previous });
  };
  return {
    get: (namespace, name) => objects.get(keyOf({ name, ...(namespace ? { namespace } : {}) })),
    byUid: (uid) => uids.get(uid),
    list: (namespace) => [...objects.values()].filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async seen(check, timeoutMs) {
      if (check()) return true;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const timer = setTimeout(() => resolve(check()), timeoutMs);
      const listener = () => void (check() && resolve(true));
      listeners.add(listener);
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        listeners.delete(listener);
      }
    },
    put(object) {
      const key = keyOf(object.metadata);
      const { uid = '', resourceVersion } = object.metadata;
      // A new object with the same name: the deletion of the old one was missed.
      if (objects.get(key)?.metadata.uid !== uid) forget(key);
      const previous = objects.get(key);
      if (previous && previous.metadata.resourceVersion === resourceVersion) return key;
      objects.set(key, object);
      uids.set(uid, object);
      tell(previous ? { type: 'MODIFIED', object, previous } : { type: 'ADDED', object });
      return key;
    },
    drop: ({ metadata }) => {
      const key = keyOf(metadata);
      if (objects.get(key)?.metadata.uid === metadata.uid) forget(key);
    },
    keepOnly(keys, namespace) {
      for (const [key, { metadata }] of objects)
        if (!keys.has(key) && (namespace === undefined || metadata.namespace === namespace)) forget(key);
    },
  };
}

import type { Stored } from './object.ts';
import { keyOf } from './object.ts';

/** A change, as watches see it. `previous` is the object before a MODIFIED or DELETED. */
export interface Change {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  storage: string;
  object: Stored;
  previous?: Stored;
  revision: number;
}

/** Changes of one storage kept for watches that resume; older ones answer 410. */
const HISTORY = 1000;

/**
 * All objects, by storage and `namespace/name`, with one resource version for everything as in etcd. Invariant: an object in
 * the store is never changed in place, and each write is one `Change` told to every listener before the write returns.
 */
export class Store {
  #objects = new Map<string, Map<string, Stored>>();
  #history = new Map<string, { changes: Change[]; dropped: number }>();
  #listeners = new Set<(change: Change) => void>();
  #revision = 1;

  get revision(): number {
    return this.#revision;
  }

  get(storage: string, key: string): Stored | undefined {
    return this.#objects.get(storage)?.get(key);
  }

  /** Objects of a storage in the order of their keys. */
  list(storage: string, namespace?: string): Stored[] {
    const all = [...(this.#objects.get(storage)?.entries() ?? [])];
    const prefix = namespace === undefined ? '' : `${namespace}/`;
    return all
      .filter(([key]) => key.startsWith(prefix))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, object]) => object);
  }

  /** The list as it was at a revision that is not forgotten: the changes since are taken back. */
  listAt(storage: string, revision: number, namespace?: string): Stored[] {
    const objects = new Map(this.list(storage, namespace).map((object) => [keyOf(object), object]));
    for (const { type, object, previous } of (this.since(storage, revision) ?? []).toReversed()) {
      if (namespace !== undefined && object.metadata.namespace !== namespace) continue;
      if (type === 'ADDED') objects.delete(keyOf(object));
      else if (previous) objects.set(keyOf(object), previous);
    }
    return [...objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }

  /** Writes the object under a new resource version and returns it as stored. */
  put(storage: string, object: Stored): Stored {
    const objects = this.#objects.get(storage) ?? new Map<string, Stored>();
    this.#objects.set(storage, objects);
    const previous = objects.get(keyOf(object));
    const revision = ++this.#revision;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
    objects.set(keyOf(object), stored);
    this.#tell({ type: previous ? 'MODIFIED' : 'ADDED', storage, object: stored, revision, ...(previous && { previous }) });
    return stored;
  }

  remove(storage: string, key: string): Stored | undefined {
    const previous = this.get(storage, key);
    if (!previous) return undefined;
    this.#objects.get(storage)?.delete(key);
    const revision = ++this.#revision;
    const object = { ...previous, metadata: { ...previous.metadata, resourceVersion: String(revision) } };
    this.#tell({ type: 'DELETED', storage, object, previous, revision });
    return object;
  }

  /** Changes of the storage after the revision, or undefined when some of them are forgotten. */
  since(storage: string, revision: number): Change[] | undefined {
    const history = this.#history.get(storage);
    if (!history) return [];
    return revision < history.dropped ? undefined : history.changes.filter((change) => change.revision > revision);
  }

  /** The newest revision that watches of this storage can no longer start from, for the message of a 410. */
  oldest(storage: string): number {
    return this.#history.get(storage)?.dropped ?? 0;
  }

  /** Listens to every change; the returned function ends it. */
  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(change: Change): void {
    const history = this.#history.get(change.storage) ?? { changes: [], dropped: 0 };
    this.#history.set(change.storage, history);
    history.changes.push(change);
    if (history.changes.length > HISTORY) history.dropped = history.changes.splice(0, HISTORY / 2).at(-1)?.revision ?? 0;
    for (const listener of this.#listeners) listener(change);
  }
}

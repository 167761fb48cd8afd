import type { Api } from '../api/api.ts';
import type { Kind } from '../kinds/kinds.ts';
import type { Stored } from '../store/object.ts';
import { keyOf } from '../store/object.ts';

/** An object and what it is. */
interface Found {
  kind: Kind;
  object: Stored;
}

interface Place {
  storage: string;
  key: string;
}

/** Who owns what, by uid, updated with every change. Searching all objects at each deletion would take minutes for a thousand of them. */
export function ownership({ registry, store }: Api): {
  /** The objects that name the uid as an owner, kind by kind, sorted by key. */
  owned(uid: string): Found[];
  byUid(uid: string): Found | undefined;
  forget(): void;
} {
  const places = new Map<string, Place>();
  const dependents = new Map<string, Set<string>>();

  const ownersOf = (object: Stored): string[] => (object.metadata.ownerReferences ?? []).map((ref) => ref.uid);
  const enter = (storage: string, object: Stored): void => {
    const { uid } = object.metadata;
    places.set(uid, { storage, key: keyOf(object) });
    for (const owner of ownersOf(object)) dependents.set(owner, (dependents.get(owner) ?? new Set()).add(uid));
  };
  const leave = (object: Stored): void => {
    const { uid } = object.metadata;
    places.delete(uid);
    for (const owner of ownersOf(object)) {
      const left = dependents.get(owner);
      left?.delete(uid);
      if (left?.size === 0) dependents.delete(owner);
    }
  };
  for (const { storage } of registry.storages()) for (const object of store.list(storage)) enter(storage, object);
  const forget = store.onChange(({ type, storage, object, previous }) => {
    if (previous) leave(previous);
    if (type !== 'DELETED') enter(storage, object);
  });

  const byUid = (uid: string): Found | undefined => {
    const place = places.get(uid);
    const object = place && store.get(place.storage, place.key);
    const kind = place && registry.storages().find(({ storage }) => storage === place.storage);
    return kind && object?.metadata.uid === uid ? { kind, object } : undefined;
  };
  return {
    owned(uid) {
      const order = registry.storages().map(({ storage }) => storage);
      const rank = ({ kind, object }: Found): string => `${String(order.indexOf(kind.storage)).padStart(4, '0')} ${keyOf(object)}`;
      const found = [...(dependents.get(uid) ?? [])].flatMap((one) => byUid(one) ?? []);
      return found.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
    },
    byUid,
    forget,
  };
}

import type { OwnerReference } from '../../crd/kubernetes.ts';
import type { Api } from '../api/api.ts';
import type { Kind } from '../kinds/kinds.ts';
import type { Stored } from '../store/object.ts';
import { isSame } from '../store/object.ts';
import { controllerLoop } from './loop.ts';
import { ownership } from './ownership.ts';

/** The state of an owner: it stays, it waits for the objects that it owns, or it is gone or never existed. */
type Standing = 'solid' | 'waiting' | 'dangling';

const FOREGROUND = 'foregroundDeletion';
const ORPHAN = 'orphan';
const waitsFor = ({ metadata }: Stored, finalizer: string): boolean =>
  metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(finalizer) === true;

/**
 * The garbage collector. An object is deleted when its last owner is gone or never existed. An owner that is deleted in the foreground goes
 * when nothing blocks it any more, and an orphaning one when its dependents are released. The objects of a CustomResourceDefinition are
 * deleted with it.
 */
export function startCollector(api: Api): () => void {
  const { registry, store } = api;
  const definitions = registry.builtin('customresourcedefinitions').storage;

  const standing = (object: Stored, { apiVersion, kind: kindName, name, uid }: OwnerReference): Standing => {
    const kind = registry.byKind(apiVersion, kindName);
    if (!kind) return registry.all().some((k) => k.kind === kindName) ? 'solid' : 'dangling';
    const owner = store.get(kind.storage, kind.namespaced ? `${object.metadata.namespace}/${name}` : name);
    if (owner?.metadata.uid !== uid) return 'dangling';
    return waitsFor(owner, FOREGROUND) ? 'waiting' : 'solid';
  };

  const { owned, byUid, forget: forgetOwners } = ownership(api);

  function keepReferences(kind: Kind, object: Stored, kept: OwnerReference[]): void {
    api.change(kind, object, '', (copy) => {
      if (kept.length) copy.metadata.ownerReferences = kept;
      else delete copy.metadata.ownerReferences;
    });
  }

  /** Deletes an object without a valid owner. If it has a valid owner, its other references are removed. */
  function collect({ kind, object }: { kind: Kind; object: Stored }): void {
    const { deletionTimestamp, ownerReferences = [], uid, namespace, name } = object.metadata;
    if (deletionTimestamp || ownerReferences.length === 0) return;
    const { solid, waiting } = Object.groupBy(ownerReferences, (ref) => standing(object, ref));
    if (solid) return keepReferences(kind, object, solid);
    const isParent = waiting !== undefined && owned(uid).length > 0;
    api.remove(kind, namespace, name, { preconditions: { uid }, ...(isParent && { propagationPolicy: 'Foreground' }) });
  }

  function release(kind: Kind, owner: Stored, finalizer: string): void {
    api.change(kind, owner, '', (copy) => {
      copy.metadata.finalizers = (copy.metadata.finalizers ?? []).filter((f) => f !== finalizer);
    });
  }

  function endForeground(kind: Kind, owner: Stored): void {
    const { uid } = owner.metadata;
    for (const one of owned(uid)) collect(one);
    const isBlocked = owned(uid).some(({ object }) => object.metadata.ownerReferences?.some((r) => r.uid === uid && r.blockOwnerDeletion));
    if (!isBlocked) release(kind, owner, FOREGROUND);
  }

  function endOrphaning(kind: Kind, owner: Stored): void {
    const { uid } = owner.metadata;
    for (const { kind: own, object } of owned(uid))
      keepReferences(
        own,
        object,
        (object.metadata.ownerReferences ?? []).filter((ref) => ref.uid !== uid),
      );
    release(kind, owner, ORPHAN);
  }

  const loop = controllerLoop(
    api,
    ({ type, storage, object, previous }) => {
      const { uid, ownerReferences = [] } = object.metadata;
      const former = (previous?.metadata.ownerReferences ?? []).map((ref) => `ending ${ref.uid}`);
      if (type === 'DELETED') return [`gone ${uid}`, ...former];
      const isNew = type === 'ADDED' && ownerReferences.length > 0;
      const isEnding = waitsFor(object, FOREGROUND) || waitsFor(object, ORPHAN);
      return [
        ...(isNew ? [`check ${storage} ${object.metadata.namespace ?? ''}/${object.metadata.name}`] : []),
        ...(isEnding ? [`ending ${uid}`] : []),
        ...(previous && !isSame(previous.metadata.ownerReferences, object.metadata.ownerReferences) ? former : []),
      ];
    },
    (key) => {
      const [what, subject = '', name = ''] = key.split(' ');
      if (what === 'gone') for (const one of owned(subject)) collect(one);
      const kinds = registry.storages();
      if (what === 'check') {
        const kind = kinds.find((k) => k.storage === subject);
        const object = store.get(subject, name.replace(/^\//, ''));
        if (kind && object) collect({ kind, object });
      }
      if (what !== 'ending') return;
      const found = byUid(subject);
      if (found && waitsFor(found.object, FOREGROUND)) endForeground(found.kind, found.object);
      const left = byUid(subject);
      if (left && waitsFor(left.object, ORPHAN)) endOrphaning(left.kind, left.object);
    },
  );

  const forget = store.onChange(({ type, storage, object }) => {
    if (type !== 'DELETED' || storage !== definitions) return;
    const custom = `${object.spec.group}/${object.spec.names.plural}`;
    for (const { metadata } of store.list(custom))
      store.remove(custom, metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name);
    registry.setCustom(custom, []);
  });
  return () => {
    forget();
    forgetOwners();
    loop.stop();
  };
}

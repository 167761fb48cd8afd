import type { Api } from '../api.ts';
import type { Kind } from '../kinds.ts';
import type { Stored } from '../object.ts';
import { controllerLoop } from './loop.ts';

/**
 * The garbage collector: what is owned goes when its last owner is gone, an owner that never was included; an owner deleted in
 * the foreground goes when what it owns is gone; the objects of a CustomResourceDefinition go with it.
 */
export function startCollector(api: Api): () => void {
  const { registry, store } = api;
  const definitions = registry.builtin('customresourcedefinitions').storage;

  const isThere = (object: Stored, ref: { apiVersion: string; kind: string; name: string; uid: string }): boolean => {
    const kind = registry.byKind(ref.apiVersion, ref.kind);
    if (!kind) return registry.all().every((k) => k.kind !== ref.kind) ? false : true;
    const key = kind.namespaced ? `${object.metadata.namespace}/${ref.name}` : ref.name;
    return store.get(kind.storage, key)?.metadata.uid === ref.uid;
  };

  const owned = (uid: string): { kind: Kind; object: Stored }[] =>
    registry
      .storages()
      .flatMap((kind) => store.list(kind.storage).map((object) => ({ kind, object })))
      .filter(({ object }) => object.metadata.ownerReferences?.some((ref) => ref.uid === uid));

  function collect({ kind, object }: { kind: Kind; object: Stored }): void {
    if (object.metadata.deletionTimestamp || object.metadata.ownerReferences?.some((ref) => isThere(object, ref))) return;
    api.remove(kind, object.metadata.namespace, object.metadata.name, { preconditions: { uid: object.metadata.uid } });
  }

  function endForeground(kind: Kind, owner: Stored): void {
    const dependents = owned(owner.metadata.uid);
    for (const { kind: own, object } of dependents)
      if (!object.metadata.deletionTimestamp)
        api.remove(own, object.metadata.namespace, object.metadata.name, { propagationPolicy: 'Foreground' });
    if (owned(owner.metadata.uid).length > 0) return;
    api.change(kind, owner, '', (copy) => {
      copy.metadata.finalizers = (copy.metadata.finalizers ?? []).filter((f) => f !== 'foregroundDeletion');
    });
  }

  const loop = controllerLoop(
    api,
    ({ type, storage, object }) => {
      const { uid, ownerReferences = [], finalizers = [] } = object.metadata;
      if (type === 'DELETED') return [`gone ${uid}`, ...ownerReferences.map((ref) => `dependent ${ref.uid}`)];
      const isNew = type === 'ADDED' && ownerReferences.length > 0;
      const isForeground = object.metadata.deletionTimestamp && finalizers.includes('foregroundDeletion');
      return [
        ...(isNew ? [`check ${storage} ${object.metadata.namespace ?? ''}/${object.metadata.name}`] : []),
        ...(isForeground ? [`dependent ${uid}`] : []),
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
      if (what !== 'dependent') return;
      for (const kind of kinds)
        for (const owner of store.list(kind.storage))
          if (
            owner.metadata.uid === subject &&
            owner.metadata.deletionTimestamp &&
            owner.metadata.finalizers?.includes('foregroundDeletion')
          )
            endForeground(kind, owner);
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
    loop.stop();
  };
}

import type { Api } from '../api.ts';
import { controllerLoop } from './loop.ts';

/** Every namespace has its default ServiceAccount and the cluster's CA; one that is being deleted is emptied, then removed. */
export function startNamespaces(api: Api): () => void {
  const { registry, store } = api;
  const namespaces = registry.builtin('namespaces');

  function furnish(name: string): void {
    for (const [plural, object] of [
      ['serviceaccounts', { metadata: { name: 'default' } }],
      ['configmaps', { metadata: { name: 'kube-root-ca.crt' }, data: { 'ca.crt': '' } }],
    ] as const)
      if (!store.get(registry.builtin(plural).storage, `${name}/${object.metadata.name}`))
        api.create(registry.builtin(plural), name, object, { isInternal: true });
  }

  function empty(name: string): void {
    let left = 0;
    for (const kind of registry.storages().filter((k) => k.namespaced))
      for (const object of store.list(kind.storage, name)) {
        if (!object.metadata.deletionTimestamp) api.remove(kind, name, object.metadata.name);
        if (store.get(kind.storage, `${name}/${object.metadata.name}`)) left += 1;
      }
    if (left === 0) store.remove(namespaces.storage, name);
    else loop.enqueue(name, 500);
  }

  const loop = controllerLoop(
    api,
    ({ storage, object, type }) => {
      if (storage === namespaces.storage) return type === 'DELETED' ? [] : [object.metadata.name];
      const isRequired = ['default', 'kube-root-ca.crt'].includes(object.metadata.name);
      return type === 'DELETED' && isRequired && object.metadata.namespace ? [object.metadata.namespace] : [];
    },
    (name) => {
      const namespace = store.get(namespaces.storage, name);
      if (namespace?.metadata.deletionTimestamp) empty(name);
      else if (namespace) furnish(name);
    },
  );
  // A new namespace is furnished at once: whoever made it may create a pod in the same breath.
  const forget = store.onChange(({ type, storage, object }) => {
    if (storage === namespaces.storage && type === 'ADDED') furnish(object.metadata.name);
  });
  return () => {
    forget();
    loop.stop();
  };
}

import type { Api } from '../api/api.ts';
import type { Loose, Stored } from '../store/object.ts';
import { timeText } from '../store/object.ts';
import { controllerLoop } from './loop.ts';
import { withCondition } from './pods.ts';

const RETRY_MS = 500;
const AUTHORITY = {
  metadata: {
    name: 'kube-root-ca.crt',
    annotations: {
      'kubernetes.io/description':
        'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
    },
  },
  data: { 'ca.crt': '' },
};

/** `a in 1 resource instances, b in 2 …`: each text with its count, sorted. */
function counted(texts: string[], join: string): string {
  const unique = [...new Set(texts)].sort();
  return unique.map((text) => `${text}${join}${texts.filter((one) => one === text).length} resource instances`).join(', ');
}

/**
 * The conditions of a namespace that cannot be removed yet: which objects are left (as `plural.group`), and which finalizers block them.
 */
function conditionsOf(resources: string[], finalizers: string[]): Loose[] {
  const is = (type: string, status: string, reason: string, message: string) => ({ type, status, reason, message });
  return [
    is('NamespaceDeletionDiscoveryFailure', 'False', 'ResourcesDiscovered', 'All resources successfully discovered'),
    is('NamespaceDeletionGroupVersionParsingFailure', 'False', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'),
    is('NamespaceDeletionContentFailure', 'False', 'ContentDeleted', 'All content successfully deleted, may be waiting on finalization'),
    is('NamespaceContentRemaining', 'True', 'SomeResourcesRemain', `Some resources are remaining: ${counted(resources, ' has ')}`),
    finalizers.length
      ? is(
          'NamespaceFinalizersRemaining',
          'True',
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${counted(finalizers, ' in ')}`,
        )
      : is('NamespaceFinalizersRemaining', 'False', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'),
  ];
}

/** Gives every namespace its default ServiceAccount and the cluster's CA. Empties and removes a namespace that is deleted. */
export function startNamespaces(api: Api): () => void {
  const { registry, store } = api;
  const namespaces = registry.builtin('namespaces');

  function furnish(name: string): void {
    for (const [plural, object] of [
      ['serviceaccounts', { metadata: { name: 'default' } }],
      ['configmaps', AUTHORITY],
    ] as const)
      if (!store.get(registry.builtin(plural).storage, `${name}/${object.metadata.name}`))
        api.create(registry.builtin(plural), name, object, { isInternal: true });
  }

  function empty(namespace: Stored): void {
    const { name } = namespace.metadata;
    const resources: string[] = [];
    const finalizers: string[] = [];
    for (const kind of registry.storages().filter((k) => k.namespaced))
      for (const object of store.list(kind.storage, name)) {
        if (!object.metadata.deletionTimestamp) api.remove(kind, name, object.metadata.name);
        if (!store.get(kind.storage, `${name}/${object.metadata.name}`)) continue;
        resources.push(`${kind.plural}.${kind.group}`);
        finalizers.push(...(object.metadata.finalizers ?? []));
      }
    if (resources.length === 0) return void store.remove(namespaces.storage, name);
    const now = timeText(api.clock.now());
    api.change(namespaces, namespace, 'status', (copy) => {
      for (const condition of conditionsOf(resources, finalizers))
        copy.status.conditions = withCondition(copy.status.conditions, condition, now);
    });
    loop.enqueue(name, RETRY_MS);
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
      if (namespace?.metadata.deletionTimestamp) empty(namespace);
      else if (namespace) furnish(name);
    },
  );
  // Fills a new namespace at once, because its creator may create a pod right after it.
  const forget = store.onChange(({ type, storage, object }) => {
    if (storage === namespaces.storage && type === 'ADDED') furnish(object.metadata.name);
  });
  return () => {
    forget();
    loop.stop();
  };
}

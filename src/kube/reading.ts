import type { KubeObject } from '../crd/kubernetes.ts';
import type { KubeClient, Selection } from './client.ts';
import { KindNotServed, isKubeError } from './errors.ts';
import { canBeName, type Kind, pathOf } from './kinds.ts';
import type { Call, Query, Transport } from './transport.ts';

const PAGE_SIZE = 500;
/** Without a second choice: a server that cannot do it answers 406, and never whole objects. */
const METADATA_ONLY = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/**
 * The reading half of a client, over any transport: for the operator and for the agent. When `namespaces` is set, only those are listed.
 */
export function reading(
  wire: Pick<Transport, 'json' | 'stream'>,
  namespaces: readonly string[] = [],
): Pick<KubeClient, 'read' | 'list' | 'page' | 'watch'> {
  const page: KubeClient['page'] = async <T extends KubeObject>(
    kind: Kind<T>,
    { namespace, metadataOnly, withManagedFields, ...selectors }: Selection,
    query: Query,
    signal?: AbortSignal,
  ) => {
    // Like any namespace that does not exist.
    if (namespace && !canBeName(namespace)) return { items: [], resourceVersion: '' };
    const accept = metadataOnly ? { accept: METADATA_ONLY } : {};
    const call: Call = { query: { ...selectors, ...query }, ...accept, ...(signal ? { signal } : {}) };
    const { items, metadata } = await served(kind, wire.json<ListAnswer<T>>(pathOf(kind, namespace), call));
    return {
      // Objects in a list lack the kind and apiVersion, which the list has once. Watched objects have them.
      items: items.map((item) => {
        const whole = { ...item, apiVersion: kind.apiVersion, kind: kind.kind };
        return metadataOnly || withManagedFields ? whole : lean(whole);
      }),
      resourceVersion: metadata.resourceVersion,
      ...(metadata.continue ? { continueToken: metadata.continue } : {}),
    };
  };
  const everyPage = async <T extends KubeObject>(kind: Kind<T>, selection: Selection): Promise<T[]> => {
    const all: T[] = [];
    let token: string | undefined;
    do {
      const { items, continueToken } = await page(kind, selection, { limit: PAGE_SIZE, continue: token });
      all.push(...items);
      token = continueToken;
    } while (token);
    return all;
  };
  return {
    page,
    async read(kind, namespace, name) {
      try {
        return lean(await wire.json(pathOf(kind, namespace, name)));
      } catch (error) {
        if (isKubeError(error, 404)) return undefined;
        throw error;
      }
    },
    async list<T extends KubeObject>(kind: Kind<T>, selection: Selection = {}) {
      const isNarrow = !kind.namespaced || selection.namespace !== undefined || namespaces.length === 0;
      if (isNarrow) return everyPage(kind, selection);
      return (await Promise.all(namespaces.map((namespace) => everyPage(kind, { ...selection, namespace })))).flat();
    },
    watch: (kind, { namespace, metadataOnly: _, withManagedFields: _kept, ...selectors }, query, signal) =>
      wire.stream(pathOf(kind, namespace), { query: { ...selectors, ...query, watch: true }, signal }),
  };
}

/** A list answers 404 only when its kind is not served: Podmend's definitions are not installed yet. */
async function served<T>({ plural }: Kind, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw isKubeError(error, 404) ? new KindNotServed(plural) : error;
  }
}

interface ListAnswer<T> {
  items: T[];
  metadata: { resourceVersion: string; continue?: string };
}

/** Removes the managed fields: they are often the larger half of an object, and nothing here reads them. */
export function lean<T extends KubeObject>(object: T): T {
  delete object.metadata?.managedFields;
  return object;
}

import type { KubeObject } from '../crd/kubernetes.ts';
import type { KubeClient, Selection } from './client.ts';
import { KindNotServed, isKubeError } from './errors.ts';
import { canBeName, type Kind, pathOf } from './kinds.ts';
import type { Call, Query, Transport } from './transport.ts';

const PAGE_SIZE = 500;
/** Names no alternative, so that a server without support answers 406 and never sends whole objects. */
const METADATA_ONLY = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/**
 * The reading half of a client over any transport, used by the operator and the agent. If `namespaces` is set, only these are listed.
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
    // Treat an impossible name like a namespace that does not exist.
    if (namespace && !canBeName(namespace)) return { items: [], resourceVersion: '' };
    const accept = metadataOnly ? { accept: METADATA_ONLY } : {};
    const call: Call = { query: { ...selectors, ...query }, ...accept, ...(signal ? { signal } : {}) };
    const { items, metadata } = await served(kind, wire.json<ListAnswer<T>>(pathOf(kind, namespace), call));
    return {
      // Objects in a list lack kind and apiVersion, unlike watched objects, so add them.
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

/** Turns 404 into `KindNotServed`. A list gets 404 only if its kind is not served, for example before Podmend's CRDs are installed. */
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

import type { KubeObject } from '../crd/kubernetes.ts';
import type { KubeClient, Selection } from './connect.ts';
import { ClusterUnavailable, isKubeError } from './errors.ts';
import { canBeName, type Kind, pathOf } from './kinds.ts';
import type { Call, Query, Transport } from './transport.ts';

const PAGE_SIZE = 500;

/** The reading half of a client, over any transport: the operator's and the agent's. Lists keep to `namespaces` where there are some. */
export function reading(
  wire: Pick<Transport, 'json' | 'stream'>,
  namespaces: readonly string[] = [],
): Pick<KubeClient, 'read' | 'list' | 'page' | 'watch'> {
  const page: KubeClient['page'] = async <T extends KubeObject>(
    kind: Kind<T>,
    { namespace, ...selectors }: Selection,
    query: Query,
    signal?: AbortSignal,
  ) => {
    // As any namespace that does not exist.
    if (namespace && !canBeName(namespace)) return { items: [], resourceVersion: '' };
    const call: Call = { query: { ...selectors, ...query }, ...(signal ? { signal } : {}) };
    const { items, metadata } = await served(kind, wire.json<ListAnswer<T>>(pathOf(kind, namespace), call));
    return {
      // Listed items lack what the list says once; watched ones have it.
      items: items.map((item) => lean({ ...item, apiVersion: kind.apiVersion, kind: kind.kind })),
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
    watch: (kind, { namespace, ...selectors }, query, signal) =>
      wire.stream(pathOf(kind, namespace), { query: { ...selectors, ...query, watch: true }, signal }),
  };
}

/** A collection is only absent when its kind is: a cluster without our kinds is no cluster of ours yet. */
async function served<T>({ plural }: Kind, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw isKubeError(error, 404) ? new ClusterUnavailable(`the API server serves no ${plural}`) : error;
  }
}

interface ListAnswer<T> {
  items: T[];
  metadata: { resourceVersion: string; continue?: string };
}

/** Without the bookkeeping of server-side apply, which is often the larger half of an object and which nothing here reads. */
export function lean<T extends KubeObject>(object: T): T {
  delete object.metadata?.managedFields;
  return object;
}

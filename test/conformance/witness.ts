import type { RestClient } from '../support/cluster/rest.ts';
import { until } from '../support/runner/wait.ts';
import { masked } from './masked.ts';
import type { Loose } from './step.ts';

/** One watch event. */
export interface Witnessed {
  type: string;
  object: Loose;
}

/** The watch events of a namespace, in the order of their resource versions. */
export interface Witness {
  seen(): Witnessed[];
  /** Waits for an event for which `isSo` is true. */
  when(what: string, isSo: (one: Witnessed) => boolean): Promise<Witnessed>;
  stop(): void;
}

/** Watches collections of one namespace (`api/v1`, `pods`). Existing objects come first. */
export async function witness(client: RestClient, namespace: string, collections: [group: string, plural: string][]): Promise<Witness> {
  const all: Witnessed[] = [];
  const follow = async ([group, plural]: [string, string]) => {
    const path = `/${group}/namespaces/${namespace}/${plural}`;
    const { kind, metadata, items } = await client.get(path);
    all.push(...items.map((object: Loose) => ({ type: 'ADDED', object: { kind: kind.replace(/List$/, ''), ...object } })));
    return client.watch(`${path}?resourceVersion=${metadata.resourceVersion}`, (event) => all.push(event));
  };
  const stops = await Promise.all(collections.map(follow));
  const seen = () => all.toSorted((a, b) => Number(a.object.metadata.resourceVersion) - Number(b.object.metadata.resourceVersion));
  return {
    seen,
    when: (what, isSo) => until(() => seen().find(isSo), { what, timeoutMs: 45_000, everyMs: 50 }),
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

/** Lines without consecutive repeats: it does not matter how often a controller writes the same thing. */
export const lines = (seen: Witnessed[], say: (one: Witnessed) => string | undefined): string[] =>
  seen
    .map(say)
    .filter((line) => line !== undefined)
    .filter((line, i, list) => line !== list[i - 1]);

/** Objects without what differs from run to run: hashes and suffixes of names, addresses, managedFields. */
export function anonymous(value: Loose, namespace: string, hashes: string[] = []): Loose {
  let text = JSON.stringify(value, (key, member) => (key === 'managedFields' || key === 'resourceVersion' ? undefined : member));
  text = text.replaceAll(namespace, 'NAMESPACE');
  for (const [i, hash] of hashes.entries()) text = text.replaceAll(hash, `HASH${i + 1}`);
  text = text
    .replaceAll(/(HASH\d|\bset|\bwell|\bill)-[a-z0-9]{5}\b/g, '$1-XXXXX')
    .replaceAll(/kube-api-access-[a-z0-9]{5}/g, 'kube-api-access-XXXXX')
    .replaceAll(/"(nodeName|host)":"[^"]*"/g, '"$1":"NODE"');
  return masked(JSON.parse(text));
}

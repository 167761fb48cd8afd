import { createHash } from 'node:crypto';
import { MANAGED_BY, MANAGED_BY_LABEL, managerOf, sourceOf } from '../crd/managed.ts';
import { API_VERSION } from '../crd/mirrorpod.ts';
import type { Suppression } from '../crd/suppression.ts';
import type { KubeClient } from '../kube/connect.ts';
import { ClusterUnavailable, isKubeError } from '../kube/errors.ts';
import { KINDS } from '../kube/kinds.ts';
import type { Cache } from '../kube/watch.ts';
import { effectOf } from './suppress.ts';

/** Which list: entries are globs in that field of `spec.match`, and the Suppression matches by nothing else. */
export type ExclusionKind = 'namespace' | 'pod';

export interface Exclusion {
  entry: string;
  /** `api`, `kubectl`, or the tool that manages it. */
  source: string;
  created_at: string;
}

/** The entry is kept by a tool that would put it back. */
export class ManagedElsewhere extends Error {
  constructor(manager: string) {
    super(`Managed by ${manager}: change it at its source`);
    this.name = 'ManagedElsewhere';
  }
}

export interface Exclusions {
  /** The entries that have an effect now, oldest first. */
  list(kind: ExclusionKind): Exclusion[];
  /** Makes sure that the entry has an effect, and answers it. `owner` is who asked. */
  add(kind: ExclusionKind, entry: string, owner: string): Promise<Exclusion>;
  /** Ends the entry; false when there was none. Throws ManagedElsewhere. */
  remove(kind: ExclusionKind, entry: string): Promise<boolean>;
}

export interface ExclusionsDeps {
  client: Pick<KubeClient, 'create' | 'patch' | 'remove'>;
  cache: Pick<Cache<Suppression>, 'list' | 'seen' | 'synced'>;
  operatorNamespace: string;
  now(): Date;
}

/** A write answers when the cache has seen it, or after this. */
const SEEN_MS = 2_000;
const FIELDS = { namespace: 'namespaces', pod: 'pods' } as const;

/**
 * Excluded namespaces and pods: Suppressions in the operator's namespace that match by namespace or pod name alone, one entry each
 * when made here. Every method throws ClusterUnavailable while the Suppressions are not known.
 */
export function exclusions({ client, cache, operatorNamespace, now }: ExclusionsDeps): Exclusions {
  const holders = (kind: ExclusionKind): Suppression[] => {
    if (!cache.synced) throw new ClusterUnavailable('the Suppressions have not been listed yet');
    return cache.list(operatorNamespace).filter(({ spec }) => Object.keys(spec.match).join() === FIELDS[kind]);
  };
  const list = (kind: ExclusionKind): Exclusion[] => {
    const active = holders(kind).filter((one) => effectOf(one, now(), operatorNamespace).active);
    // Made here comes last, so that an entry that a tool manages too is shown as the tool's.
    const byAge = active.toSorted((one, other) => rank(one).localeCompare(rank(other)));
    const entries = new Map<string, Exclusion>();
    for (const one of byAge)
      for (const entry of one.spec.match[FIELDS[kind]] ?? []) if (!entries.has(entry)) entries.set(entry, exclusionOf(one, entry));
    return [...entries.values()];
  };
  const find = (kind: ExclusionKind, entry: string) => list(kind).find((one) => one.entry === entry);
  const seen = (kind: ExclusionKind, entry: string, isThere: boolean) =>
    cache.seen(() => (find(kind, entry) !== undefined) === isThere, SEEN_MS);

  return {
    list,
    async add(kind, entry, owner) {
      const present = find(kind, entry);
      if (present) return present;
      const wanted = suppressionFor(kind, entry, { owner, namespace: operatorNamespace });
      const written = await createOrRevive(client, wanted);
      await seen(kind, entry, true);
      return find(kind, entry) ?? exclusionOf(written, entry);
    },
    async remove(kind, entry) {
      const field = FIELDS[kind];
      const having = holders(kind).filter(({ spec }) => spec.match[field]?.includes(entry));
      const manager = having.map(({ metadata }) => managerOf(metadata)).find((name) => name !== undefined);
      if (manager) throw new ManagedElsewhere(manager);
      for (const { metadata, spec } of having) {
        const { name = '', uid } = metadata;
        const rest = (spec.match[field] ?? []).filter((one) => one !== entry);
        if (rest.length === 0) await client.remove(KINDS.suppression, operatorNamespace, name, uid ? { uid } : {});
        else await client.patch(KINDS.suppression, operatorNamespace, name, { spec: { match: { [field]: rest } } }, keep(metadata));
      }
      if (having.length > 0) await seen(kind, entry, false);
      return having.length > 0;
    },
  };
}

const keep = ({ resourceVersion }: { resourceVersion?: string }) => ({ type: 'merge', resourceVersion }) as const;

const rank = ({ metadata }: Suppression) => `${sourceOf(metadata) === 'api' ? 1 : 0} ${metadata.creationTimestamp} ${metadata.name}`;

function exclusionOf({ metadata }: Suppression, entry: string): Exclusion {
  return { entry, source: sourceOf(metadata), created_at: metadata.creationTimestamp ?? '' };
}

/** `api-<kind of entry>-<first 10 hex digits of the entry's SHA-256>`: the same entry is the same object, whoever writes it. */
function suppressionFor(kind: ExclusionKind, entry: string, { owner, namespace }: { owner: string; namespace: string }): Suppression {
  const hash = createHash('sha256').update(entry).digest('hex').slice(0, 10);
  return {
    apiVersion: API_VERSION,
    kind: 'Suppression',
    metadata: { name: `api-${kind}-${hash}`, namespace, labels: { [MANAGED_BY_LABEL]: MANAGED_BY } },
    spec: { reason: `Excluded ${kind}, set through the API`, owner, match: { [FIELDS[kind]]: [entry] } },
  };
}

/** One that exists all the same was suspended, had expired, or was just made by another: then it says again what it is for. */
async function createOrRevive(client: Pick<KubeClient, 'create' | 'patch'>, wanted: Suppression): Promise<Suppression> {
  try {
    return await client.create(KINDS.suppression, wanted);
  } catch (error) {
    if (!isKubeError(error, 409)) throw error;
    const { namespace, name = '' } = wanted.metadata;
    const spec = { ...wanted.spec, suspend: null, expirationTime: null };
    return await client.patch(KINDS.suppression, namespace, name, { spec }, { type: 'merge' });
  }
}

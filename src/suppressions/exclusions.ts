import { managedElsewhere, Refusal } from '../contract/refusal.ts';
import { managerOf, sourceOf } from '../crd/managed.ts';
import type { Suppression } from '../crd/suppression.ts';
import { ClusterUnavailable } from '../kube/errors.ts';
import type { Cache } from '../kube/watch.ts';
import { effectOf } from './policy/match.ts';
import { type EntryKind, entriesOf, nameOf, suppressionOfEntry, withoutEntry } from './policy/exclusion-entries.ts';
import type { SuppressionWrites } from './writes.ts';

/** An entry of one of the API's lists. */
export interface Exclusion {
  entry: string;
  /** `api`, `kubectl`, or the tool that manages it. */
  source: string;
  created_at: string;
}

export interface Exclusions {
  /** The entries that have an effect now: first those that the API did not create, then the oldest. */
  list(kind: EntryKind): Exclusion[];
  /** Ensures that the entry has an effect, and returns it. `owner` is the requester. Throws Refusal. */
  add(kind: EntryKind, entry: string, owner: string): Promise<Exclusion>;
  /** Ends the entry; false if there was none. Throws Refusal. */
  remove(kind: EntryKind, entry: string): Promise<boolean>;
}

export interface ExclusionsDeps {
  writes: SuppressionWrites;
  cache: Pick<Cache<Suppression>, 'list' | 'synced'>;
  operatorNamespace: string;
  /** These namespaces are never shown, so no entry may name one. */
  hiddenNamespaces: readonly string[];
  now(): Date;
}

/**
 * Excluded namespaces, excluded pods and trusted registries: Suppressions of a fixed shape in the operator's namespace, with one entry each
 * if the API created them. Every method throws ClusterUnavailable while the Suppressions are not known.
 */
export function exclusions({ writes, cache, operatorNamespace, hiddenNamespaces, now }: ExclusionsDeps): Exclusions {
  const isHidden = (kind: EntryKind, entry: string) => kind === 'namespace' && hiddenNamespaces.includes(entry);
  const isActive = (one: Suppression) => effectOf(one, now(), operatorNamespace).active;
  const all = (): Suppression[] => {
    if (!cache.synced) throw new ClusterUnavailable('the Suppressions have not been listed yet');
    return cache.list(operatorNamespace);
  };
  const list = (kind: EntryKind): Exclusion[] => {
    const active = all().filter(isActive);
    // Entries that the API created come last: an entry that a tool manages too is shown as the tool's.
    const byAge = active.toSorted((one, other) => rank(one).localeCompare(rank(other)));
    const entries = new Map<string, Exclusion>();
    for (const one of byAge)
      for (const entry of entriesOf(kind, one.spec.match))
        if (!entries.has(entry) && !isHidden(kind, entry)) entries.set(entry, exclusionOf(one, entry));
    return [...entries.values()];
  };

  return {
    list,
    async add(kind, entry, owner) {
      if (isHidden(kind, entry)) throw new Refusal('invalid', 'namespace must not be a hidden one');
      const present = list(kind).find((one) => one.entry === entry);
      if (present) return present;
      const { match, reason } = suppressionOfEntry(kind, entry);
      const isEntry = (one: Suppression) => isActive(one) && entriesOf(kind, one.spec.match).includes(entry);
      return exclusionOf(await writes.put(nameOf(match), { reason, owner, match }, isEntry), entry);
    },
    async remove(kind, entry) {
      if (isHidden(kind, entry)) return false;
      const having = all().filter(({ spec }) => entriesOf(kind, spec.match).includes(entry));
      const manager = having.map(({ metadata }) => managerOf(metadata)).find((name) => name !== undefined);
      if (manager) throw managedElsewhere(manager);
      for (const one of having) await writes.change(one, (match) => withoutEntry(kind, match, entry));
      return having.length > 0;
    },
  };
}

const rank = ({ metadata }: Suppression) => `${sourceOf(metadata) === 'api' ? 1 : 0} ${metadata.creationTimestamp} ${metadata.name}`;

function exclusionOf({ metadata }: Suppression, entry: string): Exclusion {
  return { entry, source: sourceOf(metadata), created_at: metadata.creationTimestamp ?? '' };
}

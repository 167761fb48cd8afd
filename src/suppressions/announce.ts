import type { SocketMessage } from '../contract/socket.ts';
import type { SuppressionRecord } from '../contract/suppression.ts';
import type { Hub } from '../events.ts';
import { ENTRY_KINDS, entriesOf, type EntryKind } from './policy/exclusion-entries.ts';
import { matchOf, shownRecord } from './policy/suppression-record.ts';

export interface SuppressionAnnouncer {
  /** Records what a leader has announced before, without sending: clients read it when they connect. Only the first call does anything. */
  begin(records: SuppressionRecord[]): void;
  /** Notes what another replica sent while it led. */
  heard(message: SocketMessage): void;
  /** Sends what changed since the last message of any replica. undefined means that it was removed. */
  announce(key: string, record: SuppressionRecord | undefined): void;
  /** The keys of the Suppressions that clients know. */
  keys(): string[];
}

export interface AnnouncerDeps {
  operatorNamespace: string;
  hiddenNamespaces: readonly string[];
}

/** The message for an entry whose effect begins or ends. */
const ENTRY_MESSAGES: Record<EntryKind, ((entry: string, isThere: boolean) => SocketMessage) | undefined> = {
  namespace: (namespace, isThere) => ({ type: 'namespace_exclusion', data: { namespace, action: isThere ? 'excluded' : 'included' } }),
  registry: (registry, isThere) => ({ type: 'trusted_registry_change', data: { registry, action: isThere ? 'added' : 'removed' } }),
  // Pods have no message of their own; `suppression_change` covers them.
  pod: undefined,
};

/** Announces Suppressions that are created, changed (also by time) or removed, and the entries of the API's lists that change with them. */
export function suppressionAnnouncer(hub: Pick<Hub, 'publish'>, deps: AnnouncerDeps): SuppressionAnnouncer {
  const known = new Map<string, SuppressionRecord>();
  let hasBegun = false;
  return {
    begin(records) {
      if (!hasBegun) records.forEach((record) => known.set(keyOf(record), record));
      hasBegun = true;
    },
    heard({ type, data }) {
      if (type !== 'suppression_change') return;
      const { action, ...record } = data;
      if (action === 'removed') known.delete(keyOf(record));
      else known.set(keyOf(record), record);
    },
    keys: () => [...known.keys()],
    announce(key, record) {
      const before = known.get(key);
      if (record) known.set(key, record);
      else known.delete(key);
      publishChange(hub, before && shownRecord(before, deps), record && shownRecord(record, deps));
      for (const kind of ENTRY_KINDS) publishEntries(hub, kind, entries(kind, before, deps), entries(kind, record, deps));
    },
  };
}

const keyOf = ({ namespace, name }: Pick<SuppressionRecord, 'namespace' | 'name'>): string => `${namespace}/${name}`;

function publishChange(hub: Pick<Hub, 'publish'>, before: SuppressionRecord | undefined, after: SuppressionRecord | undefined): void {
  if (after && !before) hub.publish({ type: 'suppression_change', data: { ...after, action: 'added' } });
  else if (before && !after) hub.publish({ type: 'suppression_change', data: { ...before, active: false, action: 'removed' } });
  else if (before && after && meaningOf(before) !== meaningOf(after))
    hub.publish({ type: 'suppression_change', data: { ...after, action: 'changed' } });
}

/** Everything but what it counted. */
function meaningOf({ matched_failures: _1, matched_findings: _2, last_matched_at: _3, ...rest }: SuppressionRecord): string {
  return JSON.stringify(rest);
}

function publishEntries(hub: Pick<Hub, 'publish'>, kind: EntryKind, was: string[], is: string[]): void {
  const message = ENTRY_MESSAGES[kind];
  if (!message) return;
  for (const entry of is) if (!was.includes(entry)) hub.publish(message(entry, true));
  for (const entry of was) if (!is.includes(entry)) hub.publish(message(entry, false));
}

/** The list entries of a Suppression while it has an effect. Only Suppressions of the operator's namespace have entries. */
function entries(kind: EntryKind, record: SuppressionRecord | undefined, { operatorNamespace, hiddenNamespaces }: AnnouncerDeps): string[] {
  if (!record?.active || record.namespace !== operatorNamespace) return [];
  return entriesOf(kind, matchOf(record.match)).filter((entry) => kind !== 'namespace' || !hiddenNamespaces.includes(entry));
}

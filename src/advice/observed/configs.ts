import type { Container, Pod } from '../../crd/kubernetes.ts';
import type { ConfigSource } from '../detectors/objects.ts';
import type { StaleConfig } from '../detectors/observed.ts';
import { lastingContainers, podsOfServer, type Subject, type View } from '../detectors/view.ts';
import { type ConfigUse, usesOf } from './config-uses.ts';

/** The clocks of nodes, of the API server and of this process may differ by this much. */
const SLACK_MS = 60_000;
/** How long a rollout, or a controller that restarts pods after changes, may take. */
const PATIENCE_MS = 10 * 60_000;
const KEPT_MS = 24 * 60 * 60 * 1000;
/** How many earlier values are remembered. If a change is undone, no container is outdated. */
const MOST_VALUES = 5;
/** In all namespaces together. One takes about 500 bytes. */
const MOST_SOURCES = 20_000;

/** A value, and when it was first and last seen, in milliseconds. */
interface Seen {
  digest: string | undefined;
  from: number;
  until: number;
}

interface History {
  /** By key. */
  values: Map<string, Seen[]>;
  /** The source as it was last seen; for sources whose values are not read. */
  last: ConfigSource;
  /** Stands for the values of a source whose values are not read. It counts their changes. */
  version: number;
}

/**
 * Which running containers have old values of ConfigMaps and Secrets. Only sources that some workload uses by environment or subPath are
 * remembered.
 */
export function configMemory(most = MOST_SOURCES) {
  const namespaces = new Map<string, { at: number; histories: Map<string, History> }>();
  return (view: View, sources: readonly ConfigSource[], now: Date): StaleConfig[] => {
    const before = namespaces.get(view.namespace)?.histories ?? new Map<string, History>();
    namespaces.delete(view.namespace);
    let room = most;
    for (const [name, { at, histories }] of namespaces) {
      if (now.getTime() - at > KEPT_MS) namespaces.delete(name);
      else room -= histories.size;
    }
    const uses = view.servers.flatMap((server) =>
      lastingContainers(server.spec).flatMap((container) =>
        usesOf(container, server.spec.volumes).map((use) => ({ server, container, use })),
      ),
    );
    const used = new Set(uses.map(({ use }) => keyOf(use.source, use.name)));
    const histories = new Map<string, History>();
    for (const source of sources) {
      const key = keyOf(source.source, source.metadata.name ?? '');
      if (used.has(key) && histories.size < room) histories.set(key, noted(before.get(key), source, now.getTime()));
    }
    if (histories.size > 0) namespaces.set(view.namespace, { at: now.getTime(), histories });
    return uses.flatMap(({ server, container, use }) => {
      const history = histories.get(keyOf(use.source, use.name));
      return history && history.last.immutable !== true
        ? staleOf(podsOfServer(view, server), { server, container, use, history }, now)
        : [];
    });
  };
}

const keyOf = (source: string, name: string): string => `${source}/${name}`;

/** The history, with the source's current state added. */
function noted(before: History | undefined, source: ConfigSource, now: number): History {
  const version = before ? before.version + (hasNewData(before.last, source) ? 1 : 0) : 0;
  const digestOf = (key: string): string | undefined => (source.digests ? source.digests[key] : String(version));
  const keys = new Set([...source.keys, ...(before?.values.keys() ?? [])]);
  const values = new Map(
    [...keys].map((key) => {
      const seen = before ? (before.values.get(key) ?? [{ digest: undefined, ...timesOf(before) }]) : [];
      return [key, seenAgain(seen, source.keys.includes(key) ? digestOf(key) : undefined, now)];
    }),
  );
  return { values, last: source, version };
}

/** When the known values were first and last seen. */
function timesOf({ values }: History): { from: number; until: number } {
  const all = [...values.values()].flat();
  return { from: Math.min(...all.map(({ from }) => from)), until: Math.max(...all.map(({ until }) => until)) };
}

function seenAgain(before: Seen[], digest: string | undefined, now: number): Seen[] {
  const last = before.at(-1);
  if (last && last.digest === digest) return [...before.slice(0, -1), { ...last, until: now }];
  return [...before, { digest, from: now, until: now }].slice(-MOST_VALUES);
}

/** For a source whose values Podmend does not read: whether its data changed, and not only its labels and annotations. */
function hasNewData(before: ConfigSource, source: ConfigSource): boolean {
  if (source.dataAt === undefined || source.dataAt === before.dataAt) return false;
  return source.isDataAlone === true || source.described === before.described;
}

interface Place {
  server: Subject;
  container: Container;
  use: ConfigUse;
  history: History;
}

function staleOf(pods: Pod[], { server, container, use, history }: Place, now: Date): StaleConfig[] {
  const { keys, dataAt, isDataAlone, digests } = history.last;
  const wanted = use.keys ?? [...history.values.keys()];
  // If only the whole source is known to have changed, a container that uses a part of it may have the current value of that part.
  const usesAll = keys.every((key) => wanted.includes(key));
  if (!digests && !usesAll) return [];
  const found = pods.flatMap((pod): { pod: Pod; changes: { key?: string; at: number }[] }[] => {
    const startedAt = startOf(pod, container.name);
    if (startedAt === undefined) return [];
    const changes = wanted.flatMap((key) => changeSince(history.values.get(key) ?? [], startedAt).map((at) => ({ key, at })));
    if (changes.length > 0) return [{ pod, changes }];
    // For a change before the first look, there is only the API server's record. It counts only if it cannot mean labels.
    const isOlder = isDataAlone === true && usesAll && dataAt !== undefined && dataAt - startedAt > SLACK_MS && !isSeen(history, startedAt);
    return isOlder ? [{ pod, changes: [{ at: dataAt }] }] : [];
  });
  const changedAt = Math.max(...found.flatMap(({ changes }) => changes.map(({ at }) => at)));
  if (found.length === 0 || now.getTime() - changedAt < PATIENCE_MS) return [];
  const changed = new Set(found.flatMap(({ changes }) => changes.flatMap(({ key }) => (key === undefined || !digests ? [] : [key]))));
  return [
    {
      ...{ kind: server.kind, name: server.name, container: container.name },
      ...{ source: use.source, sourceName: use.name, keys: [...changed].toSorted(), by: use.by, changedAt },
      pods: found.map(({ pod }) => pod.metadata.name ?? ''),
    },
  ];
}

/** When the value that a container has since its start was replaced. Empty if it has the current value, or if nobody can know. */
function changeSince(seen: Seen[], startedAt: number): number[] {
  const now = seen.at(-1);
  const [first] = seen;
  if (!now || !first || seen.length < 2) return [];
  // A container that started before the first look is assumed to have started with the configuration of the first look.
  const had =
    startedAt < first.from ? first : seen.find(({ from, until }) => startedAt >= from + SLACK_MS && startedAt <= until - SLACK_MS);
  if (!had || had.digest === now.digest) return [];
  return [seen[seen.indexOf(had) + 1]?.from ?? now.from];
}

/** Whether the known times reach back to that time. */
function isSeen({ values }: History, at: number): boolean {
  return [...values.values()].some(([first]) => first !== undefined && first.from <= at);
}

function startOf({ status }: Pod, container: string): number | undefined {
  const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  const startedAt = Date.parse(all.find(({ name }) => name === container)?.state?.running?.startedAt ?? '');
  return Number.isNaN(startedAt) ? undefined : startedAt;
}

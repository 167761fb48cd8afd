import { mapping } from '../../checks/containers.ts';
import type { Container, Pod } from '../../crd/kubernetes.ts';
import { parseQuantity } from '../../crd/quantity.ts';
import type { Measured, Usage } from '../detectors/observed.ts';
import type { PodMetrics } from '../detectors/objects.ts';
import { lastingContainers, podsOfServer, type View } from '../detectors/view.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** While a container starts, its usage is not typical. */
const STARTED_MS = 10 * MINUTE_MS;
/** A sample should be recent. An older or newer one comes from a wrong clock or a faulty metrics server. */
const FRESH_MS = 10 * MINUTE_MS;
/** Two passes within this time see almost the same sample. */
const APART_MS = 5 * MINUTE_MS;
/** A container is near its limit from the first share on, until its usage falls below the second. */
const NEAR = 0.9;
const NEAR_UNTIL = 0.85;
/** About 300 bytes each. */
const MAX_SERIES = 20_000;
/** After this time, a namespace that no longer exists is forgotten. */
const KEPT_MS = 24 * HOUR_MS;

interface Series extends Omit<Usage, 'kind' | 'name' | 'container' | 'mean'> {
  resources: string;
  sum: Measured;
  samples: number;
}

interface Sample {
  pod: string;
  used: Measured;
}

interface Place {
  container: string | null;
  requests: Partial<Measured>;
  limits: Partial<Measured>;
}

/** What containers use, remembered from pass to pass: a few numbers for each container of a workload, not for each pod. */
export function usageMemory(most = MAX_SERIES) {
  const namespaces = new Map<string, { at: number; series: Map<string, Series> }>();
  return (view: View, metrics: readonly PodMetrics[], now: Date): Usage[] => {
    const before = namespaces.get(view.namespace)?.series ?? new Map<string, Series>();
    namespaces.delete(view.namespace);
    const series = new Map<string, Series>();
    let room = most;
    for (const [name, { at, series: kept }] of namespaces) {
      if (now.getTime() - at > KEPT_MS) namespaces.delete(name);
      else room -= kept.size;
    }
    const usage = followed(view, samplesOf(metrics, now), now).flatMap(({ kind, name, place, samples }) => {
      const key = JSON.stringify([kind, name, place.container]);
      const next = added(before.get(key), place, { samples, now: now.getTime() });
      if (!next || series.size >= room) return [];
      series.set(key, next);
      const { sum, samples: count, resources: _, ...rest } = next;
      return [{ kind, name, container: place.container, ...rest, mean: { cpu: sum.cpu / count, memory: sum.memory / count } }];
    });
    if (series.size > 0) namespaces.set(view.namespace, { at: now.getTime(), series });
    return usage;
  };
}

/** What each container of each pod uses now. */
function samplesOf(metrics: readonly PodMetrics[], now: Date): Map<string, Map<string, Measured>> {
  return new Map(
    metrics.flatMap(({ metadata, timestamp, containers }): [string, Map<string, Measured>][] => {
      if (!(Math.abs(now.getTime() - Date.parse(timestamp ?? '')) <= FRESH_MS) || !Array.isArray(containers)) return [];
      const used = containers.flatMap((one): [string, Measured][] => {
        const amount = measuredOf(mapping<{ usage: unknown }>(one).usage);
        return typeof one?.name === 'string' && amount.cpu !== undefined && amount.memory !== undefined
          ? [[one.name, amount as Measured]]
          : [];
      });
      return [[metadata.name ?? '', new Map(used)]];
    }),
  );
}

/** Each container or pod with resources, and a sample of each pod that has run for a while. */
function followed(view: View, samples: ReturnType<typeof samplesOf>, now: Date) {
  return view.servers.flatMap((server) => {
    const pods = podsOfServer(view, server).toSorted((one, other) => createdAt(other) - createdAt(one));
    const [newest] = pods;
    if (!newest) return [];
    return placesOf(newest).map((place) => {
      // During a rollout, old and new pods may have different requests.
      const alike = pods.filter((pod) => placesOf(pod).some((one) => keyOf(one) === keyOf(place)));
      return { kind: server.kind, name: server.name, place, samples: alike.flatMap((pod) => sampleOf(pod, place, samples, now)) };
    });
  });
}

function sampleOf(pod: Pod, { container }: Place, samples: ReturnType<typeof samplesOf>, now: Date): Sample[] {
  const { name = '' } = pod.metadata;
  const names = container === null ? lastingContainers(pod.spec).map((one) => one.name) : [container];
  const used = names.map((one) => (hasRun(pod, one, now) ? samples.get(name)?.get(one) : undefined));
  if (used.length === 0 || !used.every((one) => one !== undefined)) return [];
  const sum = (resource: keyof Measured): number => used.reduce((all, one) => all + one[resource], 0);
  return [{ pod: name, used: { cpu: sum('cpu'), memory: sum('memory') } }];
}

function hasRun({ status }: Pod, container: string, now: Date): boolean {
  const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  const startedAt = Date.parse(all.find(({ name }) => name === container)?.state?.running?.startedAt ?? '');
  return now.getTime() - startedAt >= STARTED_MS;
}

/** Containers with their own resources, and the pod if it has any. */
function placesOf({ spec }: Pod): Place[] {
  const whole = placeOf(null, (spec as { resources?: Container['resources'] }).resources);
  return [...lastingContainers(spec).map(({ name, resources }) => placeOf(name, resources)), whole].filter(
    ({ requests, limits }) => Object.keys({ ...requests, ...limits }).length > 0,
  );
}

function placeOf(container: string | null, resources: Container['resources']): Place {
  return { container, requests: measuredOf(resources?.requests), limits: measuredOf(resources?.limits) };
}

const keyOf = ({ container, requests, limits }: Place): string => JSON.stringify([container, requests, limits]);

const createdAt = ({ metadata }: Pod): number => Date.parse(metadata.creationTimestamp ?? '') || 0;

/** The valid quantities. Invalid and negative ones are left out. */
function measuredOf(quantities: unknown): Partial<Measured> {
  const given = mapping<Record<string, string>>(quantities);
  return Object.fromEntries(
    (['cpu', 'memory'] as const).flatMap((resource) => {
      const text: unknown = given[resource];
      const amount = typeof text === 'string' || typeof text === 'number' ? parseQuantity(text) : undefined;
      return amount === undefined || amount < 0 ? [] : [[resource, amount]];
    }),
  );
}

/** Begins a new series if the resources changed, or if the clock was set back. */
function added(before: Series | undefined, place: Place, { samples, now }: { samples: Sample[]; now: number }): Series | undefined {
  const usable = before && before.resources === keyOf(place) && before.until <= now ? before : undefined;
  if (samples.length === 0) return usable;
  const { near: wasNear, ...series } = usable ?? emptySeries(place, now);
  const most = (resource: keyof Measured): number => Math.max(series.peak[resource], ...samples.map(({ used }) => used[resource]));
  const average = (resource: keyof Measured): number => samples.reduce((sum, { used }) => sum + used[resource], 0) / samples.length;
  const near = nearOf(wasNear, place, samples, now);
  const noted = { ...series, peak: { cpu: most('cpu'), memory: most('memory') }, pods: samples.length, ...(near && { near }) };
  if (usable && now - usable.until < APART_MS) return noted;
  return {
    ...noted,
    until: now,
    hours: series.hours + (!usable || hourOf(now) > hourOf(usable.until) ? 1 : 0),
    sum: { cpu: series.sum.cpu + average('cpu'), memory: series.sum.memory + average('memory') },
    samples: series.samples + 1,
  };
}

function emptySeries(place: Place, now: number): Series {
  const { requests, limits } = place;
  const none: Measured = { cpu: 0, memory: 0 };
  return { resources: keyOf(place), requests, limits, since: now, until: now, hours: 0, peak: none, sum: none, samples: 0, pods: 0 };
}

const hourOf = (at: number): number => Math.floor(at / HOUR_MS);

function nearOf(before: Usage['near'], { limits: { memory: limit } }: Place, samples: Sample[], now: number): Usage['near'] {
  if (!limit) return undefined;
  const [worst] = samples.toSorted((one, other) => other.used.memory - one.used.memory);
  const share = (worst?.used.memory ?? 0) / limit;
  if (!worst || share < (before ? NEAR_UNTIL : NEAR)) return undefined;
  return { since: before?.since ?? now, pod: worst.pod, share };
}

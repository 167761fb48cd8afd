import type { CoreEvent } from '../../crd/kubernetes.ts';
import { type ImagePulls, SLOW_SECONDS, type SlowPull, withTag } from '../detectors/observed.ts';
import { imagesOf } from '../detectors/detector.ts';
import type { View } from '../detectors/view.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_MS = 7 * DAY_MS;
const MOST_SLOW = 5;
/** In all namespaces. About 1 KB each. */
const MOST_IMAGES = 10_000;
/** No pull takes longer, because the kubelet gives up earlier. */
const MOST_SECONDS = 24 * 60 * 60;
const SECONDS: Record<string, number> = { h: 3600, m: 60, s: 1, ms: 1e-3, µs: 1e-6, μs: 1e-6, us: 1e-6, ns: 1e-9 };

interface Pull extends SlowPull {
  image: string;
}

interface Kept {
  at: number;
  /** The events that were already read. They are listed again until they expire. */
  events: Set<string>;
  images: Map<string, { pulls: number; slow: SlowPull[] }>;
}

/** Image pulls of workloads. Events last for an hour; what they say is remembered for a week. */
export function pullMemory(most = MOST_IMAGES) {
  const namespaces = new Map<string, Kept>();
  return (view: View, events: readonly CoreEvent[], now: Date): ImagePulls[] => {
    for (const [name, { at }] of namespaces) if (now.getTime() - at > KEPT_MS) namespaces.delete(name);
    const before = namespaces.get(view.namespace);
    namespaces.delete(view.namespace);
    const named = new Set(view.workloads.flatMap((subject) => imagesOf(subject).map(withTag)));
    let room = most;
    for (const { images } of namespaces.values()) room -= images.size;
    const images: Kept['images'] = new Map();
    for (const [image, { pulls, slow }] of before?.images ?? []) {
      const recent = slow.filter(({ at }) => now.getTime() - at <= KEPT_MS);
      if (named.has(image) && recent.length > 0) images.set(image, { pulls, slow: recent });
    }
    const fresh = events.filter(({ metadata }) => !before?.events.has(metadata.uid ?? ''));
    for (const { image, ...pull } of fresh.flatMap((event) => pullOf(event))) {
      const known = images.get(image);
      if (!named.has(image) || (!known && images.size >= room)) continue;
      const isSlow = pull.seconds + pull.waitedSeconds >= SLOW_SECONDS && pull.at <= now.getTime();
      const slow = (known?.slow ?? []).filter(({ pod }) => !isSlow || pod !== pull.pod);
      images.set(image, { pulls: (known?.pulls ?? 0) + 1, slow: (isSlow ? [...slow, pull] : slow).slice(-MOST_SLOW) });
    }
    const kept = new Set(events.map(({ metadata }) => metadata.uid ?? ''));
    namespaces.set(view.namespace, { at: now.getTime(), events: kept, images });
    return [...images].map(([image, found]) => ({ image, ...found }));
  };
}

/**
 * Reads the kubelet's message about a pull. Its forms: `Successfully pulled image "web:1" in 45.1s` (until 1.24), `… in 45.1s (1m2s
 * including waiting)`, and with `… Image size: 3023274 bytes.` after that (since 1.30). Times are Go durations.
 */
function pullOf({ message = '', metadata, involvedObject, source, reportingInstance, ...times }: CoreEvent): Pull[] {
  const found = /^Successfully pulled image "([^"]{1,1000})" in ([^\s.()]+(?:\.\d+[a-zµμ]+)?)(?: \(([^\s()]+) including waiting\))?/.exec(
    message,
  );
  const [seconds, whole] = [secondsOf(found?.[2]), secondsOf(found?.[3])];
  const at = Date.parse(times.lastTimestamp ?? times.eventTime ?? metadata.creationTimestamp ?? '');
  const pod = involvedObject?.name;
  if (!found?.[1] || seconds === undefined || !pod || Number.isNaN(at)) return [];
  const bytes = /Image size: (\d{1,15}) bytes/.exec(message)?.[1];
  return [
    {
      image: withTag(found[1]),
      pod,
      node: source?.host ?? reportingInstance ?? null,
      seconds,
      waitedSeconds: Math.max(0, (whole ?? seconds) - seconds),
      bytes: bytes === undefined ? null : Number(bytes),
      at,
    },
  ];
}

/** Reads `1m35.4s`, `850ms`, `1h2m3s`. Undefined for anything else, and for more than a day. */
export function secondsOf(duration: string | undefined): number | undefined {
  if (duration === undefined || !/^(?:\d{1,9}(?:\.\d{1,9})?(?:h|ms|m|s|µs|μs|us|ns))+$/.test(duration)) return undefined;
  const parts = [...duration.matchAll(/([\d.]+)([a-zµμ]+)/g)];
  const seconds = parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (SECONDS[unit ?? ''] ?? NaN), 0);
  return seconds <= MOST_SECONDS ? seconds : undefined;
}

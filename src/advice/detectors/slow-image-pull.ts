import { about, type Detector, type DetectorResult, imagesOf } from './detector.ts';
import { type ImagePulls, type SlowPull, withTag } from './observed.ts';
import { SERVERS, type Subject } from './view.ts';

/** One slow pull may be a short problem of the network. */
const LEAST_PODS = 2;
const MEBIBYTE = 2 ** 20;
/** The size of a larger image explains a slow pull. A smaller image is slow because of the network or the registry. */
const FAST_MIB_PER_SECOND = 5;

/** Images that several pods waited long for. */
export const slowImagePull: Detector = {
  id: 'slow-image-pull',
  title: 'Pods wait a long time for their image',
  category: 'availability',
  severity: 'low',
  requires: [...SERVERS, 'Job', 'CronJob', 'Pod', 'Event'],
  why: 'When a node is lost or load grows, new pods help only once they run. While they pull the image, the remaining pods carry the whole load, and a rollout may miss its deadline.',
  run: ({ workloads, observed: { pulls } }) =>
    workloads.flatMap((subject) => {
      const own = new Set(imagesOf(subject).map(withTag));
      const [worst] = pulls
        // If at least half of the nodes get the image quickly, the image is not the cause.
        .filter(
          ({ image, slow, pulls: all }) => own.has(image) && slow.length >= LEAST_PODS && 2 * slow.length >= Math.min(all, 2 * MOST_KEPT),
        )
        .toSorted((one, other) => slowest(other).seconds - slowest(one).seconds);
      return worst ? [about(subject, resultOf(subject, worst))] : [];
    }),
};

/** As many slow pulls are remembered. */
const MOST_KEPT = 5;

function slowest({ slow }: ImagePulls): SlowPull {
  return slow.reduce((one, other) => (other.seconds + other.waitedSeconds > one.seconds + one.waitedSeconds ? other : one));
}

function resultOf({ kind, name }: Subject, found: ImagePulls): Pick<DetectorResult, 'summary' | 'evidence' | 'change'> {
  const { image, slow, pulls } = found;
  const one = slowest(found);
  const speed = one.bytes === null ? null : one.bytes / MEBIBYTE / Math.max(one.seconds, 1);
  return {
    summary: `At least ${LEAST_PODS} pods waited a minute or longer for image ${image} of ${kind} ${name}.`,
    evidence: {
      image,
      size: one.bytes === null ? null : `${Math.round(one.bytes / MEBIBYTE)} MiB`,
      slow_pulls: slow.map(({ pod, node, seconds, waitedSeconds, at }) => ({
        pod,
        node,
        pulled_seconds: Math.round(seconds),
        waited_seconds: Math.round(waitedSeconds),
        at: new Date(at).toISOString(),
      })),
      pulls_seen: pulls,
    },
    change: changeOf(one, speed),
  };
}

function changeOf({ seconds, waitedSeconds }: SlowPull, speed: number | null): string {
  if (waitedSeconds > seconds)
    return 'The pull itself was short, but it waited for other pulls on the node. Let the kubelet pull several at once (`serializeImagePulls: false` with `maxParallelImagePulls`), or start fewer pods on one node at the same time.';
  if (speed !== null && speed >= FAST_MIB_PER_SECOND)
    return 'The image is large: build it in stages, leave build tools and caches out, and share base layers with images that the nodes already have. A DaemonSet can pull it to the nodes beforehand.';
  return 'The registry is far or slow for these nodes: use a mirror or a cache of the registry in the same network, and compare with a small image. If the size of the image is not shown here (before Kubernetes 1.30), check it first.';
}

import { parseImage } from '../../crd/image.ts';

/** From this time on, an image pull is slower than rollouts and autoscalers expect. */
export const SLOW_SECONDS = 60;

/** An image as the kubelet names it: without tag and digest, `latest`. */
export function withTag(image: string): string {
  const { tag, digest } = parseImage(image);
  return tag === null && digest === null ? `${image}:latest` : image;
}

/** cpu in cores, memory in bytes. */
export type Measured = Record<'cpu' | 'memory', number>;

/** The usage of one container of a workload, over all passes that saw it with these resources. */
export interface Usage {
  /** Of the workload. */
  kind: string;
  name: string;
  /** null: the whole pod, if the requests or limits are the pod's. */
  container: string | null;
  requests: Partial<Measured>;
  limits: Partial<Measured>;
  /** The times of the first and the last sample, in milliseconds. */
  since: number;
  until: number;
  /** In how many different hours there was a sample. */
  hours: number;
  /** The most that one pod used in any sample. */
  peak: Measured;
  /** Over pods and samples. */
  mean: Measured;
  /** How many pods the last sample is of. */
  pods: number;
  /** The pod that is nearest to its memory limit, and since when one of the pods has been near it. */
  near?: { since: number; pod: string; share: number };
}

/** A ConfigMap or Secret whose new values a running container does not have. */
export interface StaleConfig {
  kind: string;
  name: string;
  container: string;
  source: 'ConfigMap' | 'Secret';
  sourceName: string;
  /** The changed keys; empty for a Secret, whose values Podmend does not read. */
  keys: string[];
  by: 'environment' | 'subPath';
  /** The latest time at which it may have changed, in milliseconds. */
  changedAt: number;
  pods: string[];
}

/** Pulls of an image by the nodes. */
export interface ImagePulls {
  /** As manifests name it, with its tag. */
  image: string;
  /** How many were seen. */
  pulls: number;
  /** The last slow pulls, each of another pod. */
  slow: SlowPull[];
}

export interface SlowPull {
  pod: string;
  node: string | null;
  /** For which the image was pulled. */
  seconds: number;
  /** For how long the pull first waited for other pulls. */
  waitedSeconds: number;
  /** null if the kubelet does not report it. */
  bytes: number | null;
  /** In milliseconds. */
  at: number;
}

/** What earlier passes have seen. Empty before the first pass, and where nothing may be read. */
export interface Observed {
  usage: readonly Usage[];
  staleConfigs: readonly StaleConfig[];
  pulls: readonly ImagePulls[];
}

export const NOTHING_OBSERVED: Observed = { usage: [], staleConfigs: [], pulls: [] };

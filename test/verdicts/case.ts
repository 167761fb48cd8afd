import type { Container, PodSpec } from '../../src/crd/kubernetes.ts';

/** What kind of behaviour a case is. In each class, at most a tenth of the cases may end as `Inconclusive` although the truth differs. */
export const CLASSES = [
  'ends', // runs for some seconds and ends, on either side of the window
  'memory', // grows until it is killed
  'exit-0', // ends with 0 although it should keep running
  'volumes', // what a run leaves behind in a volume changes the next one
  'readiness', // Ready comes and goes
  'sidecars', // another container of the pod fails, plain or native
  'hooks', // postStart and preStop
  'starts', // slow starts, with and without startup probes
  'pulls', // the registry is slow, silent or refuses
  'init', // init containers
  'jobs', // work that ends
  'probes', // probes that pass only at first, or only later
  'load', // a busy node
  'clock', // a clock that jumps
] as const;
export type VerdictClass = (typeof CLASSES)[number];

/** One behaviour: a failing pod, a corrected pod, and the truth about the corrected pod. Written before it runs. */
export interface VerdictCase {
  /** A sentence without its full stop, unique. */
  name: string;
  class: VerdictClass;
  /** The expected final verdict. It is `Inconclusive` only if the truth does not show within the mirror's time. */
  truth: 'Fixed' | 'StillFailing' | 'Inconclusive';
  /** Why that is the truth: one sentence. */
  why: string;
  source: PodSpec;
  corrected: PodSpec;
  /** How long the source runs before its mirror is created. Absent: 20. */
  sourceSeconds?: number;
  /** Absent: the default, which users get. */
  ttlSeconds?: number;
  /** The truth needs more than 75 s to show. So on a node, only the long form runs the case. */
  needsLongMirror?: true;
  /** Where it runs. Absent: on the sandbox and on a real kubelet. */
  on?: 'sandbox' | 'node';
  /** Sandbox only: what the registry answers to the first pulls of the mirror's images, one entry for each pull. */
  pulls?: { seconds: number; error?: string }[];
  /** Sandbox only: `atSeconds` after the creation of the mirror pod, the clock of operator and node jumps by `bySeconds`. */
  jump?: { atSeconds: number; bySeconds: number };
  /** Sandbox only: when the operator is down, in seconds after the creation of the mirror pod. */
  away?: { fromSeconds: number; toSeconds: number };
}

/** A container `app` that runs a shell script of busybox. The sandbox's shell has `test sleep echo cat touch rm exit trap while if`. */
export function sh(script: string, container: Partial<Container> = {}): Container {
  return { name: 'app', image: 'busybox:1.35', command: ['sh', '-c', script], ...container };
}

/** A pod with this container, or with these containers. */
export function pod(containers: Container | Container[], spec: Partial<PodSpec> = {}): PodSpec {
  return { terminationGracePeriodSeconds: 1, ...spec, containers: [containers].flat() };
}

/** A probe that runs a shell command. */
export function asks(command: string, over: object = {}): object {
  return { exec: { command: ['sh', '-c', command] }, periodSeconds: 5, ...over };
}

import { MIRROR_TTL } from '../../contract/mirror-ttl.ts';
import type { Container, PodSpec, Probe } from '../../crd/kubernetes.ts';
import { parseQuantity } from '../../crd/quantity.ts';
import { listOf } from '../../crd/pod-template.ts';

/** The known runs of a source, used to estimate how long it takes to fail. All times are in seconds. */
export interface SourceHistory {
  /** The app containers and sidecars of the source. */
  containers: ContainerHistory[];
  /** The number of runs before a failure with a known length. */
  knownRuns: number;
  /** The number of all runs that ended, by the restart counts; at least `knownRuns`. */
  endedRuns: number;
  /** The longest known run before a failure; 0 when none is known. */
  longestRunSeconds: number;
}

export interface ContainerHistory {
  name: string;
  /** Whether the container has ever run. */
  hasRun: boolean;
  /** The longest run that ended with a kill for memory; absent if there was none. */
  longestToMemoryKillSeconds?: number;
  /** The memory limit in bytes. */
  memoryLimit?: number;
}

/** How long a mirror must be Ready without a break to count as fixed. */
export interface ObservationWindow {
  /** Whole seconds. */
  seconds: number;
  /** A sentence that names the rule behind the length. */
  reason: string;
  /** The reasons why a verdict with this window is `Weak`, one sentence each. */
  weakBecause: string[];
  /** The window is longer than the longest TTL, so no mirror can stay Ready for the whole window. */
  isTooLong: boolean;
}

/** The shortest window, even when the source fails faster. */
const LEAST_SECONDS = 30;
/** The shortest window when a container of the source never ran, because nobody knows how long it runs before it fails. */
const LEAST_SECONDS_OF_UNKNOWN = 60;
const FACTOR = 1.2;
/** Longer runs count as this long. */
const LONGEST_RUN_SECONDS = 900;

interface Candidate {
  seconds: number;
  reason: string;
  weakBecause?: string;
}

/**
 * The observation window of a mirror that runs `spec`: the longest of the times that the source's history, the probes and the memory limits
 * require. App containers and sidecars count. Init containers lengthen the start, but not the window. `ownRunSeconds` is the longest ended
 * run of a container of the mirror; it counts like a run of the source.
 */
export function observationWindow({
  spec,
  history,
  ownRunSeconds = 0,
}: {
  spec: PodSpec;
  history: SourceHistory;
  ownRunSeconds?: number;
}): ObservationWindow {
  const containers = lasting(spec);
  const candidates: Candidate[] = [
    { seconds: LEAST_SECONDS, reason: `${LEAST_SECONDS} s is the least.` },
    ...unknown(containers, history),
    ...fromRun(history.longestRunSeconds, 'the longest known run of the source before a failure'),
    ...fromRun(ownRunSeconds, 'the longest run of the mirror before it ended'),
    ...containers.flatMap(fromProbes),
    ...containers.flatMap((container) => fromMemory(container, { spec, history })),
  ].map((candidate) => ({ ...candidate, seconds: Math.ceil(round(candidate.seconds)) }));
  const longest = candidates.reduce((best, next) => (next.seconds > best.seconds ? next : best));
  return {
    seconds: longest.seconds,
    reason: longest.reason,
    weakBecause: [...new Set(candidates.flatMap(({ weakBecause }) => weakBecause ?? []))],
    isTooLong: longest.seconds > MIRROR_TTL.max,
  };
}

/** Removes the rounding error of decimal products: 36.00000001 s must not become 37 s. */
const round = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** The containers that run as long as the pod: app containers and sidecars. */
export function lasting(spec: PodSpec): Container[] {
  return [...listOf(spec.initContainers).filter(({ restartPolicy }) => restartPolicy === 'Always'), ...listOf(spec.containers)];
}

function unknown(containers: readonly Container[], { containers: known }: SourceHistory): Candidate[] {
  const unseen = containers.find(({ name }) => !known.some((one) => one.name === name && one.hasRun));
  if (!unseen) return [];
  return [
    {
      seconds: LEAST_SECONDS_OF_UNKNOWN,
      reason: `${LEAST_SECONDS_OF_UNKNOWN} s, because container ${unseen.name} of the source never ran.`,
    },
  ];
}

function fromRun(runSeconds: number, what: string): Candidate[] {
  if (runSeconds <= 0) return [];
  const isCut = runSeconds > LONGEST_RUN_SECONDS;
  const counted = Math.min(runSeconds, LONGEST_RUN_SECONDS);
  const reason = `${FACTOR} times ${what} (${shown(counted)} s).`;
  const weakBecause = `It ran for ${shown(runSeconds)} s before a failure, and only ${LONGEST_RUN_SECONDS} s of that count.`;
  return [{ seconds: counted * FACTOR, reason, ...(isCut ? { weakBecause } : {}) }];
}

const shown = (seconds: number): string => String(Math.round(seconds * 10) / 10);

const DEFAULT_PERIOD = 10;
const DEFAULT_TIMEOUT = 1;
const DEFAULT_THRESHOLD = 3;
/** How long the kubelet takes to notice a failed probe and to kill the container. */
const PROBE_MARGIN_SECONDS = 10;

function fromProbes({ name, livenessProbe, startupProbe, readinessProbe }: Container): Candidate[] {
  const killing = [
    { kind: 'liveness', probe: livenessProbe },
    { kind: 'startup', probe: startupProbe },
  ];
  return [
    ...killing.flatMap(({ kind, probe }) =>
      probe
        ? [{ seconds: secondsToKill(probe), reason: `The time that the ${kind} probe of container ${name} needs to have it killed.` }]
        : [],
    ),
    ...(readinessProbe
      ? [{ seconds: unreadySeconds(readinessProbe), reason: `The time that the readiness probe of container ${name} needs to fail.` }]
      : []),
  ];
}

/** Seconds from the start of a container until the kubelet has killed it because of a failing liveness or startup probe. */
export function secondsToKill({ initialDelaySeconds = 0, failureThreshold, periodSeconds, timeoutSeconds }: Probe): number {
  const timeout = timeoutSeconds ?? DEFAULT_TIMEOUT;
  const between = Math.max(periodSeconds ?? DEFAULT_PERIOD, timeout);
  return initialDelaySeconds + (failureThreshold ?? DEFAULT_THRESHOLD) * between + timeout + PROBE_MARGIN_SECONDS;
}

/** Seconds that a readiness probe fails before the container counts as unready. */
export function unreadySeconds({ failureThreshold, periodSeconds }: Probe): number {
  return (failureThreshold ?? DEFAULT_THRESHOLD) * (periodSeconds ?? DEFAULT_PERIOD);
}

/** The time after which a container would reach its memory limit again. It assumes constant growth: twice the limit takes twice as long. */
function fromMemory({ name, resources }: Container, { spec, history }: { spec: PodSpec; history: SourceHistory }): Candidate[] {
  const before = history.containers.find((one) => one.name === name);
  const toKill = before?.longestToMemoryKillSeconds;
  if (!before || toKill === undefined) return [];
  const newLimit = parseQuantity(resources?.limits?.['memory'] ?? spec.resources?.limits?.['memory']);
  const isKnown = Boolean(newLimit && before.memoryLimit);
  const factor = newLimit && before.memoryLimit ? newLimit / before.memoryLimit : 1;
  const seconds = FACTOR * toKill * factor;
  const times = isKnown && factor !== 1 ? `${FACTOR} times ${shown(factor)} times` : `${FACTOR} times`;
  return [
    {
      seconds,
      reason: `${times} the longest time until container ${name} of the source was killed for lack of memory (${shown(toKill)} s).`,
      ...(isKnown
        ? {}
        : {
            weakBecause: `Without the memory limits of container ${name} before and after, nobody can say how much longer the new one lasts.`,
          }),
    },
  ];
}

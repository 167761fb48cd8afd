import type { MirrorPod } from '../../crd/mirrorpod.ts';

/** `MIRROR_LIMITS`: the most live mirrors per incident, per namespace and in total. */
export interface MirrorLimits {
  perIncident: number;
  perNamespace: number;
  total: number;
}

/** A mirror as the limits count it. `incident` is any text that mirrors of one incident share. */
export interface CountedMirror {
  mirror: MirrorPod;
  incident: string;
}

/** A sentence about the limit that prevents one more mirror of this namespace and incident; undefined if there is room. */
export function reachedLimit(
  ahead: readonly CountedMirror[],
  next: { namespace: string; incident: string },
  limits: MirrorLimits,
): string | undefined {
  const near = ahead.filter(({ mirror }) => mirror.metadata.namespace === next.namespace);
  const same = near.filter(({ incident }) => incident === next.incident);
  if (same.length >= limits.perIncident) return `At most ${limits.perIncident} mirrors may try one incident at a time.`;
  if (near.length >= limits.perNamespace) return `At most ${limits.perNamespace} mirrors may live in one namespace at a time.`;
  if (ahead.length >= limits.total) return `At most ${limits.total} mirrors may live at a time.`;
  return undefined;
}

const ENDED: ReadonlySet<string> = new Set(['Rejected', 'Expired']);

/** Whether a mirror counts for the limits: it runs, or will run when there is room. It still counts while it is being deleted. */
export function isLive({ metadata, status }: MirrorPod, now: Date): boolean {
  const { phase = 'Pending', expirationTime, podName, verdict, conditions = [] } = status ?? {};
  if (ENDED.has(phase) || (expirationTime && Date.parse(expirationTime) <= now.getTime())) return false;
  if (podName !== undefined) return true;
  return !metadata.deletionTimestamp && !verdict && !conditions.some(({ type, status: state }) => type === 'Stalled' && state === 'True');
}

/** The live mirrors that come before `mirror`: those that have a pod, and older ones that still wait for a pod. */
export function mirrorsAhead(mirror: MirrorPod, all: readonly MirrorPod[], now: Date): MirrorPod[] {
  const order = ({ metadata }: MirrorPod): string => `${metadata.creationTimestamp} ${metadata.uid}`;
  const others = all.filter((other) => other.metadata.uid !== mirror.metadata.uid && isLive(other, now));
  return others.filter((other) => other.status?.podName !== undefined || order(other) < order(mirror));
}

export interface MirrorCount {
  phase: string;
  /** `None` while there is no verdict. */
  verdict: string;
  count: number;
}

/** How many live mirrors there are of each phase and verdict, without those in hidden namespaces. */
export function countMirrors(all: readonly MirrorPod[], hidden: readonly string[], now: Date): MirrorCount[] {
  const counts = new Map<string, MirrorCount>();
  const shown = all.filter(({ metadata }) => !hidden.includes(metadata.namespace ?? ''));
  for (const { status } of shown.filter((mirror) => isLive(mirror, now))) {
    const { phase = 'Pending', verdict = 'None' } = status ?? {};
    const key = `${phase} ${verdict}`;
    counts.set(key, { phase, verdict, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

/** How many live mirrors there are in each namespace, by its name. */
export function liveByNamespace(all: readonly MirrorPod[], now: Date): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { metadata } of all.filter((mirror) => isLive(mirror, now))) {
    const namespace = metadata.namespace ?? '';
    counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
  }
  return new Map([...counts].sort(([one], [other]) => one.localeCompare(other)));
}

import type { MirrorPod } from '../crd/mirrorpod.ts';

/** `MIRROR_LIMITS`: live mirrors per incident, per namespace and in all. */
export interface MirrorLimits {
  perIncident: number;
  perNamespace: number;
  total: number;
}

/** A mirror as the limits count it. `incident` is any text that mirrors of one incident share. */
export interface Counted {
  mirror: MirrorPod;
  incident: string;
}

/** The sentence that says which limit the mirrors `ahead` have used up for one more of this namespace and incident; undefined when there is room. */
export function reachedLimit(
  ahead: readonly Counted[],
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

/** Whether a mirror takes a place: it runs, or will as soon as it may. */
export function isLive({ metadata, status }: MirrorPod, now: Date): boolean {
  if (metadata.deletionTimestamp) return false;
  const { phase = 'Pending', expirationTime, podName, verdict, conditions = [] } = status ?? {};
  if (ENDED.has(phase) || (expirationTime && Date.parse(expirationTime) <= now.getTime())) return false;
  return podName !== undefined || (!verdict && !conditions.some(({ type, status: state }) => type === 'Stalled' && state === 'True'));
}

/** The live mirrors that come before `mirror`: those that have their pod, and older ones that wait for it. */
export function aheadOf(mirror: MirrorPod, all: readonly MirrorPod[], now: Date): MirrorPod[] {
  const order = ({ metadata }: MirrorPod): string => `${metadata.creationTimestamp} ${metadata.uid}`;
  const others = all.filter((other) => other.metadata.uid !== mirror.metadata.uid && isLive(other, now));
  return others.filter((other) => other.status?.podName !== undefined || order(other) < order(mirror));
}

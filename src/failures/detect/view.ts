import type { CoreEvent, Pod } from '../../crd/kubernetes.ts';
import type { Family } from '../policy/family.ts';

/** How long Pending and unready are normal. Zero: count as past (offline, where only one moment is known). */
export interface Graces {
  pendingSeconds: number;
  unreadySeconds: number;
}

/** One pod at one moment. `events` may hold events of other objects, which are ignored. */
export interface PodView {
  pod: Pod;
  events: CoreEvent[];
  now: Date;
  graces: Graces;
}

/** Why something fails. `reason` is the label of the record; `message` quotes Kubernetes where it said something. */
export interface Failure {
  reason: string;
  family: Family;
  message: string;
  container?: string;
}

/** A view of a pod that also notes when the answer could change next, only because time passes. */
export interface Look extends PodView {
  /** Whether `seconds` have gone by since `since`. Zero seconds always have; an unknown start never. */
  past(since: string | number | null | undefined, seconds: number): boolean;
}

/** Milliseconds of an RFC 3339 time; undefined for nothing, nonsense and the runtimes' empty time of 1970. */
export function millis(instant: string | null | undefined): number | undefined {
  const at = instant ? Date.parse(instant) : NaN;
  return at > 0 ? at : undefined;
}

/** Begins the examination of a view. `lookAgainAt()` is the soonest deadline that was asked for and had not passed. */
export function look(view: PodView): Look & { lookAgainAt(): Date | undefined } {
  let soonest: number | undefined;
  return {
    ...view,
    past(since, seconds) {
      if (seconds === 0) return true;
      const from = typeof since === 'number' ? since : millis(since);
      if (from === undefined) return false;
      const deadline = from + seconds * 1000;
      if (view.now.getTime() >= deadline) return true;
      if (soonest === undefined || deadline < soonest) soonest = deadline;
      return false;
    },
    lookAgainAt: () => (soonest === undefined ? undefined : new Date(soonest)),
  };
}

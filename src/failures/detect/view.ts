import type { CoreEvent, Pod } from '../../crd/kubernetes.ts';
import type { Family } from '../policy/family.ts';

/** For how long Pending and unready are normal. Zero means that this time is always over (offline, where only one moment is known). */
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

/** A view of a pod that also records when the answer could change only because time passes. */
export interface Look extends PodView {
  /** Whether `seconds` have passed since `since`. Zero seconds have always passed; an unknown start never. */
  past(since: string | number | null | undefined, seconds: number): boolean;
}

/** An RFC 3339 time in milliseconds; undefined for an absent or invalid time and for the empty time of runtimes, in 1970. */
export function millis(instant: string | null | undefined): number | undefined {
  const at = instant ? Date.parse(instant) : NaN;
  return at > 0 ? at : undefined;
}

/** Begins to examine a view. `lookAgainAt()` is the nearest deadline that was asked for and is not over. */
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

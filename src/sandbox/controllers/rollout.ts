import type { Stored } from '../store/object.ts';

/** A ReplicaSet and the number of pods that it should want. */
export interface Step {
  set: Stored;
  replicas: number;
}

/** By how many pods a Deployment may exceed its size during a rollout, and how many may be unavailable. */
export function margins({ spec }: Stored): { surge: number; unavailable: number } {
  if (spec.strategy.type === 'Recreate') return { surge: 0, unavailable: 0 };
  const { maxSurge = '25%', maxUnavailable = '25%' } = spec.strategy.rollingUpdate ?? {};
  const amount = (given: number | string, round: (n: number) => number): number =>
    typeof given === 'number' ? given : round((Number.parseInt(given) / 100) * spec.replicas);
  const surge = amount(maxSurge, Math.ceil);
  const unavailable = amount(maxUnavailable, Math.floor);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

const wantedOf = (sets: Stored[]): number => sets.reduce((sum, set) => sum + set.spec.replicas, 0);
const availableOf = (set: Stored): number => set.status?.availableReplicas ?? 0;

/** How many pods the current ReplicaSet may want, given those that the old ones want. */
export function roomFor(deployment: Stored, current: number, old: Stored[]): number {
  const { replicas, strategy } = deployment.spec;
  if (strategy.type === 'Recreate' || current >= replicas) return replicas;
  const room = replicas + margins(deployment).surge - wantedOf(old) - current;
  return current + Math.max(0, Math.min(room, replicas - current));
}

/**
 * Scales the old ReplicaSets down while the new one becomes available: first unavailable pods, then those that the Deployment can spare.
 */
function shrink(deployment: Stored, current: Stored, old: Stored[]): Step[] {
  const least = deployment.spec.replicas - margins(deployment).unavailable;
  let spare = wantedOf([current, ...old]) - least - (current.spec.replicas - availableOf(current));
  if (spare <= 0) return [];
  const left = new Map(old.map((set) => [set, set.spec.replicas as number]));
  const take = (set: Stored, count: number) => left.set(set, (left.get(set) as number) - count);
  for (const set of old) {
    const count = Math.max(0, Math.min(spare, set.spec.replicas - availableOf(set)));
    take(set, count);
    spare -= count;
  }
  let surplus = [current, ...old].reduce((sum, set) => sum + availableOf(set), 0) - least;
  for (const set of old) {
    const count = Math.max(0, Math.min(surplus, left.get(set) as number));
    take(set, count);
    surplus -= count;
  }
  return [...left].filter(([set, replicas]) => replicas !== set.spec.replicas).map(([set, replicas]) => ({ set, replicas }));
}

/** The next sizes of a Deployment's ReplicaSets. `old`: all except the current one, oldest first. */
export function rolloutSteps(deployment: Stored, current: Stored, old: Stored[]): Step[] {
  const active = old.filter((set) => set.spec.replicas > 0);
  const grown = { set: current, replicas: roomFor(deployment, current.spec.replicas, active) };
  if (deployment.spec.strategy.type === 'Recreate') {
    if (active.length) return active.map((set) => ({ set, replicas: 0 }));
    return old.every((set) => (set.status?.replicas ?? 0) + (set.status?.terminatingReplicas ?? 0) === 0) ? [grown] : [];
  }
  return grown.replicas === current.spec.replicas ? [grown, ...shrink(deployment, current, active)] : [grown];
}

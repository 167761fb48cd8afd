import { type Ask, held, type Move } from '../move.ts';
import type { Power, Through, Way } from '../powers.ts';
import { podsAt, type Terrain } from '../terrain.ts';
import { CHANGE } from '../useful-rules.ts';
import { accountOf, type RunningPod } from '../world.ts';

/** Takes over existing pods: runs a command in them, or changes what they run. */
export function insideMoves<S>(ask: Ask<S>, scope: string | undefined): void {
  const whole = podsAt(ask.terrain.tellingPodsIn, scope);
  const named = (name: string): readonly RunningPod[] => podsAt(ask.terrain.podsIn, scope).filter((pod) => pod.name === name);
  const ways: [Way, verbs: readonly string[], resource: string][] = [
    ['exec', ['create'], 'pods/exec'],
    ['ephemeral', CHANGE, 'pods/ephemeralcontainers'],
    ['image', CHANGE, 'pods'],
  ];
  for (const [way, verbs, resource] of ways)
    for (const { right, name } of held(ask, { verbs, resource }, scope))
      for (const pod of name === undefined ? whole : named(name)) {
        // The kubelet runs static pods as their files say, so changing them through the API has no effect.
        if (way === 'exec' ? !pod.isUp : pod.isStatic) continue;
        // A pod that violates the level of its namespace may keep running, but Pod Security refuses changes to it.
        if (way === 'exec' || !pod.isNode || isOpen(pod, ask.terrain)) takePod(ask, pod, { way, rights: [right] });
        else ask.add({ power: changing(pod, way === 'image' ? 'image' : 'ephemeral'), way: 'pod-change', rights: [right] });
      }
  debugMoves(ask, scope);
  if (scope !== undefined) return;
  for (const { right, name } of held(ask, { verbs: ['get', 'create'], resource: 'nodes/proxy' }, scope))
    for (const pod of whole)
      if (pod.isUp && pod.node !== undefined && (name ?? pod.node) === pod.node) takePod(ask, pod, { way: 'kubelet', rights: [right] });
}

/** An ephemeral container may be privileged if Pod Security allows it. */
function debugMoves<S>(ask: Ask<S>, scope: string | undefined): void {
  const { add, terrain } = ask;
  const any = podsAt(terrain.onePodIn, scope);
  for (const { right, name } of held(ask, { verbs: CHANGE, resource: 'pods/ephemeralcontainers' }, scope))
    for (const pod of name === undefined ? any : podsAt(terrain.podsIn, scope).filter((one) => one.name === name))
      if (pod.isStatic) continue;
      else if (isOpen(pod, terrain))
        add({ power: { kind: 'node', name: pod.node }, way: 'ephemeral', rights: [right], through: podRef(pod) });
      else add({ power: changing(pod, 'ephemeral'), way: 'pod-change', rights: [right] });
}

function isOpen({ namespace }: RunningPod, { world }: Terrain): boolean {
  return world.places.get(namespace)?.level === 'privileged';
}

function changing({ namespace, name }: RunningPod, by: 'image' | 'ephemeral'): Power {
  return { kind: 'changes-pod', namespace, name, by };
}

/** A pod, as the object that a step goes through. */
export function podRef({ name, namespace }: RunningPod): Through {
  return { kind: 'Pod', name, namespace };
}

function takePod<S>({ add }: Ask<S>, pod: RunningPod, how: Pick<Move<S>, 'way' | 'rights'>): void {
  const through = podRef(pod);
  if (pod.hasToken) add({ ...how, through, power: { kind: 'acts-as', subject: accountOf(pod) } });
  if (pod.isNode) add({ ...how, through, power: { kind: 'node', name: pod.node } });
}

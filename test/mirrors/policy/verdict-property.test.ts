import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PodSpec } from '../../../src/crd/kubernetes.ts';
import { ownRunSeconds } from '../../../src/mirrors/policy/timeline.ts';
import { observationWindow } from '../../../src/mirrors/policy/observation-window.ts';
import { playLife, ranFor, type PodLife, type LifeEvent } from '../../support/builders/pod-life.ts';
import { longOr } from '../../support/runner/long.ts';
import { random, type Random } from '../../support/builders/random.ts';

const test = suite('verdict, generated timelines');

const FILMS = longOr(20_000, 300);

type Draw = Random;
const whole = (draw: Draw, from: number, to: number): number => from + draw.integer(to - from + 1);
const chance = (draw: Draw, share: number): boolean => draw.chance(share);

/**
 * A random life of a pod. Containers start, get Ready, lose it, end and start again in any order. Sometimes something outside ends the pod.
 */
function aLife(draw: Draw): PodLife & { spec: PodSpec; ttlSeconds: number } {
  const ttlSeconds = whole(draw, 40, 400);
  const probe = { periodSeconds: whole(draw, 1, 10), failureThreshold: whole(draw, 1, 3) };
  const isProbed = chance(draw, 0.6);
  const hasSecond = chance(draw, 0.3);
  const isSidecar = hasSecond && chance(draw, 0.5);
  const app = { name: 'app', image: 'web:1', ...(isProbed ? { readinessProbe: probe } : {}) };
  const proxy = { name: 'proxy', image: 'web:1' };
  const spec: PodSpec = {
    nodeName: 'node-1',
    containers: hasSecond && !isSidecar ? [app, proxy] : [app],
    ...(isSidecar ? { initContainers: [{ ...proxy, restartPolicy: 'Always' }] } : {}),
  };
  const names = hasSecond ? ['app', 'proxy'] : ['app'];
  const isRestless = chance(draw, 0.7);
  const scenes = names.flatMap((name) => lifeOf(name, { draw, ttlSeconds, isProbed: isProbed && name === 'app', isRestless }));
  const over = chance(draw, 0.1)
    ? [{ at: whole(draw, 5, ttlSeconds - 1), does: chance(draw, 0.5) ? 'delete' : 'deadline' } as LifeEvent]
    : [];
  const history = { ...ranFor(whole(draw, 0, 60), names) };
  return { spec, ttlSeconds, history, scenes: upTo(scenes, over), terms: { reasonBefore: 'CrashLoopBackOff' } };
}

/** Drops everything that would happen after an end from outside. */
function upTo(scenes: LifeEvent[], over: LifeEvent[]): LifeEvent[] {
  return [...scenes.filter(({ at }) => !over[0] || at < over[0].at), ...over];
}

function lifeOf(
  container: string,
  { draw, ttlSeconds, isProbed, isRestless }: { draw: Draw; ttlSeconds: number; isProbed: boolean; isRestless: boolean },
): LifeEvent[] {
  const scenes: LifeEvent[] = [];
  let isRunning = false;
  let isReady = false;
  for (let at = whole(draw, 0, 20); at < ttlSeconds; at += isRestless ? whole(draw, 1, 60) : whole(draw, 20, 200)) {
    if (!isRunning) {
      scenes.push({ at, container, does: 'start' });
      [isRunning, isReady] = [true, !isProbed];
    } else if (isProbed && chance(draw, 0.7)) {
      isReady = !isReady;
      scenes.push({ at, container, does: isReady ? 'ready' : 'unready' });
    } else if (chance(draw, isRestless ? 0.5 : 0.2)) {
      const code = chance(draw, 0.3) ? 0 : 1;
      scenes.push({
        at,
        container,
        does: 'end',
        code,
        ...(chance(draw, 0.3) ? { reason: 'OOMKilled' } : {}),
        ...(chance(draw, 0.3) ? { thenWaits: true } : {}),
      });
      isRunning = false;
      // The kubelet's first restart is immediate.
      if (chance(draw, 0.3)) {
        scenes.push({ at, container, does: 'start' });
        [isRunning, isReady] = [true, !isProbed];
      }
    }
  }
  return scenes;
}

/** The ends, kills and losses of readiness within the last full window of a life. */
function harmIn(life: ReturnType<typeof aLife>, windowSeconds: number): LifeEvent[] {
  const over = life.scenes.find(({ does }) => does === 'delete' || does === 'deadline');
  const endsAt = over?.at ?? life.ttlSeconds;
  return life.scenes.filter(({ at, does }) => (does === 'end' || does === 'unready') && at > endsAt - windowSeconds && at < endsAt);
}

function check(life: ReturnType<typeof aLife>, seed: number): ReturnType<typeof playLife> {
  const shown = playLife(life);
  assert.is(shown.isFinal, true, `seed ${seed} has no end`);
  const { seconds } = observationWindow({
    spec: life.spec,
    history: life.history ?? ranFor(0),
    ownRunSeconds: ownRunSeconds(shown.timeline),
  });
  const harm = harmIn(life, seconds);
  if (harm.length > 0) assert.is.not(shown.last.verdict, 'Fixed', `seed ${seed}: ${JSON.stringify(harm)} within ${seconds} s`);
  return shown;
}

test('a pod that ends, is killed or loses readiness in its last full window is not Fixed, and every life ends', () => {
  const counts = new Map<string, number>();
  for (let seed = 1; seed <= FILMS; seed += 1) {
    const { verdict } = check(aLife(random(seed)), seed).last;
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  }
  for (const verdict of ['Fixed', 'StillFailing', 'Inconclusive'])
    assert.ok((counts.get(verdict) ?? 0) > FILMS / 50, `${verdict} comes up`);
});

test('the same holds for an operator that misses looks', () => {
  for (let seed = 1; seed <= FILMS; seed += 1) {
    const life = aLife(random(seed));
    const draw = random(seed + FILMS);
    const [from, to] = [whole(draw, 0, life.ttlSeconds), whole(draw, 0, life.ttlSeconds)].sort((a, b) => a - b) as [number, number];
    check({ ...life, missed: (second) => second > from && second < to }, seed);
  }
});

test('an operator that starts anew between any two looks comes to the same last verdict', () => {
  for (let seed = 1; seed <= FILMS; seed += 1) {
    const life = aLife(random(seed));
    const draw = random(seed + 2 * FILMS);
    // If the pod does not change, a pass comes once a minute. The verdict mentions a longer gap.
    const [steady, restarted] = [playLife(life), playLife({ ...life, every: 60, restarted: () => chance(draw, 0.5) })];
    const told = ({ last }: ReturnType<typeof playLife>): string => `${last.verdict} ${last.reason}`;
    assert.is(told(restarted), told(steady), `seed ${seed}`);
  }
});

test.run();

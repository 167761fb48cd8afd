import { fieldPath } from '../../../crd/field-path.ts';
import { endedByItself } from '../../rules/ended-by-itself.ts';
import { change } from '../change.ts';
import { factsOf } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import type { FailingProbe } from './failing-probe.ts';

/**
 * A liveness or startup probe that ends the container while it still starts gets more time. A readiness probe ends nothing, and a program that
 * was up before the probe failed needs no time to start. After a crash it is a guess.
 */
export function moreTimeToStart(failing: FailingProbe, confidence: Correction['confidence']): Correction[] {
  if (failing.name === 'readiness' || hasSucceeded(failing)) return [];
  const { container, name, input } = failing;
  const sure = endedByItself(input) ? 'guess' : confidence;
  return [name === 'startup' || container.startupProbe ? moreFailures(failing, sure) : startupProbe(failing, sure)];
}

/**
 * Whether the liveness probe succeeded in the container's last run: it ran longer than a container may whose probe always fails. kubelet asks
 * for the first time one period after the delay at the latest, and ends the container within its grace period.
 */
function hasSucceeded({ input, container, place, name, probe }: FailingProbe): boolean {
  if (name !== 'liveness' || container.startupProbe) return false;
  const { initialDelaySeconds = 0, periodSeconds = 10, failureThreshold = 3, timeoutSeconds = 1 } = probe;
  const graceSeconds = probe.terminationGracePeriodSeconds ?? place.spec.terminationGracePeriodSeconds ?? 30;
  const longest = initialDelaySeconds + (failureThreshold + 1) * Math.max(periodSeconds, timeoutSeconds) + graceSeconds;
  const run = factsOf(input, 'run').find((one) => one.container === container.name);
  return (run?.seconds ?? 0) > longest;
}

/** More time for one answer. */
export function moreTimeToAnswer({ place, probe, path }: FailingProbe): Correction {
  const own = probe.timeoutSeconds ?? 1;
  const to = Math.max(5, own * 3);
  return {
    title: `Wait ${to} seconds for the answer`,
    changes: [change(place, fieldPath(path, 'timeoutSeconds'), to, `${own} s is too short for its answer`)],
    confidence: 'likely',
    explanation: 'The probe gives up before the answer comes.',
    mirrorable: true,
  };
}

function moreFailures({ place, container, name, probe, path }: FailingProbe, confidence: Correction['confidence']): Correction {
  const startup = container.startupProbe ?? probe;
  const to = Math.max(30, (startup.failureThreshold ?? 3) * 3);
  const at = name === 'startup' ? path : fieldPath(place.path, 'startupProbe');
  return {
    title: 'Give it longer to start',
    changes: [change(place, fieldPath(at, 'failureThreshold'), to, 'the container is killed before the program is up')],
    confidence,
    explanation: 'The probe fails until the program listens.',
    mirrorable: true,
  };
}

/** A startup probe with the same handler gives the program five minutes. */
function startupProbe({ place, name, probe }: FailingProbe, confidence: Correction['confidence']): Correction {
  const { httpGet, tcpSocket, exec, grpc } = probe;
  const timeoutSeconds = (probe.timeoutSeconds ?? 1) > 1 ? probe.timeoutSeconds : undefined;
  const handler = Object.fromEntries(Object.entries({ httpGet, tcpSocket, exec, grpc, timeoutSeconds }).filter(([, value]) => value));
  const why = 'the program may still be starting when it is killed';
  return {
    title: 'Give it time to start with a startup probe',
    changes: [change(place, fieldPath(place.path, 'startupProbe'), { ...handler, periodSeconds: 10, failureThreshold: 30 }, why)],
    confidence,
    explanation: `The container has no startup probe, so its ${name} probe does not wait until it has started. With one it has five minutes.`,
    mirrorable: true,
  };
}
